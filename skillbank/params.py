"""params.yaml: every constant of a round, strict, read once.

Each field says in its docstring what it is and where its value comes from:
"published" is the system that the method comes from, "ours" is our reading or choice.
A key that is not listed here is an error, so that a typo shows.
"""

from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from skillbank.control_params import ControlParams
from skillbank.errors import ParamsError
from skillbank.gate_params import GateParams
from skillbank.privacy_params import PrivacyParams
from skillbank.proposals.writer import FeedbackView
from skillbank.section import (
    Count,
    Mean,
    Positive,
    Rate,
    Section,
)


class ScoreRange(Section):
    """The range of a rating, from what is worst to what is best."""

    worst: float
    """Value that counts as 0; above `best` where lower is better. Ours."""
    best: float
    """Value that counts as 1. Ours."""

    @model_validator(mode="after")
    def _spread(self) -> "ScoreRange":
        if self.worst == self.best:
            raise ValueError("worst and best must differ")
        return self

    def share(self, value: float) -> float:
        """Where a value lies between worst and best, in [0, 1]."""
        return (value - self.worst) / (self.best - self.worst)


class IngestParams(Section):
    """How traffic becomes runs."""

    format: str = "auto"
    """Format of all files, or auto: each is recognised by its content. Ours."""
    teach_share: Rate = 0.7
    """Share of users (or sessions) whose runs may teach; the rest only tests. Ours."""
    min_users: Positive = 20
    """From this many users on the split is by user, else by session. Ours."""
    examples: Count = 3
    """Quarantined examples printed for each reason. Ours."""
    scores: dict[str, ScoreRange] = Field(default={})
    """Rating to its range: the score is their mean. Empty: as the trace says. Ours."""
    columns: dict[str, str] = Field(default={})
    """What a run has to the column of a table that holds it; `brief` at least. Ours."""
    privacy: PrivacyParams = PrivacyParams()
    """What is masked beside what is built in, and what never is. Ours."""


class VaryParams(Section):
    """Which briefs get variants."""

    share: Rate = 0.34
    """Share of a round's briefs that get a variant. Ours (about a third)."""
    per_brief: Positive = 1
    """Variants of a chosen brief. Ours."""
    near_copy: Rate = 0.9
    """A variant at least this similar to its parent in words is dropped. Ours."""


class AttemptParams(Section):
    """How often the agent attempts a variant."""

    per_variant: Positive = 3
    """Attempts of a variant. Ours."""
    exploring: Count = 2
    """How many of them explore; these feed only the writer. Ours."""


class AttributeParams(Section):
    """What counts as a failure, and against whom."""

    fail_below: Rate = 0.6
    """A score below this is a failure of every skill recalled. Published."""
    same_label: Rate = 0.5
    """Similarity from which a phrase joins a label. Ours."""
    near: float = Field(default=0.6, gt=0, le=1)
    """Cosine from which a text is of a theme, and two themes are one. Ours."""
    replayed: float = Field(default=0.3, gt=0, le=1)
    """Cosine of a run's brief to a replay case from which the case is near. Ours."""


class ProposeParams(Section):
    """When a change is proposed."""

    failures: Positive = 2
    """Failures since a skill's last version that queue it. Published."""
    recurrences: Positive = 3
    """Times that a label must be seen before it is minted. Published."""
    overhaul_after: Positive = 2
    """Refused edits of one version before the card is rewritten whole. Ours."""
    absorb: Rate = 0.6
    """Similarity from which an existing skill absorbs a label instead. Ours."""
    merge: Rate = 0.5
    """Similarity of two descriptions from which the writer may merge cards. Ours."""
    set_aside: Rate = 0.5
    """Share of a cluster that the writer of a mint is never shown. Ours."""
    feedback: FeedbackView = "normal"
    """What the writer is shown. Published (normal)."""
    shown_failures: Positive = 4
    """Failures shown to the writer, worst first. Ours."""
    shown_successes: Positive = 4
    """Contrasting successes shown to the writer. Ours."""
    distinct_users: bool = False
    """Count distinct users instead of distinct sessions. Ours."""
    evidence: Positive = 300
    """Runs that a skill's uses, its failures and a label's sightings each give to the
    writer at most, chosen by a hash; all of them are counted. Ours."""
    max_per_round: Positive = 80
    """Upper bound of proposals a round, so that a bad week stays affordable. Ours."""


