"""One part of a lot of traffic: read once, kept on disk, written when it is settled.

Runs in worker processes. What is kept between the two is the part's runs as Arrow, the
keys that tie them to others, and what did not fit.
"""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from skillbank.params import IngestParams
from skillbank.traffic.columns import SCHEMA, batch_of, ties_of
from skillbank.traffic.files import Source, read_source
from skillbank.traffic.intake import prepared
from skillbank.traffic.run import Misfit, Reason, Run

T = TypeVar("T")
_BATCH = 2048  # runs at a time: a few megabytes
_ROWS = 16_384  # of a row group of Parquet
MISFITS = pa.schema(
    [(name, pa.string()) for name in ("source", "reason", "problem", "sample")]
    + [("kept", pa.bool_())]
)
"""Columns of what did not fit; `kept` says that it is a note on a run that counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How traffic is read."""

    params: IngestParams
    key: bytes | None
    """Secret of the workspace for pseudonyms; None reads without masking, for
    measuring what masking costs."""
    latest: datetime
    """With a zone; a run that began later is told of: a clock was ahead."""


class Piece(NamedTuple):
    """A file, or a span of one, that is read as one."""

    file: str
    """The file as it is shown."""
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """What is done with a part: a span of a large file, or several small ones."""

    number: int
    pieces: tuple[Piece, ...]
    reading: Reading
    folder: Path
    """Where parts are kept until they are settled."""

    def kept(self, what: str) -> Path:
        """Where a thing of this part is kept."""
        return self.folder / f"{self.number:06d}.{what}"


@dataclass(slots=True)
class Tally:
    """What was read of a file, or of several."""

    read: int = 0
    """Runs and misfits."""
    quarantined: Counter[Reason] = field(default_factory=Counter)
    notes: int = 0
    examples: list[Misfit] = field(default_factory=list)

    @property
    def runs(self) -> int:
        """Of what was read."""
        return self.read - sum(self.quarantined.values())

    def add(self, one: Run | Misfit, n_examples: int) -> None:
        """Count one; the first misfits of a reason are kept as examples."""
        if isinstance(one, Run):
            self.read += 1
            return
        if one.kept:
            self.notes += 1
        else:
            self.quarantined[one.reason] += 1
            self.read += 1
        self._show(one, n_examples)

    def take(self, other: "Tally", n_examples: int) -> None:
        """Take in what was read of another part."""
        self.read += other.read
        self.quarantined += other.quarantined
        self.notes += other.notes
        for one in other.examples:
            self._show(one, n_examples)

    def _show(self, one: Misfit, n_examples: int) -> None:
        alike = (one.kept, one.reason)
        seen = sum((held.kept, held.reason) == alike for held in self.examples)
        if seen < n_examples:
            self.examples.append(one)


def read_part(todo: Todo) -> tuple[list[Tally], NDArray[np.int64]]:
    """Read a part and keep it.

    Returns:
        What was read of each piece, and the keys of the runs by row.
    """
    with (
        _no_collection(),
        pa.OSFile(str(todo.kept("arrow")), "wb") as file,
        pa.ipc.new_file(file, SCHEMA) as kept,
        pq.ParquetWriter(todo.kept("misfits"), MISFITS) as aside,
    ):
        tallies, ties = [Tally() for _ in todo.pieces], [ties_of(())]
        for values in batches(_told(todo), _BATCH):
            runs = [one for _, one in values if isinstance(one, Run)]
            misfits = [one for _, one in values if isinstance(one, Misfit)]
            for piece, one in values:
                tallies[piece].add(one, todo.reading.params.examples)
            if runs:
                kept.write_batch(batch_of(runs))
                ties.append(ties_of(runs))
            if misfits:
                aside.write_batch(misfits_of(misfits))
    return tallies, np.concatenate(ties)


