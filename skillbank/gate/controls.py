"""A/A controls: current against current, through the same replay path as the gate.

They say whether the harness is even-handed and how often the rule ships a no-op. They
do not see a judge's taste: placebo proposals do.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from skillbank.gate.case import Rule
from skillbank.gate.intervals import Interval, sign_test_two_sided, wilson
from skillbank.gate.operating import operating
from skillbank.gate.replay import Arena, Place, Scene
from skillbank.gate.votes import Votes

_GRID = 200  # steps over the interval of the tie share: the rate has an inner maximum


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Outcomes of contexts."""

    wins: int = 0
    ties: int = 0
    losses: int = 0
    voids: int = 0
    leaning: int = 0
    """Ties of one vote and one "same"; among the ties too."""

    @property
    def valid(self) -> int:
        """Contexts with a vote."""
        return self.wins + self.ties + self.losses

    @property
    def decided(self) -> Fraction | None:
        """Share of valid contexts that are wins or losses; None without any."""
        return Fraction(self.wins + self.losses, self.valid) if self.valid else None

    def __add__(self, other: "Tally") -> "Tally":
        """Pool two rounds."""
        return Tally(
            wins=self.wins + other.wins,
            ties=self.ties + other.ties,
            losses=self.losses + other.losses,
            voids=self.voids + other.voids,
            leaning=self.leaning + other.leaning,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """What pooled A/A contexts say about the gate."""

    tally: Tally
    harness_p: float
    """Two-sided exact p of wins against losses; small: one arm is favoured."""
    tie_share: Interval | None
    """Of valid contexts, with Wilson's interval; None without any."""
    null_accept: Interval | None
    """P(ship | no-op) of the configured rule, over that interval."""


def tally(votes: Iterable[Votes]) -> Tally:
    """Count outcomes."""
    counts = dict.fromkeys(("win", "tie", "loss", "void"), 0)
    leaning = 0
    for one in votes:
        counts[one.outcome] += 1
        leaning += one.leaning
    return Tally(
        wins=counts["win"],
        ties=counts["tie"],
        losses=counts["loss"],
        voids=counts["void"],
        leaning=leaning,
    )


def control(pooled: Tally, rule: Rule, confidence: float = 0.95) -> Control:
    """Read the pooled A/A contexts of all rounds so far.

    Args:
        pooled: Sum over rounds: one round alone seldom sees a leak.
        rule: The configured numbers.
        confidence: Coverage of both intervals.
    """
    harness_p = float(sign_test_two_sided(pooled.wins, pooled.losses))
    if not pooled.valid:
        return Control(
            tally=pooled, harness_p=harness_p, tie_share=None, null_accept=None
        )
    ties = wilson(pooled.ties, pooled.valid, confidence)
    rates = [
        operating(rule, ties.low + (ties.high - ties.low) * step / _GRID)
        for step in range(_GRID + 1)
    ]
    accept = Interval(operating(rule, ties.estimate), min(rates), max(rates))
    return Control(
        tally=pooled, harness_p=harness_p, tie_share=ties, null_accept=accept
    )


def n_controls(gate_contexts: int, *, least: int = 12, share: float = 0.05) -> int:
    """A/A contexts of a round: a share of its gate contexts, at least `least`."""
    # as the decimal that was configured: 0.05 * 240 must be 12, not a float above it
    exact = Fraction(str(share)) * gate_contexts
    return max(least, math.ceil(exact))


def choose_controls(places: Sequence[Place], n: int, seed: int) -> tuple[Place, ...]:
    """Draw the contexts to replay current against current, in the order given.

    All of them if there are no more than `n`.
    """
    if n >= len(places):
        return tuple(places)
    chosen = np.random.default_rng(seed).choice(len(places), size=n, replace=False)
    return tuple(places[index] for index in sorted(int(i) for i in chosen))


def current_against_current(arena: Arena) -> Arena:
    """The same arena with the current cards in both arms."""

    def scene(context: str) -> Scene:
        found = arena.scene(context)
        return replace(found, candidate=found.current)

    return replace(arena, scene=scene)
