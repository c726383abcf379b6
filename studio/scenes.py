"""What the studio's pictures show: formulas of position, a seed, a hue and a tone.

Every scene takes points and gives their colours; x runs from 0 to the picture's
ratio, y from 0 to 1, so that round things are round. `studio.assets` says which name
shows which scene.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.float64]
"""Shape (rows, columns, 3), each channel in [0, 1]."""
Plane = NDArray[np.float64]
"""Shape (rows, columns)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Where a scene is looked at, and what it depends on."""

    x: Plane
    y: Plane
    ratio: float
    """Width over height."""
    hue: float
    tone: float
    """Lightness of the whole, about 0.3 for dark and 0.8 for light."""
    soft: float
    """Width of an edge, as a share of the height."""

    def tint(self, turn: float, saturation: float, value: float) -> Pixels:
        """A colour `turn` of the circle from the scene's hue, of its tone."""
        corner = (np.array([5.0, 3.0, 1.0]) + (self.hue + turn) * 6) % 6
        dip = np.clip(np.minimum(corner, 4 - corner), 0, 1)
        colour: Pixels = np.clip(self.tone * value * (1 - saturation * dip), 0, 1)
        return colour

    def inside(self, distance: Plane) -> Plane:
        """1 where a signed distance is negative, 0 where positive, soft between."""
        share: Plane = np.clip(0.5 - distance / self.soft, 0, 1)
        return share

    def plain(self, colour: Pixels) -> Pixels:
        """One colour everywhere."""
        return np.broadcast_to(colour, (*self.x.shape, 3))

    def disc(self, x: float, y: float, radius: float) -> Plane:
        """A disc."""
        return self.inside(np.hypot(self.x - x, self.y - y) - radius)

    def block(self, left: float, top: float, right: float, bottom: float) -> Plane:
        """An upright rectangle."""
        across = np.maximum(left - self.x, self.x - right)
        return self.inside(
            np.maximum(across, np.maximum(top - self.y, self.y - bottom))
        )


Scene = Callable[[np.random.Generator, Points], Pixels]


def mix(base: Pixels, colour: Pixels, share: Plane) -> Pixels:
    """A colour laid over a picture, as strongly as `share` says."""
    mixed: Pixels = base + (colour - base) * share[..., None]
    return mixed


def _sky(at: Points) -> Pixels:
    high, low = at.tint(0, 0.55, 1.0), at.tint(0.1, 0.3, 1.3)
    sky: Pixels = high + (low - high) * at.y[..., None]
    return sky


def landscape(rng: np.random.Generator, at: Points) -> Pixels:
    """A sky, a sun and three ranges of hills."""
    x, y = rng.uniform(0.2, 0.8) * at.ratio, rng.uniform(0.2, 0.4)
    far = np.hypot(at.x - x, at.y - y)
    base = mix(_sky(at), at.tint(0.1, 0.2, 1.5), np.exp(-far * 6) * 0.7)
    base = mix(base, at.tint(0.12, 0.08, 1.9), at.disc(x, y, 0.07))
    for step in range(3):
        waves, starts = rng.uniform(1.5, 5, size=3), rng.uniform(0, 6.3, size=3)
        ridge = 0.55 + 0.14 * step
        for k in range(3):
            ridge = ridge + 0.05 / (k + 1) * np.sin(
                waves[k] * (k + 1) * at.x + starts[k]
            )
        base = mix(
            base, at.tint(0.05 * step, 0.5, 0.8 - 0.2 * step), at.inside(ridge - at.y)
        )
    return base


def skyline(rng: np.random.Generator, at: Points) -> Pixels:
    """Two rows of houses before a sky, some windows lit."""
    base = mix(_sky(at), at.tint(0.1, 0.1, 1.6), at.disc(0.75 * at.ratio, 0.22, 0.06))
    for row, (low, high) in enumerate(((0.3, 0.6), (0.5, 0.8))):
        left = -0.05
        while left < at.ratio:
            wide = rng.uniform(0.08, 0.2)
            top = rng.uniform(low, high)
            wall = at.tint(0.03, 0.45, 0.62 - 0.27 * row)
            base = mix(base, wall, at.block(left, top, left + wide * 0.96, 1.1))
            if row:
                across = ((at.x - left) / 0.035) % 1
                down = ((at.y - top) / 0.05) % 1
                panes = (
                    (across > 0.35) & (across < 0.75) & (down > 0.35) & (down < 0.75)
                )
                within = at.block(left + 0.01, top + 0.02, left + wide - 0.02, 0.97)
                base = mix(base, at.tint(0.45, 0.35, 1.3), panes * within * 0.8)
            left += wide
    return base


