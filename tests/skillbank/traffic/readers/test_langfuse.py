"""Traces of Langfuse become runs."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.langfuse import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives

QUESTION = [{"role": "user", "content": "Weather in Paris?"}]
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


def observation(id: str, at: int, type: str, asks: Json, says: Json) -> dict[str, Json]:
    return {
        "id": id,
        "traceId": "t1",
        "parentObservationId": None,
        "type": type,
        "name": f"{type.lower()}",
        "startTime": f"2026-01-01T00:00:0{at}.000Z",
        "endTime": f"2026-01-01T00:00:0{at + 1}.000Z",
        "level": "DEFAULT",
        "statusMessage": None,
        "input": asks,
        "output": says,
    }


def generation(id: str, at: int, says: Json, **usage: int) -> dict[str, Json]:
    made = observation(id, at, "GENERATION", json.dumps(QUESTION), json.dumps(says))
    return {**made, "model": "m", "usageDetails": usage, "totalCost": 0.5}


def observations() -> list[Json]:
    says = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    last = {"role": "assistant", "content": "It rains."}
    return [
        generation("g2", 3, last, input=7, output=2, total=9),
        {**observation("o1", 2, "TOOL", '{"city": "Paris"}', "rain"), "name": "look"},
        generation("g1", 1, says, input=3, output=1, total=4),
    ]


def trace(**more: Json) -> dict[str, Json]:
    return {
        "id": "t1",
        "projectId": "p",
        "name": "clerk",
        "timestamp": "2026-01-01T00:00:01.000Z",
        "bookmarked": False,
        "userId": "u1",
        "sessionId": "s1",
        "latency": 3.5,
        "metadata": '{"tenant": "acme"}',
        "input": json.dumps(json.dumps({"prompt": "Weather in Paris?"})),
        "output": None,
        "scores": [],
        **more,
    }


def score(name: str, value: Json, source: str = "EVAL", **more: Json) -> Json:
    return {"name": name, "value": value, "source": source, "traceId": "t1", **more}


def only(path: Path, *values: Json) -> Run:
    file = path / "trace.json"
    file.write_text("\n".join(json.dumps(value) for value in values))
    assert recognise(file)[0] == "langfuse"
    (run,) = read(file)
    assert isinstance(run, Run), run
    return run


def test_an_export_tells_what_was_asked_done_and_spent(tmp_path: Path) -> None:
    run = only(tmp_path, {"trace": trace(), "observations": observations()})

    assert (run.run_id, run.user, run.session, run.tenant) == ("t1", "u1", "s1", "acme")
    assert (run.brief.text, run.output) == ("Weather in Paris?", "It rains.")
    assert [(s.tool, s.call, s.arguments, s.result) for s in run.steps] == [
        ("look", "c1", {"city": "Paris"}, "rain")
    ]
    usage = run.usage
    assert (usage.turns, usage.input_tokens, usage.output_tokens) == (2, 10, 3)
    assert (usage.usd, usage.seconds) == (1.0, 3.5)


def test_every_shape_of_the_api_gives_the_same_run(tmp_path: Path) -> None:
    export = only(tmp_path, {"trace": trace(), "observations": observations()})

    whole = only(tmp_path, trace(observations=observations()))
    pages = only(
        tmp_path,
        {"data": observations(), "meta": {"page": 1}},
        {"data": [trace(observations=["g1"], scores=[])], "meta": {"page": 1}},
    )

    assert whole == export
    assert (pages.steps, pages.output, pages.usage) == (
        *(export.steps, export.output),
        export.usage,
    )


def test_an_observation_that_is_told_twice_counts_once_with_all_that_is_known(
    tmp_path: Path,
) -> None:
    bare = [{**one, "input": None, "output": None} for one in observations()]

    run = only(
        tmp_path,
        {"trace": trace(observations=bare), "observations": observations()},
    )

    assert run == only(tmp_path, {"trace": trace(), "observations": observations()})


def test_a_trace_without_words_of_its_own_takes_those_of_its_first_generation(
    tmp_path: Path,
) -> None:
    silent = {"trace": trace(input=None), "observations": observations()}

    assert only(tmp_path, silent).brief.text == "Weather in Paris?"


def test_scores_keep_who_gave_them_and_which_way_is_good(tmp_path: Path) -> None:
    scores = [
        score("correctness", 1, "ANNOTATION"),
        score("toxicity", 0.8),
        score("tone", 0, "API", dataType="CATEGORICAL", stringValue="rude"),
        score("relevance", 0.5, observationId="o1"),
    ]

    run = only(tmp_path, {"trace": trace(scores=scores), "observations": []})

    told = [(r.name, r.value, r.provenance, r.higher_is_better) for r in run.ratings]
    assert told == [
        ("correctness", 1.0, "human", True),
        ("toxicity", 0.8, "model", False),
        ("tone", None, "none", None),
        ("o1/relevance", 0.5, "model", None),
    ]
    assert run.ratings[2].text == "rude"
    assert run.score is None


def test_one_score_is_the_runs_only_where_high_is_good(tmp_path: Path) -> None:
    def scored(name: str) -> float | None:
        return only(tmp_path, trace(scores=[score(name, 0.8)])).score

    assert (scored("correctness"), scored("toxicity"), scored("vibe")) == (
        *(0.8, None),
        None,
    )


def test_cached_and_thought_tokens_are_added_where_the_total_has_them_beside(
    tmp_path: Path,
) -> None:
    def spent(**usage: int) -> tuple[int | None, int | None, int | None]:
        one = generation("g", 1, "Hi.", **usage)
        told = only(tmp_path, {"trace": trace(), "observations": [one]}).usage
        return told.input_tokens, told.cached_tokens, told.output_tokens

    beside = spent(input=5, cache_read_input_tokens=90, output=3, total=98)
    within = spent(input=95, input_cache_read=90, output=3, total=98)
    thought = spent(input=5, output=3, output_reasoning=40, total=48)

    assert beside == within == (95, 90, 3)
    assert thought == (5, None, 43)


def test_an_error_of_the_outermost_observation_is_the_runs(tmp_path: Path) -> None:
    root = {**observation("r", 0, "AGENT", None, None), "level": "ERROR"}
    root["statusMessage"] = "gave up"
    inner = [{**one, "parentObservationId": "r"} for one in observations()]

    run = only(tmp_path, {"trace": trace(), "observations": [*inner, root]})

    assert (run.ending, run.reason) == ("broken", "gave up")


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    held = trace(scores=[score("correctness", 1)])
    file.write_text(json.dumps({"trace": held, "observations": observations()}))
    folder = tmp_path / "out"
    folder.mkdir()

    assert assert_survives("langfuse", [file], folder, n=200, seed=1)["run"]


REAL = {
    "claude-agent-2025-12-22": (4, 34, 232, 2),
    "google-gemini-2025-08-01": (1, 6, 2055, 0),
    "langgraph-python-2025-08-22": (2, 168, 66, 1),
    "openai-agents-2025-09-30": (2, 140, 44, 1),
    "pydantic-ai-tools-2025-12-04": (4, 1315, 209, 4),
}
"""Turns, input and output tokens of all generations, tool calls."""


@pytest.mark.samples
@pytest.mark.parametrize("name", REAL)
def test_real_traces_are_read_whole(samples: Path, name: str) -> None:
    (run,) = read(samples / "langfuse-traces" / f"{name}.trace.json")

    assert isinstance(run, Run)
    usage = run.usage
    assert REAL[name] == (
        *(usage.turns, usage.input_tokens, usage.output_tokens),
        len(run.steps),
    )
    assert run.output
    assert run.score is None


@pytest.mark.samples
@pytest.mark.parametrize(
    "name", ["claude-agent-2025-12-22", "openai-agents-2025-09-30"]
)
def test_langfuses_own_parsing_finds_the_calls_and_answers_that_we_find(
    samples: Path, name: str
) -> None:
    folder = samples / "langfuse-traces"
    (run,) = read(folder / f"{name}.trace.json")
    (misfit,) = read(folder / f"{name}.chatml.json")
    parsed = json.loads((folder / f"{name}.chatml.json").read_text())

    assert isinstance(run, Run)
    assert isinstance(misfit, Misfit)
    assert misfit.reason == "missing field"
    assert "Langfuse parsed" in misfit.problem
    theirs = json.dumps([one["output"] for one in parsed.values()], ensure_ascii=False)
    assert all(step.call in theirs for step in run.steps)
    assert json.dumps(run.output, ensure_ascii=False) in theirs
