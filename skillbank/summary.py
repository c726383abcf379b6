"""What a round came to, in numbers: the row that people and MLflow compare."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from skillbank.evidence.survey import Survey
from skillbank.gate.cohorts import CohortGain, Trigger
from skillbank.gate.planner import Outlay
from skillbank.proposals.proposal import Axis
from skillbank.records import Arm, BankTest, BriefSet, Decision, Health, Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisCounts:
    """The proposals of one axis by what became of them."""

    axis: Axis
    proposed: int = 0
    screened_out: int = 0
    security: int = 0
    """Security events among the screened out."""
    refused: int = 0
    undecided: int = 0
    dropped: int = 0
    committed: int = 0


Ruled = Literal["certified", "published", "uncertifiable"]
"""Which rule decided; uncertifiable: too few held-out prompts to certify, so that the
published rule decided (mode auto) or none did (mode certified)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCounts:
    """The verdicts of one rule."""

    rule: Ruled
    heard: int = 0
    committed: int = 0
    refused: int = 0
    undecided: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One set of fixed briefs under one bank."""

    set: BriefSet
    arm: Arm
    briefs: int
    """Briefs measured; those lost to a fault are not among them."""
    missing: int
    completeness: float
    """Mean, in [0, 1]."""
    success: float
    """Share of briefs with an export and a score of at least 0.6, in [0, 1]."""
    quality: float | None
    """Mean score of the successes; None if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """A paired difference over the same briefs, the bank minus another arm."""

    set: BriefSet
    over: Arm
    what: str
    """completeness or success."""
    briefs: int
    mean: float
    """In [-1, 1]."""
    low: float
    """Ends of the paired interval over briefs."""
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerCounts:
    """How new and changed triggers fire on briefs whose labels are known.

    Looked up, not replayed: on labelled briefs that the writer never saw, and on the
    nearest ones that the skill is not meant for.
    """

    proposals: int
    fired: int
    should: int
    hit: int

    @property
    def precision(self) -> float | None:
        """Share of the firings that were right, in [0, 1]; None without any."""
        return _rate(Trigger(self.fired, self.should, self.hit).precision)

    @property
    def recall(self) -> float | None:
        """Share of the needs that were met, in [0, 1]; None without any."""
        return _rate(Trigger(self.fired, self.should, self.hit).recall)


def _rate(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSummary:
    """One finished round."""

    round: str
    number: int
    bank_before: int
    bank_after: int
    skills_before: int
    skills_after: int
    axes: tuple[AxisCounts, ...]
    figures: tuple[Figure, ...]
    """Of the bank after the round (arm `kept`) and of those beside it."""
    gains: tuple[Gain, ...]
    runs_planned: int
    """Agent runs that the gate's full rule asks for, controls excluded."""
    runs_spent: int
    """Agent runs that the gate made, controls excluded."""
    control_runs: int
    """Agent runs of the A/A controls."""
    bank_runs: int = 0
    """Agent runs of mints beside the whole bank: reported, not part of the rule."""
    placebo_runs: int = 0
    """Agent runs of placebo proposals, which no other count has."""
    traffic: int
    """Runs kept."""
    quarantined: int
    health: tuple[Health, ...] = ()
    judge_faults: tuple[str, ...] = ()
    """Bars that the judge fell below; with any, no verdict by votes stood."""
    notes: tuple[str, ...] = field(default_factory=tuple)
    rules: tuple[RuleCounts, ...] = ()
    """The gate's verdicts by the rule that decided, those that decided any."""
    cohorts: Mapping[BriefSet, tuple[CohortGain, ...]] = field(default_factory=dict)
    """The candidate bank against the one before, by cohort; where briefs have any."""
    triggers: TriggerCounts | None = None
    """None where no new or changed trigger could be held against labels."""
    test: BankTest | None = None
    """Of the bank as a whole; None: a round of before there was one."""
    plans: tuple[Outlay, ...] = ()
    """What was to be expected of each rule when the round began."""
    survey: Survey = field(default_factory=Survey)
    """What the traffic asked for."""
    unable: str = ""
    """Why nothing could be replayed; empty: it could."""

    @property
    def runs_saved(self) -> int:
        """Agent runs that stopping early saved."""
        return self.runs_planned - self.runs_spent

    @property
    def bank_changed(self) -> bool:
        """Whether a proposal went into the bank."""
        return any(counts.committed for counts in self.axes)

    def axis(self, axis: Axis) -> AxisCounts:
        """The counts of one axis."""
        return next(counts for counts in self.axes if counts.axis == axis)

    def row(self, name: str) -> Health | None:
        """One number about judge and controls, if it was measured."""
        return next((one for one in self.health if one.name == name), None)

    def figure(self, set: BriefSet, arm: Arm) -> Figure | None:
        """One set under one arm, if it was measured."""
        wanted = (set, arm)
        return next((f for f in self.figures if (f.set, f.arm) == wanted), None)

    def gain(self, set: BriefSet, over: Arm, what: str) -> Gain | None:
        """One paired difference, if it was measured."""
        wanted = (set, over, what)
        return next((g for g in self.gains if (g.set, g.over, g.what) == wanted), None)


def axis_counts(axis: Axis, decisions: Iterable[Decision]) -> AxisCounts:
    """Count the proposals of an axis by fate."""
    mine = [decision for decision in decisions if decision.axis == axis]
    fates = Counter(decision.fate for decision in mine)
    return AxisCounts(
        axis=axis,
        proposed=len(mine),
        screened_out=fates["screened out"],
        security=sum(decision.security for decision in mine),
        refused=fates["refused"],
        undecided=fates["undecided"],
        dropped=fates["dropped"],
        committed=fates["committed"],
    )


def figure(rows: Sequence[Measured], set: BriefSet, arm: Arm) -> Figure | None:
    """Mean completeness, success and quality of one set under one arm."""
    mine = [row for row in rows if (row.set, row.arm) == (set, arm)]
    known = [row for row in mine if row.completeness is not None]
    if not known:
        return None
    good = [row.score for row in known if row.success and row.score is not None]
    return Figure(
        set=set,
        arm=arm,
        briefs=len(known),
        missing=len(mine) - len(known),
        completeness=sum(row.completeness or 0.0 for row in known) / len(known),
        success=sum(row.success for row in known) / len(known),
        quality=sum(good) / len(good) if good else None,
    )
