"""The drawing board: elements in painting order, and the kit that they should keep to.

A board is cheap and mutable while an attempt draws on it, and canonical JSON before
and after. It knows geometry and who changed what; it judges nothing and draws nothing.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Literal

from skillbank.codec import dump, fields_of
from studio.fonts import Family, Line, Weight, cased, layout

Shape = Literal["rect", "ellipse", "line", "text", "image"]
Layer = Literal["background", "content", "kit"]
Align = Literal["left", "centre", "right"]
Case = Literal["as-is", "upper", "title"]
Fit = Literal["cover", "contain", "stretch"]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in px of the board."""

_RANK: Mapping[Layer, int] = {"background": 0, "content": 1, "kit": 2}
_INDENT = 1.1  # em: room for the marker of a list item
LOGO = "logo"
"""Role of the logo; it lies on the kit layer."""
LEGAL = "legal"
"""Role of the legal line, which must not be deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a brand allows: colours, assets, type and margin."""

    name: str
    palette: Mapping[str, str]
    """Colour name to `#rrggbb`; `paper`, `ink` and `accent` are always there."""
    assets: tuple[str, ...] = ()
    """Names of the pictures that may be used, the logo among them."""
    logo: str = "kit-logo"
    """The asset that `place_logo` places."""
    font: Family = "sans"
    margin: float = 0.05
    """Safe margin, share of the board's shorter side."""

    def __post_init__(self) -> None:
        """Order the palette, so that whoever walks it meets one order."""
        object.__setattr__(self, "palette", dict(sorted(self.palette.items())))


@dataclass(slots=True, kw_only=True)
class Element:
    """One thing on the board; lengths in px, opacity in [0, 1]."""

    role: str
    """Unique on its board; `features.2` is the second part of `features`."""
    kind: Shape
    layer: Layer = "content"
    x: float = 0.0
    y: float = 0.0
    w: float = 0.0
    h: float = 0.0
    fill: str = ""
    """Of a shape, or of the plate behind a text; `#rrggbb`, empty: none."""
    fill_end: str = ""
    """End of a gradient from `fill`; empty: plain."""
    angle: float = 90.0
    """Of the gradient: 0 left to right, 90 top to bottom."""
    radius: float = 0.0
    opacity: float = 1.0
    text: str = ""
    """Paragraphs or list items are separated by a line feed."""
    colour: str = ""
    """Of the text, `#rrggbb`."""
    size: float = 0.0
    """Of the type: the em, in px."""
    font: Family = "sans"
    weight: Weight = "regular"
    align: Align = "left"
    middle: bool = False
    """The text is centred from top to bottom of its box."""
    leading: float = 1.2
    """Line height over type size."""
    case: Case = "as-is"
    marker: str = ""
    """Stands before each item of a list."""
    gap: float = 0.0
    """Between paragraphs or items, in px."""
    pad: float = 0.0
    """Between the plate's edge and the text, in px."""
    grows: bool = False
    """The box is always as tall as its text."""
    asset: str = ""
    fit: Fit = "cover"
    behind: str = ""
    """Role of the element that this one was made to lie behind (a scrim)."""
    maker: str = ""
    """Subtask that made it."""
    placer: str = ""
    """Subtask that last changed its place or size."""
    placed: int = 0
    """Turn of that change."""
    styler: str = ""
    """Subtask that last changed its colour or style."""
    styled: int = 0
    """Turn of that change."""

    @property
    def subtask(self) -> str:
        """The subtask that made or last changed it."""
        return self.placer if self.placed >= self.styled else self.styler

    @property
    def turn(self) -> int:
        """When it was last changed."""
        return self.placed if self.placed >= self.styled else self.styled

    @property
    def box(self) -> Box:
        """The box as it was placed."""
        return self.x, self.y, self.x + self.w, self.y + self.h

    @property
    def shown(self) -> str:
        """The text in its case, as it is read."""
        return cased(self.text, self.case)

    def lines(self) -> tuple[Line, ...]:
        """The text broken into lines for the box's width."""
        if not self.text or self.size <= 0:
            return ()
        room = (self.w - 2 * self.pad) / self.size - (_INDENT if self.marker else 0)
        return layout(self.shown, self.font, self.weight, round(room, 3))

    def indent(self) -> float:
        """How far the lines of a list are set in, in px."""
        return _INDENT * self.size if self.marker else 0.0

    def text_height(self) -> float:
        """Height of all lines and gaps, in px."""
        lines = self.lines()
        opens = sum(line.opens for line in lines)
        return len(lines) * self.size * self.leading + max(0, opens - 1) * self.gap

    def text_box(self) -> Box:
        """The smallest box around the lines, wherever they run to."""
        lines = self.lines()
        if not lines:
            return self.x, self.y, self.x, self.y
        width = max(line.width for line in lines) * self.size + self.indent()
        height = self.text_height()
        room = self.w - 2 * self.pad
        left = self.x + self.pad
        if self.align == "centre":
            left += (room - width) / 2
        elif self.align == "right":
            left += room - width
        top = self.y + ((self.h - height) / 2 if self.middle else self.pad)
        return left, top, left + width, top + height

    def ink(self) -> Box:
        """What an eye sees of it: the plate or shape, else the lines of the text."""
        if self.kind != "text" or self.fill:
            return self.box
        return self.text_box()

    def regrow(self) -> None:
        """Make the box as tall as its text again, if it follows its text."""
        if self.grows:
            self.h = round(self.text_height() + 2 * self.pad, 2)

    def copy(self) -> "Element":
        """An independent copy."""
        twin = object.__new__(Element)
        for name in _FIELDS:
            setattr(twin, name, getattr(self, name))
        return twin


