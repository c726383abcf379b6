"""A candidate change of the bank."""

from dataclasses import dataclass
from typing import Literal

from skillbank.codec import digest

Axis = Literal["deepening", "widening"]
Kind = Literal["mint", "edit", "overhaul"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSeed:
    """A brief that a proposal is to be replayed on, and where in it the card acts."""

    brief: str
    subtask: str
    """Name of the subtask that the proposed card serves."""
    origin: bool
    """True: the writer saw it; False: a golden case or a success of the card."""
    card: str = ""
    """Name of the card concerned; for a merge each dropped card has its own cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One candidate change; immutable: one edited step is a new proposal."""

    round: str
    axis: Axis
    kind: Kind
    skill: str
    """Name of the card as it would enter the bank."""
    base: int | None
    """Version of the card that it revises; None for a mint."""
    text: str
    """The whole SKILL.md."""
    drops: tuple[str, ...] = ()
    """Names of the cards that a merge supersedes."""
    label: str = ""
    """Canonical label of the cluster that a mint was distilled from."""
    stratum: str = ""
    """The kind of briefs that it mends (`briefs.strata`); empty: all of its card's."""
    note: str = ""
    """The writer's reason, one sentence."""
    cases: tuple[CaseSeed, ...] = ()
    evidence: tuple[str, ...] = ()
    """Run and attempt ids that the writer was shown."""
    placebo: bool = False
    """A control: never committed, never counted."""

    @property
    def id(self) -> str:
        """Depends on the text, its base and its round: an edited step is another."""
        return digest(
            "proposal", self.round, self.skill, self.base, self.text, self.drops
        )[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a writer returned: a text, not yet a proposal."""

    text: str
    note: str
    kind: Kind
    drops: tuple[str, ...] = ()
    stratum: str = ""
    """The kind of briefs that it mends (`briefs.strata`); empty: it does not say."""
