"""Shares by stratum, and how well a trigger fires: plain counts, no bar for noise."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from skillbank.errors import GateError


class Share(NamedTuple):
    """Hits of trials."""

    hits: int
    n: int

    @property
    def rate(self) -> Fraction:
        """In [0, 1]."""
        return Fraction(self.hits, self.n)


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
