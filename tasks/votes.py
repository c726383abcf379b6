"""Reads a file of votes that somebody else's judge gave."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq

from skillbank.codec import Json
from skillbank.errors import GateError
from skillbank.gate.score import COLUMNS

_TEXT = csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, pa.string()))
_MOST_BYTES = 64_000_000
_MOST_ROWS = 100_000  # the gate itself takes fewer


def read_votes(path: Path) -> Iterable[Mapping[str, Json]]:
    """The rows of a .json (a list of objects), .csv or .parquet file.

    Raises:
        GateError: If the file is missing, is none of these, cannot be read, lacks a
            column or has it twice, or is larger than the votes of a proposal can be.
    """
    try:
        if (size := path.stat().st_size) > _MOST_BYTES:
            raise _unreadable(path, f"{size} bytes", f"at most {_MOST_BYTES} bytes")
        match path.suffix.lower():
            case ".json":
                rows = orjson.loads(path.read_bytes())
            case ".csv":
                rows = _rows(path, csv.read_csv(path, convert_options=_TEXT))
            case ".parquet":
                rows = _rows(path, _parquet(path))
            case other:
                raise _unreadable(path, f"a file ending in {other or 'nothing'!r}")
    except (OSError, ValueError, ArithmeticError, pa.ArrowException) as error:
        said = " ".join(str(error).split())
        raise _unreadable(path, f"{type(error).__name__}: {said}") from error
    if not isinstance(rows, list):
        raise _unreadable(path, f"a {type(rows).__name__}")
    return rows


def _parquet(path: Path) -> pa.Table:
    with pq.ParquetFile(path) as file:
        # a few bytes of Parquet can unpack to any number of rows
        if (n := file.metadata.num_rows) > _MOST_ROWS:
            raise _unreadable(path, f"{n} rows", f"at most {_MOST_ROWS} rows")
        return file.read(columns=list(COLUMNS))


def _rows(path: Path, table: pa.Table) -> list[Mapping[str, Json]]:
    for name in COLUMNS:
        if (n := table.column_names.count(name)) != 1:
            kind = "no" if not n else "more than one"
            raise _unreadable(path, f"{kind} column {name!r}")
    rows: list[Mapping[str, Json]] = table.select(list(COLUMNS)).to_pylist()
    return rows


def _unreadable(path: Path, seen: str, expected: str = "") -> GateError:
    columns = ", ".join(COLUMNS)
    return GateError(
        path.name,
        seen=seen,
        expected=expected
        or f"a list of votes as .json, .csv or .parquet with the columns {columns}",
        remedy="skillbank gate score --help",
    )
