"""What a configured gate will do, for the noise that rounds have measured."""

from skillbank.codec import fields_of
from skillbank.gate.plan import Mode
from skillbank.gate.planner import Outlay
from skillbank.gate.settle import Asked
from skillbank.gate.votes import ARMS
from skillbank.tables import VERDICTS
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace

Row = dict[str, str | float]


def when(asked: Asked, rule: Mode, least: int) -> str:
    """When a rule decides, for a title; empty where it always does.

    Args:
        asked: The mode.
        rule: One of its rules.
        least: Held-out prompts below which nothing is certified.
    """
    if asked != "auto":
        return ""
    return f" ({'with' if rule == 'certified' else 'below'} {least} held-out prompts)"


def forbidden(workspace: Workspace) -> str:
    """What rounds have measured of what the planner takes to be none."""
    verdicts = [
        record.verdict
        for round_id in workspace.finished()
        for record in read_table(
            table_path(workspace.round_dir(round_id), VERDICTS), VERDICTS
        )
    ]
    contexts = sum(one.spent for one in verdicts)
    if not contexts:
        return "forbidden actions are taken to be none; no round has measured them"
    current, candidate = (
        sum(one.forbidden.get(arm, 0) for one in verdicts) for arm in ARMS
    )
    return (
        "forbidden actions are taken to be none; measured in "
        f"{contexts} contexts: {current} by the current arm, {candidate} by the "
        "candidate's"
    )


def plan_rows(outlay: Outlay) -> list[Row]:
    """One row a kind of change, for people."""
    return [
        {
            "change": one.kind,
            "ships": f"{one.ships.estimate:.1%}",
            "from": "exact" if one.exact else f"{one.ships.low:.1%}",
            "to": "" if one.exact else f"{one.ships.high:.1%}",
            "contexts": round(one.contexts, 1),
            "runs": round(one.runs, 1),
            "calls": round(one.calls, 1),
            "usd": round(one.usd, 2),
        }
        for one in outlay.forecasts
    ]


def plan_value(outlay: Outlay) -> dict[str, object]:
    """The same for machines, with what the fields imply."""
    forecasts = [
        {**fields_of(one), "runs": one.runs, "calls": one.calls}
        for one in outlay.forecasts
    ]
    return {**fields_of(outlay), "forecasts": forecasts}
