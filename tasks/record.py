"""Step 10: the summary, MLflow's run of the round, and DVC's snapshot."""

import re
from pathlib import Path

from prefect.artifacts import create_markdown_artifact

from skillbank.briefs.benchmark import read_benchmark
from skillbank.evidence.survey import Survey, survey, with_open_needs
from skillbank.records import BankTest
from skillbank.rounds.controls import DEGRADED, purpose
from skillbank.rounds.record import Tables, summarise
from skillbank.summary import RoundSummary
from skillbank.tables import (
    ATTEMPTS,
    BANK_TEST,
    DECISIONS,
    HEADLINE,
    MEASURED,
    MISFITS,
    PAIRS,
    PLACEBOS,
    PROPOSALS,
    REMEASURED,
    RUNS,
    VERDICTS,
)
from tasks.memory import asked, golden, ledger
from tasks.models import spent_usd
from tasks.setting import Setting, step
from tasks.tracking import RoundRecord, record_round
from tasks.values import write_value
from tasks.versions import snapshot


@step("record")
def record(setting: Setting) -> RoundSummary:
    """Write the summary: from here on the round counts as finished."""
    store = setting.workspace.bank
    test = next(iter(setting.read(BANK_TEST)), None)
    summary = summarise(
        setting.opening.round,
        setting.opening.number,
        (setting.bank, store.read(store.head())),
        Tables(
            decisions=setting.read(DECISIONS),
            records=setting.read(VERDICTS),
            pairs=setting.read(PAIRS),
            earlier_pairs=setting.earlier(PAIRS),
            placebos=(*setting.earlier(PLACEBOS), *setting.read(PLACEBOS)),
            measured=setting.read(MEASURED),
            headline=setting.read(HEADLINE),
            remeasured=setting.read(REMEASURED),
            test=test,
            survey=surveyed(setting),
            unable=setting.world.unable,
            traffic=setting.count(RUNS),
            quarantined=sum(not misfit.kept for misfit in setting.read(MISFITS)),
            cohorts=_cohorts(setting),
        ),
        setting.params,
    )
    write_value(setting.workspace.summary(setting.opening.round), summary)
    setting.say("summary written")
    return summary


def _cohorts(setting: Setting) -> dict[str, str]:
    """The cohort of each fixed brief that has one."""
    if setting.world.unable:
        return {}
    fixed = read_benchmark(setting.workspace.benchmark("benchmark"))
    cases = (case.brief for case in golden(setting).cases)
    return {brief.id: brief.cohort for brief in (*fixed, *cases) if brief.cohort}


def surveyed(setting: Setting) -> Survey:
    """What the round's traffic asked for, beside the round before and the bank."""
    before = setting.workspace.before(setting.opening.round)[-1:]
    old = [row.run for id in before for row in asked(setting, id)]
    told = survey(
        [row.run for row in asked(setting)],
        ("".join(before), old),
        golden(setting),
        setting.params.attribute,
        setting.seed("survey"),
    )
    return with_open_needs(
        told, ledger(setting), setting.opening.round, setting.params.propose
    )


@step("track")
def track(setting: Setting, summary: RoundSummary, seconds: float) -> str:
    """Give the round's numbers to MLflow and its bytes to DVC."""
    setting.clock("seconds", seconds)
    sections = setting.params.model_dump(mode="json")
    record_round(
        setting.workspace.root,
        RoundRecord(
            round=summary.round,
            step=summary.number,
            params={
                f"{section}.{key}": value
                for section, values in sections.items()
                if isinstance(values, dict)
                for key, value in values.items()
            },
            metrics={
                **metrics(summary),
                **setting.clocked(),
                "cost.model_usd": spent_usd(),
                "cost.agent_usd": _agent_usd(setting),
            },
            tags={"bank": str(summary.bank_after), "world": setting.world.revision},
        ),
        {"proposals": _proposals(setting)},
        setting.round_dir / "report.html",
    )
    create_markdown_artifact(
        _markdown(summary, setting.round_dir / "report.html"),
        key="round",
        description=f"What round {summary.round} came to",
    )
    commit = snapshot(setting.workspace.root, summary.round)
    return setting.say(f"recorded in MLflow; DVC snapshot {commit[:10]}")


def _markdown(summary: RoundSummary, report: Path) -> str:
    """The round for Prefect's UI, where artifacts of one key make a history."""
    lines = [
        f"Bank {summary.bank_before} → {summary.bank_after}, "
        f"{summary.skills_before} → {summary.skills_after} skills.",
        "",
        "| axis | proposed | committed | refused | undecided | dropped | screened |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.axis} | {one.proposed} | {one.committed} | {one.refused} "
        f"| {one.undecided} | {one.dropped} | {one.screened_out} |"
        for one in summary.axes
    ]
    lines.append("")
    lines += [f"- **The judge may not gate**: {one}." for one in summary.judge_faults]
    if summary.test is not None:
        held = "; the round's changes were held back" if summary.test.held else ""
        lines.append(f"- beside the bank before: **{summary.test.standing}**{held}")
    lines += [
        f"- {one.set}: {100 * one.mean:+.1f} points of {one.what} over {one.over} "
        f"[{100 * one.low:+.1f}, {100 * one.high:+.1f}], {one.briefs} briefs"
        for one in summary.gains
        if one.what == "completeness"
    ]
    return "\n".join([*lines, "", f"Report: `{report}`"])


