"""Step 10: the page of a round that a person can read."""

from functools import partial
from pathlib import Path

from skillbank.reports.build import Material, view_of
from skillbank.reports.page import render
from skillbank.reports.proposals import Heard
from skillbank.skills.lifecycle import dated
from skillbank.summary import RoundSummary
from skillbank.tables import (
    DECISIONS,
    GRADES,
    HEADLINE,
    MEASURED,
    MISFITS,
    PAIRS,
    PLACEBOS,
    PROPOSALS,
    REMEASURED,
    SCREENINGS,
    SKIPPED,
    SUSPECTS,
    VERDICTS,
)
from tasks.memory import asked, briefs_known
from tasks.setting import Setting, step
from tasks.values import write_text

_WIDTH = 320  # px of a drawing


@step(name="report")
def report(setting: Setting, summary: RoundSummary) -> str:
    """Write report.html beside the round's tables."""
    path = write_report(setting, summary)
    return setting.say(f"{path.name} written, {path.stat().st_size / 1e6:.1f} MB")


def write_report(setting: Setting, summary: RoundSummary) -> Path:
    """Write a finished round's page, whole or not at all; returns where it is."""
    view = view_of(
        _material(setting, summary), partial(setting.world.picture, width=_WIDTH)
    )
    path = setting.round_dir / "report.html"
    write_text(path, render(view))
    return path


def _material(setting: Setting, summary: RoundSummary) -> Material:
    params, world = setting.params, setting.world
    records, pairs = setting.read(VERDICTS), setting.read(PAIRS)
    named = {case.brief for one in records for case in one.plan.cases}
    named |= {pair.candidate.brief for pair in pairs if pair.candidate}
    return Material(
        summary=summary,
        heard=Heard(
            bank=setting.bank,
            proposals=setting.read(PROPOSALS),
            decisions=setting.read(DECISIONS),
            screenings=setting.read(SCREENINGS),
            records=records,
            pairs=pairs,
            briefs=briefs_known(setting, named)[0],
        ),
        suspects=setting.read(SUSPECTS),
        skipped=setting.read(SKIPPED),
        measured=(
            *setting.read(MEASURED),
            *setting.read(REMEASURED),
            *setting.read(HEADLINE),
        ),
        runs=asked(setting),
        grades=setting.read(GRADES),
        misfits=setting.read(MISFITS),
        examples=params.ingest.examples,
        confidence=params.benchmark.confidence,
        success_at=params.benchmark.success,
        fail_below=params.attribute.fail_below,
        drop_at=params.benchmark.drop_at,
        placebos=setting.read(PLACEBOS),
        controls=params.controls,
        mode=params.gate.mode,
        world=world.name,
        generated=world.name == "studio",
        given=setting.opening.given,
        reviews=dated(setting.workspace.bank.read(summary.bank_after)),
    )
