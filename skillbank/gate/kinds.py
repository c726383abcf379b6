"""Kinds of change, and what a simulated judge makes of them in certified mode.

Effects are in agent standard deviations; the judge is a noise model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from skillbank.codec import fields_of, seed_of
from skillbank.errors import GateError
from skillbank.gate.limits import Limits
from skillbank.gate.neighbours import CONTEXTS
from skillbank.gate.noise import Noise, Outcomes, outcomes, votes
from skillbank.gate.simulate import Played, Simulated, play


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of change: its effects, in agent standard deviations."""

    seen: float
    """On cases that the writer saw."""
    unseen: float
    """On held-out cases."""
    share: float = 1.0
    """Share of the cases that it touches; the others stay as they were."""

    def effects(self, seen: int, unseen: int) -> tuple[list[float], list[float]]:
        """The effect on each case."""
        return self._some(self.seen, seen), self._some(self.unseen, unseen)

    def _some(self, effect: float, n: int) -> list[float]:
        touched = round(self.share * n)
        return [effect] * touched + [0.0] * (n - touched)


KINDS: Mapping[str, Kind] = {
    "no-op": Kind(seen=0.0, unseen=0.0),
    "overfit": Kind(seen=1.5, unseen=0.0),
    "+0.5": Kind(seen=0.5, unseen=0.5),
    "+1": Kind(seen=1.0, unseen=1.0),
    "harm -0.5": Kind(seen=-0.5, unseen=-0.5),
    "targeted +2": Kind(seen=2.0, unseen=2.0, share=0.25),
}
"""targeted: a quarter of the cases; where that kind is named as the stratum it is +2 on
all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The cases that a proposal will have in certified mode."""

    held_out: int = 16
    origin: int = 4
    neighbours: int = 0
    """On which the card fires; taken to be neither helped nor harmed."""

    def __post_init__(self) -> None:
        """Refuse what is no count."""
        for name, n in fields_of(self).items():
            if type(n) is not int or n < 0:
                raise misfit(name, n, "a whole number, at least 0")


def simulate(
    kind: Kind, limits: Limits, shape: Shape, noise: Noise, *, n: int, seed: int
) -> Played:
    """Decide `n` certified proposals of a kind.

    Args:
        kind: Its effects.
        limits: The rule's numbers.
        shape: Cases of each proposal.
        noise: The judge.
        n: Proposals.
        seed: Of all chance: the same question has the same answer.
    """
    origin = shape.origin if limits.screen else 0
    seen, unseen = kind.effects(origin, shape.held_out)
    deep = limits.guard + limits.rounds(shape.held_out)

    def drawn(what: str, effects: Sequence[float], contexts: int) -> Outcomes:
        return draw(effects, contexts, noise, n, seed_of(seed, what))

    world = Simulated(
        origin=drawn("origin", seen, limits.guard + limits.screen),
        held_out=drawn("held out", unseen, deep),
        neighbours=drawn("neighbours", [0.0] * shape.neighbours, CONTEXTS),
    )
    return play(limits, world)


def draw(
    effects: Sequence[float], contexts: int, noise: Noise, n: int, seed: int
) -> Outcomes:
    """Outcomes of `n` proposals with these effects on their cases.

    Returns:
        Shape (n, cases, contexts).
    """
    rng = np.random.default_rng(seed)
    each = np.tile(np.asarray(effects, dtype=np.float64), (n, 1))
    return outcomes(*votes(each, contexts, noise, rng))


def misfit(name: str, seen: float, expected: str) -> GateError:
    """A number that the planner cannot take."""
    return GateError(
        f"planner, {name}",
        seen=str(seen),
        expected=expected,
        remedy=f"give {name} as it will be, or leave it out",
    )
