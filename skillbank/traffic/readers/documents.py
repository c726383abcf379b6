"""JSON that nobody vouches for: whole files, and objects one a line.

Knows nothing about any format. What comes out holds only what JSON can hold again: no
number that is none, no half of a surrogate pair, nothing nested deeper than `DEEPEST`.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import orjson

from skillbank.codec import Json
from skillbank.traffic.readers.lines import LIMIT, Span, lines, misfit
from skillbank.traffic.readers.packed import opened
from skillbank.traffic.run import SAMPLE, Misfit, Reason

WHOLE = 256 * 2**20
"""Longest file that is parsed in one piece, in bytes; ours."""
DEEPEST = 100
"""Levels of nesting that a reader is given; encoders give up not far above."""
_FIRST_LINES = 20  # that tell whether a file is one document
_BESIDE = 8 * 2**20  # bytes of a result beside a trace; the usual has some thousands
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # UTF-16, as some shells redirect output
_DIGITS = 18  # of integers that encoders surely take; longer ones become floats
_LENIENT = re.compile(rb"NaN|Infinity|\\u[dD][89a-fA-F]|[eE]\+?\d{3}")
"""What writers in Python and JavaScript let pass, and strict parsers refuse."""
_SPREAD = re.compile(rb"\s*(?:\[|\{[ \t]*\r?\n)")
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
"""One escape of a string; `half` is one half of a surrogate pair without the other."""


class Refused(NamedTuple):
    """Why bytes are no JSON that can be used."""

    reason: Reason
    problem: str


def document(path: Path, name: str, limit: int = WHOLE) -> Json | Misfit:
    """The value of a file that is one JSON document.

    Args:
        path: The file.
        name: What to call it in a misfit.
        limit: Most bytes that are read; a longer file is refused, not cut.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    with opened(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        problem = f"over {limit // 2**20} MB; expected a document of that at most"
        return misfit(name, "too long", problem, data[:4096])
    if file.broken:
        return misfit(name, *file.broken, data[:4096])
    value = parsed(data)
    return misfit(name, *value, data[:4096]) if isinstance(value, Refused) else value


def beside(path: Path) -> Mapping[str, Json]:
    """The object of a small file that may lie beside a trace; empty where it does not.

    Links are not followed. What cannot be read is as if it were not there: the trace
    may be read all the same.
    """
    if path.is_symlink() or not path.is_file():
        return {}
    try:
        value = document(path, path.name, _BESIDE)
    except OSError:
        return {}
    return value if isinstance(value, dict) else {}


def spread(head: bytes) -> bool:
    """Whether a file is one document over several lines, or a list; by its beginning.

    Otherwise each of its lines is a document, be it only one.
    """
    return bool(_SPREAD.match(head.removeprefix(_BOM)))


def in_lines(path: Path) -> bool:
    """Whether one of a file's first lines is an object by itself.

    Of a file that is no document: then it has an object a line, and a line is broken.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    return any(
        line.data.startswith(b"{") and isinstance(parsed(line.data), dict)
        for line in islice(lines(path), _FIRST_LINES)
    )


def objects(
    path: Path, name: str, limit: int = LIMIT, span: Span | None = None
) -> Iterator[tuple[int, dict[str, Json]] | Misfit]:
    """Yield each line's number, from 1, and object; or what is wrong with the line.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    for line in lines(path, limit, span):
        source = f"{name}:{line.number}"
        if line.broken:
            yield misfit(source, *line.broken, line.data)
            continue
        if line.end == "too long":
            problem = f"longer than a line may be; expected {limit // 2**20} MB at most"
            yield misfit(source, "too long", problem, line.data)
            continue
        value = parsed(line.data)
        if isinstance(value, Refused):
            if value.reason == "not JSON" and line.end == "file":
                problem = "the last line stops short; the file may still be growing"
                value = Refused("truncated", problem)
            yield misfit(source, *value, line.data)
        elif not isinstance(value, dict):
            problem = f"{type(value).__name__}; expected an object"
            yield misfit(source, "bad value", problem, line.data)
        else:
            yield line.number, value


def parsed(data: bytes) -> Json | Refused:
    """The JSON value of bytes, or why there is none.

    Of a key that is given twice the last counts. Numbers that are none become null,
    halves of surrogate pairs become U+FFFD.
    """
    if data.startswith(_WIDE):
        data = data.decode("utf-16", errors="replace").encode(errors="replace")
    data = data.removeprefix(_BOM)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        value = _leniently(data) if _LENIENT.search(data) else _refusal(data, error)
    if isinstance(value, Refused):
        return value
    if deeper(value, DEEPEST):
        return Refused("too deep", f"expected at most {DEEPEST} levels of nesting")
    return value


def _leniently(data: bytes) -> Json | Refused:
    whole = _ESCAPE.sub(lambda found: rb"\ufffd" if found["half"] else found[0], data)
    try:
        return json.loads(
            whole.decode(),  # its own decoding lets surrogates pass
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
        )
    except RecursionError:
        return Refused("too deep", f"expected at most {DEEPEST} levels of nesting")
    except ValueError as error:
        return _refusal(data, error)


def _no_number(_: str) -> None:
    return None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _whole(text: str) -> int | float | None:
    return int(text) if len(text) <= _DIGITS else _finite(text)


def _refusal(data: bytes, error: ValueError) -> Refused:
    try:
        data.decode()
    except UnicodeDecodeError as bad:
        return Refused("not UTF-8", f"byte {bad.start}; expected UTF-8")
    problem = str(error)[:SAMPLE]
    if "depth" in problem:
        return Refused("too deep", f"expected at most {DEEPEST} levels of nesting")
    if _stops_short(error):
        return Refused("truncated", "it stops short; the file may still be growing")
    return Refused("not JSON", f"{problem}; expected JSON")


def _stops_short(error: ValueError) -> bool:
    return isinstance(error, json.JSONDecodeError) and (
        "end of data" in error.msg
        or "Unterminated" in error.msg
        or 0 < len(error.doc) <= error.pos
    )


def deeper(value: Json, levels: int) -> bool:
    """Whether a value nests deeper than so many levels; a plain value has none."""
    level = [value] if isinstance(value, dict | list | tuple) else []
    for _ in range(levels):
        if not level:
            return False
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list | tuple)
        ]
    return bool(level)
