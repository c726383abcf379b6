"""What a trial asks of a rule, and what a rule may say beside its ruling."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from skillbank.gate.case import CaseVerdict, Count
from skillbank.gate.published import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a certified verdict rests on."""

    gain: Fraction
    """E-value of the gain over the held-out contexts, when it was settled."""
    bar: Fraction
    """What it had to reach."""
    wins: int
    """Held-out contexts won until then."""
    ties: int
    losses: int
    screen: int | None = None
    """Wins less losses of the origin cases; None: there was no screen."""
    harm: Fraction | None = None
    """E-value of harm on neighbours; None: none was replayed."""


class Policy(Protocol):
    """A rule of one trial; it may remember what it saw."""

    def rule_on(self, counts: Sequence[Count]) -> Ruling | None:
        """The ruling, as soon as there is one; called after each context told.

        Args:
            counts: One for each case of the plan.
        """
        ...

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """Index of the case to replay next; None if nothing more would help now.

        Args:
            counts: One for each case.
            free: Contexts of each case that are neither told nor asked.
        """
        ...

    def standing(
        self, index: int, counts: Sequence[Count]
    ) -> CaseVerdict | Literal["open"]:
        """How one case stands, for the report."""
        ...

    def evidence(self) -> Evidence | None:
        """What the ruling rests on; None if the rule weighs none."""
        ...
