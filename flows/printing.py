"""Values for people and for machines, and progress on long work."""

import logging
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from flows.history import RoundRow, row_of
from flows.round_printing import evolve_table, rounds_table
from skillbank.codec import encode, fields_of
from skillbank.errors import SkillbankError
from skillbank.reports.numbers import MISSING
from skillbank.summary import RoundSummary

__all__ = ["emit", "evolve_table", "plain", "progress", "refuse", "show"]

_console = Console(highlight=False)
_aside = Console(stderr=True, highlight=False)
_TOLD = ("place", "seen", "expected", "remedy")
_STEERING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters, but tab and line feed, and those that turn the reading order."""


def emit(
    value: object,
    *,
    json: bool,
    title: str | None = None,
    people: RenderableType | None = None,
) -> None:
    """Print a value: JSON for machines, else a table, or key and value.

    Args:
        value: Any value; rounds are printed side by side.
        json: For machines.
        title: Of the table.
        people: What people are shown instead.
    """
    if json:
        sys.stdout.write(encode(value).decode() + "\n")
    elif people is not None:
        show(people)
    elif isinstance(value, str):
        _console.print(plain(value), markup=False)
    elif isinstance(value, Sequence):
        show(_listed(value, title))
    else:
        for name, item in _row(value).items():
            said = plain(f"{name}: {_cell(item)}")
            _console.print(said, markup=False, soft_wrap=True)


def refuse(error: SkillbankError, *, json: bool) -> None:
    """Print an error: one paragraph on stderr, and for machines a value as well."""
    sys.stderr.write(f"skillbank: {plain(str(error))}\n")
    if json:
        told = {name: plain(getattr(error, name)) for name in _TOLD}
        emit({"error": {"kind": type(error).__name__, **told}}, json=True)


def plain(text: str) -> str:
    """A text that a terminal only shows: what would steer it is spelt out.

    Names, briefs and skills are not ours to trust.
    """
    return _STEERING.sub(lambda hit: hit[0].encode("unicode_escape").decode(), text)


def show(made: RenderableType) -> None:
    """Print what was laid out for people, as wide as the terminal is."""
    _console.print(made)


def _listed(values: Sequence[object], title: str | None) -> RenderableType:
    rounds = [
        row_of(value) if isinstance(value, RoundSummary) else value
        for value in values
        if isinstance(value, RoundRow | RoundSummary)
    ]
    if rounds and len(rounds) == len(values):
        return rounds_table(rounds)
    return table([_row(value) for value in values], title)


def _row(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    return fields_of(value) if is_dataclass(value) else {"": value}


def table(
    rows: Sequence[Mapping[str, object]], title: str | None = None
) -> RenderableType:
    """Rows for people, under the names of the first row's keys."""
    if not rows:
        return f"{title or 'nothing'}: empty"
    made = Table(title=title, box=None, pad_edge=False, header_style="bold")
    for name in rows[0]:
        column = [row.get(name) for row in rows]
        right = any(_is_number(item) for item in column)
        made.add_column(name.replace("_", " "), justify="right" if right else "left")
    for row in rows:
        made.add_row(*(Text(plain(_cell(row.get(name)))) for name in rows[0]))
    return made


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: object) -> str:
    match value:
        case None:
            return MISSING
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3f}"
        case str() | int():
            return str(value)
        case Mapping():
            return ", ".join(f"{name} {_cell(item)}" for name, item in value.items())
        case Sequence():
            return ", ".join(_cell(item) for item in value)
    if is_dataclass(value):
        return _cell(fields_of(value))
    return str(value)


class _Lines(logging.Handler):
    """Prints what tasks say, one line each."""

    def emit(self, record: logging.LogRecord) -> None:
        said = plain(record.getMessage())
        _aside.print(said, style="dim", markup=False, soft_wrap=True)


@contextmanager
def progress(*, quiet: bool) -> Iterator[None]:
    """Show on stderr, line by line, what each step came to while work goes on."""
    if quiet:
        yield
        return
    logger = logging.getLogger("skillbank")
    lines, level = _Lines(), logger.level
    logger.addHandler(lines)
    logger.setLevel(logging.INFO)
    try:
        # a spinner on a terminal, nothing in a file
        with _aside.status("working"):
            yield
    finally:
        logger.removeHandler(lines)
        logger.setLevel(level)
