"""Runs as columns: what a dataset of runs holds, and the runs of it again.

`COLUMNS` is the documentation of the dataset. Its columns are there to be filtered and
plotted; `json` holds the whole run, so that reading gives back exactly what was
written. A null says that the trace does not tell.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from skillbank.codec import load
from skillbank.traffic.collapse import ties
from skillbank.traffic.readers.values import time_of
from skillbank.traffic.run import Run

UNKNOWN = "unknown"
"""The week of a run whose trace tells no time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the dataset."""

    type: pa.DataType
    of: Callable[[Run], Any]
    says: str
    """What it means, with its unit."""


def week_of(started: str) -> str:
    """The ISO week of a time in UTC, `2026-W02`; `unknown` without a time."""
    time = time_of(started)
    if time is None:
        return UNKNOWN
    return _week(time.date())


@lru_cache(maxsize=1024)
def _week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def _json(run: Run) -> bytes:
    return msgspec.json.encode(run)  # half the time of orjson, where fields are many


_TEXT, _COUNT, _AMOUNT = pa.string(), pa.int64(), pa.float64()
COLUMNS: Mapping[str, Column] = {
    "run_id": Column(
        type=_TEXT, of=attrgetter("run_id"), says="Id of the run; unique."
    ),
    "week": Column(
        type=_TEXT,
        of=lambda run: week_of(run.started),
        says="ISO week in UTC in which it began, or `unknown`; the partition.",
    ),
    "started_at": Column(
        type=pa.timestamp("us", tz="UTC"),
        of=lambda run: time_of(run.started),
        says="When it began, UTC.",
    ),
    "brief": Column(
        type=_TEXT, of=attrgetter("brief.id"), says="Id of what was asked."
    ),
    "text": Column(type=_TEXT, of=attrgetter("brief.text"), says="What was asked."),
    "session": Column(
        type=_TEXT, of=lambda run: run.session or None, says="One sitting of a user."
    ),
    "user": Column(
        type=_TEXT, of=lambda run: run.user or None, says="Keyed pseudonym of the user."
    ),
    "tenant": Column(
        type=_TEXT, of=lambda run: run.tenant or None, says="Customer or organisation."
    ),
    "cohort": Column(
        type=_TEXT,
        of=lambda run: run.cohort or run.brief.cohort or None,
        says="Kind of user or brief.",
    ),
    "bank": Column(
        type=_TEXT, of=lambda run: run.bank or None, says="Bank version it was under."
    ),
    "model": Column(type=_TEXT, of=lambda run: run.model or None, says="Last model."),
    "agent": Column(
        type=_TEXT,
        of=lambda run: run.agent or None,
        says="The agent's program and version.",
    ),
    "trial": Column(
        type=_TEXT,
        of=lambda run: run.trial or None,
        says="Which of several trials of the same task.",
    ),
    "ending": Column(
        type=_TEXT, of=attrgetter("ending"), says="`ok`, `broken` or `fault`."
    ),
    "score": Column(
        type=_AMOUNT, of=attrgetter("score"), says="In [0, 1]; null: not measured."
    ),
    "provenance": Column(
        type=_TEXT,
        of=attrgetter("provenance"),
        says="Who says the score: `human`, `check`, `model` or `none`.",
    ),
    "steps": Column(
        type=_COUNT, of=lambda run: len(run.steps), says="Tool calls, sub-agents' too."
    ),
    "errors": Column(
        type=_COUNT,
        of=lambda run: sum([step.error != "" for step in run.steps]),
        says="Tool calls that failed.",
    ),
    "turns": Column(type=_COUNT, of=attrgetter("usage.turns"), says="Model messages."),
    "input_tokens": Column(
        type=_COUNT,
        of=attrgetter("usage.input_tokens"),
        says="Tokens read by models, cached ones included.",
    ),
    "cached_tokens": Column(
        type=_COUNT,
        of=attrgetter("usage.cached_tokens"),
        says="Of these, read from a cache.",
    ),
    "output_tokens": Column(
        type=_COUNT,
        of=attrgetter("usage.output_tokens"),
        says="Tokens written by models, reasoning included.",
    ),
    "usd": Column(type=_AMOUNT, of=attrgetter("usage.usd"), says="Cost, US dollars."),
    "seconds": Column(
        type=_AMOUNT, of=attrgetter("usage.seconds"), says="Wall time, seconds."
    ),
    "skills": Column(
        type=pa.list_(_TEXT),
        of=lambda run: [
            one.skill for one in run.skills if one.how != "offered" and not one.error
        ],
        says="Skills that were opened or applied.",
    ),
    "source": Column(
        type=_TEXT, of=attrgetter("source"), says="File and position it came from."
    ),
    "json": Column(type=_TEXT, of=_json, says="The whole run."),
}
"""Name to meaning, type and unit of each column."""

SCHEMA = pa.schema([(name, column.type) for name, column in COLUMNS.items()])


def batch_of(runs: Sequence[Run]) -> pa.RecordBatch:
    """Runs as rows, in their order."""
    return pa.RecordBatch.from_arrays(
        [
            pa.array(list(map(column.of, runs)), type=column.type)
            for column in COLUMNS.values()
        ],
        schema=SCHEMA,
    )


def runs_of(batch: pa.RecordBatch | pa.Table) -> list[Run]:
    """The runs of rows.

    Raises:
        pydantic.ValidationError: If a row holds no run.
    """
    return [load(Run, text) for text in batch.column("json").to_pylist()]


def as_markdown() -> str:
    """The documentation of the dataset: a row a column."""
    rows = [f"| `{name}` | {one.type} | {one.says} |" for name, one in COLUMNS.items()]
    return "\n".join(["| column | type | meaning |", "|---|---|---|", *rows])


N_TIES = 7
"""Most keys by which a run may be tied to others."""


def ties_of(runs: Iterable[Run]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The keys by which runs may tell of the same use, as 64-bit hashes.

    Runs that share none, directly or through others, never touch in `collapse`.

    Returns:
        Shape (runs, `N_TIES`); 0 where a run has no further key.
    """
    rows = [[_hash(tie) for tie in ties(run)] for run in runs]
    found = np.zeros((len(rows), N_TIES), dtype=np.int64)
    for row, keys in zip(found, rows, strict=True):
        row[: len(keys)] = keys
    return found


def _hash(tie: tuple[str, ...]) -> int:
    whole = blake2b("\x1f".join(tie).encode(errors="replace"), digest_size=8)
    return int.from_bytes(whole.digest(), signed=True) or 1
