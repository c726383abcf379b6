"""A brief, its requirements, and the check of each requirement.

Knows nothing about any world: a requirement's `kind` and `args` mean something only to
the verifier of the world that the brief belongs to.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from skillbank.codec import Json
from skillbank.errors import BriefError

Outcome = Literal["met", "partly", "not"]
_CREDIT: Mapping[Outcome, float] = {"met": 1.0, "partly": 0.5, "not": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One demand of a brief that can be checked on what the agent made."""

    id: str
    """Unique within its brief."""
    kind: str
    """Name of the verifier, in the words of the world."""
    text: str
    """The demand in plain words."""
    subtask: str = ""
    """Name of the subtask that it is about; empty: the whole."""
    args: Mapping[str, Json] = field(default_factory=dict)
    weight: float = 1.0
    """Share in the score, relative to the brief's other requirements; above 0."""
    reason: str = ""
    """Why the brief is taken to demand this; empty where its author said so."""


@dataclass(frozen=True, kw_only=True)
class Brief:
    """What was asked, in words, with what can be checked about it."""

    id: str
    text: str
    cohort: str = ""
    requirements: tuple[Requirement, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)
    """What the host supplies: format, strings, kit, tenant; never from a model."""
    parent: str | None = None
    """The brief that this one is a variant of."""
    root: str = ""
    """The parent's root; a brief from traffic or a benchmark is its own root."""
    kind: str = ""
    """Kind of variant (surface, distractor, contract, neighbour); empty: none."""

    def __post_init__(self) -> None:
        """Fill the root in, and refuse a brief that asks nothing."""
        if not self.root:
            object.__setattr__(self, "root", self.id)
        if not self.text.strip():
            raise BriefError(
                f"brief {self.id!r}",
                seen="no text",
                expected="what is asked, in words",
                remedy="give the brief a text or take it out of the file",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What a verifier said of one requirement, and what it saw."""

    requirement: str
    outcome: Outcome
    why: str
    subtasks: tuple[str, ...] = ()
    """Names of the subtasks whose work it saw: who may be blamed."""


def score(brief: Brief, checks: Sequence[Check]) -> float:
    """Weighted share of requirements met, `partly` counting half; in [0, 1].

    Raises:
        BriefError: If the checks are not one for each requirement of the brief.
    """
    outcomes = _outcomes(brief, checks)
    total = math.fsum(need.weight for need in brief.requirements)
    got = math.fsum(
        need.weight * _CREDIT[outcomes[need.id]] for need in brief.requirements
    )
    return got / total


def completeness(brief: Brief, checks: Sequence[Check]) -> float:
    """Unweighted share of requirements met, `partly` counting nothing; in [0, 1].

    Raises:
        BriefError: If the checks are not one for each requirement of the brief.
    """
    outcomes = _outcomes(brief, checks)
    return sum(outcome == "met" for outcome in outcomes.values()) / len(outcomes)


def _outcomes(brief: Brief, checks: Sequence[Check]) -> dict[str, Outcome]:
    outcomes = {check.requirement: check.outcome for check in checks}
    wanted = {need.id for need in brief.requirements}
    if not wanted or outcomes.keys() != wanted or len(checks) != len(outcomes):
        odd = sorted(outcomes.keys() ^ wanted)[:3]
        raise BriefError(
            f"brief {brief.id!r}",
            seen=f"{len(checks)} checks for {len(wanted)} requirements (odd: {odd})",
            expected="at least one requirement, and one check for each",
            remedy="verify the attempt against this very brief",
        )
    return outcomes
