"""The certified rule: screen, evidence on held-out cases, and two guards, in turn.

A no-op passes at most once in `bar` trials, whatever the judge's noise and position
bias; a judge's taste for the candidate it cannot see, placebo proposals can.

Source:
    The gate study, 3.1 and 3.3. Ours: no screen where there are held-out contexts
    enough to do without, a bar of 50 there, and giving up without hope.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from skillbank.gate.case import CaseVerdict, Count
from skillbank.gate.limits import Limits
from skillbank.gate.neighbours import Neighbours
from skillbank.gate.phases import Gain, Guard, Phase, Planned, Screen
from skillbank.gate.policy import Evidence
from skillbank.gate.published import Ruling


class Certified:
    """The certified rule over the cases of one trial; it remembers what has passed.

    Args:
        limits: Its numbers.
        origin: Planned contexts of the cases that the writer saw, by index.
        held_out: Of the cases that it never saw.
        neighbours: Of the cases on which the card fires without being meant to.
    """

    def __init__(
        self, limits: Limits, *, origin: Planned, held_out: Planned, neighbours: Planned
    ) -> None:
        self._bar = limits.bar
        self._screen = Screen(origin, limits.screen) if limits.screen else None
        self._gain = Gain(held_out, limits)
        self._guard = Guard({**origin, **held_out}, limits)
        self._neighbours = Neighbours(neighbours, limits) if neighbours else None
        phases = (self._screen, self._gain, self._guard, self._neighbours)
        self._phases: list[Phase] = [phase for phase in phases if phase is not None]
        self._n_held_out = len(held_out)

    def rule_on(self, counts: Sequence[Count]) -> Ruling | None:
        """The ruling; a phase that has passed is not asked again."""
        while self._phases:
            found = self._phases[0].rule_on(counts)
            if found != "passed":
                return found
            del self._phases[0]
        reason = (
            f"evidence {float(self._gain.value):.3g} of a gain on "
            f"{self._n_held_out} held-out cases, no confirmed regress"
        )
        return Ruling("commit", "commit", reason)

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """What the phase whose turn it is wants next."""
        return self._phases[0].choose(counts, free) if self._phases else None

    def standing(
        self, index: int, counts: Sequence[Count]
    ) -> CaseVerdict | Literal["open"]:
        """Regress if confirmed, else win if it won more than it lost, else tie."""
        if index in self._guard.confirmed:
            return "regress"
        count = counts[index]
        if not count.valid:
            return "open"
        return "win" if count.net > 0 else "tie"

    def evidence(self) -> Evidence:
        """What the ruling rests on."""
        return Evidence(
            gain=self._gain.value,
            bar=Fraction(self._bar),
            wins=self._gain.wins,
            ties=self._gain.ties,
            losses=self._gain.losses,
            screen=None if self._screen is None else self._screen.net,
            harm=None if self._neighbours is None else self._neighbours.harm,
        )