class ScreenParams(Section):
    """Structural checks before any replay."""

    min_steps: Positive = 2
    """Least steps of a card. Published."""
    min_checks: Positive = 1
    """Least checks of a card: how its success is told. Published."""
    max_characters: Positive = 4000
    """Of self-authored text. Published."""
    near_duplicate: Rate = 0.9
    """Similarity of a mint to a card in the bank that refuses it. Ours."""


class RecallParams(Section):
    """What an agent is shown of the bank."""

    limit: Positive = 3
    """Cards a subtask. Published."""
    threshold: Rate = 0.25
    """Relevance below which a card is not recalled. Ours."""
    prior_trials: Positive = 8
    """Weight of the bank's mean success in a card's own rate, in trials. Ours."""


class LifecycleParams(Section):
    """What takes a card out of recall besides the gate."""

    suspend_after: Positive = 4
    """Rounds without any recall after which a card is suspended. Ours."""


class BenchmarkParams(Section):
    """The fixed benchmark and the undoing of harm."""

    success: Rate = 0.6
    """Score from which an attempt with an export is a success. Published."""
    golden: Count = 20
    """Replay-set cases replayed every round under old and new bank. Ours."""
    ridge: float = Field(default=1.0, gt=0)
    """Briefs without effect that each commit is given beforehand: shrinks. Ours."""
    suspect_at: float = Field(default=0.5, ge=0)
    """Standard errors below zero from which a commit is a suspect. Ours."""
    suspects: Count = 4
    """Suspects that are replayed with and without, the worst first. The gate study."""
    repeats: Positive = 2
    """Times that a suspect is replayed on each brief where it fires. The gate study."""
    again_at: Rate = 0.15
    """One-sided p of losses over wins at which it is replayed as often again. Ours."""
    drop_at: Rate = 0.02
    """One-sided p over all its replays at which a suspect is dropped. Ours."""
    undo: bool = True
    """Drop what did harm, and hold a bank that regressed, before HEAD moves. Ours."""
    catastrophe: Rate = 0.3
    """Completeness that a brief must reach not to count as lost. The gate study."""
    regress_at: float = Field(default=0.05, gt=0, lt=0.5)
    """One-sided: of both tests that a bank regressed, and of each bound. The study."""
    margin: float = Field(default=0.05, gt=0, lt=1)
    """Drop below which a bank is non-inferior. The gate study: 5 points."""
    confidence: float = Field(default=0.95, gt=0, lt=1)
    """Confidence of every printed interval. Ours."""


class JudgeParams(Section):
    """Faults of the offline judge; the gate is never told them."""

    noise: float = Field(default=0.5, ge=0)
    """Noise a call, in agent standard deviations. The gate study: ref."""
    misperception: float = Field(default=0.5, ge=0)
    """Noise that both orders share, in agent standard deviations. The study: ref."""
    position_bias: float = 0.5
    """Pull towards what is shown first, in agent sd. The study: ref."""
    taste: float = 0.0
    """Pull towards more elements, in agent standard deviations per doubling. Ours."""
    leak: Rate = 0.0
    """Share of a batch's drift that does not cancel within a pair. Ours."""
    drift: float = Field(default=0.5, ge=0)
    """Drift of absolute scores between batches, in agent sd. The study."""


class ModelParams(Section):
    """Which language model answers for which role; offline is the default."""

    variants: Literal["studio", "anthropic"] = "studio"
    """Who writes variants. Ours."""
    judge: Literal["studio", "anthropic"] = "studio"
    """Who compares pairs. Ours."""
    labels: Literal["studio", "anthropic"] = "studio"
    """Who names needs; studio: the world's own way, without a model. Ours."""
    skills: Literal["studio", "anthropic"] = "studio"
    """Who writes changes and new cards; studio: the world's own writer. Ours."""
    model: str = "claude-sonnet-5-5"
    """Model id where a role says anthropic. Ours."""
    base_url: str = ""
    """Server that speaks the Messages protocol; empty: the SDK's own. Ours."""
    max_usd: float = Field(default=5.0, ge=0)
    """Budget of a round, reserved before each call. Ours."""
    max_retry_s: float = Field(default=60.0, gt=0)
    """Longest wait that a retry-after header may ask for, in seconds. Ours."""
    retries: Count = 2
    """Times that a call is sent again after a passing fault (408, 409, 429, from 500,
    no connection). Ours (the SDK's own default)."""
    timeout_s: float = Field(default=120.0, gt=0)
    """Longest wait for one reply, in seconds. Ours."""
    usd_per_mtok_in: float = Field(default=2.0, ge=0)
    """Price of a million input tokens. The vendor's, for the model above."""
    usd_per_mtok_out: float = Field(default=10.0, ge=0)
    """Price of a million output tokens. The vendor's, for the model above."""
    picture_px: Positive = 640
    """Width of the pictures shown to the judge. Ours."""


