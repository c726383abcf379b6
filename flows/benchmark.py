"""The fixed benchmark for one bank version, beside no skills and the seed bank."""

from skillbank.agents.jobs import Job
from skillbank.briefs.benchmark import compare, read_benchmark
from skillbank.codec import seed_of
from skillbank.records import Arm, Measured
from skillbank.rounds.benchmark import fixed_jobs, measured
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import FixedShelf, Shelf
from tasks.workspace import Workspace
from tasks.worlds import no_workers_left, site, workers

Row = dict[str, str | int | float | None]


def run_benchmark(workspace: Workspace, number: int | None) -> list[Row]:
    """Measure a bank version on the benchmark; the sealed briefs are left sealed.

    Args:
        workspace: Where the bank is.
        number: Bank version; None: HEAD.
    """
    params, store = workspace.params, workspace.ready_bank()
    number = store.head() if number is None else number

    def shelf(version: int) -> tuple[Shelf, str]:
        bank = store.read(version)
        cards = bank.cards(params.recall.prior_trials)
        return BankShelf(cards, params.recall), bank.digest

    arms: dict[Arm, tuple[Shelf, str]] = {
        "kept": shelf(number),
        "seed": shelf(min(store.numbers())),
        "none": (FixedShelf(), "no skills"),
    }
    briefs = read_benchmark(workspace.benchmark("benchmark"))
    with no_workers_left():
        world = site(params, workspace.journal).world
        seed = seed_of(params.evolve.seed, "by hand", number)
        jobs: tuple[tuple[Arm, Job], ...] = fixed_jobs(
            briefs, arms, world, "benchmark", seed
        )
        made = workers(params, workspace.journal).do(job for _, job in jobs)
    rows = [
        measured("benchmark", arm, one, params.benchmark.success)
        for (arm, _), one in zip(jobs, made, strict=True)
    ]
    return [_row(rows, arm, params.benchmark.confidence, seed, number) for arm in arms]


def _row(
    rows: list[Measured], arm: Arm, confidence: float, seed: int, number: int
) -> Row:
    kept = [row for row in rows if row.arm == "kept"]
    other = [row for row in rows if row.arm == arm]
    found = compare(other, kept, confidence=confidence, seed=seed)
    same = arm == "kept"
    return {
        "skills": f"bank {number}" if same else arm,
        "briefs": found.n,
        "completeness": found.current.completeness,
        "success": found.current.success_rate,
        "quality": found.current.quality,
        "gain over it": None if same else found.completeness.estimate,
        "low": None if same else found.completeness.low,
        "high": None if same else found.completeness.high,
    }
