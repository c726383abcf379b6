"""What the gate of the next round will do: worked out once for each configuration."""

from contextlib import suppress
from functools import cache
from pathlib import Path

from skillbank.codec import digest
from skillbank.errors import TableError
from skillbank.gate.foresight import Ties, foresee
from skillbank.gate.planner import Outlay
from skillbank.rounds.foreseen import ties_of
from tasks.values import read_value, write_value
from tasks.versions import code_hash
from tasks.workspace import Workspace

_LIBRARY = Path(__file__).resolve().parents[1] / "skillbank"


def measured(workspace: Workspace, before: str | None = None) -> Ties:
    """What the A/A controls of the finished rounds say of the judge.

    Args:
        workspace: Where the rounds are.
        before: Only of rounds before this one; None: of all.
    """
    rounds = workspace.before(before) if before else workspace.finished()
    # each summary pools the controls of its round and of those before
    return ties_of(workspace.read_summary(rounds[-1])) if rounds else Ties()


def planned(
    workspace: Workspace, before: str | None = None, *, keep: bool = False
) -> tuple[Outlay, ...]:
    """What each rule that may decide does, from the workspace if it is known there.

    Args:
        workspace: Its parameters count, and the noise that its rounds have measured.
        before: Only by the rounds before this one; None: by all.
        keep: Remember it in the workspace.

    Raises:
        GateError: If a rule cannot pass or cannot fail; it names the number to change.
    """
    params, ties = workspace.params.gate, measured(workspace, before)
    path = workspace.state / "plans" / f"{digest(params, ties, _code())[:32]}.json"
    if path.exists():
        with suppress(TableError):  # what is damaged is worked out again
            known: tuple[Outlay, ...] = read_value(path, tuple[Outlay, ...], "")
            return known
    found = foresee(params, ties)
    if keep:
        with suppress(OSError):  # it only saves a second
            write_value(path, found)
    return found


@cache
def _code() -> str:
    return code_hash([_LIBRARY / "gate", _LIBRARY / "gate_params.py"])
