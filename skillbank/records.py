"""What a round writes down that no other module owns."""

from dataclasses import dataclass, field
from typing import Literal

from skillbank.agents.agent import Attempt
from skillbank.briefs.brief import Brief, Check
from skillbank.proposals.proposal import Axis, Kind
from skillbank.traffic.run import Run

Side = Literal["teach", "test"]
Fate = Literal["screened out", "refused", "undecided", "dropped", "committed"]
BriefSet = Literal["benchmark", "sealed", "golden"]
Arm = Literal["candidate", "kept", "previous", "none", "seed", "with", "without"]
"""candidate: all that the gate let in; kept: less what was undone; none: no skills."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SidedRun:
    """A run and whether it may teach or only test."""

    run: Run
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class SidedVariant:
    """A variant on its parent's side of the split."""

    brief: Brief
    note: str
    side: Side
    session: str
    """Session of the run whose brief it varies: a variant adds to no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeAttempt:
    """One attempt that we made on a variant."""

    attempt: Attempt
    exploring: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The checks of one run or attempt, and its score with provenance."""

    id: str
    """Run id or attempt id."""
    brief: str
    checks: tuple[Check, ...] = ()
    score: float | None = None
    """In [0, 1]; None: it could not be measured, which is never 0."""
    completeness: float | None = None
    provenance: Literal["human", "check", "model", "none"] = "none"
    evaluator: str = ""
    """Revision of what measured it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One attempt on a fixed brief under one bank."""

    set: BriefSet
    arm: Arm
    brief: str
    attempt: str
    score: float | None
    """In [0, 1]; 0 for a broken output, None after a fault of the infrastructure."""
    completeness: float | None
    success: bool
    fired: tuple[str, ...] = ()
    """`name@version` of every card recalled."""
    forbidden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A commit that was replayed with and without."""

    proposal: str
    skill: str
    briefs: int
    wins: int
    losses: int
    p: float
    """One-sided exact p of losses over wins."""
    dropped: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of a proposal at the end of its round."""

    proposal: str
    round: str
    axis: Axis
    kind: Kind
    skill: str
    base: int | None
    fate: Fate
    reason: str
    security: bool = False
    text_digest: str = ""
    """Of the normalised text: the same text is not paid for twice."""
    drops: tuple[str, ...] = ()
    version: int | None = None
    """Version that entered the bank, if it did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """One number about the round's judge, controls or costs."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    note: str = field(default="")