_FIELDS = tuple(part.name for part in fields(Element))
_DEFAULTS: Mapping[str, object] = {
    part.name: part.default for part in fields(Element) if part.default is not MISSING
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """An element that is gone, by whose call, and how."""

    role: str
    subtask: str
    how: str


@dataclass(slots=True, kw_only=True)
class Board:
    """An artboard; `elements` is always in painting order, the lowest first."""

    width: int
    height: int
    kit: Kit
    background: str = "#ffffff"
    background_by: str = ""
    """Subtask that last set the background."""
    background_set: int = 0
    """Turn of that change."""
    elements: list[Element] = field(default_factory=list)
    lost: list[Loss] = field(default_factory=list)
    unlocked: bool = False
    """The kit layer was unlocked."""
    export_scale: float = 0.0
    """Of the export; 0: nothing was exported."""
    export_by: str = ""
    turn: int = 0
    """Number of tool calls so far."""

    @property
    def export_width(self) -> int:
        """Width of the exported picture in px; 0: nothing was exported."""
        return round(self.width * self.export_scale)

    @property
    def short(self) -> int:
        """The shorter side, in px."""
        return min(self.width, self.height)

    def find(self, role: str) -> Element | None:
        """The element of exactly this role."""
        for element in self.elements:
            if element.role == role:
                return element
        return None

    def parts(self, role: str) -> list[Element]:
        """The element of this role, or the parts of the group of this name."""
        stem = role + "."
        return [
            element
            for element in self.elements
            if element.role == role or element.role.startswith(stem)
        ]

    def put(self, element: Element) -> None:
        """Lay an element on top of its layer; what had its role gives way."""
        rank, role, stem = _RANK[element.layer], element.role, element.role + "."
        kept = [
            other
            for other in self.elements
            if other.role != role and not other.role.startswith(stem)
        ]
        place = len(kept)
        while place and _RANK[kept[place - 1].layer] > rank:
            place -= 1
        kept.insert(place, element)
        self.elements = kept

    def put_below(self, element: Element, other: Element) -> None:
        """Lay an element right below another one, on the other's layer."""
        element.layer = other.layer
        kept = [each for each in self.elements if each.role != element.role]
        kept.insert(kept.index(other), element)
        self.elements = kept

    def lower(self, element: Element) -> None:
        """Put an element at the bottom of its layer."""
        self.elements.remove(element)
        rank = _RANK[element.layer]
        place = sum(_RANK[other.layer] < rank for other in self.elements)
        self.elements.insert(place, element)

    def lose(self, element: Element, subtask: str, how: str) -> None:
        """Take an element off the board and remember who did it."""
        self.elements = [each for each in self.elements if each is not element]
        self.lost.append(Loss(role=element.role, subtask=subtask, how=how))

    def copy(self) -> "Board":
        """An independent copy."""
        return Board(
            width=self.width,
            height=self.height,
            kit=self.kit,
            background=self.background,
            background_by=self.background_by,
            background_set=self.background_set,
            elements=[element.copy() for element in self.elements],
            lost=list(self.lost),
            unlocked=self.unlocked,
            export_scale=self.export_scale,
            export_by=self.export_by,
            turn=self.turn,
        )

    def to_json(self) -> str:
        """Canonical JSON: equal boards have equal text. Defaults are left out."""
        values = fields_of(self) | {"elements": [_sparse(e) for e in self.elements]}
        return dump(values)


def _sparse(element: Element) -> dict[str, object]:
    values = fields_of(element)
    return {
        name: value
        for name, value in values.items()
        if name not in _DEFAULTS or value != _DEFAULTS[name]
    }
