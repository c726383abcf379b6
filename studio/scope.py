"""What names mean in a card's expressions: the board, the brief, the kit, the assets.

`W`, `H` and `S` are the board's width, height and shorter side in px; a bare name is
an element by its role; `brief.*` are the strings and wishes that the host supplies,
`kit.*` its colours, font, margin (in px) and logo, `assets.*` what retrieval found.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from studio.assets import asset, mean_colour
from studio.canvas import LEGAL, Board, Element
from studio.colour import best_contrast, contrast, parse
from studio.expressions import ExpressionError, Value
from studio.fonts import Family, layout

_FOOT = 0.86  # share of the height from which elements belong to the foot
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_READABLE = 4.5  # WCAG 2.2, 1.4.3
_SMALLEST_TYPE = 6.0  # px; `fit` never goes below


@dataclass(frozen=True, slots=True)
class Whole:
    """The board itself as an element of expressions."""

    board: Board


@dataclass(slots=True)
class BoardScope:
    """The scope of one attempt; the board changes under it as the agent draws."""

    board: Board
    say: Mapping[str, Value]
    """Strings and wishes of the brief by name."""
    assets: tuple[str, ...]
    """Pictures that retrieval put before the agent, best first."""
    table: Mapping[str, Callable[..., Value]]
    """Functions by name, bound to the board."""

    @classmethod
    def of(
        cls, board: Board, say: Mapping[str, Value], assets: tuple[str, ...]
    ) -> "BoardScope":
        """A scope over a board that is about to be drawn on."""
        hand = _Functions(board, say, assets)
        table = {name: getattr(hand, name) for name in FUNCTIONS}
        table |= {"min": _least, "max": _most}
        return cls(board, say, assets, table)

    @property
    def functions(self) -> Mapping[str, Callable[..., Value]]:
        """Functions by name."""
        return self.table

    def name(self, name: str) -> Value:
        """A side of the board, the board, or an element by its role."""
        if name == "W":
            return float(self.board.width)
        if name == "H":
            return float(self.board.height)
        if name == "S":
            return float(self.board.short)
        if name == "board":
            return Whole(self.board)
        parts = self.board.parts(name)
        if not parts:
            raise ExpressionError(f"no element {name[:40]!r} on the board")
        return parts[0] if len(parts) == 1 else _group(parts)

    def member(self, group: str, name: str) -> Value:
        """`brief.*`, `kit.*` or `assets.*`."""
        if group == "brief":
            if name in self.say:
                return self.say[name]
            raise ExpressionError(f"the brief gives no {name[:40]!r}")
        if group == "kit":
            return _of_kit(self.board, name)
        if group == "assets":
            return self._asset(name)
        raise ExpressionError(f"no group {group[:40]!r}")

    def _asset(self, name: str) -> str:
        place = _ORDINALS.index(name) if name in _ORDINALS else len(_ORDINALS)
        if place >= len(self.assets):
            raise ExpressionError(f"no {name[:40]!r} picture was retrieved")
        return self.assets[place]


def _of_kit(board: Board, name: str) -> Value:
    kit = board.kit
    if name in kit.palette:
        return kit.palette[name]
    if name == "margin":
        return kit.margin * board.short
    if name == "font":
        return kit.font
    if name == "logo":
        return kit.logo
    raise ExpressionError(f"the kit has no {name[:40]!r}")


def _group(parts: list[Element]) -> Element:
    left, top = min(p.x for p in parts), min(p.y for p in parts)
    right = max(p.x + p.w for p in parts)
    bottom = max(p.y + p.h for p in parts)
    whole = parts[0].copy()
    whole.x, whole.y, whole.w, whole.h = left, top, right - left, bottom - top
    return whole


class _Functions:
    """The functions of the language; each checks what it is given."""

    def __init__(
        self, board: Board, say: Mapping[str, Value], assets: tuple[str, ...]
    ) -> None:
        self._board = board
        self._say = say
        self._assets = assets

    def contrast_of(self, *values: Value) -> Value:
        """The kit's colour that stands out most from a thing or a colour."""
        (thing,) = _only(values, 1)
        colours = tuple(self._board.kit.palette.values())
        return best_contrast(self._seen(thing), colours)

    def accent_on(self, *values: Value) -> Value:
        """The kit's accent if it can be read on a thing, else what stands out most."""
        (thing,) = _only(values, 1)
        seen, accent = self._seen(thing), self._board.kit.palette["accent"]
        if contrast(seen, accent) >= _READABLE:
            return accent
        return self.contrast_of(thing)

    def below(self, *values: Value) -> Value:
        """The bottom of an element, and a gap."""
        element, gap = _placed(values)
        return element.y + element.h + gap

    def above(self, *values: Value) -> Value:
        """The top of an element, less a gap."""
        element, gap = _placed(values)
        return element.y - gap

    def right_of(self, *values: Value) -> Value:
        """The right edge of an element, and a gap."""
        element, gap = _placed(values)
        return element.x + element.w + gap

    def left_of(self, *values: Value) -> Value:
        """The left edge of an element, less a gap."""
        element, gap = _placed(values)
        return element.x - gap

    def width_of(self, *values: Value) -> Value:
        """The width of an element."""
        return _placed(values)[0].w

    def height_of(self, *values: Value) -> Value:
        """The height of an element."""
        return _placed(values)[0].h

    def size_of(self, *values: Value) -> Value:
        """The type size of a text."""
        return _placed(values)[0].size

    def next_y(self, *values: Value) -> Value:
        """Below everything that stands in the body of the board so far, and a gap."""
        gap = _gap(_only(values, 0, 1))
        board = self._board
        foot = _FOOT * board.height
        ends = [
            each.y + each.h
            for each in board.elements
            if each.layer != "background" and each.y < foot
        ]
        return max(ends, default=board.kit.margin * board.short) + gap

    def foot_y(self, *values: Value) -> Value:
        """Where the foot begins: the legal line or the margin, less a gap."""
        gap = _gap(_only(values, 0, 1))
        board = self._board
        legal = board.find(LEGAL)
        foot = board.height - board.kit.margin * board.short
        return (min(foot, legal.y) if legal is not None else foot) - gap

    def fit(self, *values: Value) -> Value:
        """The largest type size at which a text stays within a width and a height."""
        text, width, height, most = _only(values, 3, 4, fill=1e4)
        if not isinstance(text, str):
            raise ExpressionError("fit needs a text first")
        family = self._board.kit.font
        return fitted(text, family, (_length(width), _length(height)), _length(most))

    def axis(self, *values: Value) -> Value:
        """Where a thing of some width begins on the axis that the brief asks for."""
        width = _length(_only(values, 1)[0])
        board = self._board
        if self._say.get("align") == "centre":
            return (board.width - width) / 2
        return board.kit.margin * board.short

    def largest(self, *values: Value) -> Value:
        """The retrieved picture of the kit that has the most px."""
        _only(values, 0)
        kit = self._board.kit
        own = [name for name in self._assets if name in kit.assets and name != kit.logo]
        if not own:
            raise ExpressionError("no picture of the kit was retrieved")
        return max(own, key=lambda name: asset(name).width)

    def _seen(self, thing: Value) -> str:
        if isinstance(thing, Whole):
            return self._board.background
        if isinstance(thing, Element):
            if thing.kind == "image":
                return mean_colour(thing.asset)
            return thing.fill or self._board.background
        if isinstance(thing, str):
            found = self._board.kit.palette.get(thing) or parse(thing)
            if found is not None:
                return found
        raise ExpressionError("a colour, an element or the board is needed")


