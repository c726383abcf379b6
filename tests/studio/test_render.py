from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from skillbank.errors import WorldError
from studio.canvas import Board
from studio.render import picture_of, png
from tests.studio.boards import blank, draw, headline, the


def ink_box(board: Board, width: int) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of all that is dark, in px of the board."""
    dark = np.asarray(picture_of(board, width).convert("L")) < 128
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    scale = board.width / width
    return (
        columns[0] * scale,
        rows[0] * scale,
        (columns[-1] + 1) * scale,
        (rows[-1] + 1) * scale,
    )


def pixel(picture: Image.Image, x: int, y: int) -> tuple[int, ...]:
    return tuple(int(channel) for channel in np.asarray(picture)[y, x])


@pytest.mark.parametrize("align", ["left", "centre", "right"])
@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_the_drawn_text_lies_where_it_was_measured(align, weight):
    board = blank()
    headline(board, text="HARBOUR NIGHTS H", align=align, weight=weight, size=50)

    measured = the(board, "headline").text_box()
    drawn = ink_box(board, 800)

    assert drawn[0] == pytest.approx(measured[0], abs=7)
    assert drawn[2] == pytest.approx(measured[2], abs=7)
    assert measured[1] < drawn[1] < drawn[3] < measured[3]


def test_the_drawn_text_breaks_where_it_was_measured():
    board = blank()
    headline(board, text="HH HH HH", w=120, size=50, leading=1.4)

    dark = np.asarray(picture_of(board, 800).convert("L")) < 128
    rows = dark.any(axis=1).astype(int)
    bands = int((np.diff(rows) == 1).sum())

    assert bands == len(the(board, "headline").lines()) == 3


def test_a_picture_is_as_wide_as_asked_and_in_proportion():
    data = png(blank(800, 1000).to_json(), 200)

    assert Image.open(BytesIO(data)).size == (200, 250)


def test_equal_boards_have_equal_pictures():
    board = blank()
    headline(board)
    draw(
        board, "place_image", role="hero", asset="harbour@1500x1000", x=0, y=300, w=800
    )

    assert png(board.to_json(), 160) == png(board.copy(), 160)


def test_shapes_gradients_and_opacity_show():
    board = blank(100, 100)
    draw(board, "add_gradient", start="#000000", end="#ffffff", angle=0)
    draw(board, "place_ellipse", role="dot", x=40, y=40, w=20, h=20, colour="#ff0000")
    draw(board, "place_rect", role="veil", x=0, y=80, w=100, h=20, opacity=0.0)

    seen = picture_of(board, 100)

    assert pixel(seen, 2, 10)[0] < 20
    assert pixel(seen, 97, 10)[0] > 235
    assert pixel(seen, 50, 50) == (255, 0, 0)
    assert pixel(seen, 41, 41)[1] > 80
    assert pixel(seen, 2, 90) == pytest.approx(pixel(seen, 2, 10), abs=2)


def test_contain_leaves_room_and_cover_fills():
    board = blank(300, 100)
    draw(
        board,
        "place_image",
        role="hero",
        asset="dark@100x100",
        x=0,
        y=0,
        w=300,
        h=100,
        fit="contain",
    )
    room = pixel(picture_of(board, 300), 20, 50)
    draw(board, "set_fit", role="hero", fit="cover")
    full = pixel(picture_of(board, 300), 20, 50)

    assert room == (255, 255, 255)
    assert full != (255, 255, 255)


def test_text_that_runs_off_the_board_is_drawn_without_harm():
    board = blank(200, 100)
    headline(board, text="far beyond", x=-500, y=-90, w=90, size=60)

    assert picture_of(board, 100).size == (100, 50)


@pytest.mark.parametrize("width", [0, 15, 5000])
def test_a_width_out_of_range_is_refused(width):
    with pytest.raises(ValueError, match="width"):
        png(blank(), width)


def test_what_is_no_board_is_not_rendered():
    with pytest.raises(WorldError):
        png("{}", 100)
