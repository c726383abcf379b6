"""The world in which gates are compared: proposals of twelve kinds, four judges.

Half of the proposals are good, three in ten change nothing that counts, two in ten do
harm (the gate study, section 8). A gate sees outcomes of contexts and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.gate_oc import KINDS, MIXTURE, REGIMES
from skillbank.codec import seed_of
from skillbank.gate.noise import Bools, Floats, Outcomes, outcomes, votes

Ints = NDArray[np.int64]
NO_GAIN = ("no-op", "het0", "overfit")
HARMFUL = ("harm -0.5", "harm -1", "hurt 1 of 4", "hurt 1 of 4, +1")
GOOD = ("+0.5", "+1", "+1.5", "target +2", "N(1, .5)")
CLEAR = ("+1", "+1.5")
_SEEN = 4  # cases that the writer saw
_DEEP = 12  # contexts of each case
_Z = 1.96


class Drawn(NamedTuple):
    """Proposals of one kind."""

    kind: str
    origin: Outcomes
    """Of the cases that the writer saw, shape (proposals, 4, 12)."""
    held_out: Outcomes
    """Of cases that it did not see, shape (proposals, cases, 12)."""
    seen_effects: Floats
    """Effect on each case that the writer saw."""
    effects: Floats
    """Effect on each held-out case."""


def drawn(kind: str, n: int, cases: int, regime: str, seed: int) -> Drawn:
    """Draw proposals of a kind under a judge.

    An overfit is +1.5 on the cases that it was written from, and nothing elsewhere.
    """
    rng = np.random.default_rng(seed_of(seed, regime, kind, n, cases))
    elsewhere = "no-op" if kind == "overfit" else kind
    seen = KINDS[kind](rng, (n, _SEEN))
    unseen = KINDS[elsewhere](rng, (n, cases))
    noise = REGIMES[regime]
    return Drawn(
        kind,
        outcomes(*votes(seen, _DEEP, noise, rng)),
        outcomes(*votes(unseen, _DEEP, noise, rng)),
        seen,
        unseen,
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """How often proposals of one kind shipped."""

    ships: int
    n: int
    contexts: float
    """Mean contexts."""

    @classmethod
    def of(cls, ships: Bools, contexts: Ints) -> "Tally":
        """Count them."""
        return cls(int(ships.sum()), len(ships), float(contexts.mean()))

    @property
    def rate(self) -> float:
        """P(ship)."""
        return self.ships / self.n

    @property
    def variance(self) -> float:
        """Of the rate; one success and failure added, so that it is never 0."""
        p = (self.ships + 1) / (self.n + 2)
        return p * (1 - p) / self.n


class Figure(NamedTuple):
    """An estimate with the half-width of its 95% Monte Carlo interval."""

    value: float
    reach: float


@dataclass(frozen=True, slots=True)
class Quality:
    """Decision quality of a gate under one judge.

    Source:
        The gate study, section 8: loss = FA0 + 3 FAH + FR by prevalence, DQ = 1 - loss
        over the loss of refusing everything.
    """

    fa0: Figure
    """P(ship | no gain)."""
    fah: Figure
    """P(ship | harmful)."""
    fr: Figure
    """P(refuse | good)."""
    fr_clear: Figure
    """P(refuse | +1 or +1.5)."""
    dq: Figure
    runs: float
    """Agent runs a proposal, on the mixture."""
    per_correct: float
    """Agent runs over the chance of a correct decision."""


def quality(tallies: Mapping[str, Tally]) -> Quality:
    """Weigh the kinds as the mixture has them."""

    def linear(weights: Mapping[str, float], start: float = 0.0) -> Figure:
        value = start + sum(w * tallies[k].rate for k, w in weights.items())
        reach = sqrt(sum(w * w * tallies[k].variance for k, w in weights.items()))
        return Figure(value, _Z * reach)

    def share(kinds: tuple[str, ...], sign: float = 1.0) -> dict[str, float]:
        whole = sum(MIXTURE[kind] for kind in kinds)
        return {kind: sign * MIXTURE[kind] / whole for kind in kinds}

    good = sum(MIXTURE[kind] for kind in GOOD)
    weights = {kind: MIXTURE[kind] / good for kind in GOOD}
    weights |= {kind: -MIXTURE[kind] / good for kind in NO_GAIN}
    weights |= {kind: -3 * MIXTURE[kind] / good for kind in HARMFUL}
    right = sum(
        MIXTURE[kind] * (one.rate if kind in GOOD else 1 - one.rate)
        for kind, one in tallies.items()
    )
    runs = 2 * sum(MIXTURE[kind] * one.contexts for kind, one in tallies.items())
    return Quality(
        fa0=linear(share(NO_GAIN)),
        fah=linear(share(HARMFUL)),
        fr=linear(share(GOOD, -1.0), 1.0),
        fr_clear=linear(share(CLEAR, -1.0), 1.0),
        dq=linear(weights),
        runs=runs,
        per_correct=runs / right,
    )
