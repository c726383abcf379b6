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
    coefficient: float | None = None
    """Its effect on the score where it fires; None: a bisection found it."""
    error: float | None = None
    """Standard error of the effect."""


Standing = Literal["regressed", "non-inferior", "not shown"]
"""How a bank stands beside the one before it; not shown: it may be either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoPrimary:
    """One of the two tests of whether a bank regressed; candidate less previous."""

    name: Literal["catastrophes", "mean"]
    """Share of briefs that are no catastrophe, or mean completeness."""
    p: float
    """One-sided, of harm."""
    estimate: float
    low: float
    """Ends of the interval whose lower end bounds the harm."""
    high: float
    gained: int
    """Briefs on which the candidate is better."""
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """How many briefs reach one threshold of completeness under each bank."""

    at: float
    before: int
    after: int
    gained: int
    """Only under the candidate."""
    lost: int
    """Only under the bank of before."""
    adjusted_p: float
    """Two-sided, and true of whichever threshold is picked (maxT)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BankTest:
    """A round's bank as a whole, beside the one that the round began with."""

    standing: Standing
    briefs: int
    """Measured under both."""
    missing: int
    margin: float
    """Drop that non-inferiority excludes, in [0, 1]."""
    level: float
    """One-sided error of both tests together, and of each lower bound."""
    tests: tuple[CoPrimary, ...] = ()
    """None with fewer than two briefs."""
    curve: tuple[CurvePoint, ...] = ()
    held: bool = False
    """It regressed, and what was left of the round's changes was not put in use."""


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
