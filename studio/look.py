"""Looking at a board: what is seen of an element, behind it and over it.

Geometry and sampled colours only; nothing is rendered. A `Look` remembers what it
worked out, so one is made for all requirements of a brief.
"""

from functools import cached_property
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from studio.assets import asset, mean_colour
from studio.canvas import Board, Box, Element
from studio.colour import contrast, over
from studio.scenes import Plane

CELLS = 32
"""Cells a side of the small raster."""
_INSETS = ((0.5, 0.5), (0.06, 0.12), (0.94, 0.12), (0.06, 0.88), (0.94, 0.88))
_NEAR = 0.06  # of a picture: half the width of the spot that a sample averages


def overlap(one: Box, other: Box) -> float:
    """Area that two boxes share, in square px."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0


def area(box: Box) -> float:
    """Area of a box, in square px."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def painted(element: Element) -> Box:
    """Where a picture or shape is painted: `contain` leaves room in its box."""
    if element.kind != "image" or element.fit != "contain":
        return element.box
    ratio = asset(element.asset).ratio
    width = min(element.w, element.h * ratio)
    height = width / ratio
    left = element.x + (element.w - width) / 2
    top = element.y + (element.h - height) / 2
    return left, top, left + width, top + height


def source(element: Element) -> Box:
    """The part of the asset that is shown, as shares of its width and height."""
    if element.fit != "cover" or element.w <= 0 or element.h <= 0:
        return 0.0, 0.0, 1.0, 1.0
    ratio, box = asset(element.asset).ratio, element.w / element.h
    across, down = min(1.0, box / ratio), min(1.0, ratio / box)
    left, top = (1 - across) / 2, (1 - down) / 2
    return left, top, left + across, top + down


def has_body(element: Element) -> bool:
    """It covers what lies below it, as text without a plate does not."""
    return element.kind == "image" or bool(element.fill)


def colour_at(element: Element, x: float, y: float) -> str | None:
    """Colour of an element's body at a point, as `#rrggbb`; None: not there."""
    left, top, right, bottom = painted(element)
    if not (left <= x <= right and top <= y <= bottom and has_body(element)):
        return None
    across = (x - left) / ((right - left) or 1)
    down = (y - top) / ((bottom - top) or 1)
    if element.kind == "ellipse" and (across - 0.5) ** 2 + (down - 0.5) ** 2 > 0.25:
        return None
    if element.kind == "image":
        part = source(element)
        u = part[0] + across * (part[2] - part[0])
        v = part[1] + down * (part[3] - part[1])
        near = (u - _NEAR, v - _NEAR, u + _NEAR, v + _NEAR)
        return mean_colour(element.asset, near)
    if element.fill_end:
        return over(element.fill_end, element.fill, ramp(element.angle, across, down))
    return element.fill


def ramp(angle: float, across: float, down: float) -> float:
    """Share of the way from a gradient's start to its end, in [0, 1]."""
    dx, dy = cos(radians(angle)), sin(radians(angle))
    way = (across - 0.5) * dx + (down - 0.5) * dy
    return round(min(1.0, max(0.0, 0.5 + way / (abs(dx) + abs(dy)))), 3)


def ramp_plane(angle: float, across: Plane, down: Plane) -> Plane:
    """`ramp` for many points at once, for rendering."""
    dx, dy = cos(radians(angle)), sin(radians(angle))
    way = (across - 0.5) * dx + (down - 0.5) * dy
    return np.clip(0.5 + way / (abs(dx) + abs(dy)), 0, 1)


class Backdrop:
    """What lies behind a box: its colours, and whose work the topmost of it is."""

    __slots__ = ("colours", "subtask", "turn")

    def __init__(self, colours: tuple[str, ...], subtask: str, turn: int) -> None:
        self.colours = colours
        """At one point, or at five if it is not plain."""
        self.subtask = subtask
        self.turn = turn
        """When that was last changed."""


