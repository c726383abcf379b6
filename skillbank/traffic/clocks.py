"""Clocks that cannot have been right: told of, never corrected.

A run counts whatever its clock says; only its week and its order are doubtful.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.values import time_of
from skillbank.traffic.run import Misfit, Run

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)  # before it a clock was never set
_LEEWAY = timedelta(minutes=1)  # two machines never quite agree


def clocked(
    values: Iterable[Run | Misfit], latest: datetime | None
) -> Iterator[Run | Misfit]:
    """Follow each run whose times cannot be right with a note that says so.

    Args:
        values: Runs, and misfits, which pass.
        latest: With a zone; nothing began later. None: it is not known when it is read.
    """
    for value in values:
        yield value
        if isinstance(value, Run) and (problem := _problem(value, latest)):
            problem = f"{problem}; kept, its week is doubtful"
            yield replace(misfit(value.source, "odd time", problem), kept=True)


def _problem(run: Run, latest: datetime | None) -> str:
    """The first thing that cannot be; empty: the times may be right."""
    began = time_of(run.started)
    if began is None:
        return f"started {run.started!r}, which is no time" if run.started else ""
    if began < _EARLIEST:
        return f"started {run.started}, before there were agents"
    if latest is not None and began > latest:
        return f"started {run.started}, after it was read"
    for step in run.steps:
        if step.started and (at := time_of(step.started)) is not None:
            if at < began - _LEEWAY:
                return f"a step at {step.started}, before the run: {run.started}"
            if latest is not None and at > latest:
                return f"a step at {step.started}, after it was read"
    return ""
