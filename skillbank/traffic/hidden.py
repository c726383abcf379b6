r"""What a text says to those who decode it: escapes of JSON, URLs and HTML, and base64.

So does what a reader does not see or would not tell apart: letters of no width, digits
and letters of other widths, the broken lines of mails. Hex is read as base64 is.

Knows nothing of what is private. A `View` is a decoded text that remembers where in
the text itself each of its letters stands, so that what is found in it can be replaced
there.
"""

import base64
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

START = (
    r"(?:(?<![\w\\])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=\\)(?![nrtbfu])"
    r"|(?<=%[0-9a-fA-F]{2})|(?<=%25[0-9a-fA-F]{2})|(?<=%2525[0-9a-fA-F]{2}))"
)
"""Where a value may begin: not within a word, and never with half an escape."""
_CODE = r"u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}"
_UNSEEN = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_BLANKS = "\u00a0\u2000-\u200a\u202f\u3000"
_WIDE = "\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9\u0966-\u096f"  # and other digits
_ODD = re.compile(f"[{_UNSEEN}]+|[{_BLANKS}{_WIDE}]")
_MAIL = r"=\r?\n|=40(?=[A-Za-z])"  # quoted-printable, as far as it hides anything
_ESCAPE = re.compile(
    rf"""(?<!\\)\\++(?:{_CODE}|[nrtbf"'/])|(?:%[0-9A-Fa-f]{{2}})+|{_ODD.pattern}|{_MAIL}"""
    r"|&(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|commat|amp|quot|apos|lt|gt|nbsp|plus|colon);"
)
_ANY = re.compile(  # in JSON, where \n and its like are ordinary
    rf"%[0-9A-Fa-f]{{2}}|\\(?:{_CODE})|&#?[A-Za-z0-9]{{2,8}};|{_ODD.pattern}"
    r"|=(?:\\+r)?\\+n|=40(?=[A-Za-z])"
)
_BLANK = re.compile(r"""(?<!\\)\\++(?:u[0-9A-Fa-f]{4}|[nrtbf"'/])""")
_LAYERS = 3  # URLs within URLs within URLs
_SIGN = "[A-Za-z0-9+/_-]"
_BREAK = r"(?:\r|\\{1,8}r)?(?:\n|\\{1,8}n)"  # as it is, or in JSON
_RUN = re.compile(  # in lines, where mail breaks it
    rf"(?<!{_SIGN}){_SIGN}{{14,}}(?:(?<={_SIGN}{{60}}){_BREAK}{_SIGN}+)*={{0,2}}"
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
    yield View(_BLANK.sub(_blank, text) if "\\" in text else text)
    view = View(text)
    if not _may_hide(text):
        return
    for _ in range(_LAYERS):
        layer = _decoded(view)
        if layer is None:
            return
        view = layer
        yield view


def _may_hide(text: str) -> bool:
    """Whether it is worth a search; by far most texts are not."""
    signs = ("\\", "%", "&", "=40", "=\n", "=\r")
    return not text.isascii() or any(sign in text for sign in signs)


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
    if escape[0] == "=":
        return [("@", len(escape))] if escape == "=40" else []
    if escape[0] != "\\":
        return _shown(escape)
    sign = escape.lstrip("\\")
    if len(sign) > 1:
        code = min(int(sign[1:].strip("{}"), 16), sys.maxunicode)
        return [(" " if 0xD800 <= code <= 0xDFFF else chr(code), len(escape))]
    return [(sign if sign in "\"'/" else "\n", len(escape))]


def _shown(odd: str) -> list[tuple[str, int]]:
    """What a reader sees: nothing, a blank, or the plain letter or digit."""
    plain = unicodedata.normalize("NFKC", odd)
    if plain.isdecimal():
        return [(str(unicodedata.decimal(plain)), 1)]
    return [(plain, 1)] if plain.isascii() else []


def revealed(text: str, depth: int = 2) -> Iterator[str]:
    """Yield what `views` and base64 make of a text, and of that, not the text itself.

    Args:
        text: Any.
        depth: How often base64 may hold base64.
    """
    shown = [text]
    if _may_hide(text) and _ANY.search(text):
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
    if run.isdecimal():
        return None
    for decode in (_of_hex, _of_base64) if _HEX.fullmatch(run) else (_of_base64,):
        if _plain(decode(run[:_TRIED])) is not None:
            return _plain(decode(run))
    return None


def _of_hex(run: str) -> bytes:
    return bytes.fromhex(run)


def _of_base64(run: str) -> bytes:
    letters = _NO_DATA.sub("", run).translate(_STANDARD)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return base64.b64decode(letters + "=" * (-len(letters) % 4))


def _plain(raw: bytes) -> str | None:
    try:
        said = raw.decode()
    except UnicodeDecodeError as error:
        if error.start < len(raw) - 3:  # a beginning may end within a letter
            return None
        said = raw[: error.start].decode()
    return None if _CONTROL.search(said) else said


_NO_DATA = re.compile(rf"{_BREAK}|[^A-Za-z0-9+/_-]")
_HEX = re.compile(r"(?:[0-9a-f]{2}){7,}|(?:[0-9A-F]{2}){7,}")
_STANDARD = str.maketrans("-_", "+/")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
