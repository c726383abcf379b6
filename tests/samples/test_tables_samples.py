"""Tables that others published, read by a mapping, make their figures again."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import comb, sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

from skillbank.params import ScoreRange
from skillbank.traffic.files import read
from skillbank.traffic.run import Misfit, Run
from skillbank.traffic.scoring import scored

TESTBED = {"brief": "task_id", "run_id": "trial_name", "score": "is_resolved"}


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def runs(path: Path, columns: Mapping[str, str]) -> list[Run]:
    found = list(read(path, columns=columns))
    assert not [one for one in found if isinstance(one, Misfit) and not one.kept]
    return [one for one in found if isinstance(one, Run)]


def by_brief(found: Iterable[Run]) -> dict[str, list[float]]:
    scores: dict[str, list[float]] = defaultdict(list)
    for one in found:
        scores[one.brief.id].append(one.score or 0.0)
    return scores


def pass_hat(trials: Iterable[list[float]], k: int) -> float:
    """Chance that `k` trials of a task all pass, over tasks."""
    return fmean(comb(int(sum(t)), k) / comb(len(t), k) for t in trials)


def test_terminal_bench_has_its_resolved_tasks_and_accuracy(samples: Path):
    folder = samples / "terminal-bench-results"
    columns = {
        **TESTBED,
        **{"agent": "agent", "cohort": "run"},
        **{"input_tokens": "total_input_tokens"},
        **{"output_tokens": "total_output_tokens"},
    }

    found = runs(folder / "trials.csv", columns)

    groups: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for one in found:
        groups[one.agent, one.cohort].append(one)
    published = table(folder / "published_run_summaries.csv")
    assert {(row["agent"], row["run"]) for row in published} == set(groups)
    for row in published:
        group = groups[row["agent"], row["run"]]
        passed = sum(one.score or 0.0 for one in group)
        assert passed == int(row["n_resolved"])
        # a null counts as unresolved there; here it is what it is: not measured
        assert sum(one.score is None for one in group) == int(row["n_null"])
        n_trials = int(row["n_resolved"]) + int(row["n_unresolved"])
        assert passed / n_trials == pytest.approx(float(row["accuracy"]))
    told = table(folder / "trials.csv")
    for key in ("input_tokens", "output_tokens"):
        assert sum(getattr(one.usage, key) or 0 for one in found) == sum(
            int(float(row[f"total_{key}"] or 0)) for row in told
        )


def test_skillsbench_has_its_passes_without_and_with_skills(samples: Path):
    path = samples / "skillsbench-results" / "with_without_skills_excerpt.csv"
    columns = {"brief": "task", "cohort": "harness_model", "turns": "trials_each"}
    columns |= {f"rating.{arm}": f"{arm}_pass" for arm in ("no_skills", "with_skills")}

    found = runs(path, columns)

    rows = table(path)
    assert len(found) == 28
    for arm in ("no_skills", "with_skills"):
        chosen = {arm: ScoreRange(worst=0, best=3)}
        rates = [one.score for one in scored(found, chosen) if isinstance(one, Run)]
        assert rates == pytest.approx([int(row[f"{arm}_pass"]) / 3 for row in rows])
    worse = [one for one in found if one.ratings[0].value > one.ratings[1].value]  # type: ignore[operator]
    assert "ada-bathroom-plan-repair" in {one.brief.text for one in worse}


def test_rollouts_of_a_demonstration_have_the_rewards_that_its_events_tell(
    samples: Path,
):
    folder = samples / "cap-evolve-demo"
    columns = {"brief": "input", "brief_id": "score.task_id", "score": "score.reward"}
    columns |= {"output": "rollout.output", "error": "rollout.error"}

    found = runs(folder / "rollouts", columns)

    arms: dict[str, list[Run]] = defaultdict(list)
    for one in found:
        arms[one.source.split("__")[1]].append(one)
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    told = {
        event["tag"]: event["reward"]
        for event in map(json.loads, lines)
        if event["kind"] == "evaluate" and event["split"] == "val"
    }
    assert {len(group) for group in arms.values()} == {12}
    assert {arm: fmean(one.score or 0.0 for one in group) for arm, group in
            arms.items()} == pytest.approx(told, abs=5e-5)  # fmt: skip
    baseline = json.loads((folder / "baseline.json").read_text())["val"]
    trials = by_brief(arms["seed"])
    assert trials == {
        task["task_id"]: task["trial_rewards"] for task in baseline["per_task"]
    }
    for k, rate in baseline["pass_k"].items():
        assert pass_hat(trials.values(), int(k)) == pytest.approx(rate)


def test_alpaca_eval_has_its_win_rates_and_their_errors(samples: Path):
    folder = samples / "alpaca-eval"
    columns = {"brief": "index", "rating.preference": "preference"}
    chosen = {"preference": ScoreRange(worst=1, best=2)}
    board = table(folder / "alpaca_eval_gpt4_leaderboard.csv")
    published = {row[""]: row for row in board}
    for path in sorted(folder.glob("preferences_*.csv")):
        found = runs(path, columns)

        rates = []
        for one in scored(found, chosen):
            if isinstance(one, Run):
                # old files wrote 0 for a tie, which no range of a score can say
                tie = any(rating.value == 0 for rating in one.ratings)
                rate = 0.5 if tie else one.score
                rates += [] if rate is None else [rate]
        model = path.stem.removeprefix("preferences_")
        error = 100 * stdev(rates) / sqrt(len(rates))
        assert 100 * fmean(rates) == pytest.approx(float(published[model]["win_rate"]))
        assert error == pytest.approx(float(published[model]["standard_error"]))
        assert len(rates) == int(published[model]["n_total"])


def test_a_leaderboard_is_read_row_by_row_with_its_empty_cells(samples: Path):
    path = samples / "tau2-results" / "leaderboard_pass_k.csv"
    columns = {"brief": "domain", "agent": "submission", "usd": "cost"}
    columns |= {f"rating.pass_{k}": f"pass_{k}" for k in range(1, 5)}

    found = runs(path, columns)

    assert [
        {one.name: one.value for one in run.ratings if one.value is not None}
        for run in found
    ] == [
        {name: float(row[name]) for name in row if name[:5] == "pass_" and row[name]}
        for row in table(path)
    ]


@pytest.mark.parametrize(
    "folder",
    [
        *("alpaca-eval", "cap-evolve-demo", "skillsbench-results", "tau-bench-results"),
        *("tau2-results", "terminal-bench-results", "skills-evoskill"),
    ],
)
def test_without_a_mapping_no_table_is_mistaken_for_traffic(samples: Path, folder: str):
    found = list(read(samples / folder))

    assert {one.reason if isinstance(one, Misfit) else "run" for one in found} == {
        "unknown format"
    }
