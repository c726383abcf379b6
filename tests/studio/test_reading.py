"""Traffic brings boards that others wrote: they are read whole, or not at all."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from skillbank.briefs.brief import Requirement
from skillbank.errors import WorldError
from studio.canvas import Board
from studio.reading import read_board
from studio.render import png
from studio.verify import VERIFIERS, verify_all
from tests.studio.boards import blank, draw, headline

_NUMBERS = {"share", "ratio", "n", "px", "low", "high", "most"}
_ODD: tuple[object, ...] = (
    None, -1, 0, 1e308, -1e308, 5e-324, 2**62, "", "x", "\x00", [], {}, [None], True,
    "#zzzzzz", "Z" * 30_000, ["a"] * 50, {"a": None}, "sans", "text", "x@00x00",
)  # fmt: skip


def furnished() -> Board:
    board = blank()
    headline(board)
    draw(board, "place_image", role="hero", asset="harbour@1500x1000", x=0, y=300, w=8)
    draw(board, "add_gradient", start="ink", end="accent")
    draw(board, "place_list", role="facts", items=["a", "b"], x=9, y=9, w=90, size=9)
    draw(board, "place_rect", role="band", x=0, y=0, w=80, h=40, radius=9)
    draw(board, "place_logo", x=60, y=20, w=90)
    draw(board, "delete_element", role="band")
    return board


def every_kind() -> tuple[Requirement, ...]:
    """A requirement of each kind, about the hero or the headline."""
    given: dict[str, Any] = {name: 0.5 for name in _NUMBERS} | {"edge": "left"}
    return tuple(
        Requirement(
            id=f"{kind}-{role}",
            kind=kind,
            text=kind,
            args={name: given.get(name, role) for name in verifier.args},
        )
        for kind, verifier in VERIFIERS.items()
        for role in ("hero", "headline")
    )


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        value = value.items()
    elif isinstance(value, list):
        value = enumerate(value)
    else:
        return
    for name, held in value:
        yield from places(held, (*path, name))


def put(value: Any, path: tuple[Any, ...], odd: object) -> None:
    for name in path[:-1]:
        value = value[name]
    if odd is None:
        del value[path[-1]]
    else:
        value[path[-1]] = odd


@pytest.mark.parametrize("seed", range(8))
def test_a_board_of_others_is_refused_or_can_be_checked_and_drawn(seed: int):
    rng, needs, refused = Random(seed), every_kind(), 0
    text = furnished().to_json()

    for _ in range(60):
        values = json.loads(text)
        put(values, rng.choice(list(places(values))), rng.choice(_ODD))
        try:
            board = read_board(json.dumps(values))
        except WorldError:
            refused += 1
        else:
            assert len(verify_all(board, needs)) == len(needs)
            assert png(board, 64)

    assert 0 < refused < 60


@pytest.mark.parametrize("name", ["x", "size", "leading", "opacity"])
@pytest.mark.parametrize("odd", ["1e400", "-1e308", "true", '"9"', "null"])
def test_a_number_that_is_none_is_refused(name: str, odd: str):
    values = json.loads(furnished().to_json())
    values["elements"][1][name] = "@"

    with pytest.raises(WorldError):
        read_board(json.dumps(values).replace('"@"', odd))


def test_a_board_with_thousands_of_elements_is_refused_before_they_are_compared():
    values = json.loads(furnished().to_json())
    values["elements"] = values["elements"][:1] * 5_000

    with pytest.raises(WorldError, match="5000 elements"):
        read_board(json.dumps(values))


def test_bytes_that_are_cut_within_a_letter_are_an_error_and_not_a_crash():
    with pytest.raises(WorldError):
        read_board("ä".encode() * 60)
