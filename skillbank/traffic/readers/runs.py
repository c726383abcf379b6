"""Datasets that `skillbank ingest` wrote: Parquet with a run in the column `json`.

What they hold was masked when they were written; a pseudonym is not private, so that
masking them again changes nothing. The other columns are there for people and are not
read. Whoever hands a dataset over may have changed it: each run is checked like a line
of the native format, which it is.
"""

from collections.abc import Iterator
from pathlib import Path

from skillbank.traffic.readers import native
from skillbank.traffic.readers.lines import LIMIT, PARQUET, misfit
from skillbank.traffic.readers.parquet import rows
from skillbank.traffic.run import Misfit, Run

_COLUMNS = ("run_id", "provenance", "json")
"""By which a dataset is told from any other Parquet file."""


def sign(head: bytes) -> str:
    """Why a file is a dataset of runs; empty if it is not."""
    if not head.startswith(PARQUET):
        return ""
    if not all(name.encode() in head for name in _COLUMNS):
        return ""
    return f"Parquet with the columns {', '.join(_COLUMNS)}"


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value for each row, in file order.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    for found in rows(path, name or path.name, ["json"]):
        if isinstance(found, Misfit):
            yield found
        else:
            yield _row(found[1].get("json"), found[0])


def _row(text: object, source: str) -> Run | Misfit:
    if not isinstance(text, str):
        return misfit(source, "bad value", "json: nothing; expected a run")
    data = text.encode(errors="replace")
    if len(data) > LIMIT:
        problem = "longer than a line may be; expected at most 8 MB"
        return misfit(source, "too long", problem, data)
    return native.run_of(data, source)
