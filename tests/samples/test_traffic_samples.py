"""Real traces are counted as those who wrote them count, and as their own lines add up.

The sums of each file are made here again from its JSON, without the readers.
"""

import json
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any
from zipfile import ZipFile

import pytest

from skillbank.params import IngestParams
from skillbank.traffic.files import read
from skillbank.traffic.intake import ingest
from skillbank.traffic.run import Misfit, Run

FOLDERS = {
    "atif-trajectories": (7, {}),
    "claude-code-sessions": (
        11,
        # a printed session has no prompt; the other two are what a project expects
        {"no text": 1, "unknown format": 2},
    ),
    "codex-rollouts": (
        7,
        # three tell of tokens only, one of calls only: nobody asked anything
        {"no text": 4, "unknown format": 1},
    ),
    "inspect-logs": (17, {}),
    "langfuse-traces": (5, {"missing field": 2}),
    "langsmith-runs": (4, {}),
    # two lines are broken on purpose; `expected.json` is another project's form
    "letta-trajectory-fixtures": (7, {"not JSON": 2, "unknown format": 7}),
    "mlflow-traces": (4, {}),
    "openai-chat": (27, {}),
    "openhands-trajectories": (4, {"no text": 2}),
    "otel-genai": (13, {"no text": 1, "unknown format": 2}),
    "skill-usage-traces": (7, {"no text": 1}),
    "swe-agent-traj": (5, {"no text": 1}),
}
"""Runs of each folder, and how many of its files or lines are put aside for what."""


def one(path: Path) -> Run:
    (found,) = [value for value in read(path) if isinstance(value, Run)]
    return found


def records(path: Path) -> Iterator[Any]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_is_read_or_put_aside_for_a_right_reason(samples: Path, folder: str):
    n_runs, reasons = FOLDERS[folder]

    found = list(read(samples / folder))

    odd = [one for one in found if isinstance(one, Misfit) and not one.kept]
    odd = [one for one in odd if one.source != "README.md"]
    assert sum(isinstance(value, Run) for value in found) == n_runs
    assert {reason: sum(one.reason == reason for one in odd) for reason in
            {one.reason for one in odd}} == reasons  # fmt: skip


def test_all_samples_together_add_up_given_once_or_twice(samples: Path):
    paths = [samples / folder for folder in FOLDERS]
    key = b"a key of the workspace's own"

    once = ingest(paths, IngestParams(), key)
    twice = ingest([*paths, *paths], IngestParams(), key)

    assert once.read == once.kept + once.merged + once.quarantined
    assert once.read - once.quarantined == sum(n_runs for n_runs, _ in FOLDERS.values())
    assert twice.runs == once.runs


def test_tokens_of_a_rollout_are_its_last_total(samples: Path):
    """The count is in one line only: what was told last is the whole thread's."""
    path = samples / "codex-rollouts" / "agent-sessions" / "codex_small.jsonl"
    told = [
        record["payload"]["info"]["total_token_usage"]
        for record in records(path)
        if record["payload"].get("type") == "token_count" and record["payload"]["info"]
    ]

    first, trimmed = (value for value in read(path) if isinstance(value, Run))

    usage = first.usage
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (
        told[0]["input_tokens"],
        told[0]["cached_input_tokens"],
        told[0]["output_tokens"],
    )
    assert (usage.input_tokens, usage.output_tokens) == (16_341, 81)
    # its author put 0 for the numbers of all later threads: that is not known
    assert set(told[1].values()) == {0}
    assert trimmed.usage.input_tokens is None


@pytest.mark.parametrize(
    "name", ["coverage-test-fix", "hello-world-script", "python-to-rust-port"]
)
def test_a_session_counts_the_usage_of_each_message_once(samples: Path, name: str):
    folder = samples / "claude-code-sessions" / "claude-reliability"
    path = folder / f"{name}.transcript.jsonl"
    messages: dict[str, dict[str, int]] = {}
    calls = set()
    for record in records(path):
        message = record.get("message") or {}
        if record["type"] == "assistant" and message["model"] != "<synthetic>":
            spent = messages.setdefault(message["id"], {})
            for key, value in message["usage"].items():
                if isinstance(value, int):
                    spent[key] = max(value, spent.get(key, 0))
            calls |= {b["id"] for b in message["content"] if b["type"] == "tool_use"}

    run = one(path)

    def total(*keys: str) -> int:
        return sum(spent.get(key, 0) for spent in messages.values() for key in keys)

    made = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    usage = run.usage
    assert usage.turns == len(messages)
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (
        total(*made),
        total(made[2]),
        total("output_tokens"),
    )
    assert {step.call for step in run.steps} == calls
    assert len(run.steps) == len(calls)


@pytest.mark.parametrize("name", ["basic", "wrong_initial_state"])
def test_an_openhands_list_counts_each_completion_once(samples: Path, name: str):
    path = samples / "openhands-trajectories" / "openhands-v0" / f"{name}.json"
    told = [
        (event.get("tool_call_metadata") or {}).get("model_response")
        for event in json.loads(path.read_text())
    ]
    replies = {reply["id"]: reply["usage"] for reply in told if reply}

    usage = one(path).usage

    assert usage.turns == len(replies)
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == tuple(
        sum(spent[key] for spent in replies.values())
        for key in ("prompt_tokens", "cache_read_input_tokens", "completion_tokens")
    )


def test_records_of_a_resolver_have_the_cost_and_outcome_that_they_tell(samples: Path):
    folder = samples / "openhands-trajectories" / "openhands-v0"
    path = folder / "resolver_output.jsonl"

    for record, run in zip(records(path), read(path), strict=True):
        assert isinstance(run, Run)
        acted = [event for event in record["history"] if "action" in event]
        assert run.usage.usd == record["metrics"]["accumulated_cost"]
        assert run.score == float(record["success"])
        # all but what was asked and how it ended
        assert len(run.steps) == len(acted) - 2