def product(rng: np.random.Generator, at: Points) -> Pixels:
    """A round thing on a table before a plain wall."""
    wall, table = at.tint(0, 0.22, 1.2), at.tint(0.04, 0.4, 0.85)
    edge, wide = rng.uniform(0.62, 0.7), rng.uniform(0.2, 0.26)
    middle = rng.uniform(0.4, 0.6) * at.ratio
    base = mix(at.plain(wall), table, at.inside(edge - at.y))
    shade = np.hypot((at.x - middle - 0.06) / (wide * 1.2), (at.y - edge - 0.12) / 0.05)
    base = mix(base, table * 0.5, np.clip((1 - shade) * 3, 0, 0.7))
    x, y = middle, edge + 0.1 - wide
    base = mix(base, at.tint(0.5, 0.65, 1.1), at.disc(x, y, wide))
    light = np.hypot(at.x - x + wide * 0.4, at.y - y + wide * 0.4)
    return mix(base, at.tint(0.5, 0.1, 1.7), np.exp(-light * 12) * at.disc(x, y, wide))


def box(rng: np.random.Generator, at: Points) -> Pixels:
    """A parcel with a ribbon on a table."""
    base = mix(
        at.plain(at.tint(0, 0.18, 1.2)),
        at.tint(0.03, 0.35, 0.9),
        at.inside(0.68 - at.y),
    )
    middle, half = 0.5 * at.ratio, rng.uniform(0.2, 0.26)
    base = mix(
        base,
        at.tint(0, 0.4, 0.5),
        at.block(middle - half, 0.76, middle + half + 0.08, 0.82) * 0.6,
    )
    base = mix(
        base,
        at.tint(0.45, 0.55, 1.05),
        at.block(middle - half, 0.36, middle + half, 0.8),
    )
    base = mix(
        base,
        at.tint(0.45, 0.45, 1.2),
        at.block(middle - half - 0.02, 0.3, middle + half + 0.02, 0.42),
    )
    base = mix(
        base,
        at.tint(0.95, 0.7, 1.0),
        at.block(middle - 0.035, 0.3, middle + 0.035, 0.8),
    )
    for side in (-1, 1):
        base = mix(
            base, at.tint(0.95, 0.7, 1.0), at.disc(middle + side * 0.055, 0.26, 0.05)
        )
    return base


def shelves(rng: np.random.Generator, at: Points) -> Pixels:
    """Rows of coloured things on shelves."""
    base = at.plain(at.tint(0, 0.15, 1.15))
    for foot in (0.32, 0.64, 0.96):
        left = 0.04
        while left < at.ratio - 0.06:
            wide, tall = rng.uniform(0.05, 0.13), rng.uniform(0.1, 0.24)
            colour = at.tint(rng.uniform(0, 0.6), 0.55, rng.uniform(0.7, 1.15))
            base = mix(base, colour, at.block(left, foot - tall, left + wide, foot))
            left += wide + 0.015
        base = mix(base, at.tint(0.03, 0.4, 0.6), at.block(-1, foot, 9, foot + 0.025))
    return base


def awnings(rng: np.random.Generator, at: Points) -> Pixels:
    """A market stall: a striped roof, a counter and fruit."""
    base = mix(_sky(at), at.tint(0.02, 0.2, 0.85), at.inside(0.3 - at.y))
    stripe = np.floor(at.x / 0.09) % 2
    drop = 0.3 + 0.035 * np.abs(np.sin(at.x / 0.09 * np.pi))
    roof = at.inside(np.maximum(0.1 - at.y, at.y - drop))
    base = mix(base, at.tint(0.5, 0.65, 1.1), roof)
    base = mix(base, at.tint(0.1, 0.06, 1.5), roof * stripe)
    base = mix(base, at.tint(0.05, 0.5, 0.6), at.block(-1, 0.72, 9, 1.1))
    x = 0.06
    while x < at.ratio:
        colour = at.tint(rng.uniform(0.3, 0.9), 0.65, rng.uniform(0.9, 1.3))
        base = mix(base, colour, at.disc(x, 0.68 - rng.uniform(0, 0.03), 0.05))
        x += 0.085
    return base


def stage(rng: np.random.Generator, at: Points) -> Pixels:
    """A dark stage with beams of light and a curtain at either side."""
    base = mix(
        at.plain(at.tint(0, 0.5, 0.55)),
        at.tint(0.02, 0.45, 0.8),
        at.inside(0.78 - at.y),
    )
    for share in (0.25, 0.5, 0.75):
        foot = (share + rng.uniform(-0.12, 0.12)) * at.ratio
        line = share * at.ratio + (foot - share * at.ratio) * at.y
        beam = np.clip(1 - np.abs(at.x - line) / (0.02 + 0.16 * at.y), 0, 1)
        base = mix(
            base, at.tint(rng.uniform(0, 0.3), 0.3, 2.0), beam * (1 - 0.6 * at.y) * 0.7
        )
    folds = 0.8 + 0.2 * np.sin(at.x * 60)
    side = np.minimum(at.x, at.ratio - at.x) - 0.12 * at.ratio
    return mix(base, at.tint(0.93, 0.75, 0.9) * folds[..., None], at.inside(side))


