"""Tool calls within a script, as models write one to call several tools at once.

The script is JavaScript; it is looked through in one pass and never run. Arguments that
are literals become values, others stay as they are written.
"""

import re
from collections.abc import Iterator

import orjson

from skillbank.codec import Json
from skillbank.traffic.readers.values import RESULT_LIMIT, arguments_of, parsed

_MOST_CALLS = 200  # in one script; ours
_LONGEST = 200_000  # characters of a script that are looked through
_NAME = r"[A-Za-z_$][\w$]{0,99}"
_START = re.compile(
    rf"""["'`]|//|/\*|[()\[\]{{}}]|(?<![\w$.])tools((?:\.{_NAME}){{1,8}})\s{{0,20}}\("""
)
_STRINGS = {
    '"': re.compile(r'"(?:[^"\\\n]|\\.)*"', re.DOTALL),
    "'": re.compile(r"'(?:[^'\\\n]|\\.)*'", re.DOTALL),
    "`": re.compile(r"`(?:[^`\\]|\\.)*`", re.DOTALL),
}
_TOKEN = re.compile(
    r"""\s+|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
    r"""|(?P<number>-?\d{1,20}(?:\.\d{1,20})?)(?![\w.])"""
    rf"""|(?P<name>{_NAME})(?P<key>\s{{0,20}}:)?|(?P<mark>[\[\]{{}},:])""",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS = {"true": b"true", "false": b"false", "null": b"null", "undefined": b"null"}


def calls_in(script: str) -> list[tuple[str, dict[str, str]]]:
    """The tools that a script calls, as `tools.name(...)`, with their arguments.

    In the order in which the calls begin. A call that is not closed keeps what stands
    on its line.
    """
    script = script[:_LONGEST]
    found = []
    for tool, start, end in _spans(script):
        if end is None:
            end = script.find("\n", start)
            end = len(script) if end < 0 else end
        found.append((tool, _arguments(script[start:end])))
    return found


def _spans(script: str) -> list[tuple[str, int, int | None]]:
    """Tool, and where its arguments begin and end, for each call."""
    calls: list[tuple[str, int, int | None]] = []
    open_brackets: list[int | None] = []  # of a call: its place in `calls`
    at = 0
    while found := _START.search(script, at):
        at = _after(script, found)
        if found[1]:
            if len(calls) == _MOST_CALLS:
                break
            open_brackets.append(len(calls))
            calls.append((found[1][1:], found.end(), None))
        elif found[0] in "([{":
            open_brackets.append(None)
        elif found[0] in ")]}" and open_brackets:
            place = open_brackets.pop()
            if place is not None:
                tool, start, _ = calls[place]
                calls[place] = (tool, start, found.start())
    return calls


def _after(script: str, found: re.Match[str]) -> int:
    """Where to look on: behind a text or a comment, which hold no calls."""
    mark = found[0]
    if mark in _STRINGS:
        text = _STRINGS[mark].match(script, found.start())
        if text:
            return text.end()
        end = script.find("\n", found.end()) if mark != "`" else -1
    elif mark == "//":
        end = script.find("\n", found.end())
    elif mark == "/*":
        end = script.find("*/", found.end())
    else:
        return found.end()
    return len(script) if end < 0 else end


def _arguments(text: str) -> dict[str, str]:
    text = text.strip()
    if len(text) <= RESULT_LIMIT and (values := _values(text)) is not None:
        return arguments_of(values[0] if len(values) == 1 else values or None)
    return arguments_of({"input": text}) if text else {}


def _values(text: str) -> list[Json] | None:
    """What a list of literals holds; None if something else is in it."""
    pieces = list(_pieces(text))
    if None in pieces:
        return None
    kept: list[bytes] = []
    for piece in [b"[", *(piece or b"" for piece in pieces), b"]"]:
        if piece in b"]}" and kept and kept[-1] == b",":
            kept.pop()  # a comma may stand behind the last one
        kept.append(piece)
    values = parsed(b"".join(kept))
    return values if isinstance(values, list) else None


def _pieces(text: str) -> Iterator[bytes | None]:
    """Each token as JSON has it; None for one that it has not, and then no more."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            yield None
            return
        at = found.end()
        if found["text"]:
            yield _json(_unescaped(found["text"][1:-1]))
        elif found["number"] or found["mark"]:
            yield found[0].encode()
        elif found["key"]:
            yield _json(found["name"]) + b":"
        elif found["name"]:
            yield _WORDS.get(found["name"])


def _json(text: str) -> bytes:
    return orjson.dumps(text.encode(errors="replace").decode())


def _unescaped(text: str) -> str:
    def letter(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "ux" and len(code) > 1:
            return chr(int(code[1:], 16))
        return "" if code.endswith("\n") else _ESCAPES.get(code, code)

    return _ESCAPE.sub(letter, text)
