"""Claude Code's own telemetry becomes runs."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.claude_events import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives

SCOPE = "com.anthropic.claude_code"
EVENTS: tuple[tuple[int, str, dict[str, Json]], ...] = (
    (1, "user_prompt", {"prompt": "Fix it"}),
    (9, "user_prompt", {"prompt": "And that"}),
    (
        3,
        "api_request",
        {
            "model": "m1",
            "input_tokens": 1,
            "cache_read_tokens": 10,
            "cache_creation_tokens": 5,
            "output_tokens": 2,
            "cost_usd": 0.25,
        },
    ),
    (4, "skill_activated", {"skill.name": "plugin:fixing"}),
    (
        6,
        "tool_result",
        {
            "tool_name": "Bash",
            "tool_parameters": '{"command": "make"}',
            "success": "false",
            "error": "no rule",
            "duration_ms": 2000,
        },
    ),
    (
        7,
        "api_request",
        {"model": "m2", "query_source": "agent:x", "output_tokens": "3"},
    ),
    (8, "subagent_completed", {"total_tokens": 5000}),
)


def flat(at: int, name: str, held: dict[str, Json]) -> Json:
    return {
        "_type": "log",
        "ts": f"2026-01-01T00:00:0{at}.000Z",
        "scope": SCOPE,
        "name": name,
        "attrs": {"event.name": name, "session.id": "s1", "user.email": "u", **held},
        "resource": {"service.name": "claude-code", "service.version": "2.1"},
    }


def record(at: int, name: str, held: dict[str, Json]) -> Json:
    told = {"event.name": name, "session.id": "s1", "user.email": "u", **held}
    return {
        "timeUnixNano": str((1_767_225_600 + at) * 10**9),
        "body": {"stringValue": f"claude_code.{name}"},
        "attributes": [
            {"key": key, "value": {"stringValue": str(value)}}
            for key, value in told.items()
        ],
    }


def export(records: list[Json]) -> Json:
    version = {"key": "service.version", "value": {"stringValue": "2.1"}}
    scope = {"scope": {"name": f"{SCOPE}.events"}, "logRecords": records}
    return {
        "resourceLogs": [{"resource": {"attributes": [version]}, "scopeLogs": [scope]}]
    }


def write(path: Path, *lines: Json) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_events_of_a_session_in_any_order_are_one_run(tmp_path: Path) -> None:
    file = write(tmp_path / "events.jsonl", *(flat(*event) for event in EVENTS))

    assert recognise(file)[0] == "claude-events"
    (run,) = read(file)

    assert isinstance(run, Run)
    assert (run.run_id, run.session, run.user) == ("s1", "s1", "u")
    assert (run.brief.text, run.followups) == ("Fix it", ("And that",))
    assert [(s.tool, s.arguments, s.error, s.started) for s in run.steps] == [
        ("Bash", {"command": "make"}, "no rule", "2026-01-01T00:00:04Z")
    ]
    assert [(use.skill, use.how) for use in run.skills] == [("fixing", "applied")]
    assert (run.model, run.agent) == ("m1", "claude-code 2.1")
    usage = run.usage
    assert (usage.turns, usage.input_tokens, usage.cached_tokens) == (2, 16, 10)
    assert (usage.output_tokens, usage.usd, usage.seconds) == (5, 0.25, 8.0)


@pytest.mark.parametrize("first", ["garbage", "5", "[", "{"])
def test_a_first_line_that_is_broken_does_not_stop_the_rest(
    tmp_path: Path, first: str
) -> None:
    file = write(tmp_path / "events.jsonl", *(flat(*event) for event in EVENTS))
    file.write_text(f"{first}\n{file.read_text()}")

    broken, run = read(file)

    assert isinstance(broken, Misfit)
    assert broken.source == "events.jsonl:1"
    assert isinstance(run, Run)


def test_log_records_of_otlp_tell_the_same_run(tmp_path: Path) -> None:
    (one,) = read(write(tmp_path / "a.jsonl", *(flat(*event) for event in EVENTS)))
    otlp = write(tmp_path / "b.json", export([record(*event) for event in EVENTS]))

    assert recognise(otlp)[0] == "claude-events"
    (other,) = read(otlp)

    assert isinstance(one, Run)
    assert isinstance(other, Run)
    assert (other.steps, other.usage, other.skills, other.agent) == (
        *(one.steps, one.usage),
        *(one.skills, one.agent),
    )


def test_a_session_whose_prompts_are_hidden_has_no_text(tmp_path: Path) -> None:
    hidden = flat(1, "user_prompt", {"prompt": "<REDACTED>", "prompt_length": 8})

    (misfit,) = read(write(tmp_path / "a.jsonl", hidden))

    assert isinstance(misfit, Misfit)
    assert misfit.reason == "no text"


def test_a_request_that_failed_last_is_a_fault(tmp_path: Path) -> None:
    error = flat(9, "api_error", {"status_code": 529, "error": "Overloaded"})
    lines = [*(flat(*event) for event in EVENTS), error]

    (run,) = read(write(tmp_path / "a.jsonl", *lines))

    assert isinstance(run, Run)
    assert (run.ending, run.reason) == ("fault", "529 Overloaded")


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    files = [
        write(tmp_path / "a.jsonl", *(flat(*event) for event in EVENTS)),
        write(tmp_path / "b.json", export([record(*event) for event in EVENTS])),
    ]
    folder = tmp_path / "out"
    folder.mkdir()

    assert assert_survives("claude-events", files, folder, n=200, seed=1)["run"]


@pytest.mark.samples
def test_the_real_events_have_two_sessions_and_their_cost(samples: Path) -> None:
    path = samples / "otel-genai" / "codemie-code" / "otel-events.sample.jsonl"

    one, two = read(path)

    assert isinstance(one, Run)
    assert isinstance(two, Run)
    assert one.followups == ("fix the timeline",)
    assert [step.tool for step in one.steps] == ["Edit", "Edit", "Bash", "Read"]
    assert [bool(step.error) for step in one.steps] == [False, False, False, True]
    assert (one.usage.turns, two.usage.turns) == (3, 2)
    assert (one.usage.input_tokens, two.usage.input_tokens) == (58800, 27000)
    assert one.usage.usd == pytest.approx(0.0545)
    assert two.usage.usd == pytest.approx(0.035)
    assert [use.skill for use in one.skills] == ["brainstorming"]
