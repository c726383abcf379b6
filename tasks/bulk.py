"""Traffic of any size into a dataset of runs, in parts, by several processes.

First every file, or part of a file, is read, scored, masked and kept on disk as it
stands, with the keys by which its runs may tell of the same use. Then runs that share a
key are collapsed, few at a time, and each part is written as Parquet, one folder a
week. Memory depends on the size of a part, never on that of the traffic.
"""

import multiprocessing
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from skillbank.errors import TrafficError
from skillbank.params import IngestParams
from skillbank.traffic.collapse import collapse
from skillbank.traffic.columns import runs_of
from skillbank.traffic.files import Source, parts, printable, sources
from skillbank.traffic.privacy import mask_value
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
        TrafficError: If a path cannot be used, or `out` is there already.
    """
    if out.exists():
        raise TrafficError(
            str(out),
            seen="something of that name",
            expected="a new name: a dataset is written whole and never added to",
            remedy="give another name with --out, or remove the old one",
        )
    making = out.with_name(f".{out.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    kept, runs = making / "kept", making / "runs"
    for folder in (kept, runs):
        folder.mkdir(parents=True)
    try:
        with _processes(workers) as pool:
            made = _intake(*_todo(paths, reading, kept, part), pool, runs)
        shutil.rmtree(quarantine_of(out), ignore_errors=True)
        (making / "quarantine").rename(quarantine_of(out))
        runs.rename(out)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return made


def quarantine_of(out: Path) -> Path:
    """Where the dataset of what did not fit lies."""
    return out.with_name(f"{out.name}.quarantine")


@dataclass(frozen=True, slots=True)
class _Refused:
    """A file that no reader was given, and why."""

    file: str
    misfit: Misfit


def _todo(
    paths: Sequence[Path], reading: Reading, folder: Path, part: int
) -> tuple[list[Todo], list[_Refused]]:
    todo: list[Todo] = []
    refused: list[_Refused] = []
    params = reading.params
    for path in paths:
        for source in sources(path, params.format, params.columns):
            if isinstance(source, Misfit):
                shown = _shown(path, source.source)
                if reading.key is not None:  # a file's name may be private as well
                    source = mask_value(source, reading.key, params.privacy)
                refused.append(_Refused(shown, source))
                continue
            todo += [
                Todo(
                    number=number,
                    file=_shown(path, source.name),
                    source=one,
                    reading=reading,
                    folder=folder,
                )
                for number, one in enumerate(_parts(source, part, params), len(todo))
            ]
    return todo, refused


def _shown(given: Path, name: str) -> str:
    return printable(str(given / name) if given.is_dir() else str(given))


def _parts(source: Source, part: int, params: IngestParams) -> list[Source]:
    try:
        return parts(source, part, params.columns)
    except OSError:  # it is read whole, and the reader says what is wrong
        return [source]


@contextmanager
def _processes(workers: int) -> Iterator[Executor | None]:
    if workers == 1:
        yield None
        return
    # a fork of a process with threads may inherit a lock that is held
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield pool


def _intake(
    todo: Sequence[Todo],
    refused: Sequence[_Refused],
    pool: Executor | None,
    out: Path,
) -> Intake:
    mapped = pool.map if pool else map
    read = list(mapped(read_part, todo))
    left = _Left(todo, [ties for _, ties in read])
    sums: Counter[str] = Counter(totals(()))
    found = [write_runs(left.runs(), len(todo), out)]
    found += mapped(settle_part, todo, left.dropped(), [out] * len(todo))
    for one in found:
        sums.update(one)
    aside = out.with_name("quarantine")
    _quarantine(todo, [*(one.misfit for one in refused), *left.notes], aside)
    return _report(todo, [tally for tally, _ in read], refused, left, sums)


class _Left:
    """What is left of runs that are tied to others once they are collapsed."""

    def __init__(self, todo: Sequence[Todo], ties: Sequence[_Rows]) -> None:
        self._todo = todo
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
            for todo, run in self._load(rows):
                files[run.run_id, run.source].append(todo.file)
                runs.append(run)
            single = collapse(runs)
            for one in single.merges:
                self.merges[one.why] += 1
                self.merged[files[one.run_id, one.source].pop()] += 1
            self.notes += single.notes
            yield from single.runs

    def dropped(self) -> Iterator[_Rows]:
        """Of each part the rows that are written with the collapsed, if at all."""
        tied = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *self._groups]))
        starts = np.concatenate([np.zeros(1, dtype=np.int64), self._ends])
        for start, end in pairwise(starts.tolist()):
            yield tied[(tied >= start) & (tied < end)] - start

    def _load(self, rows: _Rows) -> Iterator[tuple[Todo, Run]]:
        part_of = np.searchsorted(self._ends, rows, side="right")
        for number in np.unique(part_of):
            start = int(self._ends[number - 1]) if number else 0
            todo = self._todo[number]
            for run in runs_of(rows_of(todo, np.sort(rows[part_of == number]) - start)):
                yield todo, run


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
    todo: Sequence[Todo],
    tallies: Sequence[Tally],
    refused: Sequence[_Refused],
    left: _Left,
    sums: Mapping[str, int | float],
) -> Intake:
    files: dict[str, tuple[str, str, Tally]] = {}
    whole = Tally()
    n_examples = todo[0].reading.params.examples if todo else len(refused)
    for one, tally in zip(todo, tallies, strict=True):
        about = (one.source.format, one.source.why, Tally())
        files.setdefault(one.file, about)[2].add(tally, n_examples)
        whole.add(tally, n_examples)
    for bad in refused:
        about = ("", bad.misfit.problem, Tally())
        files.setdefault(bad.file, about)[2].misfit(bad.misfit, n_examples)
        whole.misfit(bad.misfit, n_examples)
    for note in left.notes:
        whole.misfit(note, n_examples)
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
