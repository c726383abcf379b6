from typing import Any

import pytest

from skillbank.errors import WorldError
from studio.canvas import Board, Element
from studio.reading import read_board
from tests.studio.boards import blank, draw, headline, kit, the


def drawn() -> Board:
    board = blank()
    headline(board)
    draw(
        board, "place_image", role="hero", asset="harbour@1500x1000", x=0, y=300, w=800
    )
    draw(board, "place_logo", x=60, y=20, w=90)
    draw(board, "delete_element", role="hero")
    return board


def test_a_board_survives_its_json_and_equal_boards_have_equal_bytes():
    board = drawn()

    again = read_board(board.to_json())

    assert again == board
    assert again.to_json() == board.to_json() == drawn().to_json()


def test_a_copy_is_independent():
    board = drawn()
    before = board.to_json()

    twin = board.copy()
    draw(twin, "move", role="headline", x=5, y=5)
    draw(twin, "delete_element", role="headline")

    assert board.to_json() == before


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kit": 3}', "not json"])
def test_text_that_is_no_board_is_an_error_that_shows_it(text: str):
    with pytest.raises(WorldError, match="to_json"):
        read_board(text)


def test_an_unknown_kind_of_element_is_refused():
    text = drawn().to_json().replace('"kind":"text"', '"kind":"video"')

    with pytest.raises(WorldError, match="video"):
        read_board(text)


def test_layers_keep_their_order_whatever_the_order_of_drawing():
    board = blank()
    draw(board, "place_logo", x=10, y=10, w=100)
    headline(board)
    draw(board, "place_rect", role="panel", x=0, y=0, w=9, h=9, layer="background")
    draw(board, "place_rect", role="dot", x=0, y=0, w=9, h=9)

    assert [e.role for e in board.elements] == ["panel", "headline", "dot", "logo"]


def test_a_role_that_is_drawn_again_gives_way_with_all_its_parts():
    board = blank()
    grid: dict[str, Any] = {
        "role": "facts",
        "columns": 2,
        "x": 0,
        "y": 0,
        "w": 400,
        "h": 90,
        "size": 20,
    }
    draw(board, "place_grid", items=["a", "b"], **grid)
    draw(board, "place_list", role="facts", items=["c"], x=0, y=0, w=300, size=20)

    assert [e.role for e in board.elements] == ["facts"]


def test_each_element_knows_who_made_it_and_who_changed_it_last():
    board = blank()
    headline(board, subtask="title")
    draw(board, "set_colour", "colours", role="headline", colour="accent")
    draw(board, "move", "layout", role="headline", x=1, y=2)

    found = the(board, "headline")

    assert (found.maker, found.styler, found.placer) == ("title", "colours", "layout")
    assert found.subtask == "layout"


def test_a_growing_box_follows_its_text():
    board = blank()
    headline(board, w=300)
    found = the(board, "headline")
    tall = found.h

    draw(board, "set_size", role="headline", size=35)

    assert found.h < tall
    assert found.h == pytest.approx(found.text_height(), abs=0.01)


def test_ink_of_a_text_is_its_lines_and_not_its_box():
    wide = Element(role="a", kind="text", x=0, y=0, w=500, h=300, text="Hi", size=20)
    right = Element(
        role="b", kind="text", w=500, h=300, text="Hi", size=20, align="right"
    )

    assert wide.ink()[2] < 40
    assert wide.ink()[3] == pytest.approx(24)
    assert right.ink()[2] == pytest.approx(500)


def test_the_palette_has_one_order():
    one = kit(palette={"ink": "#000000", "accent": "#ff0000"})
    other = kit(palette={"accent": "#ff0000", "ink": "#000000"})

    assert list(one.palette) == list(other.palette)
