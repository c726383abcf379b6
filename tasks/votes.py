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


def read_votes(path: Path) -> Iterable[Mapping[str, Json]]:
    """The rows of a .json (a list of objects), .csv or .parquet file.

    Raises:
        GateError: If the file is missing, is none of these, or cannot be read.
    """
    try:
        match path.suffix.lower():
            case ".json":
                rows = orjson.loads(path.read_bytes())
            case ".csv":
                rows = csv.read_csv(path, convert_options=_TEXT).to_pylist()
            case ".parquet":
                rows = pq.read_table(path).to_pylist()
            case other:
                raise _unreadable(path, f"a file ending in {other or 'nothing'!r}")
    except (OSError, ValueError, pa.ArrowInvalid) as error:
        raise _unreadable(path, f"{type(error).__name__}: {error}") from error
    if not isinstance(rows, list):
        raise _unreadable(path, f"a {type(rows).__name__}")
    return rows


def _unreadable(path: Path, seen: str) -> GateError:
    return GateError(
        path.name,
        seen=seen,
        expected="a list of votes as .json, .csv or .parquet with the columns "
        + ", ".join(COLUMNS),
        remedy="skillbank gate score --help",
    )
