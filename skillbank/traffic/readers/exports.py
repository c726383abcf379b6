"""Exports of tracing tools: one JSON document, or one JSON object a line.

The same tool writes both, and a document may be spread over lines for people to read;
this tells them apart. Knows nothing about what an export holds.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.documents import (
    WHOLE,
    document,
    in_lines,
    objects,
)
from skillbank.traffic.readers.lines import lines, misfit
from skillbank.traffic.readers.packed import longer
from skillbank.traffic.run import Misfit


def exports(
    path: Path, name: str, together: bool = False
) -> Iterator[tuple[str, Json] | Misfit]:
    """Yield each export of a file with its place: the file, or `file:line`.

    Args:
        path: The file.
        name: What to call it in places.
        together: Whether the caller holds all lines at a time, because what belongs
            together may lie in any of them: then the file must not be over `WHOLE`.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    starts = [line.data[:2] for line in islice(lines(path), 2)]
    lists = starts[:1] == [b"["]  # with an object or a list a line
    if lists or len(starts) < 2 or any(one[:1] not in (b"{", b"[") for one in starts):
        value = document(path, name)
        if not isinstance(value, Misfit):
            yield name, value
            return
        if not in_lines(path):
            yield value
            return
    if together and longer(path, WHOLE):
        problem = f"over {WHOLE // 2**20} MB; expected that at most, split by time"
        yield misfit(name, "too long", problem)
        return
    for found in objects(path, name):
        if isinstance(found, Misfit):
            yield found
        else:
            yield f"{name}:{found[0]}", found[1]


def place(source: str, name: str, id: str, several: bool) -> str:
    """Where one of an export's traces is: `file#id` if its document has several."""
    return f"{name}#{id[:64]}" if several and source == name else source
