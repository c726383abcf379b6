"""Step 9: the round's suspects tried, and the bank that is left put to the test.

Knows nothing of tables: rows are given, attempts are made by whoever is asked.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from skillbank.agents.jobs import Checked, Job
from skillbank.briefs.benchmark import differences, regressed
from skillbank.briefs.brief import Brief
from skillbank.codec import seed_of
from skillbank.params import BenchmarkParams
from skillbank.records import Arm, BankTest, Measured, Suspect
from skillbank.rounds.benchmark import (
    Arms,
    attempted,
    fixed_jobs,
    needs_more,
    suspect_jobs,
    verdict_on,
)
from skillbank.rounds.blame import Suspicion, bisect, firing, suspects, traced
from skillbank.rounds.endtests import bank_test
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Change
from skillbank.skills.shelf import Shelf
from skillbank.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What it takes to measure banks on a round's fixed briefs."""

    world: World
    params: BenchmarkParams
    briefs: Mapping[str, Brief]
    """Benchmark briefs and golden cases by id."""
    without: Callable[[Collection[str]], Bank]
    """The candidate bank less some commits."""
    shelf: Callable[[Bank], tuple[Shelf, str]]
    """What the agent recalls from a bank, and the digest of that."""
    do: Callable[[Sequence[Job]], Sequence[Checked]]
    """Makes attempts, in the order of the jobs."""

    def measure(
        self, briefs: Sequence[Brief], arms: Arms, seed: int
    ) -> tuple[Measured, ...]:
        """One attempt of each brief under each arm."""
        jobs = fixed_jobs(briefs, arms, self.world, "benchmark", seed)
        return attempted("benchmark", jobs, self.do, self.params.success)


def try_suspects(
    rows: Sequence[Measured], let_in: Mapping[str, Change], bench: Bench, seed: int
) -> tuple[Suspect, ...]:
    """Replay the commits that may have done harm with and without.

    Args:
        rows: Benchmark and golden rows of the candidate and the previous bank.
        let_in: What the gate let in, by proposal id.
        bench: Where banks are measured.
        seed: Of the replays.
    """
    if not let_in:
        return ()
    candidate = bench.without(())
    tried = []
    for one in _suspicions(rows, let_in, candidate, bench, seed):
        arms: Arms = {
            "with": bench.shelf(candidate),
            "without": bench.shelf(bench.without([one.commit])),
        }
        skill = let_in[one.commit].skill.name
        tried.append(_tried(one, skill, arms, bench, seed))
    return tuple(tried)


def _tried(one: Suspicion, skill: str, arms: Arms, bench: Bench, seed: int) -> Suspect:
    """With and without it, and once more as often before it is dropped."""
    n = bench.params.repeats
    made: list[tuple[Arm, Checked]] = []
    for repeats in (range(n), range(n, 2 * n)):
        jobs = suspect_jobs(one, bench.briefs, arms, bench.world, repeats, seed)
        checked = bench.do([job for _, job in jobs])
        made += [(arm, done) for (arm, _), done in zip(jobs, checked, strict=True)]
        found = verdict_on(one, skill, made, bench.params)
        if not needs_more(found, bench.params):
            break
    return found


def _suspicions(
    rows: Sequence[Measured],
    let_in: Mapping[str, Change],
    candidate: Bank,
    bench: Bench,
    seed: int,
) -> tuple[Suspicion, ...]:
    new = [row for row in rows if row.arm == "candidate"]
    old = [row for row in rows if row.arm == "previous"]
    if not traced([*new, *old]):
        return _bisected(old, new, sorted(let_in), bench, seed)
    refs = {
        id: entry.ref
        for id, change in let_in.items()
        if (entry := candidate.find(change.skill.name)) is not None
    }
    lost = regressed(
        [row for row in old if row.set == "golden"],
        [row for row in new if row.set == "golden"],
    )
    return suspects(firing(new, refs), differences(old, new), lost, bench.params)


def _bisected(
    old: Sequence[Measured],
    new: Sequence[Measured],
    commits: Sequence[str],
    bench: Bench,
    seed: int,
) -> tuple[Suspicion, ...]:
    """The one suspect of an agent that does not say what it recalls."""
    if not bench.params.suspects or not differences(old, new):
        return ()

    def scored(some: Sequence[str]) -> Mapping[str, float]:
        bank = bench.without([one for one in commits if one not in some])
        arms: Arms = {"with": bench.shelf(bank)}
        where = seed_of(seed, "bisect", len(some))
        return _scores(bench.measure(list(bench.briefs.values()), arms, where))

    found = bisect(commits, scored, _scores(old), _scores(new))
    if found is None:
        return ()
    return (Suspicion(commit=found, briefs=tuple(sorted(bench.briefs))),)


def _scores(rows: Sequence[Measured]) -> Mapping[str, float]:
    return {row.brief: row.score for row in rows if row.score is not None}


def measure_again(
    briefs: Sequence[Brief], kept: Bank, previous: Bank, bench: Bench, seed: int
) -> tuple[Measured, ...]:
    """The bank that is left and the one before it, in a batch of their own.

    The attempts by which suspects were chosen would flatter what is left of the bank.
    """
    arms: Arms = {"kept": bench.shelf(kept), "previous": bench.shelf(previous)}
    return bench.measure(briefs, arms, seed)


def put_to_test(
    measured: Sequence[Measured],
    again: Sequence[Measured],
    n_left: int,
    params: BenchmarkParams,
    seed: int,
) -> BankTest:
    """Whether the bank that is left regressed, and is therefore held.

    Args:
        measured: Candidate and previous bank, as first measured.
        again: Kept and previous bank (`measure_again`); empty if nothing was dropped.
        n_left: Commits that were not dropped.
        params: Tests, and whether harm is undone.
        seed: Of the tests.
    """
    rows = [row for row in again or measured if row.set == "benchmark"]
    arm: Arm = "kept" if again else "candidate"
    found = bank_test(
        [row for row in rows if row.arm == "previous"],
        [row for row in rows if row.arm == arm],
        params,
        seed,
    )
    regressed = found.standing == "regressed"
    return replace(found, held=params.undo and regressed and n_left > 0)