class Look:
    """A board as it is seen; the board must not change while one is used."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._inks: dict[str, Box] = {}

    def ink(self, element: Element) -> Box:
        """`Element.ink`, remembered; of a picture, where it is painted."""
        box = self._inks.get(element.role)
        if box is None:
            box = painted(element) if element.kind == "image" else element.ink()
            self._inks[element.role] = box
        return box

    def around(self, elements: list[Element]) -> Box:
        """The smallest box around what is seen of the elements."""
        if len(elements) == 1:
            return self.ink(elements[0])
        boxes = [self.ink(element) for element in elements]
        return (
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        )

    @cached_property
    def content(self) -> list[Element]:
        """What is not background and not a scrim, the lowest first."""
        return [
            e for e in self.board.elements if e.layer != "background" and not e.behind
        ]

    def backdrop(self, box: Box, below: Element | None = None) -> Backdrop:
        """What is seen behind a box.

        Args:
            box: The part of the board.
            below: Only what lies below this element; None: everything.
        """
        board = self.board
        stack: list[Element] = []
        plain = True
        for element in reversed(self._under(below)):
            if not has_body(element) or not overlap(box, element.box):
                continue
            stack.append(element)
            whole = _within(box, element.box) and element.kind not in (
                "ellipse",
                "image",
            )
            plain = plain and whole and not element.fill_end
            if whole and element.opacity >= 1:
                break
        points = _INSETS[:1] if plain else _INSETS
        width, height = box[2] - box[0], box[3] - box[1]
        colours = []
        for across, down in points:
            x, y = box[0] + across * width, box[1] + down * height
            colour = board.background
            for element in reversed(stack):
                found = colour_at(element, x, y)
                if found is not None:
                    colour = over(found, colour, element.opacity)
            colours.append(colour)
        if not stack:
            return Backdrop(tuple(colours), board.background_by, board.background_set)
        return Backdrop(tuple(colours), stack[0].subtask, stack[0].turn)

    def _under(self, below: Element | None) -> list[Element]:
        elements = self.board.elements
        if below is None:
            return elements
        for place, element in enumerate(elements):
            if element is below:
                return elements[:place]
        return elements

    def contrast(self, element: Element) -> tuple[float, Backdrop]:
        """Lowest contrast ratio of an element with what lies behind, in [1, 21].

        Of a text with a plate, that of the text with the plate.
        """
        if element.kind == "text":
            box, colour = element.text_box(), element.colour
        else:
            box, colour = self.ink(element), element.fill
        back = self.backdrop(box, element)
        if element.kind == "text" and element.fill:
            behind = tuple(over(element.fill, c, element.opacity) for c in back.colours)
            back = Backdrop(behind, element.styler, element.styled)
        elif element.kind == "image":
            colour = mean_colour(element.asset)
        return self.lowest(colour, element.opacity, back), back

    @staticmethod
    def lowest(colour: str, opacity: float, back: Backdrop) -> float:
        """Lowest contrast ratio of a colour with a backdrop, in [1, 21]."""
        return min(contrast(over(colour, each, opacity), each) for each in back.colours)

    def plate_contrast(self, element: Element) -> float:
        """Contrast ratio of a body, or of bare text, with what lies behind."""
        if element.kind != "text" or not element.fill:
            return self.contrast(element)[0]
        return self.lowest(
            element.fill, element.opacity, self.backdrop(element.box, element)
        )

    def hidden(self, element: Element) -> tuple[float, Element | None]:
        """Share of an element that another covers, and the one that covers most."""
        box = self.ink(element)
        whole = area(box)
        most, by, above = 0.0, None, False
        for other in self.board.elements:
            if other is element:
                above = True
            elif above and other.opacity >= 0.5 and has_body(other):
                share = overlap(box, painted(other)) / whole if whole else 0.0
                if share > most:
                    most, by = share, other
        return most, by

    def ink_cells(self) -> NDArray[np.bool_]:
        """Which cells of a small raster have content on them, shape (CELLS, CELLS)."""
        cells = np.zeros((CELLS, CELLS), dtype=np.bool_)
        for element in self.content:
            left, top, right, bottom = self.ink(element)
            across, down = CELLS / self.board.width, CELLS / self.board.height
            first, last = max(0, round(left * across)), max(0, round(right * across))
            upper, lower = max(0, round(top * down)), max(0, round(bottom * down))
            cells[upper:lower, first:last] = True
        return cells


def _within(inner: Box, outer: Box) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )
