import json
from pathlib import Path
from typing import Any

import pytest

from skillbank.traffic.readers import openhands, recognise
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives


def response(key: str, arguments: str, call: str) -> dict[str, Any]:
    function = {"name": "execute_bash", "arguments": arguments}
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "cache_read_input_tokens": 40,
    }
    return {
        "function_name": "execute_bash",
        "tool_call_id": call,
        "model_response": {
            "id": key,
            "model": "m-1",
            "usage": usage,
            "choices": [
                {"message": {"tool_calls": [{"id": call, "function": function}]}}
            ],
        },
    }


def event(id: int, source: str = "agent", **rest: Any) -> dict[str, Any]:
    time = f"2026-01-01T00:00:{id:02}"
    return {"id": id, "timestamp": time, "source": source, "message": "", **rest}


def v0() -> list[dict[str, Any]]:
    """A conversation that calls two tools in one message, and one of them fails."""
    ls = response("r1", '{"command": "ls"}', "c1")
    cat = response("r1", '{"command": "cat x"}', "c2")
    metadata = {"exit_code": 1}
    known = [{"name": "plug:pdf", "trigger": "pdf", "content": "…"}]
    return [
        event(0, action="system", args={"content": "You are an agent"}),
        event(1, "user", action="message", args={"content": "Make a list"}),
        event(2, action="recall", args={"query": "Make a list"}),
        event(3, observation="recall", cause=2, extras={"microagent_knowledge": known}),
        event(4, action="run", args={"command": "ls"}, tool_call_metadata=ls),
        event(5, action="run", args={"command": "cat x"}, tool_call_metadata=cat),
        event(
            7,
            observation="run",
            cause=5,
            content="cat: x: No such file\n",
            extras={"metadata": metadata},
        ),
        event(8, observation="run", cause=4, content="a b", extras={"metadata": {}}),
        event(9, "user", action="message", args={"content": "Shorter, please"}),
        event(10, action="finish", args={"final_thought": "Here: a b"}),
    ]


def v1() -> list[dict[str, Any]]:
    def message(
        id: str, source: str, role: str, text: str, **rest: Any
    ) -> dict[str, Any]:
        content = [{"type": "text", "text": text}]
        held = {"role": role, "content": content}
        return {"id": id, "timestamp": "2026-01-01T00:00:00", "source": source,
                "llm_message": held, **rest, "kind": "MessageEvent"}  # fmt: skip

    def stats(tokens: int) -> dict[str, Any]:
        used = {"prompt_tokens": tokens, "completion_tokens": 7, "cache_read_tokens": 3}
        metrics = {"model_name": "m-2", "accumulated_cost": 0.0,
                   "accumulated_token_usage": used}  # fmt: skip
        return {"id": f"s{tokens}", "source": "environment", "key": "stats",
                "value": {"usage_to_metrics": {"a": metrics, "b": metrics}},
                "kind": "ConversationStateUpdateEvent"}  # fmt: skip

    arguments = '{"command": "cat /skills/pdf/SKILL.md", "security_risk": "LOW"}'
    return [
        message("e1", "user", "user", "Fill in the form", activated_skills=["forms"]),
        stats(10),
        {"id": "e2", "timestamp": "2026-01-01T00:00:01", "source": "agent",
         "action": {"command": "x", "kind": "TerminalAction"}, "tool_name": "terminal",
         "tool_call_id": "t1", "tool_call": {"arguments": arguments},
         "llm_response_id": "r1", "kind": "ActionEvent"},
        {"id": "e3", "timestamp": "2026-01-01T00:00:02", "source": "environment",
         "tool_name": "terminal", "tool_call_id": "t1", "action_id": "e2",
         "observation": {"content": [{"type": "text", "text": "Use PDF"}],
                         "is_error": False, "exit_code": 0},
         "kind": "ObservationEvent"},
        {"id": "e4", "source": "environment", "tool_name": "editor",
         "tool_call_id": "gone", "error": "no such tool", "kind": "AgentErrorEvent"},
        {"id": "e5", "timestamp": "2026-01-01T00:00:03", "source": "environment",
         "kind": "EventOfNextYear"},
        stats(20),
        message("e6", "agent", "assistant", "Filled in"),
    ]  # fmt: skip


def read(path: Path) -> list[Run | Misfit]:
    assert recognise(path)[0] == "openhands"
    return list(openhands.read(path, path.name))


def one(path: Path) -> Run:
    (run,) = read(path)
    assert isinstance(run, Run), run
    return run


def written(path: Path, value: Any, indent: int | None = None) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, indent=indent))
    return path


