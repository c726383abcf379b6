"""Messages of every framework are the same messages."""

import json

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers.messages import (
    Call,
    Message,
    Result,
    asked,
    outcome,
    said,
)

PARIS = {"city": "Paris"}
CALL = Call("c1", "look", PARIS)
FUNCTION = {"name": "look", "arguments": '{"city": "Paris"}'}


def constructed(kind: str, **kwargs: Json) -> Json:
    return {"lc": 1, "type": "constructor", "id": ["langchain", kind], "kwargs": kwargs}


CALLS: dict[str, Json] = {
    "OpenAI": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": FUNCTION}],
    },
    "OpenAI responses": [{"type": "function_call", "call_id": "c1", **FUNCTION}],
    "Anthropic": {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {
                "type": "tool_use",
                "id": "c1",
                "name": "look",
                "input": PARIS,
            },
        ],
    },
    "Bedrock": {
        "role": "assistant",
        "content": [{"toolUse": {"toolUseId": "c1", "name": "look", "input": PARIS}}],
    },
    "Gemini": {
        "role": "model",
        "parts": [{"functionCall": {"id": "c1", "name": "look", "args": PARIS}}],
    },
    "LangChain": constructed(
        "AIMessage",
        content="",
        tool_calls=[{"id": "c1", "name": "look", "args": PARIS}],
    ),
    "LangChain's other": {
        "type": "ai",
        "content": "",
        "additional_kwargs": {"tool_calls": [{"id": "c1", "function": FUNCTION}]},
    },
    "OpenTelemetry": {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c1", **FUNCTION}],
    },
    "OpenInference": {
        "message": {
            "role": "assistant",
            "tool_calls": [{"tool_call": {"id": "c1", "function": FUNCTION}}],
        }
    },
}
RESULTS: dict[str, Json] = {
    "OpenAI": {"role": "tool", "tool_call_id": "c1", "content": "rain"},
    "OpenAI responses": {
        "type": "function_call_output",
        "call_id": "c1",
        "output": "rain",
    },
    "Anthropic": {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "rain"}],
    },
    "Bedrock": {
        "role": "user",
        "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "rain"}]}}],
    },
    "LangChain": constructed("ToolMessage", content="rain", tool_call_id="c1"),
    "OpenTelemetry": {
        "role": "tool",
        "parts": [{"type": "tool_call_response", "id": "c1", "response": "rain"}],
    },
}


@pytest.mark.parametrize("name", CALLS)
def test_a_tool_call_is_one_in_every_framework(name: str) -> None:
    for value in (CALLS[name], json.dumps(json.dumps(CALLS[name]))):
        assert said(value) == (Message("assistant", "", (CALL,)),)


@pytest.mark.parametrize("name", RESULTS)
def test_a_tools_result_is_no_word_of_the_user(name: str) -> None:
    (message,) = asked([RESULTS[name]])

    assert message.results == (Result("c1", "rain", False),)
    assert message.text == ""


@pytest.mark.parametrize(
    "value",
    [
        "Weather?",
        {"prompt": "Weather?", "system": "Be brief."},
        {"messages": [[constructed("HumanMessage", content="Weather?")]]},
        {"model": "m", "contents": "Weather?"},
        {
            "input": [
                {
                    "role": "user",
                    "content": [{"type": "input_text", "text": "Weather?"}],
                }
            ]
        },
        '"{\\"question\\": \\"Weather?\\"}"',
    ],
)
def test_what_was_asked_is_found_in_free_shapes(value: Json) -> None:
    assert asked(value) == (Message("user", "Weather?"),)


def test_an_object_that_asks_nothing_is_no_request() -> None:
    assert asked({"args": ["x"], "kwargs": {}}) == ()
    assert asked({"content": "role"}) == ()
    assert asked(None) == asked(3) == asked([]) == ()


def test_wrappers_without_end_are_given_up() -> None:
    value: Json = "words"
    for _ in range(90):
        value = {"input": value}

    assert asked(value) == ()


def test_a_result_keeps_what_is_no_wrapping() -> None:
    assert outcome({"content": "a file", "path": "x"})[0] == (
        '{"content":"a file","path":"x"}'
    )
    assert outcome({"content": [{"type": "text", "text": "rain"}]}) == ("rain", False)
    assert outcome({"status": "error", "why": 1})[1] is True
    assert outcome(None) == ("", False)
