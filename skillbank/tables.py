"""The tables of a round: their columns, ranges and keys.

A row is one value. Its columns are there to be filtered and plotted; `json` holds the
whole value, so that reading a table gives back exactly what was written. Tables hold no
clock, duration, host or path, and are ordered by their key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, TypeVar

import pandera.pyarrow as pa

from skillbank.briefs.replay_set import GoldenCase
from skillbank.evidence.event import Event
from skillbank.evidence.labels import Filing, Merge
from skillbank.gate.replay import Pair
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.propose import Skipped
from skillbank.records import (
    BankTest,
    Decision,
    Grade,
    MadeAttempt,
    Measured,
    SidedRun,
    SidedVariant,
    Suspect,
)
from skillbank.rounds.controls import PlaceboRecord
from skillbank.rounds.replay import GateRecord
from skillbank.skills.screen import Screening
from skillbank.traffic.run import Misfit
from skillbank.traffic.tally import Merge as Collapsed

T = TypeVar("T")


class _Rows(pa.DataFrameModel):
    json: str

    class Config:
        strict = True


def _rate(*, nullable: bool = False) -> Any:
    return pa.Field(ge=0, le=1, nullable=nullable)


class _Runs(_Rows):
    run: str = pa.Field(unique=True)
    brief: str
    root: str
    cohort: str
    session: str
    side: str = pa.Field(isin=["teach", "test"])
    ending: str = pa.Field(isin=["ok", "broken", "fault"])
    score: float = _rate(nullable=True)
    source: str


class _Collapsed(_Rows):
    run_id: str
    why: str


class _Misfits(_Rows):
    source: str
    reason: str


class _Variants(_Rows):
    brief: str = pa.Field(unique=True)
    parent: str
    root: str
    kind: str
    side: str = pa.Field(isin=["teach", "test"])


class _Attempts(_Rows):
    attempt: str = pa.Field(unique=True)
    brief: str
    exploring: bool
    ending: str = pa.Field(isin=["ok", "broken", "fault"])


class _Grades(_Rows):
    id: str = pa.Field(unique=True)
    brief: str
    score: float = _rate(nullable=True)
    completeness: float = _rate(nullable=True)
    provenance: str = pa.Field(isin=["human", "check", "model", "none"])


class _Events(_Rows):
    kind: str
    run: str
    root: str
    skill: str
    label: str


class _Proposals(_Rows):
    proposal: str = pa.Field(unique=True)
    axis: str = pa.Field(isin=["deepening", "widening"])
    kind: str = pa.Field(isin=["mint", "edit", "overhaul"])
    skill: str
    label: str
    placebo: bool


class _Skipped(_Rows):
    axis: str = pa.Field(isin=["deepening", "widening"])
    subject: str
    reason: str


class _Filings(_Rows):
    phrase: str = pa.Field(unique=True)
    label: str


class _Merges(_Rows):
    from_label: str = pa.Field(unique=True)
    to_label: str


class _Screenings(_Rows):
    proposal: str = pa.Field(unique=True)
    passed: bool
    security: bool


class _Pairs(_Rows):
    proposal: str
    case: str
    context: str
    outcome: str = pa.Field(isin=["win", "tie", "loss", "void"])
    void: str = pa.Field(nullable=True)


class _Verdicts(_Rows):
    proposal: str = pa.Field(unique=True)
    decision: str = pa.Field(isin=["commit", "refuse", "undecided"])
    code: str
    planned: int = pa.Field(ge=0)
    spent: int = pa.Field(ge=0)


class _Placebos(_Rows):
    proposal: str = pa.Field(unique=True)
    kind: str = pa.Field(isin=["paraphrase", "irrelevant"])
    skill: str
    decision: str = pa.Field(isin=["commit", "refuse", "undecided"])


class _Measured(_Rows):
    set: str = pa.Field(isin=["benchmark", "sealed", "golden"])
    arm: str
    brief: str
    score: float = _rate(nullable=True)
    completeness: float = _rate(nullable=True)
    success: bool


class _Suspects(_Rows):
    proposal: str = pa.Field(unique=True)
    skill: str
    coefficient: float = pa.Field(nullable=True)
    wins: int = pa.Field(ge=0)
    losses: int = pa.Field(ge=0)
    p: float = _rate()
    dropped: bool


class _BankTests(_Rows):
    standing: str = pa.Field(isin=["regressed", "non-inferior", "not shown"])
    held: bool
    briefs: int = pa.Field(ge=0)


class _Decisions(_Rows):
    proposal: str = pa.Field(unique=True)
    axis: str = pa.Field(isin=["deepening", "widening"])
    kind: str = pa.Field(isin=["mint", "edit", "overhaul"])
    skill: str
    fate: str


class _Golden(_Rows):
    brief: str
    skill: str
    round: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Generic[T]):
    """One kind of table."""

    name: str
    kind: type[T]
    """Type of a row's value."""
    model: type[_Rows]
    key: tuple[str, ...]
    """Columns that rows are ordered by."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Column to attribute of the value, where the names differ."""

    def columns(self, value: T) -> dict[str, object]:
        """The columns of a value, without `json`."""
        names = [name for name in self.model.to_schema().columns if name != "json"]
        return {name: attrgetter(self.paths.get(name, name))(value) for name in names}