@pytest.mark.parametrize("indent", [None, 2])
def test_actions_and_observations_are_paired_by_cause(tmp_path, indent):
    run = one(written(tmp_path / "a.json", v0(), indent))

    assert run.brief.text == "Make a list"
    assert run.followups == ("Shorter, please",)
    assert [(s.tool, s.arguments["command"], s.result) for s in run.steps] == [
        ("execute_bash", "ls", "a b"),
        ("execute_bash", "cat x", "cat: x: No such file\n"),
    ]
    assert [step.error for step in run.steps] == [
        "",
        "exit code 1: cat: x: No such file",
    ]
    assert run.output == "Here: a b"
    assert run.model == "m-1"


def test_usage_counts_once_for_each_model_message(tmp_path):
    usage = one(written(tmp_path / "a.json", v0())).usage

    assert (usage.turns, usage.input_tokens, usage.cached_tokens) == (1, 100, 40)
    assert (usage.output_tokens, usage.usd, usage.seconds) == (10, None, 10.0)


def test_a_running_total_is_taken_and_not_added_up(tmp_path):
    events = v0()
    for number, held in enumerate(events):
        tokens = {"prompt_tokens": 50 * number, "completion_tokens": number}
        held["llm_metrics"] = {
            "accumulated_cost": 0.1 * number,
            "accumulated_token_usage": tokens,
        }

    usage = one(written(tmp_path / "a.json", events)).usage

    assert (usage.input_tokens, usage.output_tokens) == (450, 9)
    assert usage.usd == pytest.approx(0.9)


def test_knowledge_that_was_recalled_is_a_skill_that_was_opened(tmp_path):
    run = one(written(tmp_path / "a.json", v0()))

    assert [(use.skill, use.how) for use in run.skills] == [("pdf", "opened")]
    assert [recall.skill for recall in run.recalls] == ["pdf"]


@pytest.mark.parametrize("state", ["error", "stopped"])
def test_a_last_state_of_failure_breaks_the_run(tmp_path, state):
    extras = {"agent_state": state, "reason": "STATUS$LIMIT"}
    events = [*v0()[:-1], event(11, observation="agent_state_changed", extras=extras)]

    run = one(written(tmp_path / "a.json", events))

    assert (run.ending, run.reason) == ("broken", "STATUS$LIMIT")


def record(**rest: Any) -> dict[str, Any]:
    history = [
        {"content": "Fix it", "action": "message"},
        {"command": "ls", "thought": "look", "action": "run"},
        {"content": "a", "command": "ls", "exit_code": 0, "observation": "run"},
        {"outputs": {}, "thought": "Done", "action": "finish"},
    ]
    return {
        "issue": {"owner": "o", "repo": "r", "number": 5},
        "instruction": "Fix it",
        "git_patch": "diff --git\r\n+x",
        "metrics": {"accumulated_cost": 0.5, "costs": [0.2, 0.3]},
        "success": True,
        "result_explanation": "fine",
        "error": None,
        **rest,
        "history": history,
    }


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(held) + "\n" for held in records))
    return path


def test_a_record_of_the_resolver_is_a_run_with_what_a_model_guessed(tmp_path):
    run = one(lines(tmp_path / "output.jsonl", record()))

    assert run.brief.id == "o/r#5"
    assert run.run_id.startswith("o/r#5~")
    assert run.output == "diff --git\r\n+x"
    assert [(step.tool, step.result) for step in run.steps] == [("run", "a")]
    assert (run.score, run.provenance) == (1.0, "model")
    assert (run.usage.usd, run.usage.turns, run.followups) == (0.5, 2, ())


def test_what_the_tests_said_comes_before_what_a_model_guessed(tmp_path):
    result = {"report": {"resolved": False}}

    run = one(lines(tmp_path / "output.jsonl", record(test_result=result)))

    assert (run.score, run.provenance) == (0.0, "check")
    assert [rating.name for rating in run.ratings] == ["resolved", "success"]


def test_pairs_of_action_and_observation_are_read_too(tmp_path):
    held = record(success=None)
    history = held["history"]
    held["history"] = [[history[0], {"observation": "null"}], [history[1], history[2]]]

    run = one(lines(tmp_path / "output.jsonl", held))

    assert [(step.tool, step.result) for step in run.steps] == [("run", "a")]
    assert run.score is None


def test_a_failure_before_the_agent_did_anything_is_no_failure_of_the_agent(tmp_path):
    held = record(error="Container did not start", success=False)
    held["history"] = []

    run = one(lines(tmp_path / "output.jsonl", held))

    assert (run.ending, run.reason, run.score) == (
        "fault",
        "Container did not start",
        None,
    )