def people(rng: np.random.Generator, at: Points) -> Pixels:
    """Heads and shoulders, row behind row."""
    base = mix(_sky(at), at.tint(0.05, 0.25, 1.2), at.inside(0.5 - at.y) * 0.5)
    for row, foot in enumerate((0.7, 0.85, 1.0)):
        x = rng.uniform(-0.05, 0.05)
        while x < at.ratio + 0.1:
            colour = at.tint(rng.uniform(0, 0.4), 0.5, 0.95 - 0.22 * row)
            head = foot - 0.17 + rng.uniform(-0.02, 0.02)
            base = mix(base, colour, at.disc(x, head, 0.05))
            base = mix(base, colour, at.disc(x, head + 0.17, 0.1))
            x += rng.uniform(0.17, 0.24)
    return base


def portrait(rng: np.random.Generator, at: Points) -> Pixels:
    """One head and shoulders before a lit wall."""
    middle = rng.uniform(0.45, 0.55) * at.ratio
    far = np.hypot(at.x - middle, at.y - 0.35)
    base = mix(
        at.plain(at.tint(0, 0.4, 0.85)), at.tint(0.06, 0.2, 1.35), np.exp(-far * 2.5)
    )
    size = 0.15 * min(1.0, at.ratio * 1.4)
    coat, skin, hair = (
        at.tint(0.45, 0.5, 0.7),
        at.tint(0.08, 0.35, 1.25),
        at.tint(0.5, 0.5, 0.4),
    )
    base = mix(base, coat, at.disc(middle, 0.98, size * 2.1))
    base = mix(base, hair, at.disc(middle, 0.4, size * 1.12))
    base = mix(
        base, skin, at.block(middle - size * 0.4, 0.45, middle + size * 0.4, 0.72)
    )
    return mix(base, skin, at.disc(middle, 0.45, size))


def arches(rng: np.random.Generator, at: Points) -> Pixels:
    """A hall: a row of arches with light behind, and a floor."""
    base = at.plain(at.tint(0, 0.25, 1.1))
    step = rng.uniform(0.34, 0.42)
    local = (at.x + rng.uniform(0, step)) % step - step / 2
    half = step * 0.34
    door = np.maximum(np.abs(local) - half, 0.42 - at.y)
    opening = np.minimum(door, np.hypot(local, at.y - 0.42) - half)
    glow = (
        at.tint(0.1, 0.3, 1.5)
        + (at.tint(0.05, 0.4, 0.9) - at.tint(0.1, 0.3, 1.5)) * at.y[..., None]
    )
    base = mix(base, at.tint(0, 0.35, 0.7), at.inside(opening - 0.02))
    base = mix(base, glow, at.inside(opening))
    floor = at.tint(0.04, 0.4, 0.65)
    return mix(base, floor, at.inside(0.82 - at.y))


def texture(rng: np.random.Generator, at: Points) -> Pixels:
    """Soft diagonal bands, close in colour."""
    lean, count = rng.uniform(0.4, 1.1), rng.uniform(2, 4)
    wave = np.sin((at.x + lean * at.y) * count * np.pi + rng.uniform(0, 6))
    base = mix(
        at.plain(at.tint(0, 0.45, 1.1)), at.tint(0.05, 0.5, 0.9), 0.5 + 0.5 * wave
    )
    grain = np.sin(at.x * 211.7 + np.sin(at.y * 173.3) * 2) * np.sin(at.y * 191.1)
    grained: Pixels = np.clip(base + 0.025 * grain[..., None], 0, 1)
    return grained


def logo(rng: np.random.Generator, at: Points) -> Pixels:
    """A ring with a notch and three bars, on a light plate."""
    ink = at.tint(0, 0.8, 1.0) * (0.35 / at.tone)
    base = at.plain(np.full(3, 0.97))
    far = np.hypot(at.x - 0.5, at.y - 0.5)
    ring = at.inside(np.abs(far - 0.26) - 0.075)
    notch = at.block(0.5, 0.4, 1.0, 0.6)
    base = mix(base, ink, ring * (1 - notch))
    for row, end in enumerate(rng.uniform(1.9, 2.8, size=3)):
        middle = 0.28 + 0.22 * row
        base = mix(base, ink, at.block(1.1, middle - 0.055, end, middle + 0.055))
    return base


def code(rng: np.random.Generator, at: Points) -> Pixels:
    """A square code in look only: three finders and seeded modules on white."""
    modules = rng.integers(0, 2, size=(25, 25)).astype(np.float64)
    finder = np.zeros((8, 8))
    finder[:7, :7] = 1
    finder[1:6, 1:6] = 0
    finder[2:5, 2:5] = 1
    modules[:8, :8] = finder
    modules[:8, -8:] = finder[:, ::-1]
    modules[-8:, :8] = finder[::-1]
    modules = np.pad(modules, 2)
    rows = np.clip((at.y * len(modules)).astype(int), 0, len(modules) - 1)
    columns = np.clip((at.x * len(modules)).astype(int), 0, len(modules) - 1)
    return np.repeat(1 - modules[rows, columns][..., None] * 0.93, 3, axis=2)
