"""The pictures of the studio: made from their names, never read from a file.

One function of name and position gives the colour of a point; rendering evaluates it
finely, checks coarsely, so both see the same picture. A name may fix its size in px,
as in `harbour@1600x900`, and hint at its tone with the words `dark` or `light`; names
that start with `stock` are large. Nothing here is a photograph.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from skillbank.codec import seed_of
from studio.colour import hex_of

Pixels = NDArray[np.float64]
"""Shape (rows, columns, 3), each channel in [0, 1]."""
Plane = NDArray[np.float64]

_GRID = 24  # cells a side of the coarse picture that checks look at
_SIZE = re.compile(r"@(\d{2,5})x(\d{2,5})$")
_RATIOS = ((3, 2), (4, 3), (1, 1), (2, 3), (16, 9), (4, 5))
_LONG = (900, 1200, 1400, 1800)  # px of the longer side
_STOCK = 4200


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


@lru_cache(maxsize=512)
def _means(name: str) -> tuple[tuple[tuple[float, float, float], ...], ...]:
    """Sums over the cells above and left of each grid corner, by channel."""
    steps = (np.arange(_GRID) + 0.5) / _GRID
    across, down = np.meshgrid(steps, steps)
    sums = np.zeros((_GRID + 1, _GRID + 1, 3))
    sums[1:, 1:] = pixels(name, across, down).cumsum(axis=0).cumsum(axis=1)
    return tuple(tuple((c[0], c[1], c[2]) for c in row) for row in sums.tolist())


def mean_colour(
    name: str, left: float = 0.0, top: float = 0.0, right: float = 1.0, bottom: float = 1.0
) -> str:
    """Mean colour of a part of a picture as `#rrggbb`.

    Args:
        name: The asset.
        left: Where the part begins, share of the picture's width; likewise the rest.
        top: Share of the height.
        right: Share of the width.
        bottom: Share of the height.
    """
    sums = _means(name)
    first_column, last_column = _cells(left, right)
    first_row, last_row = _cells(top, bottom)
    n = (last_column - first_column) * (last_row - first_row)
    a, b = sums[last_row][last_column], sums[first_row][first_column]
    c, d = sums[last_row][first_column], sums[first_row][last_column]
    red, green, blue = ((a[i] + b[i] - c[i] - d[i]) / n for i in range(3))
    return hex_of((red, green, blue))


def _cells(start: float, end: float) -> tuple[int, int]:
    first = min(_GRID - 1, max(0, int(start * _GRID)))
    last = min(_GRID, max(first + 1, round(end * _GRID)))
    return first, last


def pixels(name: str, across: Plane, down: Plane) -> Pixels:
    """Colours of a picture at given points.

    Args:
        name: The asset.
        across: Points from left (0) to right (1), shape (rows, columns).
        down: Points from top (0) to bottom (1), same shape.
    """
    rng = np.random.default_rng(seed_of("asset", name))
    tone = 0.3 if "dark" in name else 0.8 if "light" in name else rng.uniform(0.35, 0.7)
    hue = rng.uniform(0, 1)
    for word, draw in _SCENES.items():
        if word in name:
            return draw(rng, hue, tone, across, down)
    scenes = (_landscape, _product, _texture)
    return scenes[rng.integers(len(scenes))](rng, hue, tone, across, down)


def _mix(base: Pixels, colour: Pixels, share: Plane) -> Pixels:
    mixed: Pixels = base + (colour - base) * share[..., None]
    return mixed


def _tint(hue: float, saturation: float, value: float) -> Pixels:
    """An HSV colour; hue, saturation and value in [0, 1]."""
    corner = (np.array([5.0, 3.0, 1.0]) + hue * 6) % 6
    dip = np.clip(np.minimum(corner, 4 - corner), 0, 1)
    tint: Pixels = value * (1 - saturation * dip)
    return tint


def _landscape(
    rng: np.random.Generator, hue: float, tone: float, across: Plane, down: Plane
) -> Pixels:
    """A sky, a sun and three ranges of hills."""
    high, low = _tint(hue, 0.55, tone * 1.05), _tint(hue + 0.12, 0.35, tone * 1.3)
    base = high + (low - high) * down[..., None]
    centre, height = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.45)
    far = np.hypot(across - centre, (down - height) * 1.0)
    base = _mix(base, _tint(hue + 0.1, 0.2, tone * 1.5), np.exp(-far * 6) * 0.8)
    base = _mix(base, _tint(hue + 0.1, 0.12, 1.0), np.clip((0.08 - far) * 80, 0, 1))
    for step in range(3):
        level = 0.55 + 0.14 * step
        waves = rng.uniform(2, 7, size=3)
        starts = rng.uniform(0, 6.3, size=3)
        ridge = level + sum(
            0.05 / (k + 1) * np.sin(waves[k] * (k + 1) * across + starts[k])
            for k in range(3)
        )
        hill = _tint(hue + 0.05 * step, 0.5, tone * (0.75 - 0.2 * step))
        base = _mix(base, hill, np.clip((down - ridge) * 160, 0, 1))
    return np.clip(base, 0, 1)


def _product(
    rng: np.random.Generator, hue: float, tone: float, across: Plane, down: Plane
) -> Pixels:
    """A round thing on a table before a plain wall."""
    wall, table = _tint(hue, 0.25, tone * 1.2), _tint(hue + 0.04, 0.4, tone * 0.85)
    edge = rng.uniform(0.62, 0.74)
    base = _mix(wall + 0 * down[..., None], table, np.clip((down - edge) * 120, 0, 1))
    middle, wide = rng.uniform(0.35, 0.65), rng.uniform(0.18, 0.26)
    shade = np.hypot((across - middle - 0.05) / (wide * 1.3), (down - edge - 0.1) / 0.05)
    base = _mix(base, table * 0.5, np.clip((1 - shade) * 3, 0, 0.7))
    far = np.hypot((across - middle) / wide, (down - edge + 0.12) / (wide * 1.1))
    body = _tint(hue + 0.5, 0.65, tone * 1.1)
    base = _mix(base, body, np.clip((1 - far) * 40, 0, 1))
    light = np.hypot(across - middle + wide * 0.4, down - edge + 0.12 + wide * 0.4)
    base = _mix(base, _tint(hue + 0.5, 0.2, 1.0), np.exp(-light * 14) * (far < 1) * 0.8)
    return np.clip(base, 0, 1)


def _texture(
    rng: np.random.Generator, hue: float, tone: float, across: Plane, down: Plane
) -> Pixels:
    """Soft diagonal bands."""
    lean, count = rng.uniform(0.3, 1.2), rng.uniform(3, 7)
    wave = np.sin((across + lean * down) * count * np.pi + rng.uniform(0, 6))
    wave = 0.5 + 0.5 * np.tanh(wave * 3)
    base = _tint(hue, 0.45, tone * 1.15) + 0 * down[..., None]
    base = _mix(base, _tint(hue + 0.06, 0.5, tone * 0.85), wave)
    return np.clip(base, 0, 1)


def _logo(
    rng: np.random.Generator, hue: float, tone: float, across: Plane, down: Plane
) -> Pixels:
    """A ring with a notch and three bars, on a light plate."""
    ink = _tint(hue, 0.8, 0.35)
    base = np.full((*down.shape, 3), 0.97)
    far = np.hypot((across - 1 / 6) * 3, down - 0.5)
    ring = np.clip(1 - np.abs(far - 0.26) * 14 + 0.4, 0, 1)
    notch = (across * 3 - 0.5 > 0) & (np.abs(down - 0.5) < 0.1)
    base = _mix(base, ink, np.where(notch, 0.0, ring))
    for row, end in enumerate(rng.uniform(0.6, 0.95, size=3)):
        bar = (across > 0.36) & (across < end) & (np.abs(down - 0.28 - 0.22 * row) < 0.06)
        base = _mix(base, ink, bar.astype(np.float64))
    return base


def _code(
    rng: np.random.Generator, hue: float, tone: float, across: Plane, down: Plane
) -> Pixels:
    """A square code in look only: three finders and seeded modules on white."""
    side, quiet = 25, 2
    modules = rng.integers(0, 2, size=(side, side)).astype(np.float64)
    finder = np.zeros((8, 8))
    finder[:7, :7] = 1
    finder[1:6, 1:6] = 0
    finder[2:5, 2:5] = 1
    modules[:8, :8] = finder
    modules[:8, -8:] = finder[:, ::-1]
    modules[-8:, :8] = finder[::-1]
    modules = np.pad(modules, quiet)
    rows = np.clip((down * len(modules)).astype(int), 0, len(modules) - 1)
    columns = np.clip((across * len(modules)).astype(int), 0, len(modules) - 1)
    return np.repeat(1 - modules[rows, columns][..., None] * 0.93, 3, axis=2)


_Scene = Callable[[np.random.Generator, float, float, Plane, Plane], Pixels]
_SCENES: Mapping[str, _Scene] = {
    "qr:": _code,
    "logo": _logo,
    "texture": _texture,
    "pattern": _texture,
    "product": _product,
}