def test_events_of_the_sdk_are_one_conversation(tmp_path):
    run = one(lines(tmp_path / "events.jsonl", *v1()))

    assert (run.brief.text, run.output, run.run_id) == (
        "Fill in the form",
        "Filled in",
        "e1",
    )
    first, second = run.steps
    assert (first.tool, first.call, first.result) == ("terminal", "t1", "Use PDF")
    assert dict(first.arguments) == {"command": "cat /skills/pdf/SKILL.md"}
    assert (second.tool, second.error) == ("editor", "no such tool")
    assert [(use.skill, use.how) for use in run.skills] == [
        ("forms", "opened"),
        ("pdf", "opened"),
    ]


def test_the_last_totals_of_all_models_count_and_no_price_is_not_free(tmp_path):
    usage = one(lines(tmp_path / "events.jsonl", *v1())).usage

    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (40, 14, 6)
    assert (usage.turns, usage.usd) == (1, None)


def conversation(folder: Path, state: bool) -> Path:
    events = folder / "events"
    events.mkdir()
    for number, held in enumerate(v1()):
        written(events / f"event-{number:05}-{held['id']}.json", held, indent=2)
    if state:
        told = {
            "id": "conv-1",
            "agent": {
                "agent_context": {"skills": [{"name": "forms"}, {"name": "pdf"}]}
            },
            "execution_status": "stuck",
            "activated_knowledge_skills": ["forms"],
            "invoked_skills": ["pdf"],
            "stats": {},
        }
        written(folder / "base_state.json", told, indent=2)
    return folder


def test_a_folder_of_a_conversation_is_one_run(tmp_path):
    folder = conversation(tmp_path, state=True)

    found = [held for path in sorted(folder.rglob("*.json")) for held in read(path)]

    (run,) = found
    assert isinstance(run, Run)
    assert (run.run_id, run.session, run.source) == (
        "conv-1",
        "conv-1",
        "base_state.json",
    )
    assert (run.ending, run.reason) == ("broken", "execution status stuck")
    assert {(use.skill, use.how) for use in run.skills} == {
        ("forms", "opened"),
        ("pdf", "opened"),
        ("pdf", "applied"),
        ("forms", "offered"),
        ("pdf", "offered"),
    }
    assert len(run.steps) == 2


def test_a_folder_without_its_state_is_read_once(tmp_path):
    folder = conversation(tmp_path, state=False)

    found = [held for path in sorted(folder.rglob("*.json")) for held in read(path)]

    assert [type(held) for held in found] == [Run]


def test_a_file_that_still_grows_loses_only_its_last_line(tmp_path):
    path = lines(tmp_path / "events.jsonl", *v1())
    path.write_bytes(path.read_bytes()[:-20])

    note, run = read(path)

    assert isinstance(note, Misfit)
    assert note.reason == "truncated"
    assert isinstance(run, Run)
    assert len(run.steps) == 2


def test_damage_is_survived(tmp_path):
    made = [
        written(tmp_path / "a.json", v0()),
        lines(tmp_path / "output.jsonl", record(), record()),
        lines(tmp_path / "events.jsonl", *v1()),
    ]
    folder = tmp_path / "out"
    folder.mkdir()

    seen = assert_survives("openhands", made, folder, n=400, seed=1)

    assert seen["run"] > 100


@pytest.mark.samples
def test_the_samples_are_read_as_they_are(samples):
    folder = samples / "openhands-trajectories"
    values = {
        path.name: list(openhands.read(path))
        for path in sorted(folder.rglob("*.json*"))
    }

    (basic,) = values["basic.json"]
    assert isinstance(basic, Run)
    assert (len(basic.steps), basic.usage.turns, basic.usage.output_tokens) == (
        1,
        2,
        1312,
    )
    (rename,) = values["wrong_initial_state.json"]
    assert isinstance(rename, Run)
    assert (len(rename.steps), rename.usage.input_tokens) == (3, 14828)
    resolved = values["resolver_output.jsonl"]
    assert [
        (len(r.steps), r.usage.usd, r.score) for r in resolved if isinstance(r, Run)
    ] == [
        (3, 0.070713, 1.0),
        (21, 1.152933, 1.0),
    ]
    # a state without its events, and events from the middle of a conversation
    for name in ("base_state.json", "goal_events.jsonl"):
        assert [v.reason for v in values[name] if isinstance(v, Misfit)] == ["no text"]
