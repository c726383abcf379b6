"""Every dialect of attributes tells the same of an agent's work."""

import json

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers.genai import kind_of, span_of, unflattened
from skillbank.traffic.readers.otlp import Event, Raw
from skillbank.traffic.readers.spans import Span

QUESTION, ANSWER = "Weather in Paris?", "It rains."


def made(held: dict[str, Json], *events: Event, name: str = "a span") -> Span:
    raw = Raw(
        trace="t",
        id="s",
        parent="",
        name=name,
        began=1,
        ended=2,
        held=held,
        events=events,
        status="",
        message="",
        resource={},
    )
    return span_of(raw, "s", events)


def part(role: str, text: str) -> Json:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


CONVENTION = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": json.dumps([part("user", QUESTION)]),
    "gen_ai.output.messages": [part("assistant", ANSWER)],
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 3,
}
OPENLLMETRY = {
    "llm.request.type": "chat",
    "gen_ai.prompt.0.role": "system",
    "gen_ai.prompt.0.content": "Be brief.",
    "gen_ai.prompt.1.role": "user",
    "gen_ai.prompt.1.content": QUESTION,
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": ANSWER,
    "gen_ai.usage.prompt_tokens": 7,
    "gen_ai.usage.completion_tokens": 3,
}
OPENINFERENCE = {
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.type": "text",
    "llm.input_messages.0.message.contents.0.message_content.text": QUESTION,
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": ANSWER,
    "llm.token_count.prompt": 7,
    "llm.token_count.completion": 3,
}
ADK = {
    "gcp.vertex.agent.llm_request": json.dumps(
        {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}]}
    ),
    "gcp.vertex.agent.llm_response": json.dumps(
        {"content": {"role": "model", "parts": [{"text": ANSWER}]}}
    ),
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 3,
}
DIALECTS = [CONVENTION, OPENLLMETRY, OPENINFERENCE, ADK]


@pytest.mark.parametrize("held", DIALECTS)
def test_a_model_message_has_its_words_and_tokens(held: dict[str, Json]) -> None:
    span = made(held)

    assert span.kind == "model"
    assert [m.text for m in span.asked if m.role == "user"] == [QUESTION]
    assert [(m.role, m.text) for m in span.said] == [("assistant", ANSWER)]
    assert (span.tokens.input, span.tokens.output) == (7, 3)


def test_messages_may_be_told_by_events_of_either_generation() -> None:
    held = {"gen_ai.operation.name": "chat"}
    newer = Event(
        name="gen_ai.client.inference.operation.details",
        held={
            "gen_ai.input.messages": [part("user", QUESTION)],
            "gen_ai.output.messages": [part("assistant", ANSWER)],
        },
    )
    older = (
        Event(
            name="gen_ai.user.message", held={"content": f'[{{"text": "{QUESTION}"}}]'}
        ),
        Event(name="gen_ai.choice", held={"body": {"message": {"content": ANSWER}}}),
    )

    for span in (made(held, newer), made(held, *older)):
        assert [message.text for message in span.asked] == [QUESTION]
        assert [message.text for message in span.said] == [ANSWER]


@pytest.mark.parametrize(
    "held",
    [
        {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "look",
            "gen_ai.tool.call.id": "c1",
            "gen_ai.tool.call.arguments": '{"city": "Paris"}',
            "gen_ai.tool.call.result": "rain",
        },
        {
            "openinference.span.kind": "TOOL",
            "tool.name": "look",
            "input.value": '{"city": "Paris"}',
            "output.value": '{"content": "rain", "tool_call_id": "c1"}',
        },
        {
            "gen_ai.tool.name": "look",
            "gen_ai.tool.call.id": "c1",
            "gcp.vertex.agent.llm_request": "{}",
            "gcp.vertex.agent.tool_call_args": '{"city": "Paris"}',
            "gcp.vertex.agent.tool_response": '{"content": [{"text": "rain"}]}',
        },
    ],
)
def test_a_tool_call_has_its_arguments_and_result(held: dict[str, Json]) -> None:
    span = made(held)

    assert (span.kind, span.label, span.call) == ("tool", "look", "c1")
    assert (span.arguments, span.result, span.error) == ({"city": "Paris"}, "rain", "")


def test_a_result_that_says_so_is_an_error() -> None:
    held = {
        "gen_ai.tool.name": "look",
        "output.value": '{"content": [{"text": "no such city"}], "isError": true}',
    }

    assert made(held).error == "no such city"


def test_noise_is_neither_agent_nor_model_nor_tool() -> None:
    assert kind_of({"http.method": "POST", "gen_ai.conversation.id": "x"}) == "other"
    assert kind_of({"gen_ai.operation.name": "embeddings"}) == "other"


def test_cached_tokens_are_added_where_they_are_told_apart() -> None:
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")

    def read(*counts: int) -> int | None:
        usage = {f"gen_ai.usage.{n}": c for n, c in zip(names, counts, strict=True)}
        return made({"gen_ai.operation.name": "chat", **usage}).tokens.input

    assert read(100, 90, 0) == 100
    assert read(5, 90, 10) == 105


def test_names_that_contradict_each_other_still_make_something() -> None:
    held = {"p.0": "text", "p.0.role": "user", "p.10.a": 1, "p.2.a": 2, "q.0": 3}

    assert unflattened(held, "p.") == ["text", {"a": 2}, {"a": 1}]
