"""Traces of MLflow become runs."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.mlflow import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives

QUESTION = {"messages": [{"role": "user", "content": "Weather in Paris?"}]}
ANSWER = {"choices": [{"message": {"role": "assistant", "content": "It rains."}}]}


def span(id: str, parent: str | None, kind: str, asks: Json, says: Json) -> Json:
    attributes = {"spanType": kind, "spanInputs": asks, "spanOutputs": says}
    return {
        "trace_id": "qg==",
        "span_id": id,
        "parent_span_id": parent,
        "name": f"{kind.lower()} {id}",
        "start_time_unix_nano": 1_796_053_429_000_000_000,
        "end_time_unix_nano": 1_796_053_430_000_000_000,
        "status": {"code": "STATUS_CODE_OK", "message": ""},
        "attributes": {
            f"mlflow.{name}": json.dumps(held) for name, held in attributes.items()
        },
    }


def assessment(name: str, value: Json, source: str = "CODE", **more: Json) -> Json:
    return {
        "assessment_name": name,
        "source": {"source_type": source},
        "feedback": {"value": value},
        **more,
    }


def trace(*assessments: Json, id: str = "tr-1") -> dict[str, Json]:
    return {
        "info": {
            "trace_id": id,
            "trace_location": {"type": "MLFLOW_EXPERIMENT"},
            "request_time": "2026-11-30T15:43:49.350Z",
            "execution_duration_ms": 1500,
            "state": "OK",
            "trace_metadata": {
                "mlflow.trace.session": "s1",
                "mlflow.trace.user": "u1",
                "mlflow.trace.tokenUsage": '{"input_tokens": 9, "output_tokens": 4}',
            },
            "tags": {"mlflow.traceName": "clerk", "tenant": "acme"},
            "assessments": list(assessments),
        },
        "data": {
            "spans": [
                span("a", None, "AGENT", QUESTION, {"content": "It rains."}),
                span("b", "a", "CHAT_MODEL", QUESTION, ANSWER),
                span("c", "a", "TOOL", {"city": "Paris"}, "rain"),
            ]
        },
    }


def only(path: Path, value: Json) -> Run:
    file = path / "trace.json"
    file.write_text(json.dumps(value))
    assert recognise(file)[0] == "mlflow"
    (run,) = read(file)
    assert isinstance(run, Run)
    return run


def test_a_trace_tells_who_asked_what_was_done_and_what_it_took(tmp_path: Path) -> None:
    run = only(tmp_path, trace())

    assert (run.run_id, run.session, run.user, run.tenant) == (
        *("tr-1", "s1", "u1"),
        "acme",
    )
    assert (run.brief.text, run.output) == ("Weather in Paris?", "It rains.")
    assert [(s.tool, s.arguments, s.result) for s in run.steps] == [
        ("tool c", {"city": "Paris"}, "rain")
    ]
    assert run.usage.seconds == 1.5
    assert (run.usage.turns, run.usage.input_tokens) == (1, 9)


def test_values_that_are_encoded_twice_are_the_same_run(tmp_path: Path) -> None:
    twice = trace()
    for one in twice["data"]["spans"]:
        held = one["attributes"]
        for name in ("mlflow.spanInputs", "mlflow.spanOutputs"):
            held[name] = json.dumps(held[name])

    assert only(tmp_path, twice) == only(tmp_path, trace())


def test_a_trace_that_databricks_wrapped_is_the_same_run(tmp_path: Path) -> None:
    wrapped = {"response": {"databricks_output": {"trace": trace()}}}
    as_text = {"response": json.dumps(wrapped["response"])}

    assert only(tmp_path, wrapped) == only(tmp_path, as_text) == only(tmp_path, trace())


def test_a_trace_of_the_second_version_is_read(tmp_path: Path) -> None:
    old = trace()
    info = old["info"]
    old["info"] = {
        "request_id": "r-2",
        "timestamp_ms": 1_796_053_429_350,
        "execution_time_ms": 20,
        "status": "OK",
        "request_metadata": info["trace_metadata"],
        "tags": {},
    }
    for one in old["data"]["spans"]:
        one["context"] = {"span_id": one.pop("span_id"), "trace_id": "t"}
        one["parent_id"] = one.pop("parent_span_id")
        one["start_time"] = one.pop("start_time_unix_nano")

    run = only(tmp_path, old)

    assert (run.run_id, run.session, run.output) == ("r-2", "s1", "It rains.")
    assert run.started == "2026-11-30T15:43:49.350000Z"
    assert len(run.steps) == 1


def test_who_gave_an_assessment_and_its_direction_are_told(tmp_path: Path) -> None:
    run = only(
        tmp_path,
        trace(
            assessment("correctness", True, "HUMAN"),
            assessment("toxicity", 0.1, "LLM_JUDGE"),
            assessment("relevance", "yes", "LLM_JUDGE", assessment_id="old"),
            assessment("relevance", "no", "HUMAN", overrides="old"),
            assessment("accuracy", 0.0, valid=False),
            {"assessment_name": "answer", "expectation": {"value": "rain"}},
        ),
    )

    told = [(r.name, r.value, r.provenance, r.higher_is_better) for r in run.ratings]
    assert told == [
        ("correctness", 1.0, "human", True),
        ("toxicity", 0.1, "model", False),
        ("relevance", 0.0, "human", True),
    ]
    assert run.score is None


def test_the_only_assessment_is_the_score_if_high_is_good(tmp_path: Path) -> None:
    good = only(tmp_path, trace(assessment("task_reward", 1.0)))
    bad = only(tmp_path, trace(assessment("hallucination", 1.0)))

    assert (good.score, good.provenance) == (1.0, "check")
    assert bad.score is None


def test_each_trace_of_a_list_is_a_run_and_one_without_an_id_is_put_aside(
    tmp_path: Path,
) -> None:
    file = tmp_path / "traces.json"
    broken = trace()
    del broken["info"]["trace_id"]
    file.write_text(json.dumps({"traces": [trace(), trace(id="tr-2"), broken]}))

    one, two, misfit = read(file)

    assert (one.source, two.source) == ("traces.json#tr-1", "traces.json#tr-2")
    assert isinstance(misfit, Misfit)
    assert misfit.reason == "missing field"


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    file.write_text(json.dumps(trace(assessment("correctness", True, "HUMAN"))))
    folder = tmp_path / "out"
    folder.mkdir()

    assert assert_survives("mlflow", [file], folder, n=200, seed=1)["run"]


REAL = {"18": (1.0, 4018, 536), "4": (0.0, 15146, 899), "6": (1.0, 17914, 880)}
"""Task to reward, and the tokens that the trace's own sum tells."""


@pytest.mark.samples
@pytest.mark.parametrize("task", REAL)
def test_real_traces_have_the_reward_and_tokens_that_they_tell(
    samples: Path, task: str
) -> None:
    (run,) = read(samples / "mlflow-traces" / f"mlflow-3.17.2.trace_{task}.json")

    assert isinstance(run, Run)
    usage = run.usage
    assert (run.score, usage.input_tokens, usage.output_tokens) == REAL[task]
    assert run.brief.id == f"task-airline_agent-{task}"
    assert (run.provenance, run.ending, run.trial) == ("check", "ok", "0")


@pytest.mark.samples
def test_a_real_trace_that_timed_out_is_a_fault(samples: Path) -> None:
    (run,) = read(samples / "mlflow-traces" / "mlflow-3.17.2.trace_error.json")

    assert isinstance(run, Run)
    assert (run.ending, run.reason) == (
        "fault",
        "TimeoutError: Request timed out after 60s",
    )
    assert run.score is None
