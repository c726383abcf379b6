r"""What a text says to those who decode it: escapes of JSON, URLs and HTML, and base64.

Knows nothing of what is private. A `View` is a decoded text that remembers where in
the text itself each of its letters stands, so that what is found in it can be replaced
there.
"""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

START = (
    r"(?:(?<![\w\\])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=\\)(?![nrtbfu])"
    r"|(?<=%[0-9a-fA-F]{2})|(?<=%25[0-9a-fA-F]{2})|(?<=%2525[0-9a-fA-F]{2}))"
)
"""Where a value may begin: not within a word, and never with half an escape."""
_ESCAPE = re.compile(
    r"""\\+(?:u[0-9A-Fa-f]{4}|[nrtbf"'/])|(?:%[0-9A-Fa-f]{2})+"""
    r"|&(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|commat|amp|quot|apos|lt|gt|nbsp|plus|colon);"
)
_ANY = re.compile(r"%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|&#?[A-Za-z0-9]{2,8};")
_BLANK = re.compile(r"""\\+(?:u[0-9A-Fa-f]{4}|[nrtbf"'/])""")
_LAYERS = 3  # URLs within URLs within URLs
_SIGN = "[A-Za-z0-9+/_-]"
_RUN = re.compile(  # in lines, where mail breaks it
    rf"(?<!{_SIGN}){_SIGN}{{14,}}(?:(?<={_SIGN}{{60}})\r?\n{_SIGN}+)*={{0,2}}"
)
_HALF_ESCAPE = re.compile(r"(?<=\\)(?:[nrtbf]|u[0-9A-Fa-f]{4})")
_PIECE = re.compile(r"[A-Za-z0-9]{14,}={0,2}")
_TRIED = 64  # characters whose bytes tell whether the rest is worth decoding


@dataclass(frozen=True, slots=True)
class View:
    """A text as it reads with its escapes decoded."""

    text: str
    starts: list[int] | None = None
    """Where each letter begins in the text itself, and its end; None: as it stands."""

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text itself a span of this view is."""
        if self.starts is None:
            return start, end
        return self.starts[start], self.starts[end]


def views(text: str) -> Iterator[View]:
    """Yield the text with blanks for its escapes, then with its escapes decoded.

    Decoded until nothing changes, three times at most: a URL may hold another.
    """
    has_escapes = "\\" in text
    yield View(_BLANK.sub(_blank, text) if has_escapes else text)
    view = View(text)
    if not (has_escapes or "%" in text or "&" in text):
        return
    for _ in range(_LAYERS):
        layer = _decoded(view)
        if layer is None:
            return
        view = layer
        yield view


def _blank(hit: re.Match[str]) -> str:
    return " " * len(hit[0])


def _decoded(view: View) -> View | None:
    """One layer less of escapes; None where there are none."""
    pieces: list[str] = []
    starts: list[int] = []
    end = 0
    old = view.starts
    for hit in _ESCAPE.finditer(view.text):
        letters = _letters(hit[0])
        if letters is None:
            continue
        at = hit.start()
        pieces.append(view.text[end:at])
        starts.extend(range(end, at) if old is None else old[end:at])
        for letter, width in letters:
            pieces.append(letter)
            starts.append(at if old is None else old[at])
            at += width
        end = hit.end()
    if not pieces:
        return None
    pieces.append(view.text[end:])
    n = len(view.text)
    starts.extend(range(end, n + 1) if old is None else old[end:])
    return View("".join(pieces), starts)


def _letters(escape: str) -> list[tuple[str, int]] | None:
    """What an escape stands for, each letter with its width there."""
    if escape[0] == "%":
        try:
            decoded = bytes.fromhex(escape.replace("%", "")).decode()
        except UnicodeDecodeError:
            return None
        return [(letter, 3 * len(letter.encode())) for letter in decoded]
    if escape[0] == "&":
        return [(unescape(escape)[:1] or " ", len(escape))]
    sign = escape.lstrip("\\")
    if sign[0] == "u":
        code = int(sign[1:], 16)
        return [(" " if 0xD800 <= code <= 0xDFFF else chr(code), len(escape))]
    return [(sign if sign in "\"'/" else "\n", len(escape))]


def revealed(text: str, depth: int = 2) -> Iterator[str]:
    """Yield what `views` and base64 make of a text, and of that, not the text itself.

    Args:
        text: Any.
        depth: How often base64 may hold base64.
    """
    shown = [text]
    if re.search(_ANY, text):
        shown += [view.text for view in views(text)][1:]
        yield from shown[1:]
    if depth:
        for one in shown:
            for _, _, said in base64_runs(one):
                yield said
                yield from revealed(said, depth - 1)


def base64_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a text has base64 of another text, and that text."""
    for hit in _RUN.finditer(text):
        start, end = hit.span()
        if half := _HALF_ESCAPE.match(text, start):
            start = half.end()
        said = _said(text[start:end])
        if said is not None:
            yield start, end, said
            continue
        for piece in _PIECE.finditer(text, start, end):  # a path may hold it
            said = _said(piece[0]) if piece.span() != (start, end) else None
            if said is not None:
                yield *piece.span(), said


def _said(run: str) -> str | None:
    """The text that base64 says; None if it says none."""
    if run.isdecimal() or _plain(run[:_TRIED]) is None:
        return None
    return _plain(run)


def _plain(run: str) -> str | None:
    letters = _NO_DATA.sub("", run).translate(_STANDARD)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    raw = base64.b64decode(letters + "=" * (-len(letters) % 4))
    try:
        said = raw.decode()
    except UnicodeDecodeError as error:
        if error.start < len(raw) - 3:  # a beginning may end within a letter
            return None
        said = raw[: error.start].decode()
    return None if _CONTROL.search(said) else said


_NO_DATA = re.compile(r"[\r\n=]")
_STANDARD = str.maketrans("-_", "+/")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
