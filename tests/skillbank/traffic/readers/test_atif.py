import json
from pathlib import Path
from typing import Any

import pytest

from skillbank.traffic.collapse import collapse
from skillbank.traffic.readers import atif, recognise
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives


def step(source: str, message: Any, **rest: Any) -> dict[str, Any]:
    return {"step_id": 1, "source": source, "message": message, **rest}


def call(key: str, tool: str = "shell", **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": key, "function_name": tool, "arguments": arguments}


def seen(*results: dict[str, Any]) -> dict[str, Any]:
    return {"results": list(results)}


def trajectory(*steps: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "s-1",
        "agent": {"name": "terminus-2", "version": "2.0", "model_name": "m-1"},
        "steps": list(steps),
        **rest,
    }


def plain(**rest: Any) -> dict[str, Any]:
    offer = "<available_skills><skill><name>pdf</name></skill></available_skills>"
    return trajectory(
        step("system", offer),
        step("user", [{"type": "text", "text": "Fill in the form"}]),
        step(
            "agent",
            "I look",
            timestamp="2026-01-01T00:00:00Z",
            tool_calls=[call("c1", command="ls"), call("c2", "Skill", skill="x:pdf")],
            observation=seen(
                {"content": "a b"}, {"content": "Use PDF"}, {"content": "!"}
            ),
            metrics={"prompt_tokens": 100, "completion_tokens": 10, "cost_usd": 0.1},
        ),
        step(
            "agent",
            "Filled in",
            timestamp="2026-01-01T00:00:09Z",
            metrics={"prompt_tokens": 200, "completion_tokens": 20, "cost_usd": 0.2},
        ),
        **rest,
    )


def written(path: Path, value: Any) -> Path:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps(value, indent=2))
    return path


def one(path: Path) -> Run:
    assert recognise(path)[0] == "atif"
    (run,) = atif.read(path)
    assert isinstance(run, Run), run
    return run


def test_results_without_an_id_belong_to_the_step_s_calls_in_their_order(tmp_path):
    run = one(written(tmp_path / "a.json", plain()))

    assert [(s.tool, s.call, s.result) for s in run.steps] == [
        ("shell", "c1", "a b"),
        ("Skill", "c2", "Use PDF"),
    ]
    assert (run.brief.text, run.output, run.run_id) == (
        "Fill in the form",
        "Filled in",
        "s-1",
    )
    assert {(use.skill, use.how) for use in run.skills} == {
        ("pdf", "offered"),
        ("pdf", "applied"),
    }


def test_a_result_with_the_id_of_no_call_is_of_the_environment(tmp_path):
    first = step("user", "Go")
    acted = step(
        "agent",
        "",
        tool_calls=[call("c1")],
        observation=seen({"source_call_id": "c9", "content": "reset"}),
    )

    run = one(written(tmp_path / "a.json", trajectory(first, acted)))

    assert [step.result for step in run.steps] == [""]


def test_usage_is_that_of_the_steps_or_of_the_end_where_it_tells_more(tmp_path):
    usage = one(written(tmp_path / "a.json", plain())).usage
    more = {"total_prompt_tokens": 350, "total_completion_tokens": 1}
    ended = one(written(tmp_path / "b.json", plain(final_metrics=more))).usage

    assert (usage.input_tokens, usage.output_tokens, usage.turns) == (300, 30, 2)
    assert usage.usd == pytest.approx(0.3)
    assert usage.seconds == 9.0
    assert (ended.input_tokens, ended.output_tokens) == (350, 30)


def test_the_task_is_taken_out_of_a_program_s_own_prompt(tmp_path):
    text = "You act.\n\nTask Description:\nMake x\n\n\nCurrent terminal state:\n$"

    run = one(written(tmp_path / "a.json", trajectory(step("user", text))))

    assert run.brief.text == "Make x"


def test_embedded_children_act_and_spend_for_the_run(tmp_path):
    child = trajectory(
        step("user", "Inspect"),
        step(
            "agent",
            "Valid",
            tool_calls=[call("c1", command="cat x")],
            observation=seen({"source_call_id": "c1", "content": "x"}),
            metrics={"prompt_tokens": 1000},
        ),
        trajectory_id="child-1",
    )
    whole = plain(subagent_trajectories=[child], trajectory_id="t-1")

    run = one(written(tmp_path / "a.json", whole))

    assert [(s.agent, s.result) for s in run.steps][-1] == ("child-1", "x")
    assert (run.usage.input_tokens, run.usage.turns) == (1300, 3)
    assert (run.run_id, run.output, run.followups) == ("t-1", "Filled in", ())


