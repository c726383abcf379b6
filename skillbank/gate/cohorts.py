"""Shares and paired differences by stratum, and how well a trigger fires.

For the reader of a report: what decides by stratum is `strata.py`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from skillbank.codec import seed_of
from skillbank.errors import GateError
from skillbank.gate.intervals import bootstrap_mean, sign_test_two_sided


class Share(NamedTuple):
    """Hits of trials."""

    hits: int
    n: int

    @property
    def rate(self) -> Fraction:
        """In [0, 1]."""
        return Fraction(self.hits, self.n)


class PairedBrief(NamedTuple):
    """One brief measured under both banks."""

    current: float
    """Completeness, in [0, 1]."""
    candidate: float
    current_met: bool
    """It succeeded."""
    candidate_met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortGain:
    """One cohort of fixed briefs under the candidate bank and the one before."""

    cohort: str
    briefs: int
    """Measured under both."""
    current: int
    """Briefs that succeeded under the bank before."""
    candidate: int
    mean: float
    """Of the paired differences of completeness, in [-1, 1]."""
    low: float | None
    """Ends of its interval over briefs; None: a single brief has none."""
    high: float | None
    wins: int
    """Briefs that are more complete than before."""
    losses: int
    p: float
    """Two-sided exact p of wins against losses, for this cohort alone."""
    adjusted: float
    """The same, held against all cohorts of its set (Holm)."""


class Trigger(NamedTuple):
    """How often a skill fired, should have, and did both."""

    fired: int
    should: int
    hit: int

    @property
    def precision(self) -> Fraction | None:
        """Share of firings that were right; None if it never fired."""
        return Fraction(self.hit, self.fired) if self.fired else None

    @property
    def recall(self) -> Fraction | None:
        """Share of needs that it fired for; None if there were none."""
        return Fraction(self.hit, self.should) if self.should else None

    @property
    def f1(self) -> Fraction | None:
        """Harmonic mean of both."""
        both = self.fired + self.should
        return Fraction(2 * self.hit, both) if both else None


def holm(p: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Adjusted p by name: at most a level holds for all that are at most it.

    Source:
        Holm 1979, "A simple sequentially rejective multiple test procedure". The least
        one is Bonferroni's.
    """
    adjusted: dict[str, Fraction] = {}
    least = Fraction(0)
    for rank, name in enumerate(sorted(p, key=lambda name: (p[name], name))):
        least = max(least, min(Fraction(1), (len(p) - rank) * p[name]))
        adjusted[name] = least
    return adjusted


def by_cohort(
    briefs: Mapping[str, Sequence[PairedBrief]], *, confidence: float, seed: int
) -> tuple[CohortGain, ...]:
    """Compare two banks cohort by cohort, by name.

    Args:
        briefs: The briefs of each cohort; an empty one is left out.
        confidence: Coverage of each interval, in (0, 1); it is not adjusted.
        seed: Seed of the bootstrap.
    """
    sums = {
        name: [one.candidate - one.current for one in some]
        for name, some in sorted(briefs.items())
        if some
    }
    signs = {
        name: (sum(value > 0 for value in values), sum(value < 0 for value in values))
        for name, values in sums.items()
    }
    p = {name: sign_test_two_sided(*both) for name, both in signs.items()}
    adjusted = holm(p)
    found = []
    for name, values in sums.items():
        interval = (
            bootstrap_mean(
                values, seed=seed_of(seed, "cohort", name), confidence=confidence
            )
            if len(values) > 1
            else None
        )
        found.append(
            CohortGain(
                cohort=name,
                briefs=len(values),
                current=sum(one.current_met for one in briefs[name]),
                candidate=sum(one.candidate_met for one in briefs[name]),
                mean=math.fsum(values) / len(values),
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                wins=signs[name][0],
                losses=signs[name][1],
                p=float(p[name]),
                adjusted=float(adjusted[name]),
            )
        )
    return tuple(found)


def total(shares: Mapping[str, Share]) -> Share:
    """All strata together."""
    return Share(
        sum(s.hits for s in shares.values()), sum(s.n for s in shares.values())
    )


def regressed_strata(
    current: Mapping[str, Share], candidate: Mapping[str, Share]
) -> tuple[str, ...]:
    """Strata whose rate fell, by name, however the total moved.

    Raises:
        GateError: If the arms do not have the same strata, or one is empty.
    """
    if current.keys() != candidate.keys() or not all(
        share.n for share in (*current.values(), *candidate.values())
    ):
        raise GateError(
            "strata",
            seen=f"{sorted(current)} against {sorted(candidate)}",
            expected="the same strata in both arms, none of them empty",
            remedy="replay every stratum under both banks",
        )
    return tuple(
        name for name in sorted(current) if candidate[name].rate < current[name].rate
    )
