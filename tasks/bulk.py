"""Traffic of any size into a dataset of runs, in parts, by several processes.

First every file, or part of a file, is read, scored, masked and kept on disk as it
stands, with the keys by which its runs may tell of the same use. Then runs that share a
key are collapsed, few at a time, and each part is written as Parquet, one folder a
week. Memory depends on the size of a part, never on that of the traffic.
"""

import multiprocessing
import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from skillbank.errors import ServiceError, TrafficError
from skillbank.traffic.collapse import collapse, id_as_read
from skillbank.traffic.columns import runs_of
from skillbank.traffic.run import Misfit, Reason, Run
from skillbank.traffic.tangles import tangles
from tasks.bulk_part import (
    MISFITS,
    Reading,
    Tally,
    Todo,
    misfits_of,
    read_part,
    rows_of,
    settle_part,
    totals,
    write_runs,
)
from tasks.bulk_plan import Plan
from tasks.locks import held

PART = 32 * 2**20
"""Bytes of a part, about; ours: half a second's work of a process."""
_TOGETHER = 20_000  # runs that are collapsed at a time, unless more are tied together
_Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What became of a file."""

    file: str
    format: str
    """Name of its reader; empty: none knows it."""
    why: str
    """By what it was recognised."""
    read: int
    kept: int
    merged: int
    quarantined: Mapping[Reason, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """What became of the traffic: read = kept + merged + quarantined, by file too."""

    files: tuple[FileReport, ...]
    merged: Mapping[str, int]
    """By why."""
    notes: int
    """Remarks on runs that count."""
    examples: tuple[Misfit, ...]
    totals: Mapping[str, int | float]
    """Over the kept runs: `runs`, `steps`, `input_tokens`, `output_tokens`, `usd`, and
    of each how many runs tell it."""

    def __post_init__(self) -> None:
        """Check the books.

        Raises:
            TrafficError: If a value was lost or counted twice.
        """
        for one in self.files:
            came_to = one.kept + one.merged + sum(one.quarantined.values())
            if one.read != came_to or one.kept < 0:
                raise _unbalanced(one.file, one.read, came_to)
        kept = sum(one.kept for one in self.files)
        if kept != self.totals.get("runs", 0):
            raise _unbalanced("the dataset", kept, int(self.totals.get("runs", 0)))

    @property
    def quarantined(self) -> int:
        """Values that did not become runs."""
        return sum(sum(one.quarantined.values()) for one in self.files)


def _unbalanced(place: str, read: int, came_to: int) -> TrafficError:
    return TrafficError(
        place,
        seen=f"{read} values read, {came_to} accounted for",
        expected="read = kept + merged + quarantined",
        remedy="report this with the file: a value was lost or counted twice",
    )


def intake(
    paths: Sequence[Path],
    out: Path,
    reading: Reading,
    *,
    workers: int,
    part: int = PART,
) -> Intake:
    """Read traffic into a dataset, and what does not fit into another beside it.

    The outcome depends on the traffic and on `part`, never on the number of processes.

    Args:
        paths: Files and folders.
        out: Folder of the dataset, which must not exist; appears whole or not at all.
        reading: How to read.
        workers: Processes; 1 works in this one.
        part: Bytes of a part, about.

    Raises:
        TrafficError: If a path cannot be used, or `out` or its quarantine is there
            already.
        ServiceError: If the system does not do its part: the disk is full, a folder is
            read-only, a process was killed.
    """
    for place in (out, quarantine_of(out)):
        if os.path.lexists(place):
            raise in_use(str(place), out)
    try:
        with _making(out) as making, _processes(workers) as pool:
            kept, runs = making / "kept", making / "runs"
            for folder in (kept, runs):
                folder.mkdir()
            made = _intake(Plan(paths, reading, kept, part), pool, runs)
            aside = (making / "quarantine").rename(quarantine_of(out))
            try:
                runs.rename(out)
            except OSError:
                aside.rename(making / "quarantine")
                raise
    except OSError as error:
        seen = error.strerror or str(error)
        raise _not_done(str(error.filename or out), seen) from error
    except BrokenExecutor as error:
        raise _not_done(str(out), "a process that read was killed") from error
    return made


def _not_done(place: str, seen: str) -> ServiceError:
    return ServiceError(
        place,
        seen=f"{seen}; nothing was written",
        expected="a folder with room for the traffic once more while it is read, and "
        "memory for each process",
        remedy="make room, or give another place with --out; fewer --workers hold less",
    )


@contextmanager
def _making(out: Path) -> Iterator[Path]:
    """A folder beside `out` that is nobody else's, and gone afterwards."""
    out.parent.mkdir(parents=True, exist_ok=True)
    making = out.with_name(f".{out.name}.making")
    busy = TrafficError(
        str(out),
        seen="another process is writing it",
        expected="one at a time",
        remedy="wait until it has ended, or give another name with --out",
    )
    lock = making.with_suffix(".lock")
    with held(lock, busy):
        shutil.rmtree(making, ignore_errors=True)  # of a process that was killed
        making.mkdir()
        try:
            yield making
        finally:
            shutil.rmtree(making, ignore_errors=True)
            lock.unlink()


def quarantine_of(out: Path) -> Path:
    """Where the dataset of what did not fit lies."""
    return out.with_name(f"{out.name}.quarantine")