def test_a_continued_trajectory_counts_nothing_twice(tmp_path):
    whole = plain(continued_trajectory_ref="b.json")
    copied = [{**held, "is_copied_context": True} for held in whole["steps"]]
    further = step("agent", "More", metrics={"prompt_tokens": 7})
    second = {**trajectory(*copied, further), "session_id": "s-1-cont-1"}

    first = one(written(tmp_path / "a.json", whole))
    run = one(written(tmp_path / "b.json", second))

    assert (run.steps, run.usage.input_tokens, run.usage.turns) == ((), 7, 1)
    assert run.brief == first.brief
    assert run.origin == first.origin == "s-1"


def test_a_trajectory_and_what_it_goes_on_in_are_one_run(tmp_path):
    asked, said = step("user", "Make x"), {"prompt_tokens": 5, "completion_tokens": 1}
    acted = step("agent", "", metrics=said, tool_calls=[call("c1")])
    first = trajectory(asked, acted, continued_trajectory_ref="b.json")
    again = {"is_copied_context": True}
    more = step("agent", "Done", metrics=said, tool_calls=[call("c2")])
    second = trajectory(asked | again, acted | again, more)
    # what a continuation sums up began with the first file
    second["final_metrics"] = {"total_prompt_tokens": 10}
    second["session_id"] = "s-1-cont-1"
    trial = {"trial_name": "t", "agent_result": {"cost_usd": 0.5}}
    rewards = {"verifier_result": {"rewards": {"reward": 1.0}}}
    written(tmp_path / "result.json", {**trial, **rewards})
    runs = [
        one(written(tmp_path / name, value))
        for name, value in (("b.json", second), ("a.json", first))
    ]

    left = collapse(runs)

    (run,) = left.runs
    assert [(merge.run_id, merge.why) for merge in left.merges] == [
        ("s-1-cont-1", "resumed")
    ]
    assert (run.run_id, run.source, run.output) == ("s-1", "a.json", "Done")
    assert [held.call for held in run.steps] == ["c1", "c2"]
    assert (run.usage.turns, run.usage.input_tokens, run.usage.usd) == (2, 10, 0.5)
    assert (run.score, run.part) == (1.0, "")
    assert collapse([*runs, *reversed(runs)]).runs == left.runs


def test_a_child_in_a_file_of_its_own_names_its_parent(tmp_path):
    child = trajectory(step("user", "Sum up"), step("agent", "Done"))
    child["session_id"] = "s-1-summarization-1-summary"
    child["agent"]["extra"] = {"parent_session_id": "s-1"}

    run = one(written(tmp_path / "child.json", child))

    assert (run.parent, run.origin) == ("s-1", "")


def test_what_a_program_says_for_a_child_is_not_the_user(tmp_path):
    ref = {
        "subagent_trajectory_ref": [{"session_id": "s", "trajectory_path": "b.json"}]
    }
    whole = trajectory(
        step("user", "Make x"),
        step("system", "Summed up", observation=seen(ref)),
        step("user", "Here are the answers"),
        step("user", "And y, please"),
        step("agent", "Made"),
    )

    run = one(written(tmp_path / "a.json", whole))

    assert run.followups == ("And y, please",)


def trial(folder: Path, **rest: Any) -> Path:
    result = {
        "task_name": "forms",
        "trial_name": "forms__a1",
        "verifier_result": {"rewards": {"reward": 1.0}},
        "agent_result": {"n_cache_tokens": 5, "cost_usd": 9.0},
        "started_at": "2026-01-01T00:00:00",
        "finished_at": "2026-01-01T00:01:00",
        **rest,
    }
    tests = [{"name": "has x", "status": "passed"}, {"name": "y", "status": "failed"}]
    written(folder / "result.json", result)
    written(folder / "verifier" / "ctrf.json", {"results": {"tests": tests}})
    return written(folder / "agent" / "trajectory.json", plain())