def metrics(summary: RoundSummary) -> dict[str, float | None]:
    """A summary as flat names and numbers; what is missing stays out."""
    flat: dict[str, float | None] = {
        "bank.skills": summary.skills_after,
        "gate.runs_planned": summary.runs_planned,
        "gate.runs_spent": summary.runs_spent,
        "gate.runs_saved": summary.runs_saved,
        "gate.control_runs": summary.control_runs,
        "gate.bank_runs": summary.bank_runs,
        "gate.placebo_runs": summary.placebo_runs,
        "gate.judge_faults": len(summary.judge_faults),
        "traffic.runs": summary.traffic,
        "traffic.quarantined": summary.quarantined,
    }
    for counts in summary.axes:
        for name in (
            "proposed",
            "screened_out",
            "security",
            "refused",
            "undecided",
            "dropped",
            "committed",
        ):
            flat[f"{counts.axis}.{name}"] = getattr(counts, name)
    for rule in summary.rules:
        flat[f"gate.{rule.rule}.heard"] = rule.heard
        flat[f"gate.{rule.rule}.committed"] = rule.committed
    for figure in summary.figures:
        name = f"{figure.set}.{figure.arm}"
        flat[f"{name}.completeness"] = figure.completeness
        flat[f"{name}.success"] = figure.success
        flat[f"{name}.quality"] = figure.quality
    for gain in summary.gains:
        name = f"{gain.set}.gain_over_{gain.over}.{gain.what}"
        flat[f"{name}.mean"] = gain.mean
        flat[f"{name}.low"] = gain.low
        flat[f"{name}.high"] = gain.high
    for set, cohorts in summary.cohorts.items():
        for one in cohorts:
            name = f"{set}.cohort.{_plain(one.cohort)}"
            flat[f"{name}.mean"], flat[f"{name}.p"] = one.mean, one.adjusted
    if summary.triggers is not None:
        flat["gate.trigger.precision"] = summary.triggers.precision
        flat["gate.trigger.recall"] = summary.triggers.recall
    flat |= _test_metrics(summary.test)
    flat |= _survey_metrics(summary.survey)
    for health in summary.health:
        name = "health." + health.name.replace(" ", "_").replace("/", "")
        flat[name] = health.value
        if health.low is not None:
            flat[f"{name}.low"], flat[f"{name}.high"] = health.low, health.high
    return flat


def _plain(name: str) -> str:
    """A cohort's name as a part of a metric's."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:40] or "_"


def _test_metrics(test: BankTest | None) -> dict[str, float | None]:
    """The test of the bank as a whole; a standing is 0 or 1: MLflow has no words."""
    if test is None:
        return {}
    flat: dict[str, float | None] = {
        "bank_test.regressed": test.standing == "regressed",
        "bank_test.non_inferior": test.standing == "non-inferior",
        "bank_test.held": test.held,
    }
    for one in test.tests:
        name = f"bank_test.{one.name}"
        flat[f"{name}.p"] = one.p
        flat[f"{name}.difference"] = one.estimate
        flat[f"{name}.low"], flat[f"{name}.high"] = one.low, one.high
    for point in test.curve:
        name = f"bank_test.curve.{100 * point.at:03.0f}"
        flat[f"{name}.gained"], flat[f"{name}.lost"] = point.gained, point.lost
    return flat


def _survey_metrics(told: Survey) -> dict[str, float | None]:
    """Drift, needs, and what no replay case is near: of all cohorts and of each."""
    flat: dict[str, float | None] = {
        "traffic.needs": len(told.needs) + told.needs_beyond,
        "traffic.replay_cases": told.cases,
    }
    if told.drift is not None:
        flat["traffic.drift"] = told.drift.distance
        flat["traffic.drift_by_chance"] = told.drift.by_chance
        flat["traffic.drift_p"] = told.drift.p
        flat["traffic.new_needs"] = len(told.drift.new)
    for n, one in enumerate(told.coverage):
        # the first is of all runs together
        name = f".cohort.{_plain(one.cohort)}" if n else ""
        share = one.uncovered
        flat[f"traffic.uncovered{name}"] = share.estimate
        flat[f"traffic.uncovered{name}.low"] = share.low
        flat[f"traffic.uncovered{name}.high"] = share.high
    return flat


def read_summary(setting: Setting) -> RoundSummary:
    """The summary of a round that has ended."""
    return setting.workspace.read_summary(setting.opening.round)


def _agent_usd(setting: Setting) -> float:
    """What the attempts on variants and in the gate cost, in US dollars."""
    made = [row.attempt for row in setting.read(ATTEMPTS)]
    pairs = (one for one in setting.read(PAIRS) if purpose(one) != DEGRADED)
    for pair in pairs:  # degraded outputs are those of A/A pairs, and cost no run
        made += [one for one in (pair.current, pair.candidate) if one is not None]
    return sum(attempt.usage.usd for attempt in made)


def _proposals(setting: Setting) -> list[dict[str, str | int | float | bool | None]]:
    verdicts = {one.plan.proposal: one.verdict for one in setting.read(VERDICTS)}
    notes = {one.id: one.note for one in setting.read(PROPOSALS)}
    rows: list[dict[str, str | int | float | bool | None]] = []
    for one in setting.read(DECISIONS):
        verdict = verdicts.get(one.proposal)
        rows.append(
            {
                "proposal": one.proposal,
                "axis": one.axis,
                "kind": one.kind,
                "skill": one.skill,
                "fate": one.fate,
                "reason": one.reason,
                "note": notes[one.proposal],
                "code": verdict.code if verdict else "",
                "contexts_planned": verdict.planned if verdict else 0,
                "contexts_spent": verdict.spent if verdict else 0,
                "wins": sum(case.wins for case in verdict.cases) if verdict else 0,
                "ties": sum(case.ties for case in verdict.cases) if verdict else 0,
                "losses": sum(case.losses for case in verdict.cases) if verdict else 0,
            }
        )
    return rows