FUNCTIONS = (
    "contrast_of", "accent_on", "below", "above", "right_of", "left_of", "width_of",
    "height_of", "size_of", "next_y", "foot_y", "fit", "axis",
    "largest",
)  # fmt: skip
"""Names of the functions beside `min` and `max`."""


def fitted(text: str, family: Family, room: tuple[float, float], most: float) -> float:
    """Largest size in px, at most `most`, at which a bold text fits a width and height.

    Sizes are tried in steps of 8%, so that near-equal rooms give equal sizes.
    """
    width, height = room
    size = max(_SMALLEST_TYPE, min(most, height / 1.2))
    while size > _SMALLEST_TYPE:
        lines = layout(text, family, "bold", round(width / size, 3))
        wide = max(line.width for line in lines) * size
        if wide <= width and len(lines) * size * 1.2 <= height:
            break
        size *= 0.92
    return round(max(size, _SMALLEST_TYPE), 1)


def _only(
    values: tuple[Value, ...], least: int, most: int | None = None, fill: Value = 0.0
) -> tuple[Value, ...]:
    most = least if most is None else most
    if not least <= len(values) <= most:
        raise ExpressionError(f"{least} to {most} values are needed, not {len(values)}")
    return values + (fill,) * (most - len(values))


def _placed(values: tuple[Value, ...]) -> tuple[Element, float]:
    thing, gap = _only(values, 1, 2)
    if not isinstance(thing, Element):
        raise ExpressionError("an element of the board is needed")
    return thing, _length(gap)


def _gap(values: tuple[Value, ...]) -> float:
    return _length(values[0])


def _length(value: Value) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise ExpressionError(f"a number is needed, not {type(value).__name__}")


def _least(*values: Value) -> Value:
    if not values:
        raise ExpressionError("min needs a value")
    return min(_length(value) for value in values)


def _most(*values: Value) -> Value:
    if not values:
        raise ExpressionError("max needs a value")
    return max(_length(value) for value in values)
