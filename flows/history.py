"""What the finished rounds came to, and their reports written again.

Reads summaries only, so that `skillbank rounds` answers at once.
"""

from dataclasses import dataclass, field
from pathlib import Path

from skillbank.errors import ServiceError
from skillbank.evidence.survey import Survey
from skillbank.records import Health, Standing
from skillbank.summary import AxisCounts, Gain, RoundSummary
from tasks.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """One finished round in a row, for people and for `--json`. Rates in [0, 1]."""

    round: str
    bank: int
    """Bank version after the round."""
    skills_before: int
    skills: int
    deepening: AxisCounts
    widening: AxisCounts
    completeness: float | None
    """On the benchmark, of the bank after the round."""
    success: float | None
    over_none: Gain | None
    """Paired gain of completeness on the benchmark, over no skills."""
    over_seed: Gain | None
    sealed_completeness: float | None
    sealed_over_none: Gain | None
    sealed_over_seed: Gain | None
    runs_planned: int
    """Agent runs of the gate, A/A controls excluded."""
    runs_spent: int
    runs_saved: int
    control_runs: int
    bank_runs: int
    placebo_runs: int
    false_accept: float | None
    """Estimated share of no-ops that the gate ships, from A/A pairs so far."""
    placebos: Health | None
    """Placebos that the gate would have let in, of those it decided, so far."""
    judge_faults: tuple[str, ...]
    """Bars that the judge fell below: with any the round let nothing in."""
    traffic: int
    quarantined: int
    standing: Standing | None = None
    """Of the bank beside the one before; None: it was not tested."""
    held: bool = False
    """The bank regressed, and the round's changes were not put in use."""
    survey: Survey = field(default_factory=Survey)
    """What the traffic asked for: drift, needs, what no replay case is near."""
    unable: str = ""
    """Why nothing could be replayed; empty: it could."""
    seconds: float | None = None
    """How long it took, where that is still known."""


def row_of(said: RoundSummary, seconds: float | None = None) -> RoundRow:
    """The row of a round, and how long it took."""
    fixed, sealed = said.figure("benchmark", "kept"), said.figure("sealed", "kept")
    accept = [one.value for one in said.health if one.name == "false accept rate"]
    return RoundRow(
        round=said.round,
        bank=said.bank_after,
        skills_before=said.skills_before,
        skills=said.skills_after,
        deepening=said.axis("deepening"),
        widening=said.axis("widening"),
        completeness=fixed.completeness if fixed else None,
        success=fixed.success if fixed else None,
        over_none=said.gain("benchmark", "none", "completeness"),
        over_seed=said.gain("benchmark", "seed", "completeness"),
        sealed_completeness=sealed.completeness if sealed else None,
        sealed_over_none=said.gain("sealed", "none", "completeness"),
        sealed_over_seed=said.gain("sealed", "seed", "completeness"),
        runs_planned=said.runs_planned,
        runs_spent=said.runs_spent,
        runs_saved=said.runs_saved,
        control_runs=said.control_runs,
        bank_runs=said.bank_runs,
        placebo_runs=said.placebo_runs,
        false_accept=accept[0] if accept else None,
        placebos=said.row("placebos let in"),
        judge_faults=said.judge_faults,
        traffic=said.traffic,
        quarantined=said.quarantined,
        standing=said.test.standing if said.test else None,
        held=said.test is not None and said.test.held,
        survey=said.survey,
        unable=said.unable,
        seconds=seconds,
    )


def round_table(workspace: Workspace) -> tuple[RoundRow, ...]:
    """A row for each finished round, oldest first."""
    took = seconds_by_round(workspace)
    return tuple(
        row_of(workspace.read_summary(id), took.get(id)) for id in workspace.finished()
    )


def seconds_by_round(workspace: Workspace) -> dict[str, float]:
    """How long each finished round took, where that is still known."""
    found = {}
    for id in workspace.finished():
        clocked = workspace.clocked(id)
        if "seconds" in clocked:
            found[id] = clocked["seconds"]
    return found


def rewrite_report(workspace: Workspace, round_id: str | None) -> Path:
    """Write the report of a finished round again, by default the newest.

    Raises:
        ServiceError: If there is no such round, or it is not finished.
    """
    finished = workspace.finished()
    wanted = round_id or (finished[-1] if finished else "")
    if wanted not in finished:
        raise ServiceError(
            f"report of round {wanted!r}" if wanted else "report",
            seen="no finished round" + (" of this id" if finished else " yet"),
            expected=f"one of {', '.join(finished) or 'the rounds to come'}",
            remedy="skillbank rounds" if finished else "skillbank round",
        )
    # the tasks bring Prefect, which takes seconds that other commands need not wait
    from tasks.report import write_report
    from tasks.setting import Setting

    setting = Setting(workspace, workspace.open_round(wanted))
    return write_report(setting, workspace.read_summary(wanted))
