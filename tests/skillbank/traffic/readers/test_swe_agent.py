import json
from pathlib import Path
from typing import Any

import pytest

from skillbank.traffic.readers import recognise, swe_agent
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives

ISSUE = "We solve this issue.\nISSUE:\nTimes are off\n\nINSTRUCTIONS:\nWork alone."


def step(action: str, observation: str) -> dict[str, Any]:
    return {
        "action": action,
        "observation": observation,
        "response": f"I do it\n```\n{action}\n```",
        "thought": "I do it",
        "state": '{"open_file": "n/a"}',
    }


def acted(action: str, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "action": action, "tool_calls": calls}


def traj(**info: Any) -> dict[str, Any]:
    told = {
        "exit_status": "submitted",
        "submission": "\r\ndiff --git\r\n",
        "model_stats": {"instance_cost": 0.5, "tokens_sent": 90, "tokens_received": 9,
                        "api_calls": 3},
        **info,
    }  # fmt: skip
    call = {"id": "c1", "function": {"name": "open", "arguments": '{"path": "a.py"}'}}
    return {
        "environment": "main",
        "trajectory": [
            step("open a.py", "[File: a.py]"),
            step("python a.py\n", "344"),
            step("exit_cost", "Exited"),
            step("submit\n", ""),
        ],
        "history": [
            {"role": "system", "content": "You are an agent"},
            {"role": "user", "content": "ISSUE: a demonstration", "is_demo": True},
            {"role": "user", "content": ISSUE},
            acted("open a.py", call),
            acted("python a.py\n"),
        ],
        "info": told,
    }


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, indent=2))
    return path


def one(path: Path) -> Run:
    assert recognise(path)[0] == "swe-agent"
    (run,) = swe_agent.read(path)
    assert isinstance(run, Run), run
    return run


def test_the_issue_is_the_brief_and_neither_template_nor_demonstration(tmp_path):
    run = one(written(tmp_path / "o__r-12.traj", traj()))

    assert run.brief.text == "Times are off"
    assert run.brief.id == "o__r-12"


def test_a_step_is_the_call_of_the_history_or_else_a_command(tmp_path):
    run = one(written(tmp_path / "a.traj", traj()))

    assert [(s.tool, dict(s.arguments), s.call, s.result) for s in run.steps] == [
        ("open", {"path": "a.py"}, "c1", "[File: a.py]"),
        ("bash", {"command": "python a.py\n"}, "", "344"),
        ("submit", {"command": "submit\n"}, "", ""),
    ]


def test_what_was_submitted_and_spent_is_kept_as_it_is(tmp_path):
    run = one(written(tmp_path / "a.traj", traj()))

    assert (run.output, run.ending, run.reason) == ("\r\ndiff --git\r\n", "ok", "")
    assert (run.usage.usd, run.usage.input_tokens) == (0.5, 90)
    assert (run.usage.output_tokens, run.usage.turns) == (9, 3)
    assert run.score is None


def test_zeros_of_a_replay_are_not_told(tmp_path):
    stats = {"instance_cost": 0, "tokens_sent": 0, "tokens_received": 0, "api_calls": 0}

    usage = one(written(tmp_path / "a.traj", traj(model_stats=stats))).usage

    assert (usage.usd, usage.input_tokens, usage.turns) == (None, None, None)


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        ("submitted (exit_cost)", "ok"),
        ("exit_cost", "broken"),
        ("exit_environment_error", "fault"),
        (None, "broken"),
    ],
)
def test_the_exit_status_says_how_it_ended(tmp_path, status, ending):
    made = traj(exit_status=status, submission=None)

    run = one(written(tmp_path / "a.traj", made))

    assert run.ending == ending
    assert run.reason == (status or "no exit status")


@pytest.mark.parametrize("as_text", [False, True])
def test_a_replay_names_the_task_and_the_model(tmp_path, as_text):
    config = {
        "problem_statement": {"text": "Times are wrong", "id": "o__r-7"},
        "agent": {"model": {"name": "m-1"}},
    }
    told = json.dumps(config) if as_text else config

    run = one(written(tmp_path / "a.traj", {**traj(), "replay_config": told}))

    assert (run.brief.id, run.brief.text) == ("o__r-7", "Times are wrong")
    assert run.model == "m-1"


