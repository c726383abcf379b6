"""What a configured gate will do, for the noise that rounds have measured."""

from skillbank.gate.controls import tally
from skillbank.gate.planner import REFERENCE, Outlay
from skillbank.rounds.record import is_control
from skillbank.tables import PAIRS
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace

Row = dict[str, str | float]


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
