"""The pictures of the studio: made from their names, never read from a file.

One function of name and position gives the colour of a point; rendering evaluates it
finely, checks coarsely, so both see the same picture. A name may fix its size in px,
as in `harbour@1600x900`, and hint at its tone with the words `dark` or `light` and at
what it shows with others; names that start with `stock` are large.
Nothing here is a photograph.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from skillbank.codec import seed_of
from studio import scenes
from studio.colour import hex_of
from studio.scenes import Pixels, Plane, Points, Scene

_GRID = 24  # cells a side of the coarse picture that checks look at
_SIZE = re.compile(r"@([1-9]\d{1,4})x([1-9]\d{1,4})$", re.ASCII)
_RATIOS = ((3, 2), (4, 3), (1, 1), (2, 3), (16, 9), (4, 5))
_LONG = (900, 1200, 1400, 1800)  # px of the longer side
_STOCK = 4200

_SCENES: Mapping[str, Scene] = {
    "qr:": scenes.code,
    "logo": scenes.logo,
    "texture": scenes.texture,
    "pattern": scenes.texture,
    "shelf": scenes.shelves,
    "counter": scenes.shelves,
    "stall": scenes.awnings,
    "market": scenes.awnings,
    "box": scenes.box,
    "parcel": scenes.box,
    "product": scenes.product,
    "portrait": scenes.portrait,
    "crowd": scenes.people,
    "people": scenes.people,
    "rehearsal": scenes.people,
    "stage": scenes.stage,
    "concert": scenes.stage,
    "hall": scenes.arches,
    "foyer": scenes.arches,
    "window": scenes.arches,
    "skyline": scenes.skyline,
    "city": scenes.skyline,
    "street": scenes.skyline,
}
"""What a word in a name shows, the first that is found."""
_OTHERS: tuple[Scene, ...] = (scenes.landscape, scenes.skyline, scenes.product)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A picture's name and its size in px."""

    name: str
    width: int
    height: int

    @property
    def ratio(self) -> float:
        """Width over height."""
        return self.width / self.height


@lru_cache(maxsize=4096)
def asset(name: str) -> Asset:
    """The asset of this name; every name has one."""
    if name.startswith("qr:"):
        return Asset(name=name, width=4000, height=4000)
    fixed = _SIZE.search(name)
    if fixed:
        return Asset(name=name, width=int(fixed[1]), height=int(fixed[2]))
    if "logo" in name:
        return Asset(name=name, width=900, height=300)
    rng = np.random.default_rng(seed_of("asset size", name))
    across, down = _RATIOS[rng.integers(len(_RATIOS))]
    long = _STOCK if name.startswith("stock") else int(rng.choice(_LONG))
    unit = long / max(across, down)
    return Asset(name=name, width=round(across * unit), height=round(down * unit))


def pixels(name: str, across: Plane, down: Plane, fine: int = 400) -> Pixels:
    """Colours of a picture at given points.

    Args:
        name: The asset.
        across: Points from left (0) to right (1), shape (rows, columns).
        down: Points from top (0) to bottom (1), same shape.
        fine: Rows that the whole picture would have at this density; edges are
            one such row wide.
    """
    rng = np.random.default_rng(seed_of("asset", name))
    tone = 0.3 if "dark" in name else 0.78 if "light" in name else rng.uniform(0.4, 0.7)
    ratio = asset(name).ratio
    at = Points(
        x=across * ratio,
        y=down,
        ratio=ratio,
        hue=rng.uniform(0, 1),
        tone=tone,
        soft=1.5 / fine,
    )
    return np.clip(_scene(name, rng)(rng, at), 0, 1)


def _scene(name: str, rng: np.random.Generator) -> Scene:
    for word, scene in _SCENES.items():
        if word in name:
            return scene
    return _OTHERS[rng.integers(len(_OTHERS))]


@lru_cache(maxsize=512)
def _sums(name: str) -> tuple[tuple[tuple[float, float, float], ...], ...]:
    """Sums over the cells above and left of each grid corner, by channel."""
    steps = (np.arange(_GRID * 4) + 0.5) / (_GRID * 4)
    across, down = np.meshgrid(steps, steps)
    cells = pixels(name, across, down, fine=_GRID * 4)
    cells = cells.reshape(_GRID, 4, _GRID, 4, 3).mean(axis=(1, 3))
    sums = np.zeros((_GRID + 1, _GRID + 1, 3))
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    return tuple(tuple((c[0], c[1], c[2]) for c in row) for row in sums.tolist())


WHOLE = (0.0, 0.0, 1.0, 1.0)
"""All of a picture: left, top, right, bottom as shares of its width and height."""


def mean_colour(name: str, part: tuple[float, float, float, float] = WHOLE) -> str:
    """Mean colour of a part of a picture as `#rrggbb`.

    Args:
        name: The asset.
        part: Left, top, right, bottom as shares of the picture's width and height.
    """
    first_column, last_column = _cells(part[0], part[2])
    first_row, last_row = _cells(part[1], part[3])
    return _mean(name, first_column, first_row, last_column, last_row)


@lru_cache(maxsize=65536)
def _mean(name: str, left: int, top: int, right: int, bottom: int) -> str:
    sums = _sums(name)
    n = (right - left) * (bottom - top)
    a, b, c, d = (
        sums[bottom][right],
        sums[top][left],
        sums[bottom][left],
        sums[top][right],
    )
    red, green, blue = ((a[i] + b[i] - c[i] - d[i]) / n for i in range(3))
    return hex_of((red, green, blue))


def _cells(start: float, end: float) -> tuple[int, int]:
    first = min(_GRID - 1, max(0, int(start * _GRID)))
    return first, min(_GRID, max(first + 1, round(end * _GRID)))
