"""The view of a round, from its tables alone: pure but for the drawings it asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from skillbank.control_params import ControlParams
from skillbank.gate.cohorts import CohortGain
from skillbank.proposals.propose import Skipped
from skillbank.records import Arm, BriefSet, Grade, Measured, SidedRun, Suspect
from skillbank.reports.curves import whole
from skillbank.reports.forest import ARM_WORDS, forest
from skillbank.reports.proposals import Heard, blocks
from skillbank.reports.story import story
from skillbank.reports.telling import PICTURES, Album, Draw
from skillbank.reports.text import shown
from skillbank.reports.trust import trust
from skillbank.reports.view import Left, ReportView, SetBlock
from skillbank.reports.week import cohorts, misses, surveyed, used
from skillbank.rounds.controls import PlaceboRecord
from skillbank.skills.entry import Entry
from skillbank.summary import Figure, RoundSummary, figure
from skillbank.traffic.quarantine import Row, summary
from skillbank.traffic.run import Misfit

_LEFT = 60  # ideas that are listed
_ARMS: tuple[Arm, ...] = ("kept", "previous", "seed", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a page is made of."""

    summary: RoundSummary
    heard: Heard
    suspects: Sequence[Suspect] = ()
    skipped: Sequence[Skipped] = ()
    measured: Sequence[Measured] = ()
    """With the headline rows."""
    runs: Sequence[SidedRun] = ()
    grades: Sequence[Grade] = ()
    misfits: Sequence[Misfit] = ()
    examples: int = 3
    """Quarantined examples shown for each reason."""
    confidence: float = 0.95
    """Of every interval, in (0, 1)."""
    success_at: float = 0.6
    """Score from which an attempt with an export is a success, in [0, 1]."""
    fail_below: float = 0.6
    """Score below which a run is a failure of what it recalled, in [0, 1]."""
    drop_at: float = 0.02
    """One-sided p of losses over wins at which a suspect is dropped."""
    placebos: Sequence[PlaceboRecord] = ()
    """Of this round."""
    controls: ControlParams = field(default_factory=ControlParams)
    """The judge's bars."""
    mode: str = "published"
    """Which rule decided."""
    world: str = "studio"
    generated: bool = True
    """The world's briefs were made by code."""
    reviews: Sequence[Entry] = ()
    """Cards that a person should read again on a day, the earliest first."""
    given: str = "simulated"
    """Where the traffic came from."""


def view_of(material: Material, draw: Draw, *, room: int = PICTURES) -> ReportView:
    """Everything that the page of a round shows.

    Args:
        material: The round's tables and its summary.
        draw: The PNG of an output; asked for at most one pair a proposal.
        room: Bytes that all pictures together may take.
    """
    said = material.summary
    grades = {grade.id: grade for grade in material.grades}
    return ReportView(
        summary=said,
        story=story(said, material.confidence),
        world=material.world,
        generated=material.generated,
        given=material.given,
        confidence=material.confidence,
        success_at=material.success_at,
        drop_at=material.drop_at,
        axes=said.axes,
        benchmark=_set(material, "benchmark"),
        sealed=_set(material, "sealed"),
        golden=_golden(material.measured),
        cohort_gains=_cohort_gains(said),
        whole=whole(said.test),
        trust=trust(
            said,
            material.heard.records,
            material.placebos,
            material.controls,
            material.mode,
        ),
        proposals=blocks(material.heard, Album(draw, room)),
        suspects=tuple(
            replace(one, skill=shown(one.skill, 80)) for one in material.suspects
        ),
        left=tuple(_left(one) for one in material.skipped[:_LEFT]),
        left_beyond=max(0, len(material.skipped) - _LEFT),
        cohorts=cohorts(material.runs, grades),
        misses=misses(material.runs, grades),
        used=used(
            material.runs, grades, material.heard.bank.names(), material.fail_below
        ),
        fail_below=material.fail_below,
        survey=surveyed(said.survey),
        quarantined=_quarantined(material),
        reviews=tuple((shown(one.name, 80), one.review_by) for one in material.reviews),
    )


def _left(one: Skipped) -> Left:
    return Left(axis=one.axis, subject=shown(one.subject, 80), reason=shown(one.reason))


def _quarantined(material: Material) -> tuple[Row, ...]:
    """By reason, with texts as they may be shown."""

    def safe(misfit: Misfit) -> Misfit:
        return replace(
            misfit,
            source=shown(misfit.source, 120),
            problem=shown(misfit.problem, 200),
            sample=shown(misfit.sample, 200),
        )

    return tuple(
        replace(row, examples=tuple(safe(one) for one in row.examples))
        for row in summary(material.misfits, material.examples)
    )


def _set(material: Material, set: BriefSet) -> SetBlock:
    said = material.summary
    found = ((arm, said.figure(set, arm)) for arm in _ARMS)
    figures = [(ARM_WORDS[arm], one) for arm, one in found if one is not None]
    rows = [row for row in material.measured if row.set == set]
    arms = ("candidate", *_ARMS)
    done = ((arm, [r.forbidden for r in rows if r.arm == arm]) for arm in arms)
    return SetBlock(
        figures=tuple(figures),
        forest=forest([gain for gain in said.gains if gain.set == set]),
        forbidden=tuple((ARM_WORDS[arm], sum(n), len(n)) for arm, n in done if n),
    )


def _cohort_gains(said: RoundSummary) -> tuple[tuple[str, tuple[CohortGain, ...]], ...]:
    words: Mapping[BriefSet, str] = {"benchmark": "Benchmark", "golden": "Golden cases"}
    return tuple(
        (
            name,
            tuple(replace(one, cohort=shown(one.cohort, 80)) for one in gains),
        )
        for set, name in words.items()
        if (gains := said.cohorts.get(set, ()))
    )


def _golden(measured: Sequence[Measured]) -> SetBlock:
    arms: tuple[Arm, ...] = ("candidate", "previous")
    found: list[tuple[str, Figure]] = []
    for arm in arms:
        one = figure(measured, "golden", arm)
        if one is not None:
            found.append((ARM_WORDS[arm], one))
    return SetBlock(figures=tuple(found), forest=forest([]))
