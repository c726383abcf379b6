"""E-values: evidence that may be looked at after every context, and what it must reach.

A no-op wins and loses alike, so a bet that gains on a win what it would lose on a loss
is fair: its capital passes 20 at most once in 20 no-ops, whenever one looks (Ville).
Fractions only.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from skillbank.errors import GateError


class Stakes(NamedTuple):
    """What a win and a loss multiply the capital by; a tie leaves it."""

    win: Fraction
    loss: Fraction

    def check(self, place: str) -> None:
        """Refuse a bet that is not fair or not a bet.

        Raises:
            GateError: If it gains on average when wins and losses are alike, never
                gains, or can lose more than everything.
        """
        if not (0 <= self.loss < 1 < self.win and self.win + self.loss <= 2):
            raise GateError(
                place,
                seen=f"a win times {self.win}, a loss times {self.loss}",
                expected="a win above 1, a loss in [0, 1), together at most 2",
                remedy=f"change {place}, such as 3/2 and 1/2",
            )


GAIN = Stakes(Fraction(3, 2), Fraction(1, 2))
"""Bets half of the capital on each context. Source: the gate study, 3.1."""


@lru_cache(maxsize=4096)
def e_value(wins: int, losses: int, stakes: Stakes = GAIN) -> Fraction:
    """Capital after that many wins and losses, from 1; their order does not matter.

    Args:
        wins: Contexts won.
        losses: Contexts lost.
        stakes: The bet, the same on each context.
    """
    return stakes.win**wins * stakes.loss**losses


def round_bar(least: Fraction, proposals: int, budget: Fraction) -> Fraction:
    """What evidence must reach in a round: at least `least`, at least N / B.

    Then at most B no-ops are expected to pass, however the proposals hang together.

    Args:
        least: Bar of a single proposal.
        proposals: Proposals of the round (N).
        budget: No-ops that may pass in a round, on average (B), above 0.

    Raises:
        GateError: If the budget lets nothing pass.
    """
    if budget <= 0:
        raise _misfit("false accepts a round", budget, "above 0")
    return max(least, proposals / budget)


def lond_level(alpha: Fraction, proposals: int, discoveries: int) -> Fraction:
    """Level of the next p-value under LOND with equal weights.

    Args:
        alpha: Share of false discoveries allowed, in (0, 1).
        proposals: Proposals of the whole sequence.
        discoveries: How many passed before.

    Source:
        Javanmard and Montanari 2015, "On online control of false discovery rate".

    Raises:
        GateError: If alpha is no share, or there are no proposals.
    """
    if not 0 < alpha < 1:
        raise _misfit("alpha", alpha, "in (0, 1)")
    if proposals < 1 or discoveries < 0:
        raise _misfit("proposals", (proposals, discoveries), "at least one")
    return alpha * (discoveries + 1) / proposals


def e_lond_bar(alpha: Fraction, proposals: int, discoveries: int) -> Fraction:
    """What the next e-value must reach under e-LOND with equal weights.

    Holds the share of false discoveries at alpha under any dependence. Where proposals
    are tried at the same time, count only what has passed when the plan is made: fewer
    discoveries ask for more.

    Source:
        Xu and Ramdas 2024, "Online multiple testing with e-values".

    Raises:
        GateError: If alpha is no share, or there are no proposals.
    """
    return 1 / lond_level(alpha, proposals, discoveries)


def e_lond(evidence: Sequence[Fraction], alpha: Fraction) -> tuple[bool, ...]:
    """Which of a sequence of e-values pass, in their order."""
    passed: list[bool] = []
    for value in evidence:
        passed.append(value >= e_lond_bar(alpha, len(evidence), sum(passed)))
    return tuple(passed)


def _misfit(place: str, seen: object, expected: str) -> GateError:
    return GateError(
        place,
        seen=str(seen),
        expected=expected,
        remedy="change it in params.yaml, section gate.certified",
    )
