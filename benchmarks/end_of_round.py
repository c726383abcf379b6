"""Who finds the commit that did harm: worlds of the gate study, section 3.6.

    python -m benchmarks.end_of_round --seeds 301 --worlds 1000

A round put many commits into the bank; some are bad, some good, the rest do nothing.
Each brief is attempted once under the bank before and once under the bank with all of
them, and the product's own functions name suspects, judge the replays and test the bank
as a whole. Effects are in standard deviations of an attempt. Prints figures with their
95% Monte Carlo intervals, as a table in Markdown.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from skillbank.codec import seed_of
from skillbank.gate.intervals import wilson
from skillbank.params import BenchmarkParams
from skillbank.records import Measured
from skillbank.rounds.benchmark import judged, needs_more
from skillbank.rounds.blame import Suspicion, bisect, suspects
from skillbank.rounds.endtests import bank_test

Floats = NDArray[np.float64]
_GOOD = 1.0  # effect of a good commit
_SD = 0.09  # completeness of an attempt, as the studio's spreads under its seed bank
_LEVEL, _BRIEFS_SD = 0.5, 0.15  # completeness of a brief under the bank before


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of world."""

    name: str
    commits: int
    bad: int
    effect: float
    fires: float
    """Share of briefs on which each commit fires."""
    good: float
    """Share of the commits that are not bad which are good."""
    spread: float = 0.3
    """Sd of an effect from brief to brief."""


ROWS = (
    Row("none bad, 70% good", 25, 0, 0.0, 0.08, 0.7),
    Row("none bad, none good", 25, 0, 0.0, 0.20, 0.0),
    Row("the same, no effect on any brief", 25, 0, 0.0, 0.20, 0.0, spread=0.0),
    Row("1 bad (-1.5) firing on 8%", 25, 1, -1.5, 0.08, 0.7),
    Row("**1 bad firing on 20%**", 25, 1, -1.5, 0.20, 0.7),
    Row("3 bad firing on 20%, 40% good", 25, 3, -1.5, 0.20, 0.4),
    Row("6 mild (-1) firing on 15%, 40% good", 25, 6, -1.0, 0.15, 0.4),
    Row("3 of 50, firing on 8%, 40% good", 50, 3, -1.5, 0.08, 0.4),
)


@dataclass(frozen=True, slots=True)
class World:
    """Briefs, commits and what each does."""

    effects: Floats
    """Shape (briefs, commits), in sd of an attempt; 0 where it does not fire."""
    fired: dict[str, frozenset[str]]
    bad: frozenset[str]
    rng: np.random.Generator

    @property
    def n(self) -> int:
        """Briefs."""
        return len(self.effects)

    def attempts(self, commits: Sequence[str]) -> dict[str, float]:
        """One attempt of each brief under the bank before with these commits."""
        places = [_place(one) for one in commits]
        made = self.effects[:, places].sum(axis=1) + self.rng.normal(0, 1, self.n)
        return {_brief(i): float(value) for i, value in enumerate(made)}

    def replays(self, one: Suspicion, repeats: int) -> list[tuple[float, float]]:
        """With and without, several times; what else fires is alike in both."""
        at = np.array([int(brief[1:]) for brief in one.briefs])
        moved = self.effects[at, _place(one.commit)]
        pairs = []
        for _ in range(repeats):
            with_it = moved + self.rng.normal(0, 1, len(at))
            without = self.rng.normal(0, 1, len(at))
            pairs += list(zip(with_it.tolist(), without.tolist(), strict=True))
        return pairs


def _place(commit: str) -> int:
    return int(commit[1:])


def _brief(place: int) -> str:
    return f"b{place:03d}"


def world(row: Row, briefs: int, seed: int) -> World:
    """Draw one world."""
    rng = np.random.default_rng(seed)
    fires = rng.random((briefs, row.commits)) < row.fires
    means = np.where(rng.random(row.commits) < row.good, _GOOD, 0.0)
    order = rng.permutation(row.commits)  # where in the round the bad ones stand
    means[order[: row.bad]] = row.effect
    drawn = means + rng.normal(0, row.spread, fires.shape)
    return World(
        np.where(fires, drawn, 0.0),
        {
            f"c{k:02d}": frozenset(_brief(int(i)) for i in np.flatnonzero(fires[:, k]))
            for k in range(row.commits)
        },
        frozenset(f"c{k:02d}" for k in order[: row.bad]),
        rng,
    )


@dataclass
class Found:
    """What one way of looking came to, world by world."""

    found: list[float] = field(default_factory=list)
    """Share of the bad commits that were removed."""
    any_false: list[bool] = field(default_factory=list)
    """Whether one was removed that is not bad."""
    n_false: list[int] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    hit: list[bool] = field(default_factory=list)
    """Whether the worst suspect is bad."""

    def add(
        self, in_: World, named: Sequence[str], dropped: set[str], runs: int
    ) -> None:
        """One more world."""
        false = dropped - in_.bad
        self.found.append(len(dropped & in_.bad) / max(len(in_.bad), 1))
        self.any_false.append(bool(false))
        self.n_false.append(len(false))
        self.runs.append(runs)
        self.hit.append(bool(named) and named[0] in in_.bad)


