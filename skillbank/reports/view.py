"""What the page of a round shows, as values: built from tables, rendered by a template.

Texts in these values are bounded already, and not escaped: that is the template's.
"""

from dataclasses import dataclass
from typing import Literal

from skillbank.evidence.survey import Survey
from skillbank.gate.case import CaseVerdict
from skillbank.gate.ceilings import CeilingState
from skillbank.gate.cohorts import CohortGain
from skillbank.gate.reliability import PassHat
from skillbank.gate.strata import StratumState
from skillbank.gate.votes import Outcome
from skillbank.proposals.placebo import PlaceboKind
from skillbank.proposals.proposal import Axis, Kind
from skillbank.records import BankTest, CurvePoint, Fate, Suspect
from skillbank.reports.rows import CohortRow, MissRow, UsedRow
from skillbank.summary import AxisCounts, Figure, RoundSummary, RuleCounts
from skillbank.traffic.quarantine import Row as Quarantined


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line of a diff."""

    kind: Literal["same", "added", "removed", "gap"]
    """gap: lines in between are left out."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What a proposal changes in the text of its skill."""

    lines: tuple[DiffLine, ...] = ()
    added: int = 0
    removed: int = 0
    left_out: int = 0
    """Lines beyond the bound."""
    cut: bool = False
    """The text was longer than what was compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRow:
    """One pair: what the judge said in both orders, and what stands beside it."""

    context: str
    """Its place in the plan: `1`, `2`, `spare 1`."""
    id: str
    first: str
    """The vote with the candidate shown first."""
    second: str
    outcome: Outcome
    notes: tuple[str, ...] = ()
    """Broken arms, forbidden actions, why it is void."""
    current_score: float | None = None
    """In [0, 1]; the gate never saw it."""
    candidate_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseBlock:
    """One replayed brief with its pairs."""

    brief: str
    text: str
    origin: bool
    card: str
    state: CaseVerdict | Literal["open"]
    wins: int
    ties: int
    losses: int
    voids: int
    leaning: int
    rows: tuple[VoteRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What one arm made, as a picture; or why there is none."""

    png: bytes = b""
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """The two drawings of one context that tells most."""

    brief: str
    text: str
    context: str
    outcome: Outcome
    current: Drawing
    candidate: Drawing
    current_score: float | None
    candidate_score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerBlock:
    """Where a new or changed trigger fires, looked up without a replay."""

    looked: int
    """Nearest briefs that it is not meant for."""
    firing: int
    """Those of them on which it fires."""
    needed: int
    """Labelled briefs that need it and that its writer never saw; 0: no labels."""
    met: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalBlock:
    """One proposal with everything that explains what became of it."""

    id: str
    fate: Fate
    security: bool
    axis: Axis
    kind: Kind
    skill: str
    versions: str
    """`version 2 -> 3`, or `new`."""
    label: str
    drops: tuple[str, ...]
    note: str
    """The writer's reason."""
    reasons: tuple[str, ...]
    """Of its fate."""
    ruling: str
    """The gate's reason; empty: it did not hear the proposal."""
    code: str
    """Of the gate's verdict; empty likewise."""
    planned: int
    spent: int
    forbidden: tuple[int, int]
    """Forbidden actions in the current and in the candidate arm."""
    diff: Diff
    cases: tuple[CaseBlock, ...] = ()
    showing: Showing | None = None
    in_bank: tuple[VoteRow, ...] = ()
    """A mint beside the whole bank: reported, never counted."""
    declared: str = ""
    """What it was to be shipped or refused by, said before the first replay."""
    sealed: str = ""
    """Hash of that, shortened."""
    stratum: str = ""
    """The kind of briefs that it was certified on; empty: all of its card's."""
    strata: tuple[StratumState, ...] = ()
    """With names as they may be shown."""
    ceilings: tuple[CeilingState, ...] = ()
    passes: tuple[PassHat, ...] = ()
    """pass^k of both arms, by k."""
    trigger: TriggerBlock | None = None
    """None: its trigger is the one that the card had."""

    @property
    def anchor(self) -> str:
        """Where it is on the page."""
        return f"proposal-{self.id}"

    @property
    def tally(self) -> tuple[int, int, int]:
        """Wins, ties and losses over all cases."""
        return (
            sum(case.wins for case in self.cases),
            sum(case.ties for case in self.cases),
            sum(case.losses for case in self.cases),
        )

    @property
    def bank_tally(self) -> tuple[int, int, int]:
        """Wins, ties and losses beside the whole bank."""
        outcomes = [row.outcome for row in self.in_bank]
        return outcomes.count("win"), outcomes.count("tie"), outcomes.count("loss")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One paired difference with its interval, and where it lies on the scale."""

    what: str
    over: str
    mean: float
    low: float
    high: float
    briefs: int
    x: float
    """Places on the scale in percent of its width, in [0, 100]."""
    x_low: float
    x_high: float

    @property
    def side(self) -> Literal["better", "worse", "unclear"]:
        """Which side of zero the whole interval is on."""
        if self.low > 0:
            return "better"
        return "worse" if self.high < 0 else "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A mark of the scale."""

    x: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Paired differences on one scale."""

    rows: tuple[ForestRow, ...] = ()
    ticks: tuple[Tick, ...] = ()
    zero: float = 0.0
    """Where no difference lies, in percent of the scale's width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBlock:
    """One set of fixed briefs under every bank."""

    figures: tuple[tuple[str, Figure], ...] = ()
    """With the words for the arm; the bank after the round first."""
    forest: Forest
    forbidden: tuple[tuple[str, int, int], ...] = ()
    """Words for the arm, forbidden actions, briefs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRow:
    """One threshold of completeness."""

    point: CurvePoint
    side: Literal["better", "worse", "unclear"]
    """Where the change lies if it is clear after adjustment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBlock:
    """The bank as a whole beside the one before, with both curves as a plot."""

    test: BankTest
    before: tuple[tuple[float, float], ...]
    """Places in percent of the plot's width and, from above, of its height."""
    after: tuple[tuple[float, float], ...]
    rows: tuple[CurveRow, ...]
    ticks: tuple[Tick, ...]
    """The thresholds, in percent of requirements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """An estimate with its interval and the number it rests on."""

    value: float
    low: float | None
    high: float | None
    n: int

    @property
    def hits(self) -> int:
        """Of how many of the n it is the share."""
        return round(self.value * self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar that a judge is held to."""

    at: float
    """In [0, 1]."""
    state: Literal["met", "not met", "too few pairs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceboRow:
    """A placebo and what the gate said of it."""

    kind: PlaceboKind
    skill: str
    let_in: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """How far the gate can be trusted, from what the round measured of it."""

    mode: str
    rules: tuple[RuleCounts, ...] = ()
    """Verdicts by the rule that decided."""
    wins: int = 0
    """Of A/A pairs, pooled over rounds."""
    ties: int = 0
    losses: int = 0
    harness_p: float | None = None
    false_accept: Rate | None = None
    """Of the published rule, by the tie share of A/A pairs."""
    certified_accept: Rate | None = None
    """Of the certified rule, where the round used it."""
    let_in: tuple[tuple[str, Rate], ...] = ()
    """How often what should gain nothing is let in, by how that was found out."""
    placebos: tuple[PlaceboRow, ...] = ()
    """Of this round."""
    faults: tuple[str, ...] = ()
    """Bars that the judge fell below."""
    degraded_bar: Bar
    """The bar of `degraded`, and whether the judge meets it."""
    flip_bar: Bar
    """The same of `flip_rate`."""
    degraded: Rate | None = None
    """Degraded outputs that lost, of those decided in this round."""
    degraded_ever: Rate | None = None
    """The same over all rounds."""
    flip_rate: float | None = None
    consistency: float | None = None
    net_first_bias: float | None = None
    bias_p: float | None = None
    bias: float | None = None
    """Pull to the first slot in standard deviations of the judge's noise."""
    quality: float | None = None
    """Net preference for the candidate in the same units."""
    repeatability: float | None = None
    """Tetrachoric correlation of a pair's two votes."""
    pairs: int = 0
    """Pairs with two votes that the judge's figures rest on."""
    forbidden: tuple[int, int] = (0, 0)
    """Forbidden actions over all gate pairs: current arm, candidate arm."""
    refused_for_forbidden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """An idea that did not become a proposal, and why."""

    axis: Axis
    subject: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """Everything on the page."""

    summary: RoundSummary
    story: tuple[str, ...]
    """What happened, in sentences."""
    world: str
    generated: bool
    """The world's briefs were made by code, not by people."""
    given: str
    """Where the traffic came from: simulated, traffic or briefs."""
    confidence: float
    """Of every interval, in (0, 1)."""
    success_at: float
    """Score from which an attempt with an export is a success, in [0, 1]."""
    drop_at: float
    """One-sided p of losses over wins at which a suspect is dropped."""
    axes: tuple[AxisCounts, ...]
    benchmark: SetBlock
    sealed: SetBlock
    golden: SetBlock
    cohort_gains: tuple[tuple[str, tuple[CohortGain, ...]], ...]
    """By set, in words: the candidate bank against the one before."""
    whole: WholeBlock | None
    """None: a round of before there was such a test."""
    trust: Trust
    proposals: tuple[ProposalBlock, ...]
    """Committed, refused, undecided, dropped, screened out."""
    suspects: tuple[Suspect, ...]
    left: tuple[Left, ...]
    left_beyond: int
    """Ideas beyond the bound of the list."""
    cohorts: tuple[CohortRow, ...]
    misses: tuple[MissRow, ...]
    used: tuple[UsedRow, ...]
    """Skills that the week's runs recalled; most failures first, then most runs."""
    fail_below: float
    """Score below which a run is a failure, in [0, 1]."""
    survey: Survey
    """What was asked, with texts as they may be shown."""
    quarantined: tuple[Quarantined, ...]
    reviews: tuple[tuple[str, str], ...]
    """Cards to be read again, and by when."""

    @property
    def measured(self) -> int:
        """Runs of the week that have a score."""
        return sum(row.measured for row in self.cohorts)
