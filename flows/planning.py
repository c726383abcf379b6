"""What a configured gate will do, for the noise that rounds have measured."""

from collections.abc import Mapping

from skillbank.gate.controls import tally
from skillbank.gate.plan import Mode
from skillbank.gate.planner import REFERENCE, Outlay
from skillbank.gate.settle import Asked
from skillbank.rounds.record import is_control
from skillbank.tables import PAIRS
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace

Row = dict[str, str | float]
RULES: Mapping[Asked, tuple[Mode, ...]] = {
    "published": ("published",),
    "certified": ("certified",),
    "auto": ("certified", "published"),
}
"""The rules that may decide in each mode."""


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


def tie_share(workspace: Workspace) -> tuple[float, str]:
    """Share of A/A contexts that tie, pooled over finished rounds, and its source.

    The study's where no round has measured it, or where all of them tie or none.
    """
    pairs = [
        pair
        for round_id in workspace.finished()
        for pair in read_table(table_path(workspace.round_dir(round_id), PAIRS), PAIRS)
        if is_control(pair)
    ]
    counts = tally(pair.votes for pair in pairs)
    if not 0 < counts.ties < counts.valid:
        return REFERENCE, "the study's reference: no round has measured it"
    return counts.ties / counts.valid, f"{counts.valid} A/A contexts"


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
