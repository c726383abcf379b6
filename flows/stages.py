"""The stages of dvc.yaml: one generated week, the seed bank on the benchmark, a page.

`python -m flows.stages week|evaluate|report`, in a workspace; fixed output paths under
`data/stages/`, so that `dvc metrics diff` and `dvc plots diff` can compare commits.
"""

import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from skillbank.briefs.benchmark import Comparison, compare, read_benchmark
from skillbank.codec import digest, dump, seed_of
from skillbank.gate.intervals import completeness_curve
from skillbank.params import Params
from skillbank.records import Arm, Measured
from skillbank.reports.stages import StagePage, render_stages
from skillbank.rounds.benchmark import fixed_jobs, measured
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import FixedShelf, Shelf
from skillbank.skills.store import seed_bank
from skillbank.tables import MEASURED, MISFITS, RUNS
from skillbank.traffic import ingest
from skillbank.traffic.sides import sided, unit_for
from tasks.tables import read_table, table_path, write_table
from tasks.workspace import Workspace
from tasks.worlds import no_workers_left, site, workers

OUT = Path("data/stages")
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def week() -> None:
    """Play one week under the seed bank, and read it as a round does."""
    workspace = Workspace(Path())
    params, folder = workspace.params, OUT / "week"
    world = site(params, workspace.journal).world
    skills, _ = _seed_shelf(workspace)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "traffic.jsonl"
    seed = seed_of(params.evolve.seed, "week")
    lines = world.week(1, params.evolve.briefs_of(1), skills, seed)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    read = ingest(
        [path], params.ingest, digest("pseudonyms", params.evolve.seed).encode()
    )
    unit = unit_for(read.runs, params.ingest.min_users)
    rows = sided(read.runs, unit, params.ingest, params.evolve.seed)
    write_table(table_path(folder, RUNS), RUNS, rows)
    write_table(table_path(folder, MISFITS), MISFITS, read.misfits)


def evaluate() -> None:
    """Attempt the benchmark with the seed bank and without skills, paired."""
    workspace = Workspace(Path())
    params, folder = workspace.params, OUT / "evaluate"
    arms: dict[Arm, tuple[Shelf, str]] = {
        "seed": _seed_shelf(workspace),
        "none": (FixedShelf(), "no skills"),
    }
    briefs = read_benchmark(workspace.benchmark("benchmark"))
    with no_workers_left():
        world = site(params, workspace.journal).world
        seed = seed_of(params.evolve.seed, "stages")
        jobs = fixed_jobs(briefs, arms, world, "benchmark", seed)
        made = workers(params, workspace.journal).do(job for _, job in jobs)
    rows = [
        measured("benchmark", arm, one, params.benchmark.success)
        for (arm, _), one in zip(jobs, made, strict=True)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    write_table(table_path(folder, MEASURED), MEASURED, rows)
    _curve(OUT / "curve.csv", rows)
    found = _compared(rows, params)
    figures = {
        "briefs": found.n,
        "completeness": _by_arm(found, "completeness"),
        "success": _by_arm(found, "success_rate"),
        "gain": dict(zip(("mean", "low", "high"), found.completeness, strict=True)),
    }
    Path("metrics.json").write_text(dump(figures) + "\n", encoding="utf-8")


def report() -> None:
    """Show week and evaluation as a page for people."""
    folder = OUT / "report"
    folder.mkdir(parents=True, exist_ok=True)
    runs = read_table(table_path(OUT / "week", RUNS), RUNS)
    misfits = read_table(table_path(OUT / "week", MISFITS), MISFITS)
    rows = read_table(table_path(OUT / "evaluate", MEASURED), MEASURED)
    found = _compared(rows, Workspace(Path()).params)
    page = StagePage(
        runs=len(runs),
        teaching=sum(row.side == "teach" for row in runs),
        quarantined=sum(not misfit.kept for misfit in misfits),
        briefs=found.n,
        completeness=_by_arm(found, "completeness"),
        success=_by_arm(found, "success_rate"),
        gain=found.completeness,
        thresholds=THRESHOLDS,
        curves={arm: _reached(rows, arm) for arm in ("none", "seed")},
    )
    (folder / "index.html").write_text(render_stages(page), encoding="utf-8")


def _compared(rows: Sequence[Measured], params: Params) -> Comparison:
    return compare(
        [row for row in rows if row.arm == "none"],
        [row for row in rows if row.arm == "seed"],
        confidence=params.benchmark.confidence,
        seed=seed_of(params.evolve.seed, "stages"),
    )


def _by_arm(found: Comparison, what: str) -> dict[str, float]:
    return {
        "none": getattr(found.current, what),
        "seed": getattr(found.candidate, what),
    }


def _seed_shelf(workspace: Workspace) -> tuple[Shelf, str]:
    bank = seed_bank(workspace.data / "bank" / "seed", "operator")
    params = workspace.params.recall
    return BankShelf(bank.cards(params.prior_trials), params), bank.digest


def _reached(rows: Sequence[Measured], arm: Arm) -> list[int]:
    mine = [row.completeness for row in rows if row.arm == arm]
    known = [value for value in mine if value is not None]
    return list(completeness_curve(known, THRESHOLDS))


def _curve(path: Path, rows: Sequence[Measured]) -> None:
    """How many briefs reach each threshold: `dvc plots diff` draws it."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["arm", "at", "briefs"])
        for arm in ("none", "seed"):
            for at, n in zip(THRESHOLDS, _reached(rows, arm), strict=True):
                table.writerow([arm, at, n])


STAGES: dict[str, Callable[[], None]] = {
    "week": week,
    "evaluate": evaluate,
    "report": report,
}

if __name__ == "__main__":
    STAGES[sys.argv[1]]()
