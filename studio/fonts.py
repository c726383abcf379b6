"""Measured text: the same widths and the same line breaks on every machine.

Widths come from the advance tables of the DejaVu fonts that ship with matplotlib;
there is no shaping and no kerning, so that measuring and drawing cannot disagree.
matplotlib itself is never imported: that takes most of a second.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Literal, NamedTuple

from fontTools.ttLib import TTFont, TTLibError

from skillbank.errors import WorldError

Family = Literal["sans", "serif", "mono"]
Weight = Literal["regular", "bold"]

_FILES: Mapping[tuple[Family, Weight], str] = {
    ("sans", "regular"): "DejaVuSans.ttf",
    ("sans", "bold"): "DejaVuSans-Bold.ttf",
    ("serif", "regular"): "DejaVuSerif.ttf",
    ("serif", "bold"): "DejaVuSerif-Bold.ttf",
    ("mono", "regular"): "DejaVuSansMono.ttf",
    ("mono", "bold"): "DejaVuSansMono-Bold.ttf",
}


class Line(NamedTuple):
    """One line of a text."""

    text: str
    width: float
    """In em."""
    opens: bool
    """It is the first line of a paragraph or item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One font file, measured; all lengths in em."""

    path: Path
    ascent: float
    descent: float
    """Below the baseline, positive."""
    missing: float
    """Advance of a character that the font lacks."""
    advances: dict[int, float]
    """By code point."""


def font_path(family: Family, weight: Weight, folder: Path | None = None) -> Path:
    """The font file of a family and weight.

    Args:
        family: sans, serif or mono.
        weight: regular or bold.
        folder: Where the fonts are; by default where matplotlib keeps them.

    Raises:
        WorldError: If the file is not there.
    """
    name = _FILES[family, weight]
    if folder is None:
        spec = find_spec("matplotlib")
        homes = list(spec.submodule_search_locations or ()) if spec else []
        folder = Path(homes[0] if homes else "matplotlib", "mpl-data", "fonts", "ttf")
    path = folder / name
    if not path.is_file():
        raise WorldError(
            f"font {name}",
            seen=f"no file {path}",
            expected="the DejaVu fonts that ship with matplotlib",
            remedy="make setup",
        )
    return path


def check_fonts() -> None:
    """See that every font file is there; each is read when it is first needed.

    Raises:
        WorldError: If one is not there.
    """
    for family, weight in _FILES:
        font_path(family, weight)


def read_face(path: Path) -> Face:
    """Read the advance widths of a font file.

    Raises:
        WorldError: If the file is not a TrueType font.
    """
    try:
        with TTFont(BytesIO(path.read_bytes()), lazy=True) as font:
            em = font["head"].unitsPerEm
            glyphs = font["hmtx"].metrics
            characters = font.getBestCmap()
            ascent, descent = font["hhea"].ascent, font["hhea"].descent
    except (TTLibError, OSError, KeyError) as error:
        raise WorldError(
            f"font {path.name}",
            seen=f"{type(error).__name__}: {error}",
            expected="a TrueType font",
            remedy="make setup",
        ) from error
    return Face(
        path=path,
        ascent=ascent / em,
        descent=-descent / em,
        missing=glyphs[".notdef"][0] / em,
        advances={code: glyphs[name][0] / em for code, name in characters.items()},
    )


@cache
def face(family: Family, weight: Weight) -> Face:
    """The measured face of a family and weight, read once.

    Raises:
        WorldError: If the font file is missing or broken.
    """
    return read_face(font_path(family, weight))


@lru_cache(maxsize=65536)
def width(text: str, family: Family, weight: Weight) -> float:
    """Width of a text in one line, in em: the sum of its advances.

    Raises:
        WorldError: If the font file is missing or broken.
    """
    it = face(family, weight)
    return sum(it.advances.get(ord(letter), it.missing) for letter in text)


@lru_cache(maxsize=65536)
def layout(text: str, family: Family, weight: Weight, room: float) -> tuple[Line, ...]:
    """Break a text into lines by words, first fit.

    A word that is wider than the room stands alone and runs over it. Every line feed
    opens a paragraph.

    Args:
        text: What is to be set, in its final case.
        family: Font family.
        weight: Font weight.
        room: Longest line, in em.

    Returns:
        The lines from top to bottom, each with its width in em.
    """
    blank = width(" ", family, weight)
    lines = []
    for paragraph in text.split("\n"):
        words: list[str] = []
        used, opens = 0.0, True
        for word in paragraph.split():
            extent = width(word, family, weight)
            if words and used + blank + extent > room + 1e-6:
                lines.append(Line(" ".join(words), used, opens))
                words, used, opens = [], 0.0, False
            used += blank + extent if words else extent
            words.append(word)
        lines.append(Line(" ".join(words), used, opens))
    return tuple(lines)


@lru_cache(maxsize=16384)
def cased(text: str, case: str) -> str:
    """The text in its case: `upper`, `title`, or as it is."""
    if case == "upper":
        return text.upper()
    if case == "title":
        return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))
    return text
