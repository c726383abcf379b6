"""Rows of Parquet that nobody vouches for.

Knows no format. A value that Python cannot hold costs its own row, not the file.
"""

from collections.abc import Iterator, Sequence
from datetime import date, time
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from skillbank.codec import Json
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import Misfit

_BATCH = 1024  # rows at a time


def rows(
    path: Path, name: str, columns: Sequence[str] | None = None
) -> Iterator[tuple[str, dict[str, Json]] | Misfit]:
    """Yield each row's place, `name:number` from 1, and values; or what is wrong.

    Args:
        path: The file.
        name: What to call it.
        columns: The only ones to read; None: all.

    Raises:
        OSError: If the file cannot be opened.
    """
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_BATCH, columns=columns):
                for row in _values(batch):
                    number += 1
                    source = f"{name}:{number}"
                    if isinstance(row, dict):
                        yield source, {key: _plain(held) for key, held in row.items()}
                    else:
                        problem = f"{row}; expected values that can be read"
                        yield misfit(source, "bad value", problem)
    except (FileNotFoundError, PermissionError):
        raise
    except (pa.ArrowException, OSError) as error:
        seen = str(error).splitlines()[0] if str(error) else type(error).__name__
        yield misfit(f"{name}:{number + 1}", "unreadable", f"{seen}; expected Parquet")


def _values(batch: pa.RecordBatch) -> Iterator[dict[str, Json] | ValueError]:
    """Rows; where one of them cannot be had, each by itself."""
    try:
        yield from batch.to_pylist()
    except (ValueError, OverflowError, RecursionError) as error:
        # a time after the year 9999, bytes that are no text
        if len(batch) == 1:
            yield ValueError(str(error))
            return
        for place in range(len(batch)):
            yield from _values(batch.slice(place, 1))


def _plain(value: object) -> Json:
    """A value as JSON has it: times as ISO 8601, decimals as numbers."""
    match value:
        case None | str() | bool() | int() | float():
            return value
        case dict():
            return {str(key): _plain(held) for key, held in value.items()}
        case list() | tuple():
            return [_plain(held) for held in value]
        case date() | time():
            return value.isoformat()
        case Decimal():
            return float(value)
        case bytes():
            return value.decode(errors="replace")
    return str(value)
