"""What others wrote, made safe to show: bounded, and nothing in it invisible.

Escaping is the template's; this is about length, control characters and characters that
turn the direction of writing, which would make a diff look like another one.
"""

import difflib
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Literal

from skillbank.reports.view import Diff, DiffLine

TEXT = 600
"""Most characters of a sentence or a brief."""
_SKILL = 20_000  # characters of a SKILL.md that are compared; the screen allows 4,000
_LINES = 240  # of a diff
_LINE = 300  # characters of a line of a diff
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shown(text: str, limit: int = TEXT) -> str:
    """A text of at most `limit` characters, told so if it was longer.

    Characters that cannot be seen are written as escapes; line ends stay.
    """
    cut = text[:limit]
    told = f"… ({len(text):,} characters)" if len(text) > limit else ""
    return "".join(_visible(letter) for letter in cut) + told


def diff(old: str, new: str) -> Diff:
    """A unified diff of two texts, bounded; everything is new if `old` is empty."""
    before, after = (text[:_SKILL].splitlines() for text in (old, new))
    lines = tuple(_lines(before, after))
    return Diff(
        lines=lines[:_LINES],
        added=sum(line.kind == "added" for line in lines),
        removed=sum(line.kind == "removed" for line in lines),
        left_out=max(0, len(lines) - _LINES),
        cut=max(len(old), len(new)) > _SKILL,
    )


def _lines(before: list[str], after: list[str]) -> Iterator[DiffLine]:
    if not before:
        yield from (DiffLine(kind="added", text=shown(line, _LINE)) for line in after)
        return
    found = difflib.unified_diff(before, after, lineterm="", n=3)
    for number, line in enumerate(found):
        if number < 2:  # names of files: there are none
            continue
        if line.startswith("@@"):
            if number > 2:
                yield DiffLine(kind="gap", text="")
            continue
        yield DiffLine(kind=_KINDS[line[0]], text=shown(line[1:], _LINE))


_KINDS: Mapping[str, Literal["same", "added", "removed"]] = {
    "+": "added",
    "-": "removed",
    " ": "same",
}


def _visible(letter: str) -> str:
    if letter in "\n\t" or unicodedata.category(letter) not in _HIDDEN:
        return letter
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