def _tried(
    in_: World, named: Sequence[Suspicion], params: BenchmarkParams
) -> tuple[set[str], int]:
    """Replays with and without; who is dropped, and the agent runs."""
    dropped, runs = set(), 0
    for one in named:
        pairs: list[tuple[float, float]] = []
        for _ in range(2):
            pairs += in_.replays(one, params.repeats)
            found = judged(one, one.commit, pairs, params)
            if not needs_more(found, params):
                break
        runs += 2 * len(pairs)
        if found.dropped:
            dropped.add(one.commit)
    return dropped, runs


def by_traces(in_: World, params: BenchmarkParams, found: Found) -> set[str]:
    """Ridge on what fired, then replays; returns who is dropped."""
    old, new = in_.attempts(()), in_.attempts(sorted(in_.fired))
    moved = {brief: new[brief] - old[brief] for brief in old}
    named = suspects(in_.fired, moved, (), params)
    dropped, runs = _tried(in_, named, params)
    found.add(in_, [one.commit for one in named], dropped, runs)
    return dropped


def by_halving(in_: World, params: BenchmarkParams, found: Found) -> None:
    """A bisection, then replays on all briefs."""
    commits, runs = sorted(in_.fired), 0

    def scored(some: Sequence[str]) -> dict[str, float]:
        nonlocal runs
        runs += in_.n
        return in_.attempts(some)

    one = bisect(commits, scored, in_.attempts(()), in_.attempts(commits))
    assert one is not None
    named = Suspicion(commit=one, briefs=tuple(map(_brief, range(in_.n))))
    dropped, more = _tried(in_, [named], params)
    found.add(in_, [one], dropped, runs + more)


def regressed(in_: World, dropped: set[str], params: BenchmarkParams) -> bool:
    """Whether what is left is called regressed, on fresh attempts."""
    level = in_.rng.normal(_LEVEL, _BRIEFS_SD, in_.n)
    arms = []
    for commits in ((), sorted(in_.fired.keys() - dropped)):
        made = in_.attempts(commits)
        met = np.clip(level + _SD * np.array(list(made.values())), 0, 1)
        arms.append(
            [
                Measured(
                    set="benchmark",
                    arm="candidate" if commits else "previous",
                    brief=_brief(i),
                    attempt="",
                    score=float(value),
                    completeness=float(value),
                    success=False,
                )
                for i, value in enumerate(met)
            ]
        )
    return bank_test(arms[0], arms[1], params, 1).standing == "regressed"


def _share(hits: Sequence[bool]) -> str:
    value, low, high = wilson(sum(hits), len(hits))
    return f"{value:.1%} [{low:.1%}, {high:.1%}]"


def _mean(values: Sequence[float], shown: Callable[[float], str]) -> str:
    reach = 1.96 * stdev(values) / sqrt(len(values))
    return f"{shown(fmean(values))} ± {shown(reach)}"


def table(
    briefs: int, worlds: int, tested: int, seed: int, params: BenchmarkParams
) -> None:
    """Print the rows of one size of benchmark."""
    print(
        f"\nseed {seed}, {briefs} briefs, {worlds} worlds a row, the bank tested in "
        f"{tested}\n"
    )
    print(
        "| world | found | worlds with a false removal | false, mean | runs "
        "| halving: names a bad one | and removes it | false | runs | alarm before "
        "| alarm after |"
    )
    print("|---" * 11 + "|")
    for row in ROWS:
        ridge, halved = Found(), Found()
        before, after = [], []
        for number in range(worlds):
            in_ = world(row, briefs, seed_of(seed, row.name, briefs, number))
            dropped = by_traces(in_, params, ridge)
            by_halving(in_, params, halved)
            if number < tested:
                before.append(regressed(in_, set(), params))
                after.append(regressed(in_, dropped, params))
        bad = row.bad > 0
        print(
            f"| {row.name} "
            f"| {_mean(ridge.found, '{:.1%}'.format) if bad else '-'} "
            f"| {_share(ridge.any_false)} | {fmean(ridge.n_false):.3f} "
            f"| {_mean(ridge.runs, '{:.0f}'.format)} "
            f"| {_share(halved.hit) if bad else '-'} "
            f"| {_share([x > 0 for x in halved.found]) if bad else '-'} "
            f"| {_share(halved.any_false)} | {fmean(halved.runs):.0f} "
            f"| {_share(before)} | {_share(after)} |",
            flush=True,
        )


def main() -> None:
    """Run all of it."""
    shipped = BenchmarkParams()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[301])
    parser.add_argument("--worlds", type=int, default=400, help="of each row")
    parser.add_argument("--tested", type=int, default=400, help="whole banks, of each")
    parser.add_argument("--briefs", type=int, nargs="+", default=[200, 80])
    parser.add_argument("--suspect-at", type=float, default=shipped.suspect_at)
    parser.add_argument("--again-at", type=float, default=shipped.again_at)
    parser.add_argument("--drop-at", type=float, default=shipped.drop_at)
    parser.add_argument("--ridge", type=float, default=shipped.ridge)
    options = parser.parse_args()
    params = BenchmarkParams(
        suspect_at=options.suspect_at,
        ridge=options.ridge,
        again_at=options.again_at,
        drop_at=options.drop_at,
    )
    for seed in options.seeds:
        for briefs in options.briefs:
            table(briefs, options.worlds, options.tested, seed, params)


if __name__ == "__main__":
    main()