RUNS = Table(
    name="runs",
    kind=SidedRun,
    model=_Runs,
    key=("run",),
    paths={
        "run": "run.run_id",
        "brief": "run.brief.id",
        "root": "run.brief.root",
        "cohort": "run.cohort",
        "session": "run.session",
        "ending": "run.ending",
        "score": "run.score",
        "source": "run.source",
    },
)
COLLAPSED = Table(name="collapsed", kind=Collapsed, model=_Collapsed, key=("run_id",))
MISFITS = Table(name="misfits", kind=Misfit, model=_Misfits, key=("source", "reason"))
VARIANTS = Table(
    name="variants",
    kind=SidedVariant,
    model=_Variants,
    key=("brief",),
    paths={
        "brief": "brief.id",
        "parent": "brief.parent",
        "root": "brief.root",
        "kind": "brief.kind",
    },
)
ATTEMPTS = Table(
    name="attempts",
    kind=MadeAttempt,
    model=_Attempts,
    key=("brief", "attempt"),
    paths={
        "attempt": "attempt.id",
        "brief": "attempt.brief",
        "ending": "attempt.ending",
    },
)
GRADES = Table(name="grades", kind=Grade, model=_Grades, key=("id",))
EVENTS = Table(
    name="events", kind=Event, model=_Events, key=("kind", "run", "skill", "label")
)
FILINGS = Table(name="filings", kind=Filing, model=_Filings, key=("phrase",))
MERGES = Table(name="merges", kind=Merge, model=_Merges, key=("from_label",))
PROPOSALS = Table(
    name="proposals",
    kind=Proposal,
    model=_Proposals,
    key=("axis", "skill", "proposal"),
    paths={"proposal": "id"},
)
SKIPPED = Table(name="skipped", kind=Skipped, model=_Skipped, key=("axis", "subject"))
SCREENINGS = Table(
    name="screenings", kind=Screening, model=_Screenings, key=("proposal",)
)
PAIRS = Table(
    name="pairs", kind=Pair, model=_Pairs, key=("proposal", "case", "context")
)
VERDICTS = Table(
    name="verdicts",
    kind=GateRecord,
    model=_Verdicts,
    key=("proposal",),
    paths={
        name: f"verdict.{name}"
        for name in ("proposal", "decision", "code", "planned", "spent")
    },
)
PLACEBOS = Table(
    name="placebos",
    kind=PlaceboRecord,
    model=_Placebos,
    key=("proposal",),
    paths={
        "proposal": "proposal.id",
        "skill": "proposal.skill",
        "decision": "record.verdict.decision",
    },
)
MEASURED = Table(
    name="measured", kind=Measured, model=_Measured, key=("set", "arm", "brief")
)
REMEASURED = Table(
    name="remeasured", kind=Measured, model=_Measured, key=("set", "arm", "brief")
)
BANK_TEST = Table(name="bank_test", kind=BankTest, model=_BankTests, key=("standing",))
HEADLINE = Table(
    name="headline", kind=Measured, model=_Measured, key=("set", "arm", "brief")
)
SUSPECTS = Table(name="suspects", kind=Suspect, model=_Suspects, key=("proposal",))
DECISIONS = Table(
    name="decisions", kind=Decision, model=_Decisions, key=("axis", "proposal")
)
GOLDEN = Table(
    name="golden",
    kind=GoldenCase,
    model=_Golden,
    key=("skill", "brief", "round"),
    paths={"brief": "brief.id"},
)
