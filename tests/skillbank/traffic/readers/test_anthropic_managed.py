"""Sessions of managed agents become runs."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.anthropic_managed import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives

STREAM = "client.beta.sessions.events.stream"


def event(id: str, type: str, **more: Json) -> Json:
    at = f"2026-01-01T00:00:{len(id):02}Z"
    return [STREAM, {"id": id, "type": type, "processed_at": at, **more}]


def words(text: str) -> Json:
    return [{"type": "text", "text": text}]


def session() -> list[Json]:
    agent = {
        "name": "Clerk",
        "version": 3,
        "model": {"id": "m"},
        "skills": [{"type": "custom", "skill_id": "weather", "version": "7"}],
    }
    usage = {
        "input_tokens": 2,
        "cache_read_input_tokens": 10,
        "cache_creation_input_tokens": 5,
        "output_tokens": 4,
    }
    sent = {"events": [{"type": "user.message", "content": words("Weather?")}]}
    return [
        ["client.beta.sessions.create", {"id": "s1", "agent": agent}],
        ["client.beta.sessions.events.send", ["s1", sent]],
        event("e", "user.message", content=words("Weather?")),
        event("ee", "agent.mcp_tool_use", name="look", input={"city": "Paris"}),
        event("eee", "span.model_request_end", model_usage=usage),
        event(
            "eeee", "agent.mcp_tool_result", mcp_tool_use_id="ee", content=words("rain")
        ),
        event("eeeee", "agent.message", content=words("It rains.")),
        event("eeeeee", "span.model_request_end", model_usage=usage),
        event("eeeeeee", "session.status_idle", stop_reason={"type": "end_turn"}),
    ]


def only(path: Path, calls: list[Json]) -> Run:
    file = path / "session.jsonl"
    file.write_text("".join(json.dumps(call) + "\n" for call in calls))
    assert recognise(file)[0] == "anthropic-managed"
    (found,) = read(file)
    assert isinstance(found, Run)
    return found


def test_a_session_is_one_run_and_what_was_sent_counts_once(tmp_path: Path) -> None:
    run = only(tmp_path, session())

    assert (run.run_id, run.model, run.agent) == ("s1", "m", "Clerk 3")
    assert (run.brief.text, run.followups) == ("Weather?", ())
    assert run.output == "It rains."
    assert [(s.tool, s.arguments, s.result) for s in run.steps] == [
        ("look", {"city": "Paris"}, "rain")
    ]
    usage = run.usage
    assert (usage.turns, usage.input_tokens, usage.cached_tokens) == (2, 34, 20)
    assert (usage.output_tokens, usage.seconds) == (8, 6.0)
    assert [(s.skill, s.how, s.version) for s in run.skills] == [
        ("weather", "offered", "7")
    ]


def test_an_event_that_is_streamed_twice_counts_once(tmp_path: Path) -> None:
    calls = session()

    assert only(tmp_path, [*calls, *calls[2:]]) == only(tmp_path, calls)


def test_a_call_that_the_user_denied_is_an_error(tmp_path: Path) -> None:
    denial = event(*("x", "user.tool_confirmation"), tool_use_id="ee", result="deny")

    run = only(tmp_path, [*session()[:4], denial])

    assert run.steps[0].error == "denied by the user"


def test_an_error_at_the_end_is_a_fault_if_the_model_did_not_answer(
    tmp_path: Path,
) -> None:
    error = {"type": "model_overloaded_error", "message": "try later"}
    calls = session()[:4]

    run = only(tmp_path, [*calls, event("x", "session.error", error=error)])

    assert (run.ending, run.reason) == ("fault", "model_overloaded_error: try later")


def test_a_line_that_is_no_call_is_put_aside_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    file = tmp_path / "session.jsonl"
    lines = [json.dumps(call) for call in session()]
    file.write_text("\n".join([*lines[:3], "[oops]", '{"a": 1}', *lines[3:]]) + "\n")

    *misfits, run = read(file)

    assert [one.reason for one in misfits if isinstance(one, Misfit)] == [
        "not JSON",
        "bad value",
    ]
    assert isinstance(run, Run)
    assert run.output == "It rains."


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text("".join(json.dumps(call) + "\n" for call in session()))
    folder = tmp_path / "out"
    folder.mkdir()

    assert assert_survives("anthropic-managed", [file], folder, n=200, seed=1)["run"]


@pytest.mark.samples
def test_the_real_session_has_its_call_and_the_tokens_of_its_two_requests(
    samples: Path,
) -> None:
    path = samples / "langsmith-runs" / "anthropic_managed_mcp_tools.jsonl"

    (run,) = read(path)

    assert isinstance(run, Run)
    usage = run.usage
    assert (usage.turns, usage.input_tokens, usage.output_tokens) == (2, 18028, 435)
    assert [step.tool for step in run.steps] == ["web_search_exa"]
    assert run.steps[0].result.startswith("Title: langchain-ai/langsmith-sdk")
