"""What a writer of skills is shown and what it returns.

A writer reads evidence and returns text. It decides nothing: queue, cases and gate are
the same whatever it was shown (`FeedbackView` changes only its evidence).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Brief, Check
from skillbank.proposals.proposal import Draft
from skillbank.skills.shelf import Card, Recall

FeedbackView = Literal["normal", "fail_only", "success_only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One run or attempt on the teach side, as a writer may see it."""

    id: str
    """Run id, or attempt id."""
    brief: Brief
    steps: tuple[Step, ...]
    checks: tuple[Check, ...]
    score: float | None
    """In [0, 1]; None: nobody measured it, so it shows a need and how it was met, and
    counts as neither failure nor success."""
    recalls: tuple[Recall, ...]
    exploring: bool = False
    """Made to explore: feeds the writer, never the failure counts."""

    @property
    def rank(self) -> float:
        """For orders from the worst on: its score; what is not measured comes last."""
        return 1.0 if self.score is None else self.score


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A card that keeps failing, and what is known about it."""

    card: Card
    failures: tuple[Evidence, ...]
    """Worst first."""
    successes: tuple[Evidence, ...]
    """The same card's successes on the most similar briefs."""
    overhaul: bool = False
    """True after two refused edits of this version: rewrite the whole card."""
    neighbours: tuple[Card, ...] = ()
    """Cards that a merge may supersede."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A label that keeps coming up uncovered."""

    label: str
    phrases: tuple[str, ...]
    members: tuple[Evidence, ...]
    taken: frozenset[str] = field(default_factory=frozenset)
    """Names that are in the bank already."""


class SkillWriter(Protocol):
    """Anything that writes skills from evidence."""

    def study(self, pool: Sequence[Evidence]) -> None:
        """Take in all evidence so far; called once a round, before any draft."""
        ...

    def revise(self, revision: Revision, seed: int) -> Draft | None:
        """Write an edit or an overhaul; None if it has no idea."""
        ...

    def mint(self, cluster: Cluster, seed: int) -> Draft | None:
        """Distil a new card from a cluster; None if it has no idea."""
        ...