def test_trajectories_have_the_calls_costs_and_ends_that_they_tell(samples: Path):
    folder = samples / "swe-agent-traj"
    for path in sorted(folder.glob("*.traj")):
        told = json.loads(path.read_text(encoding="utf-8"))
        stats, run = told["info"]["model_stats"], one(path)

        # a replay tells 0, which is not known
        assert run.usage.input_tokens == (stats["tokens_sent"] or None)
        assert run.usage.output_tokens == (stats["tokens_received"] or None)
        assert run.usage.usd == (stats["instance_cost"] or None)
        assert run.usage.turns == (stats["api_calls"] or None)
        assert len(run.steps) == len(told["trajectory"])
        assert run.output == told["info"]["submission"]


@pytest.mark.parametrize(
    "name",
    ["log_formats.eval", "log_formats.json", "popularity.json",
     "scorer_popularity_mj7k.eval"],
)  # fmt: skip
def test_a_log_has_the_accuracy_error_and_tokens_that_it_tells(
    samples: Path, name: str
):
    path = samples / "inspect-logs" / name
    if path.suffix == ".json":
        header = json.loads(path.read_text(encoding="utf-8"))
    else:
        with ZipFile(path) as log:
            header = json.loads(log.read("header.json"))
    (scores,) = header["results"]["scores"]

    found = [value for value in read(path) if isinstance(value, Run)]

    rates = [run.score for run in found if run.score is not None]
    told = {name: one["value"] for name, one in scores["metrics"].items()}
    assert fmean(rates) == pytest.approx(told["accuracy"])
    if "stderr" in told and len(rates) > 1:
        error = stdev(rates) / sqrt(len(rates))
        assert error == pytest.approx(told["stderr"])
    spent = header["stats"]["model_usage"].values()
    for key in ("input_tokens", "output_tokens"):
        assert sum(getattr(run.usage, key) for run in found) == sum(
            usage[key] for usage in spent
        )


def test_traces_have_the_tokens_costs_and_scores_that_they_tell(samples: Path):
    for path in sorted((samples / "langfuse-traces").glob("*.trace.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        models = [o for o in told["observations"] if o["type"] == "GENERATION"]

        run = one(path)

        usage = run.usage
        assert usage.turns == len(models)
        assert (usage.input_tokens, usage.output_tokens) == tuple(
            sum(held["usageDetails"][key] for held in models)
            for key in ("input", "output")
        )
        assert usage.usd == pytest.approx(sum(held["totalCost"] for held in models))
        assert usage.seconds == pytest.approx(told["trace"]["latency"], abs=0.002)
        assert sorted((one.name, one.value) for one in run.ratings) == sorted(
            (score["name"], score["value"]) for score in told["trace"]["scores"]
        )


@pytest.mark.parametrize(
    ("trace", "cases"),
    [
        ("k8s.jaeger.json", "evalset_k8s_2026-02-20.json"),
        ("tempo_export_with_batches.json", "eval_set_helm.json"),
    ],
)
def test_an_agents_trace_has_the_request_and_tools_of_its_eval_set(
    samples: Path, trace: str, cases: str
):
    folder = samples / "otel-genai" / "agentevals"
    (case,) = json.loads((folder / cases).read_text())["eval_cases"]
    (told,) = case["conversation"]
    (asked,) = told["user_content"]["parts"]

    run = one(folder / trace)

    assert run.brief.text.strip().lower() == asked["text"].lower()
    assert [step.tool for step in run.steps] == [
        use["name"] for use in told["intermediate_data"]["tool_uses"]
    ]
    if case["eval_id"].startswith("d497c9dd"):  # made from this very trace
        (answer,) = told["final_response"]["parts"]
        assert run.output == answer["text"]


def test_records_of_trials_have_the_calls_of_their_messages(samples: Path):
    path = samples / "openai-chat" / "tau-bench" / "gpt-4o-airline.6records.jsonl"
    for record, run in zip(records(path), read(path), strict=True):
        assert isinstance(run, Run)
        said = record["traj"]
        calls = [c for m in said for c in m.get("tool_calls") or ()]
        assert [step.call for step in run.steps] == [call["id"] for call in calls]
        assert [step.result for step in run.steps] == [
            message["content"] for message in said if message["role"] == "tool"
        ]
        assert run.usage.turns == sum(m["role"] == "assistant" for m in said)
        assert (run.score, run.trial) == (record["reward"], str(record["trial"]))


def test_trajectories_of_harbor_have_the_totals_that_they_tell(samples: Path):
    folder = samples / "atif-trajectories" / "harbor-golden"
    for path in sorted(folder.rglob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        own = [step for step in told["steps"] if not step.get("is_copied_context")]
        steps = [step for step in own if step["source"] == "agent"]

        run = one(path)

        assert run.usage.turns == len(steps)
        assert len(run.steps) == sum(len(s.get("tool_calls") or ()) for s in steps)
        spent = [step["metrics"] for step in steps if step.get("metrics")]
        final, children = told["final_metrics"], "context-summarization" in path.name
        for key in ("prompt_tokens", "completion_tokens"):
            parts = sum(one[key] for one in spent)
            told_in_all = final[f"total_{key}"]
            counted = getattr(
                run.usage, f"{'in' if key[0] == 'p' else 'out'}put_tokens"
            )
            # with children in files of their own the end has theirs too
            assert counted == (parts if children and not run.parent else told_in_all)
