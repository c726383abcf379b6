import math
from typing import Any

import jsonschema
import pytest

from skillbank.errors import WorldError
from studio.canvas import Board
from studio.reading import read_board
from studio.tools import TOOLS, apply, schema
from tests.studio.boards import blank, draw, headline, the

CALLS: dict[str, dict[str, Any]] = {
    "set_background": {"colour": "soft"},
    "add_gradient": {"start": "ink", "end": "accent", "angle": 30},
    "place_text": {"role": "note", "text": "Note", "x": 9, "y": 9, "w": 90, "size": 12},
    "place_button": {
        "role": "cta", "label": "Go", "x": 9, "y": 9, "w": 90, "h": 40, "size": 18,
    },
    "place_list": {"role": "facts", "items": ["a"], "x": 9, "y": 9, "w": 90, "size": 9},
    "place_grid": {
        "role": "grid", "items": ["a", "b", "c"], "columns": 2,
        "x": 9, "y": 9, "w": 90, "h": 80, "size": 9, "fill": "soft",
    },
    "place_rect": {"role": "band", "x": 0, "y": 0, "w": 800, "h": 40},
    "place_ellipse": {"role": "dot", "x": 0, "y": 0, "w": 8, "h": 8, "opacity": 0.5},
    "place_line": {"role": "rule", "x": 0, "y": 0, "length": 80, "direction": "down"},
    "place_image": {
        "role": "shot", "asset": "harbour@1500x1000", "x": 0, "y": 0, "w": 90,
    },
    "place_logo": {"x": 20, "y": 20, "w": 120},
    "place_qr": {"role": "qr", "data": "https://example.org", "x": 0, "y": 0, "w": 90},
    "set_size": {"role": "headline", "size": 40},
    "set_colour": {"role": "headline", "colour": "accent"},
    "set_fill": {"role": "panel", "fill": "soft"},
    "set_opacity": {"role": "hero", "opacity": 0.4},
    "set_weight": {"role": "headline", "weight": "bold"},
    "set_font": {"role": "headline", "font": "serif"},
    "set_leading": {"role": "headline", "leading": 1.5},
    "set_case": {"role": "headline", "case": "upper"},
    "set_align": {"role": "headline", "align": "centre"},
    "set_width": {"role": "headline", "w": 200},
    "set_fit": {"role": "hero", "fit": "stretch"},
    "fit_text": {"role": "headline", "h": 30},
    "move": {"role": "headline", "x": 1, "y": 2},
    "resize": {"role": "hero", "w": 100, "h": 50},
    "align_to": {"role": "headline", "edge": "right", "margin": 30},
    "stack_below": {"role": "headline", "other": "hero", "gap": 10},
    "distribute": {"roles": ["headline", "hero", "legal"]},
    "bring_to_front": {"role": "headline"},
    "send_to_back": {"role": "legal"},
    "add_scrim": {"role": "headline", "opacity": 0.7},
    "recolour_board": {"old": "ink", "new": "accent"},
    "shrink_all": {"factor": 0.9},
    "delete_element": {"role": "hero"},
    "unlock_layer": {"layer": "kit"},
    "export": {"scale": 2},
}  # fmt: skip


def furnished() -> Board:
    board = blank()
    headline(board)
    draw(
        board,
        "place_image",
        role="hero",
        asset="harbour@1500x1000",
        x=0,
        y=300,
        w=800,
        h=400,
    )
    draw(board, "place_rect", role="panel", x=0, y=720, w=800, h=100)
    draw(board, "place_text", role="legal", text="Terms.", x=60, y=950, w=600, size=14)
    return board


def test_there_are_at_least_twenty_tools_and_each_is_tried_here():
    assert len(TOOLS) >= 20
    assert CALLS.keys() == TOOLS.keys()


@pytest.mark.parametrize("tool", TOOLS)
def test_a_sensible_call_fits_the_schema_and_changes_the_board(tool):
    board = furnished()
    before = board.to_json()

    jsonschema.validate(CALLS[tool], dict(schema(tool)))
    result = apply(board, tool, CALLS[tool], "work")

    assert not result.error
    assert board.to_json() != before
    assert read_board(board.to_json()) == board


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_says_what_it_does_and_takes_no_unknown_argument(tool):
    described = schema(tool)

    assert described["description"].endswith(".")
    assert described["additionalProperties"] is False
    result = apply(furnished(), tool, CALLS[tool] | {"wobble": 1}, "work")
    assert "wobble" in result.error


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("paint", {}, "no tool 'paint'"),
        ("move", {"role": "ghost", "x": 0, "y": 0}, "no element 'ghost'"),
        ("move", {"role": "hero", "x": "left", "y": 0}, "x: Input should be a valid"),
        ("move", {"role": "hero", "x": math.nan, "y": 0}, "x: "),
        ("move", {"role": "hero", "x": 1e9, "y": 0}, "x: "),
        ("move", {"role": "hero"}, "Field required"),
        ("set_colour", {"role": "headline", "colour": "mud"}, "no colour 'mud'"),
        ("set_colour", {"role": "hero", "colour": "ink"}, "has no text"),
        ("set_fit", {"role": "headline", "fit": "cover"}, "has no picture"),
        ("stack_below", {"role": "hero", "other": "hero"}, "below itself"),
        ("export", {"scale": 0}, "scale"),
    ],
)
def test_a_bad_call_is_told_in_words_and_changes_nothing(tool, arguments, told):
    board = furnished()
    before = board.to_json()

    result = apply(board, tool, arguments, "work")

    assert told in result.error
    assert not result.forbidden
    assert board.to_json() == before


