"""Model calls that only log records tell of."""

import json
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.otel import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.test_otel import (
    assert_damage_is_survived,
    exchange,
    export,
    span,
    typed,
)

TRACE = "ab" * 16
CALL = {"id": "c1", "type": "function"}
FUNCTION = {"name": "get_weather", "arguments": '{"city": "Paris"}'}


def nested(value: Json) -> Json:
    """A value as OTLP types it."""
    if isinstance(value, dict):
        pairs = [{"key": key, "value": nested(one)} for key, one in value.items()]
        return {"kvlistValue": {"values": pairs}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [nested(one) for one in value]}}
    return typed(value)


def record(
    name: str,
    at: int,
    body: Json = None,
    call: str = "",
    trace: str = TRACE,
    **held: Json,
) -> dict[str, Json]:
    """A log record; dots of names are written as `__`."""
    return {
        "timeUnixNano": str((1_700_000_000 + at) * 10**9),
        "eventName": name,
        "traceId": trace,
        "spanId": call,
        "body": nested(body),
        "attributes": [
            {"key": key.replace("__", "."), "value": nested(value)}
            for key, value in held.items()
        ],
    }


def logs(*records: Json) -> dict[str, Json]:
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": list(records)}]}]}


def older(**where: str) -> list[dict[str, Json]]:
    """Two calls, one record a message."""
    one = {"call": "a1", **where}
    two = {"call": "a2", **where}
    asked = {"content": "Weather in Paris?"}
    tells = {"role": "assistant", "tool_calls": [{**CALL, "function": FUNCTION}]}
    back = {"content": "rain", "id": "c1"}
    says = {"role": "assistant", "content": "It rains."}
    return [
        record("gen_ai.system.message", 1, {"content": "Be brief."}, **one),
        record("gen_ai.user.message", 2, asked, **one),
        record("gen_ai.choice", 3, {"index": 0, "message": tells}, **one),
        record("gen_ai.user.message", 4, asked, **two),
        record("gen_ai.assistant.message", 5, tells, **two),
        record("gen_ai.tool.message", 6, back, **two),
        record("gen_ai.choice", 7, {"index": 0, "message": says}, **two),
    ]


def whole(at: int, asks: Json, says: Json, **where: Json) -> dict[str, Json]:
    return record(
        "gen_ai.client.inference.operation.details",
        at,
        gen_ai__response__model="gpt-5",
        **exchange(asks, says),
        **where,
    )


def text(role: str, words: str) -> Json:
    return {"role": role, "parts": [{"type": "text", "content": words}]}


def values(path: Path, *exports: Json) -> list[Run | Misfit]:
    file = path / "logs.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in exports))
    assert recognise(file)[0] == "otel"
    return list(read(file))


def test_records_of_one_trace_are_one_run_in_whatever_order_and_lines(
    tmp_path: Path,
) -> None:
    records = older()

    (run,) = values(tmp_path, logs(*records[::-1][:4]), logs(*records[::-1][4:]))

    assert isinstance(run, Run)
    assert run.run_id == TRACE
    assert run.brief.text == "Weather in Paris?"
    assert run.output == "It rains."
    assert run.followups == ()
    assert run.usage.turns == 2
    (step,) = run.steps
    assert (step.tool, step.call, step.result) == ("get_weather", "c1", "rain")
    assert step.arguments == {"city": "Paris"}


def test_records_without_a_trace_are_a_run_by_their_conversation(
    tmp_path: Path,
) -> None:
    records = [
        {**one, "traceId": "", "spanId": ""}
        for one in older(gen_ai__conversation__id="t1")
    ]

    (run,) = values(tmp_path, logs(*records))

    assert isinstance(run, Run)
    assert (run.run_id, run.session) == ("t1", "t1")
    assert run.output == "It rains."
    assert run.usage.turns == 2
    assert len(run.steps) == 1


def test_several_choices_are_one_call_and_what_follows_is_the_next(
    tmp_path: Path,
) -> None:
    names = ("gen_ai.user.message", "gen_ai.choice", "gen_ai.choice")
    records = [
        record(name, 1, {"content": f"{turn}"}, "", "", gen_ai__conversation__id="t1")
        for turn in ("Draw a cat", "Draw a dog")
        for name in names
    ]

    (run,) = values(tmp_path, logs(*records))

    assert isinstance(run, Run)
    assert run.usage.turns == 2
    assert run.followups == ("Draw a dog",)


def test_one_record_for_a_whole_call_tells_its_tokens(tmp_path: Path) -> None:
    asks = [text("user", "Weather in Paris?")]
    more = [*asks, text("assistant", "It rains."), text("user", "And in Rome?")]

    (run,) = values(
        tmp_path,
        logs(
            whole(1, asks, [text("assistant", "It rains.")], call="a1"),
            whole(2, more, [text("assistant", "Sun.")], call="a2"),
        ),
    )

    assert isinstance(run, Run)
    assert (run.brief.text, run.output) == ("Weather in Paris?", "Sun.")
    assert run.followups == ("And in Rome?",)
    assert (run.usage.input_tokens, run.usage.output_tokens) == (20, 10)
    assert run.model == "gpt-5"


def test_a_call_that_has_a_span_is_not_told_again_by_its_records(
    tmp_path: Path,
) -> None:
    spans = [
        span(id, at=at, gen_ai__operation__name="chat", gen_ai__usage__input_tokens=7)
        for id, at in (("a1", 1), ("a2", 5))
    ]

    (run,) = values(tmp_path, export(*spans), logs(*older()))

    assert isinstance(run, Run)
    assert run.output == "It rains."
    assert (run.usage.turns, run.usage.input_tokens) == (2, 14)
    assert len(run.steps) == 1


def test_a_call_that_failed_breaks_the_run(tmp_path: Path) -> None:
    failed = whole(1, [text("user", "Draw")], [], call="a1", error__type="BadRequest")

    (run,) = values(tmp_path, logs(failed))

    assert isinstance(run, Run)
    assert (run.ending, run.reason) == ("broken", "BadRequest")


def test_records_of_nothing_are_told_of_once_and_other_records_are_no_run(
    tmp_path: Path,
) -> None:
    lost = [{**one, "traceId": "", "spanId": ""} for one in older()]
    plain = record("started", 1, "hello", trace="cd" * 16)

    found = values(tmp_path, logs(*lost, plain))

    assert [one.reason for one in found if isinstance(one, Misfit)] == [
        "missing field",
        "no text",
    ]
    assert "7 record(s)" in found[0].problem  # type: ignore[union-attr]


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    asks, says = [text("user", "Draw")], [text("assistant", "Done.")]
    talk = [{**one, "traceId": ""} for one in older(gen_ai__conversation__id="t")]
    assert_damage_is_survived(
        tmp_path,
        {
            "older": logs(*older()),
            "talk": logs(*talk),
            "whole": logs(whole(1, asks, says, call="a1"), whole(2, asks, says)),
        },
    )