def test_what_the_trial_was_scored_is_read_beside_it(tmp_path):
    run = one(trial(tmp_path))

    assert (run.score, run.provenance, run.trial) == (1.0, "check", "forms__a1")
    assert run.brief.id == "forms"
    assert [(r.name, r.value, r.higher_is_better) for r in run.ratings] == [
        ("reward", 1.0, True),
        ("test has x", 1.0, True),
        ("test y", 0.0, True),
    ]
    assert run.usage.usd == pytest.approx(0.3)
    assert list(atif.read(tmp_path / "result.json")) == []


@pytest.mark.parametrize(
    ("kind", "ending", "score"),
    [
        ("AgentTimeoutError", "broken", 1.0),
        ("EnvironmentStartTimeoutError", "fault", None),
    ],
)
def test_an_exception_of_the_trial_says_whose_failure_it_was(
    tmp_path, kind, ending, score
):
    told = {"exception_type": kind, "exception_message": "after 60 s\nTraceback"}

    run = one(trial(tmp_path, exception_info=told))

    assert (run.ending, run.reason) == (ending, f"{kind}: after 60 s")
    assert run.score == score


def test_a_result_without_its_trajectory_is_put_aside(tmp_path):
    path = trial(tmp_path)
    path.unlink()

    (found,) = atif.read(tmp_path / "result.json")

    assert recognise(tmp_path / "result.json")[0] == "atif"
    assert isinstance(found, Misfit)
    assert found.reason == "no text"


def test_damage_is_survived(tmp_path):
    whole = plain(subagent_trajectories=[plain(trajectory_id="c")])
    path = written(tmp_path / "a.json", whole)
    folder = tmp_path / "out"
    folder.mkdir()

    seen = assert_survives("atif", [path], folder, n=400, seed=1)

    assert seen["run"] > 100


@pytest.mark.samples
def test_the_samples_are_read_as_they_are(samples):
    folder = samples / "atif-trajectories" / "harbor-golden"
    runs = {path.name: one(path) for path in sorted(folder.rglob("*.json"))}
    whole = "hello-world-context-summarization.trajectory"
    parent = runs[f"{whole}.json"]
    children = [runs[name] for name in runs if name.startswith(f"{whole}.summ")]

    assert [child.parent for child in children] == [parent.run_id] * 3
    assert {name: len(run.steps) for name, run in runs.items() if not run.parent} == {
        "hello-world.trajectory.json": 2,
        f"{whole}.json": 7,
        "hello-world-invalid-json.trajectory.json": 3,
        "hello-world-timeout.trajectory.json": 3,
    }
    told = json.loads((folder / "terminus_2" / f"{whole}.json").read_text())
    total = told["final_metrics"]
    family = [parent, *children]
    assert (
        sum(run.usage.input_tokens or 0 for run in family)
        == (total["total_prompt_tokens"])
    )
    assert (
        sum(run.usage.output_tokens or 0 for run in family)
        == (total["total_completion_tokens"])
    )
    assert sum(run.usage.usd or 0 for run in family) == (
        pytest.approx(total["total_cost_usd"])
    )
    assert runs["hello-world-timeout.trajectory.json"].usage.input_tokens == 982
    # one task, however it was packed
    briefs = {run.brief.text.strip() for run in runs.values() if not run.parent}
    assert briefs == {
        'Create a file called hello.txt with "Hello, world!" as the content.'
    }


@pytest.mark.samples
@pytest.mark.parametrize("case", ["cleanup", "tool-calls"])
def test_another_reading_of_the_same_trajectories_agrees(samples, case):
    folder = samples / "letta-trajectory-fixtures" / "atif" / case
    run = one(folder / "input.json")
    records = json.loads((folder / "expected.json").read_text())["records"]

    def said(role: str) -> list[str]:
        texts = [r["content"] for r in records if r["role"] == role and r["content"]]
        return [text.replace("\n[image]", "") for text in texts]

    calls = [made for r in records for made in r.get("tool_calls", ())]
    assert [run.brief.text, *run.followups] == said("user")
    assert run.output == said("assistant")[-1]
    assert [step.result for step in run.steps] == said("tool")
    assert [(s.call, s.tool) for s in run.steps] == [
        (c["id"], c["name"]) for c in calls
    ]
    for step, made in zip(run.steps, calls, strict=True):
        told = json.loads(made["args"])
        assert dict(step.arguments) == (
            {"input": told["_raw"]} if "_raw" in told else told
        )
