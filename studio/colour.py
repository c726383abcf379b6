"""Colours: parsing, contrast and compositing, through coloraide and memoised.

Contrast is that of WCAG 2.x, success criterion 1.4.3.
"""

from functools import lru_cache

from coloraide import Color

Rgb = tuple[float, float, float]
"""Red, green, blue, each in [0, 1]."""

BLACK = "#000000"
WHITE = "#ffffff"


@lru_cache(maxsize=8192)
def parse(text: str) -> str | None:
    """A colour in any CSS notation as `#rrggbb`; None if it is none or sees through."""
    found = Color.match(text.strip(), fullmatch=True)
    if found is None or found.color.alpha() < 1:
        return None
    return hex_of(_clipped(found.color))


def _clipped(colour: Color) -> Rgb:
    red, green, blue = colour.convert("srgb").fit("srgb").coords(nans=False)
    return red, green, blue


@lru_cache(maxsize=65536)
def rgb(colour: str) -> Rgb:
    """The channels of a `#rrggbb`."""
    return (
        int(colour[1:3], 16) / 255,
        int(colour[3:5], 16) / 255,
        int(colour[5:7], 16) / 255,
    )


def hex_of(channels: Rgb) -> str:
    """`#rrggbb` of channels in [0, 1]; those outside are cut off."""
    red, green, blue = (round(255 * min(1.0, max(0.0, each))) for each in channels)
    return f"#{red:02x}{green:02x}{blue:02x}"


@lru_cache(maxsize=65536)
def luminance(colour: str) -> float:
    """Relative luminance of a colour, in [0, 1]; memoised, as coloraide is slow."""
    return float(Color(colour).luminance())


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, in [1, 21].

    Args:
        one: A colour as `#rrggbb`.
        other: Another one; the order does not matter.
    Source:
        WCAG 2.2, "contrast ratio", of the luminances that coloraide gives.
    """
    first, second = luminance(one), luminance(other)
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


@lru_cache(maxsize=65536)
def over(top: str, below: str, opacity: float) -> str:
    """What is seen of a colour of some opacity laid over another one."""
    if opacity >= 1:
        return top
    if opacity <= 0:
        return below
    pairs = zip(rgb(top), rgb(below), strict=True)
    red, green, blue = (opacity * a + (1 - opacity) * b for a, b in pairs)
    return hex_of((red, green, blue))


@lru_cache(maxsize=16384)
def distance(one: str, other: str) -> float:
    """How different two colours look (delta E 2000; 1 is just noticeable)."""
    return float(Color(one).delta_e(other, method="2000"))


def best_contrast(background: str, candidates: tuple[str, ...] = (BLACK, WHITE)) -> str:
    """The candidate that stands out most from the background; the first if equal."""
    return max(candidates, key=lambda colour: contrast(colour, background))
