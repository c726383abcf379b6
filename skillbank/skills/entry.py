"""One version of a card as its host knows it, and what may happen to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, get_args

from skillbank.codec import Json
from skillbank.errors import BankError
from skillbank.proposals.proposal import Kind, Proposal
from skillbank.skills.shelf import Risk
from skillbank.skills.skill import Skill, name_problem

Status = Literal[
    "proposed", "quarantined", "shadow", "canary", "verified", "suspended", "deprecated"
]
RISKS: tuple[Risk, ...] = get_args(Risk)
"""The lowest first."""

AGENT = "agent"
"""Author of what the round writes itself; a person is named by their own name."""
CANDIDATES: frozenset[Status] = frozenset({"proposed", "quarantined"})
"""Not let in yet: kept as a record, under no version of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One version of one card, with what the host knows of it."""

    skill: Skill
    version: int
    """From 1 on. Of a proposed or quarantined entry: the version it asked to become."""
    status: Status
    author: str = AGENT
    risk: Risk = "low"
    provenance: str = ""
    """Where it comes from: a proposal's id, a seed, an import."""
    round: str = ""
    """Round in which it entered the bank."""
    trials: int = 0
    """Promotion trials and outcomes of this very version."""
    passes: int = 0
    """How many of them succeeded."""
    parent: int | None = None
    """The version that it revises; None for a mint."""
    reason: str = ""
    """Why it has its status, one sentence."""
    applies: Mapping[str, Json] = field(default_factory=dict, hash=False)
    """Fact to its value or list of allowed values: when the card applies."""
    review_by: str = ""
    """ISO date from which a person should read it again; empty: none set."""

    def __post_init__(self) -> None:
        """Refuse a name that is no plain folder, and counts or dates that are none."""
        problem = name_problem(self.skill.name)
        if not problem and self.version < 1:
            problem = f"version {self.version}"
        if not problem and not 0 <= self.passes <= self.trials:
            problem = f"{self.passes} passes in {self.trials} trials"
        if not problem and self.review_by and not _is_date(self.review_by):
            problem = f"review date {self.review_by!r}"
        if problem:
            raise BankError(
                f"entry {self.skill.name!r}",
                seen=problem,
                expected="a name such as headline-contrast, a version from 1 on, "
                "0 <= passes <= trials, and a date such as 2026-01-31",
                remedy="correct the entry before it enters the bank",
            )

    @property
    def name(self) -> str:
        """The card's name."""
        return self.skill.name

    @property
    def ref(self) -> str:
        """`name@version`."""
        return f"{self.skill.name}@{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One accepted change: what `Bank.with_commits` is given."""

    kind: Kind
    skill: Skill
    base: int | None = None
    """Version that it revises; None for a mint."""
    drops: tuple[str, ...] = ()
    """Names of the cards that it supersedes."""
    provenance: str = ""
    author: str = AGENT
    risk: Risk = "low"
    trials: int = 0
    """Its promotion trials."""
    passes: int = 0
    reason: str = ""
    applies: Mapping[str, Json] = field(default_factory=dict, hash=False)
    review_by: str = ""

    @staticmethod
    def of(
        proposal: Proposal, *, trials: int = 0, passes: int = 0, reason: str = ""
    ) -> "Change":
        """The change that an accepted proposal makes.

        Raises:
            SkillError: If its text is no skill.
        """
        return Change(
            kind=proposal.kind,
            skill=Skill.parse(proposal.text, folder=proposal.skill),
            base=proposal.base,
            drops=proposal.drops,
            provenance=f"proposal {proposal.id}",
            trials=trials,
            passes=passes,
            reason=reason,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How often one version of a card was used, and how often that succeeded."""

    skill: str
    version: int
    trials: int
    passes: int


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