def mini() -> list[dict[str, Any]]:
    return [
        {"role": "system", "content": "You are an assistant"},
        {"role": "user", "content": "Please solve this issue: Fix it\n\n"
         "You can execute bash commands and edit files"},
        {"role": "assistant", "content": "THOUGHT\n\n```mswea_bash_command\nls x\n```"},
        {"role": "user", "content": "<returncode>2</returncode>\n<output>\n"
         "no such file\n</output>"},
        {"role": "assistant", "content": "no command"},
        {"role": "user", "content": "Please give exactly one command"},
        {"role": "assistant", "content": [{"type": "text", "text": "```bash\n"
         "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"}]},
        {"role": "user", "content": "diff --git"},
    ]  # fmt: skip


def test_a_bare_list_of_messages_is_a_run(tmp_path):
    run = one(written(tmp_path / "local.traj.json", mini()))

    assert (run.brief.text, run.followups) == ("Fix it", ())
    assert [(s.tool, s.arguments["command"], s.error) for s in run.steps] == [
        ("bash", "ls x", "exit code 2: no such file"),
        ("bash", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", ""),
    ]
    assert (run.output, run.usage.turns) == ("diff --git", 3)


def test_messages_with_info_tell_more(tmp_path):
    call = {"id": "c1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    used = {"prompt_tokens": 50, "completion_tokens": 5}
    extra = {"timestamp": 1767225600.0, "response": {"usage": used}}
    made = {
        "info": {
            "exit_status": "LimitsExceeded",
            "submission": "",
            "model_stats": {"instance_cost": 0.1, "api_calls": 1},
            "mini_version": "2.0.0",
            "config": {"model": {"model_name": "m-1"}},
        },
        "messages": [
            *mini()[:2],
            {"role": "assistant", "content": "", "tool_calls": [call], "extra": extra},
            {"role": "tool", "tool_call_id": "c1", "content": "a b",
             "extra": {"returncode": 0}},
        ],
        "trajectory_format": "mini-swe-agent-1.1",
    }  # fmt: skip

    run = one(written(tmp_path / "a.traj.json", made))

    assert (run.ending, run.reason) == ("broken", "LimitsExceeded")
    assert (run.agent, run.model) == ("mini-swe-agent 2.0.0", "m-1")
    assert [(s.tool, s.result, s.call) for s in run.steps] == [("bash", "a b", "c1")]
    assert run.steps[0].started == "2026-01-01T00:00:00Z"
    assert (run.usage.input_tokens, run.usage.usd) == (50, 0.1)


def test_a_prediction_is_known_and_put_aside(tmp_path):
    path = tmp_path / "all_preds.jsonl"
    line = {"model_name_or_path": "m", "instance_id": "o__r-1", "model_patch": "diff"}
    path.write_text(json.dumps(line) + "\n" + json.dumps(line) + "\n")

    found = list(swe_agent.read(path))

    assert recognise(path)[0] == "swe-agent"
    assert [(v.source, v.reason) for v in found if isinstance(v, Misfit)] == [
        ("all_preds.jsonl:1", "no text"),
        ("all_preds.jsonl:2", "no text"),
    ]


def test_damage_is_survived(tmp_path):
    made = [
        written(tmp_path / "a.traj", traj()),
        written(tmp_path / "b.traj.json", mini()),
        written(tmp_path / "c.traj.json", {"info": {}, "messages": mini()}),
    ]
    folder = tmp_path / "out"
    folder.mkdir()

    seen = assert_survives("swe-agent", made, folder, n=300, seed=1)

    assert seen["run"] > 100


@pytest.mark.samples
def test_the_samples_are_read_as_they_are(samples):
    folder = samples / "swe-agent-traj"
    runs = {
        path.name: one(path)
        for path in sorted(folder.rglob("*.traj*"))
        if path.is_file()
    }

    assert {name: len(run.steps) for name, run in runs.items()} == {
        "ctf_networking_1.traj": 4,
        "function_calling__marshmallow-1867.traj": 11,
        "humanevalfix-python-0.traj": 5,
        "local.traj.json": 2,
        "pydicom__pydicom-1458.traj": 12,
    }
    usage = runs["pydicom__pydicom-1458.traj"].usage
    assert (usage.turns, usage.usd) == (12, 1.26719)
    assert (usage.input_tokens, usage.output_tokens) == (122612, 1369)
    patch = json.loads((folder / "all_preds.jsonl").read_text())["model_patch"]
    assert runs["pydicom__pydicom-1458.traj"].output == patch
    assert all(run.ending == "ok" for run in runs.values())
