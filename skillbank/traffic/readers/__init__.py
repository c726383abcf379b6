"""One format, one file, one line in `READERS`.

A reader is a module with two functions, `sign` and `read`. To add a format: write the
module, add its line, put a fixture beside the tests.
"""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from skillbank.errors import TrafficError
from skillbank.traffic.readers import (
    anthropic_managed,
    atif,
    chat,
    claude_code,
    claude_events,
    codex,
    inspect,
    langfuse,
    langsmith,
    mlflow,
    native,
    openhands,
    otel,
    runs,
    strands,
    swe_agent,
)
from skillbank.traffic.readers.lines import PARQUET, ZIP, Span, head
from skillbank.traffic.readers.mapped import Mapped
from skillbank.traffic.readers.packed import kind_of, packing
from skillbank.traffic.run import Misfit, Run


class Reader(Protocol):
    """What a module must have to read a format."""

    def sign(self, head: bytes) -> str:
        """Why the beginning of a file is in this format; empty if it is not."""
        ...

    def read(self, path: Path, name: str = "") -> Iterator[Run | Misfit]:
        """Yield one value for each run of the file, in file order; never raise.

        Only an `OSError` may leave it, where the file itself cannot be read.
        """
        ...


@runtime_checkable
class SpanReader(Protocol):
    """A reader of files whose lines can be read apart from each other."""

    def in_lines(self, path: Path) -> bool:
        """Whether that can be done with this file.

        Raises:
            OSError: If the file cannot be opened or read.
        """
        ...

    def read_span(
        self, path: Path, name: str, span: Span | None
    ) -> Iterator[Run | Misfit]:
        """`read` of a part of a file; None is all of it."""
        ...


READERS: dict[str, Reader] = {
    "runs": runs,
    "native": native,
    "codex": codex,
    "claude-code": claude_code,
    "openhands": openhands,
    "swe-agent": swe_agent,
    "atif": atif,
    "inspect": inspect,
    "chat": chat,
    "otel": otel,
    "mlflow": mlflow,
    "langfuse": langfuse,
    "langsmith": langsmith,
    "anthropic-managed": anthropic_managed,
    "claude-events": claude_events,
    "strands": strands,
}
"""Name of the format to its reader; recognition asks them in this order."""
_TAR = (257, b"ustar")  # where a tar has its mark


def readers_for(columns: Mapping[str, str]) -> Mapping[str, Reader]:
    """All readers, with that of tables whose columns are mapped as the last.

    Raises:
        ParamsError: If the mapping has a key that no run has, or no brief.
    """
    return {**READERS, "mapped": Mapped(columns)} if columns else READERS


def recognise(path: Path, readers: Mapping[str, Reader] = READERS) -> tuple[str, str]:
    """Tell a file's format from its beginning, unpacked if it is packed.

    Args:
        path: The file.
        readers: Whom to ask, in their order.

    Returns:
        The name in `READERS` and why it was taken; an empty name, and what was looked
        for, if no reader knows the file.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    kind, start = packing(path), head(path)
    within = f", packed by {kind}" if kind else ""
    if not start:
        return "", f"an empty file{within}"
    if start.startswith(_TAR[1], _TAR[0]):
        return "", f"a tar{within}; expected its files by themselves"
    if kind and (kind_of(start) or start.startswith((ZIP, PARQUET))):
        return "", f"a packed file{within}; expected one that is packed once"
    for name, reader in readers.items():
        if why := reader.sign(start):
            return name, f"{why}{within}"
    if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "", f"text in UTF-16{within}; expected UTF-8"
    if start.startswith(ZIP):
        return "", "a zip; expected its files by themselves, or a log of Inspect"
    known = f"{len(readers)} formats are known, a table if ingest.columns maps it"
    return "", f"no sign of any format{within}: {known}"


def reader_of(format: str, readers: Mapping[str, Reader] = READERS) -> Reader:
    """The reader of a format by its name.

    Raises:
        TrafficError: If there is no such format.
    """
    if format not in readers:
        raise TrafficError(
            f"format {format!r}",
            seen="a format that no reader has",
            expected=f"auto, {', '.join(readers)}",
            remedy="give one of these, or leave the format out",
        )
    return readers[format]