def _told(todo: Todo) -> Iterator[tuple[int, Run | Misfit]]:
    params, reading = todo.reading.params, todo.reading
    held = (read_source(piece.source, params.columns) for piece in todo.pieces)
    return prepared(held, params, reading.key, reading.latest)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without looking for cycles: runs are values and form none."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def misfits_of(misfits: Sequence[Misfit]) -> pa.RecordBatch:
    """Misfits as rows."""
    return pa.RecordBatch.from_pydict(
        {name: [getattr(one, name) for one in misfits] for name in MISFITS.names},
        schema=MISFITS,
    )


def rows_of(todo: Todo, rows: NDArray[np.int64]) -> pa.Table:
    """Some rows of a kept part."""
    with pa.memory_map(str(todo.kept("arrow"))) as file:
        return pa.ipc.open_file(file).read_all().take(pa.array(rows))


def settle_part(
    todo: Todo, dropped: NDArray[np.int64], out: Path
) -> dict[str, int | float]:
    """Write a kept part to the dataset, less some rows, and forget it.

    Returns:
        Sums over its runs: see `totals`.
    """
    with pa.memory_map(str(todo.kept("arrow"))) as file:
        found = totals(_write(_left(pa.ipc.open_file(file), dropped), todo.number, out))
    todo.kept("arrow").unlink()
    return found


def write_runs(runs: Iterable[Run], number: int, out: Path) -> dict[str, int | float]:
    """Write runs that were collapsed as a part of their own; its sums."""
    batches_of = (batch_of(some) for some in batches(runs, _BATCH))
    return totals(_write(batches_of, number, out))


def _left(
    kept: pa.RecordBatchFileReader, dropped: NDArray[np.int64]
) -> Iterator[pa.RecordBatch]:
    first = 0
    for number in range(kept.num_record_batches):
        batch = kept.get_batch(number)
        mine = dropped[(dropped >= first) & (dropped < first + len(batch))] - first
        first += len(batch)
        if len(mine):
            left = np.ones(len(batch), dtype=bool)
            left[mine] = False
            batch = batch.filter(pa.array(left))
        yield batch


def _write(
    batches: Iterable[pa.RecordBatch], number: int, out: Path
) -> Iterator[pa.RecordBatch]:
    """Write rows, a file a week, and pass them on."""
    held: dict[str, list[pa.RecordBatch]] = {}
    writers: dict[str, pq.ParquetWriter] = {}
    try:
        for batch in batches:
            yield batch
            for week in pc.unique(batch.column("week")).to_pylist():
                mine = held.setdefault(week, [])
                mine.append(batch.filter(pc.equal(batch.column("week"), week)))
                if sum(map(len, mine)) >= _ROWS:
                    _flush(out, week, number, mine, writers)
        for week, mine in held.items():
            if mine:
                _flush(out, week, number, mine, writers)
    finally:
        for writer in writers.values():
            writer.close()


def _flush(
    out: Path,
    week: str,
    number: int,
    batches: list[pa.RecordBatch],
    writers: dict[str, pq.ParquetWriter],
) -> None:
    table = pa.Table.from_batches(batches).drop_columns(["week"])
    batches.clear()
    if week not in writers:
        path = out / f"week={week}" / f"part-{number:06d}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        writers[week] = pq.ParquetWriter(
            path,
            table.schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=_FEW,
        )
    writers[week].write_table(table)


_FEW = ["tenant", "cohort", "bank", "model", "agent", "ending", "provenance", "trial"]
"""Columns of few different values."""
SUMS = ("steps", "input_tokens", "output_tokens", "usd")
"""Columns that are summed."""


def totals(batches: Iterable[pa.RecordBatch]) -> dict[str, int | float]:
    """Runs, sums of `SUMS`, and for each how many runs tell it, as `NAME told`."""
    found: dict[str, Any] = dict.fromkeys(
        ["runs", *SUMS, *(f"{name} told" for name in SUMS)], 0
    )
    for batch in batches:
        found["runs"] += len(batch)
        for name in SUMS:
            column = batch.column(name)
            found[name] += pc.sum(column).as_py() or 0
            found[f"{name} told"] += len(column) - column.null_count
    return found


def batches(values: Iterable[T], n: int) -> Iterator[list[T]]:
    """Yield lists of `n` values at most."""
    stream = iter(values)
    while some := list(islice(stream, n)):
        yield some
