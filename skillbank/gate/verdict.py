"""What the gate decided, with the numbers that a reader needs to check it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from skillbank.gate.case import CaseVerdict
from skillbank.gate.ceilings import CeilingState
from skillbank.gate.policy import Evidence
from skillbank.gate.published import Code, Decision
from skillbank.gate.strata import StratumState
from skillbank.gate.votes import Arm


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseState:
    """One case as it stood when the verdict fell."""

    case: str
    wins: int = 0
    ties: int = 0
    losses: int = 0
    voids: int = 0
    """Contexts that were replayed in vain."""
    leaning: int = 0
    """Ties of one vote and one "same"; counted among the ties too."""
    verdict: CaseVerdict | Literal["open"] = "open"
    """open: the trial was over before this case was settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Commit, refuse or undecided, and why; survives a JSON round trip.

    Curtailed counts are biased: never estimate an effect from them.
    """

    proposal: str
    plan: str
    """Hash of the plan that was followed; empty for votes made elsewhere."""
    decision: Decision
    code: Code
    reason: str
    """One sentence for a report."""
    cases: tuple[CaseState, ...] = ()
    planned: int = 0
    """Contexts of the full rule without voids; 0 if the trial could not begin."""
    spent: int = 0
    """Contexts replayed, void ones too; one is two agent runs and two judge calls."""
    forbidden: Mapping[Arm, int] = field(default_factory=dict)
    """Forbidden actions by arm over the valid contexts that were replayed."""
    evidence: Evidence | None = None
    """What a certified verdict rests on; None in published mode."""
    strata: tuple[StratumState, ...] = ()
    """By name; none where the plan names none."""
    ceilings: tuple[CeilingState, ...] = ()
    """What was spent against each ceiling of the plan."""
    uncertifiable: bool = False
    """Gated as published because there were too few held-out prompts to certify."""