class StudioParams(Section):
    """The embedded world."""

    deviation: Rate = 0.03
    """Chance that the agent departs from a card's call. Studio prototype."""
    exploring: Rate = 0.25
    """Chance that, exploring, it leaves a subtask's card aside and improvises. Ours."""
    wild: Rate = 0.2
    """Share of the offline writer's edits that are careless. Studio prototype."""
    temptation: Rate = 0.05
    """Chance that an improvised call is a forbidden one where one would help. Ours."""


class EvolveParams(Section):
    """Several rounds in a row."""

    rounds: Positive = 5
    """Rounds in a row. Published."""
    briefs: Mean = Fraction(80)
    """Briefs of traffic a round; of 281.2 five rounds have 1,406 in all. Ours."""
    seed: int = Field(default=11, ge=0, lt=2**63)
    """Root of every seed. Seeds 1-5 were for choosing; report on others. Ours."""
    workers: Positive = 2
    """Processes that attempt and replay. Ours."""

    def briefs_of(self, number: int) -> int:
        """Briefs of round `number`, from 1: so many that the mean is kept."""
        return floor(number * self.briefs) - floor((number - 1) * self.briefs)


WorldName = Literal["studio", "traces"]


class Params(Section):
    """All of params.yaml."""

    world: WorldName = "studio"
    """Which world the round is about; traces: no agent, traffic is read alone. Ours."""
    ingest: IngestParams = IngestParams()
    vary: VaryParams = VaryParams()
    attempt: AttemptParams = AttemptParams()
    attribute: AttributeParams = AttributeParams()
    propose: ProposeParams = ProposeParams()
    screen: ScreenParams = ScreenParams()
    recall: RecallParams = RecallParams()
    lifecycle: LifecycleParams = LifecycleParams()
    gate: GateParams = GateParams()
    controls: ControlParams = ControlParams()
    benchmark: BenchmarkParams = BenchmarkParams()
    judge: JudgeParams = JudgeParams()
    models: ModelParams = ModelParams()
    studio: StudioParams = StudioParams()
    evolve: EvolveParams = EvolveParams()


def read_params(path: Path) -> Params:
    """Read params.yaml.

    Raises:
        ParamsError: If the file is missing, is no YAML mapping, has an unknown key or a
            value of the wrong type; the error names the key and what is allowed.
    """
    try:
        tree = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ParamsError(
            str(path.name),
            seen="no such file",
            expected="the constants of a round",
            remedy="run `skillbank init` here, or go to a workspace",
        ) from error
    except (YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise ParamsError(
            path.name,
            seen=" ".join(str(error).split()),
            expected="YAML",
            remedy="mend the line it names",
        ) from error
    if not isinstance(tree, dict | None):
        raise ParamsError(
            path.name,
            seen=f"a {type(tree).__name__}",
            expected=f"a mapping with the sections {', '.join(Params.model_fields)}",
            remedy="begin each section with its name and a colon",
        )
    try:
        return Params.model_validate({} if tree is None else tree)
    except ValidationError as error:
        raise _explained(path, error) from error


def _explained(path: Path, error: ValidationError) -> ParamsError:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    section = first["loc"][0] if len(first["loc"]) > 1 else None
    owner = Params.model_fields.get(str(section)) if section else None
    kind = owner.annotation if owner else Params
    fields = getattr(kind, "model_fields", {})
    return ParamsError(
        f"{path.name}: {where}",
        seen=f"{first.get('input')!r} ({first['msg']})",
        expected=f"one of the keys {', '.join(fields)}, each with a value of its type",
        remedy=f"correct {where} in {path.name} ({error.error_count()} problem(s))",
    )
