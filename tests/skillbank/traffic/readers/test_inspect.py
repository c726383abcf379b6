import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from skillbank.traffic.collapse import collapse
from skillbank.traffic.readers import inspect, recognise
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile


def header(**rest: Any) -> dict[str, Any]:
    metrics = {"accuracy": {"value": 0.5}}
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": "e1",
            "task": "forms",
            "created": "2026-01-01T00:00:00+00:00",
            "model": "openai/m-1",
            "config": {"epochs": 2},
            "revision": {"commit": "abc123"},
            "packages": {"inspect_ai": "0.3.1"},
        },
        "results": {"scores": [{"name": "close", "metrics": metrics}]},
        **rest,
    }


def event(second: int, kind: str, **rest: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-01-01T00:00:0{second}+00:00", "event": kind, **rest}


def sample(**rest: Any) -> dict[str, Any]:
    """A sample whose model calls a tool that fails, then answers."""
    call = {"id": "c1", "function": "bash", "arguments": {"cmd": "attachment://0a"}}
    failed = {"type": "timeout", "message": "after 9 s"}
    answer = {"content": [{"type": "text", "text": "42"}]}
    used = {"input_tokens": 100, "output_tokens": 5, "total_tokens": 105}
    held = {"tool_call_id": "c1", "function": "bash", "content": "", "error": failed}
    return {
        "id": "s1",
        "epoch": 1,
        "uuid": "u1",
        "input": "attachment://0b",
        "target": "42",
        "messages": [
            {"role": "system", "content": "You are an agent"},
            {"role": "user", "content": "attachment://0b", "source": "input"},
            {"role": "assistant", "content": "I look", "tool_calls": [call]},
            {"role": "tool", **held},
            {"role": "user", "content": "Please go on"},
            {"role": "user", "content": "And shorter", "source": "operator"},
            {"role": "assistant", "content": "42"},
        ],
        "output": {"choices": [{"message": answer}]},
        "scores": {"match": {"value": "C", "explanation": "as it should be"}},
        "events": [event(1, "model", input=[]), event(2, "model", input=[])],
        "model_usage": {
            "openai/m-1": {"input_tokens": 10, "input_tokens_cache_read": 90,
                           "output_tokens": 5, "total_tokens": 105},
            "openai/m-2": used,
        },
        "total_time": 2.5,
        "attachments": {"0a": "ls -l", "0b": "What is it?"},
        **rest,
    }  # fmt: skip


def logged(path: Path, *samples: dict[str, Any], **rest: Any) -> Path:
    path.write_text(json.dumps({**header(**rest), "samples": list(samples)}))
    return path


def zipped(
    path: Path,
    *samples: dict[str, Any],
    method: int = zipfile.ZIP_DEFLATED,
    finished: bool = True,
) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        start = {key: held for key, held in header().items() if key != "results"}
        archive.writestr("_journal/start.json", json.dumps(start))
        for held in samples:
            name = f"samples/{held['id']}_epoch_{held['epoch']}.json"
            archive.writestr(name, json.dumps(held))
        if finished:
            archive.writestr("header.json", json.dumps(header()))
    return path


def runs(path: Path) -> list[Run]:
    assert recognise(path)[0] == "inspect"
    found = list(inspect.read(path))
    assert all(isinstance(held, Run) for held in found), found
    return [held for held in found if isinstance(held, Run)]


def one(path: Path) -> Run:
    (run,) = runs(path)
    return run


def test_a_sample_is_a_run_with_its_texts_in_their_place(tmp_path):
    run = one(logged(tmp_path / "a.json", sample()))

    assert (run.brief.text, run.brief.id) == ("What is it?", "forms/s1")
    assert (run.run_id, run.output, run.trial) == ("u1", "42", "1")
    assert run.followups == ("And shorter",)
    (step,) = run.steps
    assert (step.tool, dict(step.arguments)) == ("bash", {"cmd": "ls -l"})
    assert step.error == "timeout: after 9 s"
    assert (run.model, run.agent) == ("openai/m-1", "inspect_ai 0.3.1")


def test_usage_is_of_all_models_with_what_was_cached(tmp_path):
    usage = one(logged(tmp_path / "a.json", sample())).usage

    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (
        200,
        90,
        10,
    )
    assert (usage.turns, usage.seconds, usage.usd) == (2, 2.5, None)


@pytest.mark.parametrize(
    ("value", "score"), [("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), (True, 1.0)]
)
def test_letters_and_truth_are_scores(tmp_path, value, score):
    scores = {"match": {"value": value}}

    run = one(logged(tmp_path / "a.json", sample(scores=scores)))

    assert (run.score, run.provenance, run.evaluator) == (score, "check", "abc123")


def test_scores_keep_who_gave_them_and_which_way_is_good(tmp_path):
    edited = {"value": 0.2, "history": [{}, {"provenance": {"author": "ann"}}]}
    scores = {
        "model_graded_qa": {"value": "I", "explanation": "wrong"},
        "toxicity": {"value": 0.9},
        "close": edited,
        "parts": {"value": {"quality": 3, "other": "blue"}},
        "several": {"value": [1, float("nan")]},
    }

    run = one(logged(tmp_path / "a.json", sample(scores=scores)))

    assert [
        (r.name, r.value, r.text, r.provenance, r.higher_is_better) for r in run.ratings
    ] == [
        ("model_graded_qa", 0.0, "wrong", "model", True),
        ("toxicity", 0.9, "", "check", False),
        ("close", 0.2, "", "human", True),
        ("parts.quality", 3.0, "", "check", True),
        ("parts.other", None, "blue", "check", None),
        ("several.1", 1.0, "", "check", None),
        ("several.2", None, "", "check", None),
    ]
    assert run.score is None


def test_epochs_are_trials_of_one_task_and_no_retries(tmp_path):
    again = sample(epoch=2, uuid="u2", scores={"match": {"value": "I"}})

    found = runs(logged(tmp_path / "a.json", sample(), again))

    assert [(run.trial, run.score) for run in found] == [("1", 1.0), ("2", 0.0)]
    assert len({run.brief.id for run in found}) == 1
    assert len(collapse(found).runs) == 2


@pytest.mark.parametrize(
    ("rest", "ending", "reason", "score"),
    [
        ({"error": {"message": "no docker"}}, "fault", "no docker", None),
        ({"limit": {"type": "token", "limit": 9}}, "broken", "limit of token: 9", 1.0),
        ({}, "ok", "", 1.0),
    ],
)
def test_an_error_is_no_failure_of_the_agent_and_a_limit_is(
    tmp_path, rest, ending, reason, score
):
    run = one(logged(tmp_path / "a.json", sample(**rest)))

    assert (run.ending, run.reason, run.score) == (ending, reason, score)


def test_events_tell_of_calls_that_no_message_has(tmp_path):
    call = {"id": "c9", "function": "grep", "arguments": {"q": "x"}}
    events = [
        event(1, "model"),
        event(2, "tool", **call, result=[{"type": "text", "text": "found"}]),
        event(3, "tool", id="c10", function="wait", arguments={}, pending=True),
    ]

    run = one(logged(tmp_path / "a.json", sample(events=events)))

    assert [(s.tool, s.result, s.started) for s in run.steps] == [
        ("grep", "found", "2026-01-01T00:00:02+00:00"),
        ("wait", "", "2026-01-01T00:00:03+00:00"),
    ]


def test_messages_in_a_pool_are_found_by_their_places(tmp_path):
    held = sample()
    pool = held.pop("messages")
    held["message_pool"] = pool
    held["events"] = [event(1, "model", input=[], input_refs=[[0, 2], [2, 99]])]

    run = one(logged(tmp_path / "a.json", held))

    assert [step.tool for step in run.steps] == ["bash"]
    assert run.followups == ("And shorter",)


def test_examples_in_the_input_were_not_done_by_the_agent(tmp_path):
    call = {"id": "x1", "function": "bash", "arguments": {}}
    given = [
        {"role": "user", "content": "Which?", "source": "input"},
        {"role": "assistant", "content": "", "tool_calls": [call], "source": "input"},
        {"role": "tool", "tool_call_id": "x1", "content": "a", "source": "input"},
        {"role": "user", "content": "And then?", "source": "input"},
    ]
    held = sample(input=given, messages=given, choices=["red", "blue"])

    run = one(logged(tmp_path / "a.json", held))

    assert run.steps == ()
    assert run.brief.text == "Which?\nA) red\nB) blue"
    assert run.followups == ("And then?",)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_ZSTANDARD])
def test_a_zip_tells_the_same_as_a_document(tmp_path, method):
    whole = one(logged(tmp_path / "a.json", sample()))
    packed = one(zipped(tmp_path / "a.eval", sample(), method=method))

    assert packed.source == "a.eval#samples/s1_epoch_1.json"
    assert len(collapse([whole, packed]).runs) == 1


def test_a_zip_that_still_grows_has_its_start_for_a_header(tmp_path):
    run = one(zipped(tmp_path / "a.eval", sample(), finished=False))

    assert (run.model, run.brief.id) == ("openai/m-1", "forms/s1")


@pytest.mark.parametrize("status", ["cancelled", "error", "started"])
def test_the_samples_of_a_log_that_did_not_finish_are_read(tmp_path, status):
    assert len(runs(logged(tmp_path / "a.json", sample(), status=status))) == 1


def test_a_log_without_samples_is_put_aside(tmp_path):
    for path in (logged(tmp_path / "a.json"), zipped(tmp_path / "a.eval")):
        (found,) = inspect.read(path)

        assert recognise(path)[0] == "inspect"
        assert isinstance(found, Misfit)
        assert (found.reason, found.source) == ("no text", path.name)


def test_one_odd_sample_leaves_the_others(tmp_path):
    silent = {"id": "s2", "uuid": "u2", "input": "", "messages": []}
    path = zipped(tmp_path / "a.eval", sample(), sample(**silent))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/s3_epoch_1.json", "{")
        archive.writestr("../s4.json", "{}")

    found = list(inspect.read(path))

    assert [held.run_id for held in found if isinstance(held, Run)] == ["u1"]
    assert [(v.source, v.reason) for v in found if isinstance(v, Misfit)] == [
        ("a.eval#../s4.json", "bad value"),
        ("a.eval#samples/s2_epoch_1.json", "no text"),
        ("a.eval#samples/s3_epoch_1.json", "truncated"),
    ]


def test_damage_is_survived(tmp_path):
    files = [
        logged(tmp_path / "a.json", sample(), sample(epoch=2)),
        zipped(tmp_path / "a.eval", sample()),
    ]
    folder = tmp_path / "out"
    folder.mkdir()

    seen = assert_survives("inspect", files, folder, n=300, seed=1)

    assert seen["run"] > 100


@pytest.mark.samples
@pytest.mark.parametrize("name", ["popularity.json", "scorer_popularity_mj7k.eval"])
def test_accuracy_and_its_error_come_out_of_the_runs_as_published(samples, name):
    path = samples / "inspect-logs" / name
    if path.suffix == ".json":
        told = json.loads(path.read_text())["results"]
    else:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(archive.read("header.json"))["results"]
    metrics = told["scores"][0]["metrics"]

    scores = [run.score for run in runs(path) if run.score is not None]

    n = len(scores)
    mean = sum(scores) / n
    variance = sum((score - mean) ** 2 for score in scores) / (n - 1)
    assert n == told["completed_samples"]
    assert mean == pytest.approx(metrics["accuracy"]["value"])
    assert math.sqrt(variance / n) == pytest.approx(metrics["stderr"]["value"])


@pytest.mark.samples
def test_the_samples_are_read_as_they_are(samples):
    folder = samples / "inspect-logs"
    found = {path.name: runs(path) for path in sorted(folder.glob("log_*"))}

    assert {name: len(held) for name, held in found.items()} == {
        "log_formats.eval": 1,
        "log_formats.json": 1,
        "log_message_deduplication.eval": 1,
        "log_tool_call_error.json": 1,
    }
    both = [*found["log_formats.eval"], *found["log_formats.json"]]
    assert len(collapse(both).runs) == 1
    assert (both[0].score, both[0].usage.input_tokens) == (0.0, 66)
    (guess,) = found["log_message_deduplication.eval"]
    assert [step.tool for step in guess.steps] == ["bash"] * 5
    assert all(step.result and step.started for step in guess.steps)
    (errors,) = found["log_tool_call_error.json"]
    assert [step.error.partition(":")[0] for step in errors.steps] == [
        "parsing", "timeout", "parsing", "unicode_decode", "permission",
        "file_not_found", "is_a_directory", "limit", "approval", "unknown",
        "output_limit",
    ]  # fmt: skip