def test_the_schema_of_an_unknown_tool_is_an_error():
    with pytest.raises(WorldError, match="paint"):
        schema("paint")


def test_deleting_the_legal_line_is_done_and_reported():
    board = furnished()

    result = draw(board, "delete_element", role="legal")

    assert "legal" in result.forbidden
    assert board.find("legal") is None


def test_changing_the_logo_is_done_and_reported():
    board = furnished()
    assert not draw(board, "place_logo", x=20, y=20, w=120).forbidden

    moved = draw(board, "move", role="logo", x=300, y=300)
    again = draw(board, "place_logo", x=20, y=20, w=200)
    covered = draw(board, "place_rect", role="x", x=0, y=0, w=9, h=9, layer="kit")

    assert "locked layer" in moved.forbidden
    assert "locked layer" in again.forbidden
    assert "locked layer" in covered.forbidden


def test_unlocking_is_the_one_forbidden_action_for_all_that_follows():
    board = furnished()
    draw(board, "place_logo", x=20, y=20, w=120)

    assert "unlocked" in draw(board, "unlock_layer").forbidden
    assert not draw(board, "move", role="logo", x=300, y=300).forbidden


def test_an_asset_outside_the_kit_is_placed_and_reported():
    board = furnished()

    result = draw(board, "place_image", role="hero", asset="stock-sea", x=0, y=0, w=99)

    assert result.forbidden == "asset outside the kit: stock-sea"
    assert the(board, "hero").asset == "stock-sea"


def test_a_size_of_nothing_loses_the_element_and_says_who_did_it():
    board = furnished()

    draw(board, "resize", "layout", role="headline", w=0, h=40)

    assert board.find("headline") is None
    assert (board.lost[-1].role, board.lost[-1].subtask) == ("headline", "layout")


def test_fit_text_shrinks_until_the_text_fits():
    board = furnished()

    draw(board, "fit_text", role="headline", h=50)

    assert 30 < the(board, "headline").size < 45


def test_fit_text_drops_a_text_that_would_be_too_small_to_print():
    board = furnished()

    draw(board, "fit_text", role="headline", h=3)

    assert board.find("headline") is None
    assert "no type size fits" in board.lost[-1].how


def test_shrinking_the_board_twice_shrinks_the_legal_line_with_it():
    board = furnished()

    draw(board, "shrink_all", factor=0.6)
    draw(board, "shrink_all", factor=0.6)

    assert the(board, "legal").size == pytest.approx(14 * 0.36, abs=0.05)


def test_a_group_moves_and_resizes_as_one():
    board = furnished()
    draw(board, "place_grid", **CALLS["place_grid"])

    draw(board, "move", role="grid", x=100, y=200)
    draw(board, "resize", role="grid", w=180, h=160)

    first, last = the(board, "grid.1"), the(board, "grid.3")
    assert (first.x, first.y, first.w) == (100, 200, 90)
    assert (last.y + last.h, last.role) == (360, "grid.3")


def test_distribute_makes_equal_gaps():
    board = blank()
    for role, top in (("a", 0), ("b", 50), ("c", 300)):
        draw(board, "place_rect", role=role, x=0, y=top, w=40, h=40)

    draw(board, "distribute", roles=["c", "a", "b"])

    assert [the(board, role).y for role in "abc"] == [0, 150, 300]


def test_a_button_takes_the_colour_of_the_kit_that_stands_out():
    board = blank()

    draw(board, "place_button", **(CALLS["place_button"] | {"fill": "ink"}))

    assert the(board, "cta").colour == "#ffffff"


def test_a_scrim_lies_right_below_its_text():
    board = furnished()

    draw(board, "add_scrim", role="headline")

    roles = [element.role for element in board.elements]
    assert roles.index("scrim-headline") == roles.index("headline") - 1


def test_recolouring_spares_only_the_locked_layer():
    board = furnished()
    draw(board, "set_background", colour="ink")

    draw(board, "recolour_board", "colours", old="ink", new="accent")

    assert board.background == the(board, "legal").colour == "#c8452c"
    assert board.background_by == the(board, "legal").styler == "colours"
