"""Lines of files that nobody vouches for, read within bounds.

Knows nothing about any format. A line of any length costs at most `LIMIT` bytes of
memory, and what does not fit is described without being passed on whole.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from skillbank.traffic.privacy import redact
from skillbank.traffic.readers.packed import Break, opened, packing
from skillbank.traffic.run import SAMPLE, Misfit, Reason

LIMIT = 8 * 2**20
"""Longest line that is parsed, in bytes; ours: a thousand times a usual line."""
HEAD = 64 * 2**10
"""Bytes at the start of a file that recognition may look at."""
PARQUET = b"PAR1"
"""How a Parquet file begins and ends."""
ZIP = b"PK\x03\x04"
"""How a zip begins."""
_TRAILER = 8  # bytes after a Parquet file's footer: its length, and the mark again
_WINDOW = 4096  # a secret cut by the sample's end is masked before it is cut
_BLOCK = 16 * 2**20  # bytes at a time of a file that is cut into parts
_SKIP = 2**20  # bytes at a time of a line that is too long
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line of a file."""

    number: int
    """Counted from 1."""
    data: bytes
    """Without its line end; only the beginning if it is too long."""
    end: Literal["newline", "file", "too long"]
    """`file`: the file stops without a line end; it may still be growing."""
    broken: Break | None = None
    """Why the file could be unpacked no further than this: then it is no line, but what
    is left of one, or nothing."""


class Span(NamedTuple):
    """A part of a file that begins and ends with a line."""

    start: int
    """First byte."""
    end: int
    """Byte after its last."""
    first: int
    """Number of its first line, from 1."""


def spans(path: Path, size: int) -> Iterator[Span]:
    """Cut a file of lines into parts of about `size` bytes; one if it is shorter.

    A line that is longer than a part stays whole.

    Raises:
        OSError: If the file cannot be opened. Where reading fails, what is left is one
            part, and who reads it meets the failure.
    """
    start = at = 0
    first = number = 1
    with path.open("rb") as file:
        whole = os.fstat(file.fileno()).st_size
        while at < whole and (block := _block(file)):
            cut = -1
            if at + len(block) - start >= size:
                cut = block.rfind(b"\n")
            if cut >= 0:
                number += block.count(b"\n", 0, cut + 1)
                yield Span(start, at + cut + 1, first)
                start, first = at + cut + 1, number
                number += block.count(b"\n", cut + 1)
            else:
                number += block.count(b"\n")
            at += len(block)
    at = max(at, whole)
    if at > start or not start:
        yield Span(start, at, first)


def _block(file: BinaryIO) -> bytes:
    try:
        return file.read(_BLOCK)
    except OSError:
        return b""


def lines(path: Path, limit: int = LIMIT, span: Span | None = None) -> Iterator[Line]:
    """Yield the lines of a file that are not blank, in order; unpacked if it is packed.

    Args:
        path: The file.
        limit: Longest line in bytes; the rest of a longer one is skipped, not held.
        span: The part to read; None: all that it has when it is opened, so that
            a file that grows has an end.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    with opened(path) as file:
        number, left = 0, file.size
        if span is not None:
            file.seek(span.start)
            number, left = span.first - 1, span.end - span.start
        while left > 0 and (data := file.readline(limit + 1)):
            number += 1
            left -= len(data)
            if number == 1:
                data = data.removeprefix(_BOM)
            if data.endswith(b"\n"):
                if not data.isspace():
                    yield Line(number, data.rstrip(b"\r\n"), "newline")
            elif len(data) > limit:
                data = data[:_WINDOW]
                while rest := file.readline(_SKIP):
                    left -= len(rest)
                    if rest.endswith(b"\n"):
                        break
                yield Line(number, data, "too long")
            elif file.broken:
                yield Line(number, data, "file", file.broken)
                return
            elif data.strip():
                yield Line(number, data, "file")
        if file.broken:
            yield Line(number + 1, b"", "file", file.broken)


def head(path: Path) -> bytes:
    """The beginning of a file, at most `HEAD` bytes.

    Of a packed file it is that of what was packed. Of Parquet, which tells its columns
    at its end, that of its footer follows.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    with opened(path) as file:
        start = file.read(HEAD)
        if not start.startswith(PARQUET) or packing(path):
            return start
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TRAILER))
        footer = int.from_bytes(file.read(4), "little")
        file.seek(max(0, size - _TRAILER - footer))
        return start + file.read(HEAD)


def misfit(
    source: str, reason: Reason, problem: str, seen: bytes | str = b""
) -> Misfit:
    """Describe what did not fit, bounded and with nothing private in it.

    Args:
        source: `file:line`, or the file.
        reason: The category that it is counted under.
        problem: What was seen and what was expected.
        seen: The text itself; only its beginning is looked at.
    """
    window = seen[:_WINDOW]
    text = window.decode(errors="replace") if isinstance(window, bytes) else window
    return Misfit(
        source=source,
        reason=reason,
        problem=_cut(redact(problem[:_WINDOW])),
        sample=_cut(redact(text)),
    )


def _cut(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= SAMPLE else f"{plain[: SAMPLE - 1]}…"
