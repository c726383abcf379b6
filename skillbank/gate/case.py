"""The verdict of one case, now and over everything that may still come.

Integers only: in binary floats 3/20 is below 0.5 - 0.35, and a case would regress that
does not.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Literal, NamedTuple

from skillbank.errors import GateError
from skillbank.gate_params import GateParams

CaseVerdict = Literal["win", "tie", "regress", "inconclusive"]
Symmetry = Literal["asym", "sym"]
"""asym (the product): below the band regresses; sym: that, and a majority of losses."""
_HALF = Fraction(1, 2)
_MOST = 10**6  # of anything: larger is a slip of the keyboard


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The numbers of the published rule.

    Raises:
        GateError: If no votes at all could pass, or none could fail.
    """

    cases: int = 4
    """Cases that a proposal needs (K)."""
    contexts: int = 3
    """Planned contexts of a case (C)."""
    band: Fraction = Fraction(1, 10)
    """Half-width of the tie band around 1/2, closed at its edges; in [0, 1/2)."""
    symmetry: Symmetry = "asym"

    def __post_init__(self) -> None:
        """Refuse numbers with which the gate is no gate."""
        for name in ("cases", "contexts"):
            seen = getattr(self, name)
            if type(seen) is not int or seen > _MOST:
                expected = f"a whole number, at most {_MOST}"
                raise _useless(f"gate.{name}", repr(seen), expected)
        if not isinstance(self.band, Rational):  # a float would round the comparison
            raise _useless("gate.band", repr(self.band), "a fraction")
        if self.cases < 1:
            raise _useless("gate.cases", self.cases, "at least 1: no case, no verdict")
        if self.contexts < 1:
            raise _useless("gate.contexts", self.contexts, "at least 1")
        if not 0 <= self.band < _HALF:
            why = "at least 0 and below 1/2: a band of 1/2 lets nothing win or regress"
            raise _useless("gate.band", self.band, why)

    @classmethod
    def of(cls, params: GateParams) -> "Rule":
        """The rule that params.yaml configures."""
        return cls(cases=params.cases, contexts=params.contexts, band=params.band)

    @property
    def quorum(self) -> int:
        """Valid contexts that a case needs: two thirds of the planned, rounded up."""
        return -(-2 * self.contexts // 3)


class Count(NamedTuple):
    """Contexts of one case so far."""

    wins: int = 0
    ties: int = 0
    losses: int = 0
    left: int = 0
    """Contexts that may still give a vote: planned, less valid, less lost to voids."""

    @property
    def valid(self) -> int:
        """Contexts with a vote."""
        return self.wins + self.ties + self.losses

    @property
    def net(self) -> int:
        """Wins less losses."""
        return self.wins - self.losses

    @property
    def rate(self) -> Fraction | None:
        """Share of valid contexts won, a tie counting half; None without any."""
        if not self.valid:
            return None
        return Fraction(2 * self.wins + self.ties, 2 * self.valid)


class Outlook(NamedTuple):
    """What can still become of a case, over all votes and voids to come."""

    can_win: bool
    can_regress: bool
    won: bool
    """It is won whatever comes."""
    regressed: bool
    """It regresses whatever comes."""
    short: bool
    """It lacks a quorum of valid contexts, and may still get one."""
    inconclusive: bool
    """It lacks a quorum, and no context is left."""

    @property
    def verdict(self) -> CaseVerdict | Literal["open"]:
        """The verdict if it is settled."""
        if self.inconclusive:
            return "inconclusive"
        if self.won:
            return "win"
        if self.regressed:
            return "regress"
        settled = not (self.can_win or self.can_regress or self.short)
        return "tie" if settled else "open"


def score_case(count: Count, rule: Rule) -> CaseVerdict:
    """The verdict of a case as if nothing more came.

    The rate is over valid contexts, the majority over planned ones; fewer valid
    contexts than the quorum decide nothing.

    Source:
        The published rule as in the gate study, sections 1 and 5; band ours.
    """
    if count.valid < rule.quorum:
        return "inconclusive"
    # (2w + t) / 2v against 1/2 +- band, multiplied out
    points = (2 * count.wins + count.ties) * rule.band.denominator
    middle = count.valid * rule.band.denominator
    reach = 2 * count.valid * rule.band.numerator
    if points > middle + reach and 2 * count.wins > rule.contexts:
        return "win"
    lost = rule.symmetry == "asym" or 2 * count.losses > rule.contexts
    return "regress" if points < middle - reach and lost else "tie"


def outlook(count: Count, rule: Rule) -> Outlook:
    """What the contexts that are left can still make of a case.

    Winning all of them is the best completion and losing all of them the worst, for
    the rate and for both majorities; a void changes less than either.
    """
    wins, ties, losses, left = count
    best = score_case(Count(wins + left, ties, losses), rule)
    worst = score_case(Count(wins, ties, losses + left), rule)
    quorate = count.valid >= rule.quorum
    return Outlook(
        can_win=best == "win",
        can_regress=worst == "regress",
        won=quorate and worst == "win",
        regressed=quorate and best == "regress",
        short=not quorate and left > 0,
        inconclusive=not quorate and left == 0,
    )


def open_verdicts(count: Count, rule: Rule) -> frozenset[CaseVerdict]:
    """Every verdict that votes on the contexts that are left can still lead to."""
    wins, ties, losses, left = count
    return frozenset(
        score_case(Count(wins + w, ties + t, losses + left - w - t), rule)
        for w in range(left + 1)
        for t in range(left + 1 - w)
    )


def smallest_band(contexts: int) -> Fraction:
    """The smallest tie band that can change the verdict of a case of C contexts.

    Below it the band is inert: with C contexts no rate lies that close to 1/2.
    """
    return Fraction(1, 2 * contexts)


def inert_band(rule: Rule) -> bool:
    """Whether the band changes no verdict of a full case."""
    bare = Rule(
        cases=rule.cases,
        contexts=rule.contexts,
        band=Fraction(0),
        symmetry=rule.symmetry,
    )
    full = (
        Count(w, t, rule.contexts - w - t)
        for w in range(rule.contexts + 1)
        for t in range(rule.contexts + 1 - w)
    )
    return all(score_case(count, rule) == score_case(count, bare) for count in full)


def trinomial(count: Count) -> int:
    """In how many orders the contexts of a case can give this count."""
    return math.comb(count.valid, count.wins) * math.comb(
        count.valid - count.wins, count.ties
    )


def _useless(place: str, seen: object, expected: str) -> GateError:
    return GateError(
        place,
        seen=f"{seen}, a gate that cannot pass or cannot fail",
        expected=expected,
        remedy=f"change {place} in params.yaml",
    )
