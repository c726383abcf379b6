"""Traces of LangSmith become runs."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.langsmith import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives


def run(id: str, type: str, above: str = "", **more: Json) -> dict[str, Json]:
    return {
        "id": id,
        "trace_id": "root",
        "parent_run_id": above or None,
        "name": id,
        "run_type": type,
        "start_time": f"2026-01-01T00:00:0{len(id)}.000000",
        "end_time": f"2026-01-01T00:00:0{len(id) + 1}.000000",
        **more,
    }


def constructed(kind: str, **kwargs: Json) -> Json:
    where = ["langchain", "schema", "messages", kind]
    return {"lc": 1, "type": "constructor", "id": where, "kwargs": kwargs}


def talk() -> list[dict[str, Json]]:
    usage = {"input_tokens": 9, "output_tokens": 2, "input_token_details": {}}
    call = {"name": "look", "args": {"city": "Paris"}, "id": "c1", "type": "tool_call"}
    first = constructed("AIMessage", content="", tool_calls=[call])
    question = constructed("HumanMessage", content="Weather in Paris?")
    back = constructed("ToolMessage", content="rain", tool_call_id="c1")
    return [
        run(
            "root",
            "chain",
            inputs={"question": "Weather in Paris?"},
            outputs={"answer": "It rains."},
            prompt_tokens=18,
            completion_tokens=4,
            total_cost="0.5",
            extra={"metadata": {"thread_id": "s1", "user_id": "u1", "tenant": "acme"}},
        ),
        run(
            "model",
            "llm",
            "root",
            inputs={"messages": [[question]]},
            outputs={"generations": [[{"message": first}]], "usage_metadata": usage},
        ),
        run("look..", "tool", "root", inputs={"input": "{}"}, outputs={"output": back}),
        run(
            "model..",
            "llm",
            "root",
            inputs={"messages": [[question, first, back]]},
            outputs={
                "choices": [{"message": {"role": "assistant", "content": "It rains."}}],
                "usage_metadata": usage,
            },
        ),
    ]


def only(path: Path, value: Json) -> Run:
    file = path / "runs.json"
    file.write_text(json.dumps(value))
    assert recognise(file)[0] == "langsmith"
    (found,) = read(file)
    assert isinstance(found, Run), found
    return found


def test_an_export_tells_what_was_asked_done_and_spent(tmp_path: Path) -> None:
    found = only(tmp_path, talk())

    assert (found.brief.text, found.output) == ("Weather in Paris?", "It rains.")
    assert (found.run_id, found.session, found.user, found.tenant) == (
        *("root", "s1", "u1"),
        "acme",
    )
    assert [(step.tool, step.call, step.result) for step in found.steps] == [
        ("look..", "c1", "rain")
    ]
    usage = found.usage
    assert (usage.turns, usage.input_tokens, usage.output_tokens) == (2, 18, 4)


def test_a_run_is_whole_only_after_its_patch(tmp_path: Path) -> None:
    late = ("outputs", "end_time")
    posts = [{k: v for k, v in one.items() if k not in late} for one in talk()]
    patches = [
        {"id": one["id"], "outputs": one["outputs"], "end_time": one["end_time"]}
        for one in talk()
    ]

    assert only(tmp_path, {"post": posts, "patch": patches}) == only(tmp_path, talk())


def test_children_within_their_parent_are_the_same_runs(tmp_path: Path) -> None:
    root, *children = talk()

    assert only(tmp_path, {**root, "child_runs": children}) == only(tmp_path, talk())


def test_times_may_be_milliseconds_or_have_no_zone(tmp_path: Path) -> None:
    one = run("root", "llm", inputs={"input": "hi"}, outputs={"output": "ho"})

    no_zone = only(tmp_path, [one])
    number = only(tmp_path, [{**one, "start_time": 1_767_225_604_000}])

    assert no_zone.started == "2026-01-01T00:00:04.000000"
    assert number.started == "2026-01-01T00:00:04Z"
    assert no_zone.usage.seconds == number.usage.seconds == 1.0


def test_feedback_says_who_gave_it_and_comes_before_its_average(tmp_path: Path) -> None:
    root, *rest = talk()
    root["feedback_stats"] = {
        "correctness": {"n": 1, "avg": 1.0},
        "toxicity": {"n": 2, "avg": 0.25},
    }
    feedback = {
        "run_id": "root",
        "key": "correctness",
        "score": True,
        "comment": "yes",
        "feedback_source": {"type": "app"},
    }

    both = only(tmp_path, {"runs": [root, *rest], "feedback": [feedback]})

    told = [(r.name, r.value, r.provenance, r.higher_is_better) for r in both.ratings]
    assert told == [
        ("correctness", 1.0, "human", True),
        ("toxicity", 0.25, "none", False),
    ]
    assert both.score is None


def test_one_feedback_that_is_good_when_high_is_the_score(tmp_path: Path) -> None:
    root, *rest = talk()
    root["feedback_stats"] = {"correctness": {"n": 4, "avg": 0.75}}

    assert only(tmp_path, [root, *rest]).score == 0.75


def test_an_error_of_the_root_is_the_runs_with_its_first_line(tmp_path: Path) -> None:
    root, *rest = talk()
    root["error"] = "ValueError('no')\n\nTraceback (most recent call last):\n ..."

    found = only(tmp_path, [root, *rest])

    assert (found.ending, found.reason) == ("broken", "ValueError('no')")


def test_a_run_without_an_id_is_put_aside(tmp_path: Path) -> None:
    file = tmp_path / "runs.json"
    file.write_text(json.dumps([{"run_type": "llm", "inputs": {"input": "hi"}}]))

    (misfit,) = read(file)

    assert isinstance(misfit, Misfit)
    assert misfit.reason == "missing field"


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    file = tmp_path / "runs.json"
    file.write_text(json.dumps({"post": talk(), "patch": talk()}))
    folder = tmp_path / "out"
    folder.mkdir()

    assert assert_survives("langsmith", [file], folder, n=200, seed=1)["run"]


REAL = {
    "langsmith_js_wrap_openai_reasoning": (43, 1901, 10.439),
    "langsmith_py_wrap_openai_reasoning": (43, 2497, 15.138093),
    "langsmith_py_wrap_openai_stream": (9, 9, 1.328441),
}


@pytest.mark.samples
@pytest.mark.parametrize("name", REAL)
def test_real_bodies_are_merged_into_whole_runs(samples: Path, name: str) -> None:
    (found,) = read(samples / "langsmith-runs" / f"{name}.json")

    assert isinstance(found, Run)
    usage = found.usage
    assert REAL[name] == (usage.input_tokens, usage.output_tokens, usage.seconds)
    assert found.output
    assert usage.turns == 1
