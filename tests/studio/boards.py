"""Builders of boards for the tests of the studio's body."""

from dataclasses import replace
from typing import Any

from studio.canvas import Board, Element, Kit
from studio.tools import Result, apply

_KIT = Kit(
    name="quay",
    palette={
        "paper": "#ffffff",
        "ink": "#1d2433",
        "accent": "#c8452c",
        "soft": "#e4d9c3",
    },
    assets=("harbour@1500x1000", "harbour@1700x1100", "kit-logo"),
)


def kit(**changes: Any) -> Kit:
    return replace(_KIT, **changes)


def blank(width: int = 800, height: int = 1000, **changes: Any) -> Board:
    return Board(width=width, height=height, kit=kit(**changes))


def draw(board: Board, tool: str, subtask: str = "one", **arguments: Any) -> Result:
    result = apply(board, tool, arguments, subtask)
    assert not result.error, result.error
    return result


def the(board: Board, role: str) -> Element:
    """The element of this role, which must be there."""
    found = board.find(role)
    assert found is not None, f"no {role}"
    return found


def headline(board: Board, subtask: str = "title", **changes: Any) -> None:
    arguments: dict[str, Any] = {
        "role": "headline",
        "text": "Harbour nights",
        "x": 60,
        "y": 80,
        "w": 680,
        "size": 70,
    }
    draw(board, "place_text", subtask, **(arguments | changes))
