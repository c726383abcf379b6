"""Spans of Vercel's AI SDK, which has names of its own for what agents do."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers.otel import read
from skillbank.traffic.run import Misfit
from tests.skillbank.traffic.readers.test_otel import (
    assert_damage_is_survived,
    export,
    runs,
    span,
)

QUESTION = {"role": "user", "content": "Weather in Paris?"}
ASKED = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Weather in Paris?"}]},
]
NEW = {"given": "input", "read": "inputTokens", "wrote": "outputTokens"}
OLD = {"given": "args", "read": "promptTokens", "wrote": "completionTokens"}


def operation(id: str, parent: str, at: int, operation: str, **held: Json) -> Json:
    """A span of an operation; names that begin with `ai` are written without it."""
    named = {f"ai__{name}": value for name, value in held.items()}
    return span(id, parent, at, ai__operationId=operation, **named)


def weather(names: dict[str, str], answer: str = "response") -> list[Json]:
    def used(read: int, wrote: int) -> dict[str, Json]:
        return {f"usage__{names['read']}": read, f"usage__{names['wrote']}": wrote}

    call = {"toolCallId": "c1", "toolName": "get_weather"}
    back = {"output": {"type": "json", "value": {"sky": "rain"}}}
    if names is OLD:
        back = {"result": {"sky": "rain"}}
    given = {"type": "tool-call", **call, names["given"]: {"city": "Paris"}}
    told = {"type": "tool-result", **call, **back}
    about = {
        "telemetry__functionId": "assistant",
        "telemetry__metadata__sessionId": "talk-1",
        "telemetry__metadata__userId": "u-1",
        "telemetry__metadata__tenant": "acme",
    }
    return [
        operation(
            "root",
            "",
            1,
            "ai.streamText",
            prompt={"system": "Be brief.", "messages": [QUESTION]},
            **{f"{answer}__text": "It rains."},
            **used(30, 12),
            **about,
        ),
        operation(
            "one",
            "root",
            2,
            "ai.streamText.doStream",
            prompt__messages=ASKED,
            model__id="gpt-5",
            **{f"{answer}__toolCalls": [{**given, "type": "function"}]},
            **used(10, 5),
            **about,
        ),
        operation(
            "tool",
            "root",
            3,
            "ai.toolCall",
            toolCall__name="get_weather",
            toolCall__id="c1",
            toolCall__args='{"city": "Paris"}',
            toolCall__result='{"sky": "rain"}',
        ),
        operation(
            "two",
            "root",
            4,
            "ai.streamText.doStream",
            prompt__messages=[
                *ASKED,
                {"role": "assistant", "content": [given]},
                {"role": "tool", "content": [told]},
            ],
            model__id="gpt-5",
            **{f"{answer}__text": "It rains."},
            **used(20, 7),
            **about,
        ),
    ]


@pytest.mark.parametrize(
    "spans",
    [weather(NEW), weather(OLD), weather(OLD, answer="result")],
    ids=["5", "4", "3"],
)
def test_a_call_with_tools_is_one_run_in_every_version(
    tmp_path: Path, spans: list[Json]
) -> None:
    (run,) = runs(tmp_path, export(*spans))

    assert run.brief.text == "Weather in Paris?"
    assert run.output == "It rains."
    assert run.followups == ()
    (step,) = run.steps
    assert (step.tool, step.call, step.agent) == ("get_weather", "c1", "")
    assert step.arguments == {"city": "Paris"}
    assert json.loads(step.result) == {"sky": "rain"}
    assert (run.session, run.user, run.tenant) == ("talk-1", "u-1", "acme")
    assert (run.agent, run.model) == ("assistant", "gpt-5")


def test_what_the_whole_call_sums_up_is_not_counted_again(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, export(*weather(NEW)))
    (alone,) = runs(tmp_path, export(weather(NEW)[0]))

    assert run.usage.turns == 2
    assert (run.usage.input_tokens, run.usage.output_tokens) == (30, 12)
    assert (alone.usage.input_tokens, alone.usage.output_tokens) == (30, 12)


def test_a_call_without_a_span_of_its_tool_is_told_by_the_messages(
    tmp_path: Path,
) -> None:
    root, one, _, two = weather(NEW)

    (run,) = runs(tmp_path, export(root, one, two))

    (step,) = run.steps
    assert (step.tool, step.arguments) == ("get_weather", {"city": "Paris"})
    assert json.loads(step.result) == {"sky": "rain"}


def test_an_error_that_a_tool_gave_back_is_an_error_of_its_step(
    tmp_path: Path,
) -> None:
    call = {"toolCallId": "c1", "toolName": "get_weather"}
    failed = {"type": "error-text", "value": "no such city"}
    messages = [
        *ASKED,
        {"role": "assistant", "content": [{"type": "tool-call", **call, "input": {}}]},
        {
            "role": "tool",
            "content": [{"type": "tool-result", **call, "output": failed}],
        },
    ]
    root, one, _, _ = weather(NEW)
    two = operation(
        "two", "root", 4, "ai.streamText.doStream", prompt__messages=messages
    )

    (run,) = runs(tmp_path, export(root, one, two))

    assert [(step.error, step.result) for step in run.steps] == [
        ("no such city", "no such city")
    ]


def test_a_call_within_a_tool_is_a_sub_agents_work(tmp_path: Path) -> None:
    inner = operation(
        "in", "tool", 3, "ai.generateText", prompt={"prompt": "Look at the sky"}
    )
    step = operation(
        "deep",
        "in",
        3,
        "ai.generateText.doGenerate",
        prompt__messages=[{"role": "user", "content": "Look at the sky"}],
        response__text="Grey.",
        usage__inputTokens=100,
        usage__outputTokens=1,
    )

    (run,) = runs(tmp_path, export(*weather(NEW), inner, step))

    assert run.brief.text == "Weather in Paris?"
    assert run.output == "It rains."
    assert run.followups == ()
    assert run.usage.input_tokens == 130


def test_an_object_that_was_generated_is_the_output(tmp_path: Path) -> None:
    spans = [
        operation(
            "root", "", 1, "ai.generateObject", prompt={"prompt": "Name a colour"}
        ),
        operation(
            "one",
            "root",
            2,
            "ai.generateObject.doGenerate",
            prompt__messages=[{"role": "user", "content": "Name a colour"}],
            response__object='{"text": "red", "hex": "#f00"}',
        ),
    ]

    (run,) = runs(tmp_path, export(*spans))

    assert run.output == '{"text": "red", "hex": "#f00"}'


def test_embeddings_alone_are_no_run(tmp_path: Path) -> None:
    path = tmp_path / "spans.json"
    held = operation("one", "", 1, "ai.embed", value='"sunny"', usage__tokens=10)
    path.write_text(json.dumps(export(held)))

    (found,) = read(path)

    assert isinstance(found, Misfit)
    assert found.reason == "no text"


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    versions = {"5": weather(NEW), "4": weather(OLD)}
    assert_damage_is_survived(
        tmp_path, {name: export(*spans) for name, spans in versions.items()}
    )
