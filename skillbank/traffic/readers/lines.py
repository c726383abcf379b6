"""Lines of files that nobody vouches for, read within bounds.

Knows nothing about any format. A line of any length costs at most `LIMIT` bytes of
memory, and what does not fit is described without being passed on whole.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from skillbank.traffic.privacy import redact
from skillbank.traffic.run import SAMPLE, Misfit, Reason

LIMIT = 8 * 2**20
"""Longest line that is parsed, in bytes; ours: a thousand times a usual line."""
HEAD = 64 * 2**10
"""Bytes at the start of a file that recognition may look at."""
_WINDOW = 4096  # a secret cut by the sample's end is masked before it is cut
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


def lines(path: Path, limit: int = LIMIT) -> Iterator[Line]:
    """Yield the lines of a file that are not blank, in order.

    Args:
        path: The file.
        limit: Longest line in bytes; the rest of a longer one is skipped, not held.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    with path.open("rb") as file:
        number = 0
        while data := file.readline(limit + 1):
            number += 1
            if number == 1:
                data = data.removeprefix(_BOM)
            if data.endswith(b"\n"):
                if not data.isspace():
                    yield Line(number, data.rstrip(b"\r\n"), "newline")
            elif len(data) > limit:
                data = data[:_WINDOW]
                while (rest := file.readline(_SKIP)) and not rest.endswith(b"\n"):
                    pass
                yield Line(number, data, "too long")
            elif data.strip():
                yield Line(number, data, "file")


def head(path: Path) -> bytes:
    """The beginning of a file, at most `HEAD` bytes.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    with path.open("rb") as file:
        return file.read(HEAD)


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
