"""The only reading and writing of tables, and the skipping of steps that are done.

A table is written under a temporary name and renamed, so that it is there whole or not
at all. It carries the stamp of what it was made from; a step whose table has the same
stamp is not run again.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pandera.errors import SchemaErrors
from pydantic import ValidationError

from skillbank.codec import digest, dump, load
from skillbank.errors import TableError
from skillbank.tables import Table

T = TypeVar("T")
_STAMP = b"skillbank.stamp"
_BATCH = 1024  # rows that are decoded at a time


def table_path(round_dir: Path, table: Table[T]) -> Path:
    """Where a round keeps a table."""
    return round_dir / f"{table.name}.parquet"


def write_table(
    path: Path, table: Table[T], values: Sequence[T], stamp: str = ""
) -> None:
    """Write values as a table, ordered by its key, whole or not at all.

    Raises:
        TableError: If a value does not fit the table's schema.
    """
    schema = table.model.to_schema()
    rows = [{**table.columns(value), "json": dump(value)} for value in values]
    rows.sort(key=lambda row: tuple(str(row[name]) for name in (*table.key, "json")))
    fields = [
        (name, _ARROW[str(column.dtype)]) for name, column in schema.columns.items()
    ]
    frame = pa.Table.from_pylist(rows, schema=pa.schema(fields))
    try:
        schema.validate(frame, lazy=True)
    except SchemaErrors as error:
        raise _misfitting(path, error) from error
    path.parent.mkdir(parents=True, exist_ok=True)
    # one name: what a killed writer left is overwritten, not remembered for good
    temporary = path.with_name(f".{path.name}.tmp")
    pq.write_table(frame.replace_schema_metadata({_STAMP: stamp.encode()}), temporary)
    temporary.replace(path)


_ARROW = {
    "String": pa.string(),
    "Float64": pa.float64(),
    "Int64": pa.int64(),
    "Boolean": pa.bool_(),
}


def read_table(path: Path, table: Table[T]) -> tuple[T, ...]:
    """The values of a table, in the order of its key.

    Raises:
        TableError: If the file is missing or holds something else.
    """
    return tuple(each_of(path, table))


def each_of(
    path: Path, table: Table[T], only: tuple[str, Collection[str]] | None = None
) -> Iterator[T]:
    """The values of a table one after the other, few of them held at a time.

    Args:
        path: Where the table is.
        table: Which one it is.
        only: A column, and the values of it that are wanted; all rows by default.

    Raises:
        TableError: If the file is missing or holds something else.
    """
    name, some = only or ("", ())
    wanted = pa.array(sorted(some), pa.string())
    for rows in _batches(path, table, ["json", *([name] if only else [])]):
        if only:
            rows = rows.filter(pc.is_in(rows.column(name), wanted))
        for text in rows.column("json"):
            try:
                value = load(table.kind, text.as_py())
            except ValidationError as error:
                raise _unreadable(path, table, error) from error
            yield value


def columns_of(path: Path, table: Table[T], *names: str) -> list[tuple[Any, ...]]:
    """Some columns of a table, a tuple a row, without reading the values.

    Raises:
        TableError: If the file is missing or holds something else.
    """
    rows = _batches(path, table, list(names))
    return [
        row
        for batch in rows
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def _batches(
    path: Path, table: Table[T], columns: list[str]
) -> Iterator[pa.RecordBatch]:
    try:
        with pq.ParquetFile(path) as file:
            if lacking := sorted({*columns} - {*file.schema_arrow.names}):
                raise _unreadable(path, table, f"no column {lacking[0]!r}")
            for batch in file.iter_batches(_BATCH, columns=columns):
                yield batch.select(columns)
    except (OSError, pa.ArrowInvalid) as error:
        raise _unreadable(path, table, error) from error


def _unreadable(path: Path, table: Table[T], why: object) -> TableError:
    return TableError(
        f"{path.parent.name}/{path.name}",
        seen=str(why),
        expected=f"the table `{table.name}`",
        remedy="delete the file and run the round again with its id; of a round "
        "that has ended `dvc checkout` brings it back",
    )


def stamp_of(path: Path) -> str | None:
    """The stamp that a table was written with; None if there is no such table."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowInvalid):
        return None
    stamp: bytes | None = metadata.get(_STAMP)
    return stamp.decode() if stamp is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of one round: where it writes, and what its result depends on."""

    round_dir: Path
    inputs: tuple[Path, ...]
    """Files that it reads; their content counts, not their time."""
    depends: tuple[object, ...]
    """Parameters, seeds and the digest of the code."""

    def stamp(self) -> str:
        """Equal stamps mean equal results."""
        return digest([_content(path) for path in self.inputs], self.depends)

    def table(self, table: Table[T], make: Callable[[], Sequence[T]]) -> tuple[T, ...]:
        """The step's table: read if it is there with this stamp, else made."""
        self.write(table, make)
        return read_table(table_path(self.round_dir, table), table)

    def write(self, table: Table[T], make: Callable[[], Sequence[T]]) -> int:
        """See that the step's table is there, and say how many rows it has."""
        path = table_path(self.round_dir, table)
        stamp = self.stamp()
        if stamp_of(path) != stamp:
            write_table(path, table, make(), stamp)
        rows: int = pq.read_metadata(path).num_rows
        return rows


def _content(path: Path) -> str:
    try:
        at = path.stat()
        return _hashed(path, at.st_ino, at.st_size, at.st_mtime_ns)
    except OSError:
        return "missing"


@lru_cache(maxsize=4096)
def _hashed(path: Path, inode: int, size: int, changed: int) -> str:
    """SHA-256 of a file; of one that stayed as it was it is not read again."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _misfitting(path: Path, error: SchemaErrors) -> TableError:
    cases = error.failure_cases.to_pylist()[:3]
    seen = "; ".join(f"{case['column']}: {case['failure_case']}" for case in cases)
    return TableError(
        path.name,
        seen=f"{seen} ({', '.join(sorted({str(case['check']) for case in cases}))})",
        expected="values within the table's schema",
        remedy="report this: a step made a value that its own schema refuses",
    )
