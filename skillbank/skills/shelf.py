"""What an agent may recall: the narrow side of a bank that it is shown.

A shelf answers "which cards for this subtask". The gate builds shelves of its own, so
that the recalled set can be frozen while one version is swapped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from skillbank.codec import Json
from skillbank.skills.skill import Skill

Risk = Literal["low", "medium", "high"]
"""What may come of a card that goes wrong, as its host says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subtask:
    """One part of a brief, as the agent plans it."""

    name: str
    """Unique within the brief's plan."""
    phrase: str
    """What is to be done, in words: retrieval matches against this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A verified skill at one version, as it is put before the agent."""

    skill: Skill
    version: int
    success_rate: float = 0.5
    """This version's own, shrunk to the bank's mean; in [0, 1]."""
    applies: Mapping[str, Json] = field(default_factory=dict, hash=False)
    """Fact to its value or list of allowed values: when the card applies."""
    risk: Risk = "low"

    @property
    def name(self) -> str:
        """The skill's name."""
        return self.skill.name

    @property
    def ref(self) -> str:
        """`name@version`."""
        return f"{self.skill.name}@{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """That a card was recalled for a subtask, and why."""

    subtask: str
    skill: str
    version: int
    relevance: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The cards for one subtask, best first, and whether any card was relevant."""

    cards: tuple[Card, ...] = ()
    recalls: tuple[Recall, ...] = ()
    """One for each card, in the same order."""
    covered: bool = False
    """False only if no verified card reached the relevance threshold."""


class Shelf(Protocol):
    """Anything that answers which cards a subtask recalls."""

    def recall(self, subtask: Subtask, facts: Mapping[str, Json]) -> Recalled:
        """At most three cards, the most relevant first."""
        ...


@dataclass(frozen=True, slots=True)
class FixedShelf:
    """A frozen recalled set by subtask name; nothing else is ever recalled."""

    by_subtask: Mapping[str, Recalled] = field(default_factory=dict)

    def recall(self, subtask: Subtask, facts: Mapping[str, Json]) -> Recalled:
        """What was frozen for the subtask of this name."""
        return self.by_subtask.get(subtask.name, Recalled())
