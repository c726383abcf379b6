"""Boards read back from their JSON, and what such a JSON may hold.

Traffic brings boards that others wrote. What is read here can be looked at, verified
and drawn: every value is of the type and in the range that the tools keep to.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

import orjson

from skillbank.errors import WorldError
from studio.canvas import (
    Align,
    Board,
    Case,
    Element,
    Fit,
    Kit,
    Layer,
    Loss,
    Shape,
)
from studio.fonts import Family, Weight

_FARTHEST = 1e9  # px: far beyond what the tools reach, and still safe to multiply
_LONGEST = 20_000  # characters of one text
_MOST_ELEMENTS = 500  # an attempt leaves about ten; every pair of them is compared
_NARROWEST = 0.01  # px, as finely as boards are kept: a picture is divided by it
_WIDEST = 20_000  # px of a board's side
_COLOUR = re.compile(r"#[0-9a-f]{6}")

Fits = Callable[[Any], bool]


def _number(low: float = -_FARTHEST, high: float = _FARTHEST) -> Fits:
    # a bool is an int, and NaN is in no range
    return lambda value: type(value) in (int, float) and low <= value <= high


def _one_of(kind: Any) -> Fits:
    allowed = get_args(kind)
    return lambda value: isinstance(value, str) and value in allowed


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _named(value: Any) -> bool:
    return _text(value) and value != ""


def _colour(value: Any) -> bool:
    return isinstance(value, str) and _COLOUR.fullmatch(value) is not None


def _colour_or_none(value: Any) -> bool:
    return value == "" or _colour(value)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _FARTHEST


def _side(value: Any) -> bool:
    return type(value) is int and 1 <= value <= _WIDEST


def _palette(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and {"paper", "ink", "accent"} <= value.keys()
        and all(map(_colour, value.values()))
    )


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_named, value))


_ALLOWED: Mapping[str, Mapping[str, Fits]] = {
    "element": {
        "role": _named, "kind": _one_of(Shape), "layer": _one_of(Layer),
        "x": _number(), "y": _number(), "w": _number(0), "h": _number(0),
        "fill": _colour_or_none, "fill_end": _colour_or_none,
        "colour": _colour_or_none, "angle": _number(), "radius": _number(0),
        "opacity": _number(0, 1), "text": _text, "size": _number(0),
        "font": _one_of(Family), "weight": _one_of(Weight), "align": _one_of(Align),
        "middle": _flag, "leading": _number(0), "case": _one_of(Case),
        "marker": _text, "gap": _number(), "pad": _number(), "grows": _flag,
        "asset": _text, "fit": _one_of(Fit), "behind": _text, "maker": _text,
        "placer": _text, "placed": _count, "styler": _text, "styled": _count,
    },
    "kit": {
        "name": _text, "palette": _palette, "assets": _texts, "logo": _named,
        "font": _one_of(Family), "margin": _number(0, 0.5),
    },
    "lost": {"role": _named, "subtask": _text, "how": _text},
    "board": {
        "width": _side, "height": _side, "background": _colour,
        "background_by": _text, "background_set": _count, "unlocked": _flag,
        "export_scale": _number(0, 100), "export_by": _text, "turn": _count,
    },
}  # fmt: skip


def read_board(text: str | bytes) -> Board:
    """The board of a JSON that `Board.to_json` wrote.

    Raises:
        WorldError: If the text is no such JSON.
    """
    try:
        values = orjson.loads(text)
        kit = _fitting("kit", values.pop("kit"))
        elements = values.pop("elements")
        if len(elements) > _MOST_ELEMENTS:
            raise ValueError(f"{len(elements)} elements")
        lost = [Loss(**_fitting("lost", each)) for each in values.pop("lost")]
        return Board(
            kit=Kit(**(kit | {"assets": tuple(kit["assets"])})),
            elements=[_element(each) for each in elements],
            lost=lost,
            **_fitting("board", values),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        start = (
            text[:80] if isinstance(text, str) else text[:80].decode(errors="replace")
        )
        raise WorldError(
            "artboard",
            seen=f"{start!r} ({type(error).__name__}: {error})",
            expected="the JSON that Board.to_json writes",
            remedy="attempt the brief again; do not edit artefacts by hand",
        ) from error


def _fitting(what: str, values: dict[str, Any]) -> dict[str, Any]:
    """The values, each of the type and range that a board of ours has."""
    allowed = _ALLOWED[what]
    for name, value in values.items():
        if not allowed[name](value):
            raise ValueError(f"{what}.{name} is {value!r:.60}")
    return values


def _element(values: dict[str, Any]) -> Element:
    made = Element(**_fitting("element", values))
    seen = {"text": made.colour, "image": made.asset}.get(made.kind, made.fill)
    extent = min(made.w, made.h) >= _NARROWEST or made.kind != "image"
    if not (seen and extent):
        raise ValueError(f"element {made.role!r:.60} shows nothing")
    return made