def in_use(place: str, out: Path) -> TrafficError:
    """The error if there is something where a dataset or its quarantine goes."""
    return TrafficError(
        place,
        seen="something of that name",
        expected="a new name: a dataset is written whole and never added to",
        remedy="give another name with --out, or remove the old dataset: "
        f"{out.name} and {quarantine_of(out).name}",
    )


@contextmanager
def _processes(workers: int) -> Iterator[Executor | None]:
    if workers == 1:
        yield None
        return
    # a fork of a process with threads may inherit a lock that is held
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield pool


def _intake(plan: Plan, pool: Executor | None, out: Path) -> Intake:
    mapped = pool.map if pool else map
    # parts are given to processes while the rest of the traffic is still looked at
    read = list(mapped(read_part, plan))
    tallies = [tally for each, _ in read for tally in each]
    left = _Left(plan, tallies, [ties for _, ties in read])
    sums: Counter[str] = Counter(totals(()))
    found = [write_runs(left.runs(), len(plan.todo), out)]
    found += mapped(settle_part, plan.todo, left.dropped(), repeat(out))
    for one in found:
        sums.update(one)
    notes = [*(one.misfit for one in plan.refused), *left.notes]
    _quarantine(plan.todo, notes, out.with_name("quarantine"))
    return _report(plan, tallies, left, sums)


class _Left:
    """What is left of runs that are tied to others once they are collapsed."""

    def __init__(
        self, plan: Plan, tallies: Sequence[Tally], ties: Sequence[_Rows]
    ) -> None:
        self._todo, self._files = plan.todo, [piece.file for piece in plan.pieces]
        self._file_ends = np.cumsum([one.runs for one in tallies], dtype=np.int64)
        self._ends = np.cumsum([len(one) for one in ties], dtype=np.int64)
        self._groups = list(tangles(np.concatenate(ties))) if ties else []
        self.merges: Counter[str] = Counter()
        """By why."""
        self.merged: Counter[str] = Counter()
        """By file."""
        self.notes: list[Misfit] = []

    def runs(self) -> Iterator[Run]:
        """Yield those that count, and count the others."""
        for rows in _together(self._groups):
            # files of one name in several folders may tell of runs of one id
            files = defaultdict(list)
            runs = []
            for file, run in self._load(rows):
                files[run.run_id, run.source].append(file)
                runs.append(run)
            single = collapse(runs)
            for one in single.merges:
                self.merges[one.why] += 1
                read_as = files[one.run_id, one.source]
                read_as = read_as or files[id_as_read(one.run_id), one.source]
                self.merged[read_as.pop()] += 1
            self.notes += single.notes
            yield from single.runs

    def dropped(self) -> Iterator[_Rows]:
        """Of each part the rows that are written with the collapsed, if at all."""
        tied = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *self._groups]))
        firsts = np.searchsorted(tied, self._ends)
        start = first = 0
        for end, last in zip(self._ends.tolist(), firsts.tolist(), strict=True):
            yield tied[first:last] - start
            start, first = end, last

    def _load(self, rows: _Rows) -> Iterator[tuple[str, Run]]:
        rows = np.sort(rows)
        part_of = np.searchsorted(self._ends, rows, side="right")
        file_of = np.searchsorted(self._file_ends, rows, side="right")
        for number in np.unique(part_of):
            mine = part_of == number
            start = int(self._ends[number - 1]) if number else 0
            runs = runs_of(rows_of(self._todo[number], rows[mine] - start))
            for place, run in zip(file_of[mine].tolist(), runs, strict=True):
                yield self._files[place], run


def _together(groups: Iterable[_Rows]) -> Iterator[_Rows]:
    held: list[_Rows] = []
    n = 0
    for group in groups:
        held.append(group)
        n += len(group)
        if n >= _TOGETHER:
            yield np.concatenate(held)
            held, n = [], 0
    if held:
        yield np.concatenate(held)


def _quarantine(todo: Sequence[Todo], more: Sequence[Misfit], aside: Path) -> None:
    aside.mkdir()
    for one in todo:
        kept = one.kept("misfits")
        if pq.read_metadata(kept).num_rows:
            kept.rename(aside / f"part-{one.number:06d}.parquet")
    if more:
        with pq.ParquetWriter(
            aside / f"part-{len(todo):06d}.parquet", MISFITS
        ) as writer:
            writer.write_batch(misfits_of(more))


def _report(
    plan: Plan, tallies: Sequence[Tally], left: _Left, sums: Mapping[str, int | float]
) -> Intake:
    files: dict[str, tuple[str, str, Tally]] = {}
    whole, n_examples = Tally(), plan.reading.params.examples
    for (file, source), tally in zip(plan.pieces, tallies, strict=True):
        about = (source.format, source.why, Tally())
        files.setdefault(file, about)[2].take(tally, n_examples)
        whole.take(tally, n_examples)
    for file, misfit in plan.refused:
        about = ("", misfit.problem, Tally())
        files.setdefault(file, about)[2].add(misfit, n_examples)
        whole.add(misfit, n_examples)
    for note in left.notes:
        whole.add(note, n_examples)
    return Intake(
        files=tuple(
            FileReport(
                file=file,
                format=format,
                why=why,
                read=tally.read,
                kept=tally.read - left.merged[file] - sum(tally.quarantined.values()),
                merged=left.merged[file],
                quarantined=dict(sorted(tally.quarantined.items())),
            )
            for file, (format, why, tally) in sorted(files.items())
        ),
        merged=dict(sorted(left.merges.items())),
        notes=whole.notes,
        examples=tuple(whole.examples),
        totals=dict(sums),
    )
