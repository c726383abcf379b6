from typing import Any

import pytest

from skillbank.briefs.brief import Check, Requirement
from skillbank.errors import WorldError
from studio.canvas import Board
from studio.tools import Value
from studio.verify import VERIFIERS, verify, verify_all
from tests.studio.boards import blank, draw, headline


def need(kind: str, **args: Any) -> Requirement:
    return Requirement(id="r1", kind=kind, text="a demand", subtask="asked", args=args)


def check(board: Board, kind: str, **args: Any) -> Check:
    return verify(board, need(kind, **args))


def rect(board: Board, role: str, subtask: str = "shapes", **changes: Value) -> None:
    draw(board, "place_rect", subtask, role=role, **changes)


def poster() -> Board:
    """A poster on which every demand of `GOOD` is met and none of `BAD`."""
    board = blank()
    headline(board, weight="bold")
    draw(
        board,
        "place_text",
        "copy",
        role="sub",
        text="Three evenings of music",
        x=60,
        y=180,
        w=600,
        size=30,
        leading=1.4,
    )
    draw(
        board,
        "place_image",
        "picture",
        role="hero",
        asset="harbour@1700x1100",
        x=0,
        y=300,
        w=800,
        h=300,
    )
    draw(
        board,
        "place_list",
        "copy",
        role="facts",
        items=["Doors", "Bands", "Free"],
        x=60,
        y=640,
        w=300,
        size=24,
    )
    draw(
        board,
        "place_button",
        "action",
        role="cta",
        label="Tickets",
        x=540,
        y=700,
        w=200,
        h=70,
        size=26,
    )
    draw(
        board,
        "place_text",
        "small",
        role="legal",
        text="Terms apply.",
        x=60,
        y=900,
        w=400,
        size=15,
    )
    draw(board, "export", "finish", scale=2)
    return board  # fmt: skip


def spoilt() -> Board:
    """The same parts, drawn so that every demand of `BAD` fails."""
    board = blank()
    draw(board, "set_background", "ground", colour="#333333")
    draw(
        board,
        "place_text",
        "title",
        role="headline",
        text="Something else",
        x=5,
        y=980,
        w=90,
        size=14,
        h=16,
        leading=3,
        font="mono",
        colour="#232425",
    )
    draw(
        board,
        "place_text",
        "copy",
        role="sub",
        x=300,
        y=12,
        w=490,
        size=40,
        text="Three evenings of music on the quay, and a fourth if the rain stays off",
        h=900,
        leading=0.8,
    )
    draw(
        board,
        "place_image",
        "picture",
        role="hero",
        asset="stock-tiny@90x60",
        x=100,
        y=20,
        w=700,
        h=900,
        fit="stretch",
    )
    draw(
        board,
        "place_list",
        "copy",
        role="facts",
        items=["Doors"],
        x=97,
        y=660,
        w=300,
        size=24,
        colour="#ff00ff",
    )
    draw(
        board,
        "place_button",
        "action",
        role="cta",
        label="Tickets",
        x=540,
        y=700,
        w=30,
        h=12,
        size=8,
        fill="#3a3a3a",
    )
    draw(
        board,
        "place_text",
        "small",
        role="legal",
        text="Terms apply.",
        x=60,
        y=985,
        w=400,
        size=4,
        colour="#3c3c3c",
    )
    return board  # fmt: skip


GOOD: dict[str, dict[str, Any]] = {
    "exists": {"role": "hero"},
    "text_present": {"role": "headline", "text": "harbour  NIGHTS"},
    "contrast": {"role": "headline", "ratio": 4.5},
    "no_overflow": {"role": "*"},
    "safe_margin": {"role": "headline", "share": 0.05},
    "min_size": {"role": "headline", "share": 0.06},
    "max_size": {"role": "sub", "share": 0.035},
    "hierarchy": {"big": "headline", "small": "sub", "ratio": 2},
    "no_overlap": {"role": "*"},
    "aligned": {"role": "headline", "edge": "left", "other": "sub"},
    "palette": {"role": "*"},
    "image_undistorted": {"role": "hero"},
    "image_sharp": {"role": "hero"},
    "in_kit": {"role": "*"},
    "item_count": {"role": "facts", "n": 3},
    "spacing": {"role": "sub", "share": 0.01},
    "legible": {"role": "legal", "px": 20},
    "prominent": {"role": "cta", "share": 0.015},
    "coverage": {"low": 0.2, "high": 0.6},
    "line_length": {"role": "sub", "most": 40},
    "order": {"first": "headline", "second": "sub"},
    "near": {"role": "sub", "other": "headline", "share": 0.05},
    "export_width": {"px": 1600},
    "bold": {"role": "headline"},
    "leading": {"role": "sub", "low": 1.2, "high": 1.5},
    "balanced": {"share": 0.1},
    "kit_font": {"role": "*"},
    "uncluttered": {"most": 8},
}
BAD: dict[str, dict[str, Any]] = GOOD | {
    "exists": {"role": "ghost"},
    "safe_margin": {"role": "headline", "share": 0.05},
    "image_sharp": {"role": "hero"},
    "aligned": {"role": "facts", "edge": "left"},
    "max_size": {"role": "sub", "share": 0.02},
    "line_length": {"role": "sub", "most": 15},
    "balanced": {"share": 0.001},
    "near": {"role": "headline", "other": "cta", "share": 0.05},
    "uncluttered": {"most": 2},
    "kit_font": {"role": "headline"},
}


def test_there_are_at_least_sixteen_kinds_and_each_is_tried_here():
    assert len(VERIFIERS) >= 16
    assert GOOD.keys() == BAD.keys() == VERIFIERS.keys()


@pytest.mark.parametrize("kind", VERIFIERS)
def test_a_demand_that_is_met_says_what_was_seen(kind):
    seen = check(poster(), kind, **GOOD[kind])

    assert seen.outcome == "met", seen.why
    assert seen.why
    assert seen.subtasks


@pytest.mark.parametrize("kind", VERIFIERS)
def test_a_demand_that_is_not_met_says_what_was_seen(kind):
    seen = check(spoilt(), kind, **BAD[kind])

    assert seen.outcome == "not", seen.why
    assert seen.why
    assert seen.subtasks or kind == "export_width"


def test_a_why_has_the_numbers():
    board = poster()

    assert "15.53:1" in check(board, "contrast", role="headline", ratio=4.5).why
    assert "0.070" in check(board, "min_size", role="headline", share=0.1).why
    assert "3 items" in check(board, "item_count", role="facts", n=5).why
    assert "1600 px" in check(board, "export_width", px=4000).why


@pytest.mark.parametrize(
    ("colour", "outcome"),
    [("#767676", "met"), ("#7b7b7b", "partly"), ("#aaaaaa", "not")],
)
def test_contrast_is_graded(colour, outcome):
    board = blank()
    headline(board, colour=colour)

    assert check(board, "contrast", role="headline", ratio=4.5).outcome == outcome


def test_contrast_is_with_the_topmost_thing_behind():
    board = blank()
    rect(board, "dark", x=0, y=0, w=800, h=500, colour="#000000", layer="background")
    rect(board, "light", x=0, y=0, w=800, h=500, colour="#ffffff", layer="background")
    headline(board, colour="#000000")

    assert check(board, "contrast", role="headline", ratio=20).outcome == "met"


def test_contrast_counts_at_the_worst_point():
    board = blank()
    rect(board, "half", x=0, y=0, w=200, h=500, colour="#111111", layer="background")
    headline(board, colour="#000000")

    assert check(board, "contrast", role="headline", ratio=4.5).outcome == "not"


def test_contrast_sees_gradients_and_pictures():
    board = blank()
    draw(board, "add_gradient", start="#000000", end="#ffffff", angle=0)
    headline(board, colour="#ffffff")
    fades = check(board, "contrast", role="headline", ratio=4.5)
    asset = "stage-dark@800x500"
    draw(board, "place_image", role="backdrop", asset=asset, x=0, y=0, w=800, h=500)
    draw(board, "send_to_back", role="backdrop")
    dark = check(board, "contrast", role="headline", ratio=4.5)

    assert fades.outcome == "not"
    assert dark.outcome == "met", dark.why


def test_a_scrim_lends_contrast_by_its_opacity():
    ratios = []
    for opacity in (0.0, 0.4, 0.9):
        board = blank()
        headline(board, colour="#ffffff")
        draw(board, "add_scrim", role="headline", colour="#000000", opacity=opacity)
        ratios.append(check(board, "contrast", role="headline", ratio=15).outcome)

    assert ratios == ["not", "not", "met"]


def test_a_text_under_a_picture_is_not_there_and_the_picture_is_to_blame():
    board = blank()
    headline(board, subtask="title")
    arguments: dict[str, Any] = {
        "asset": "harbour@1700x1100",
        "x": 0,
        "y": 0,
        "w": 800,
        "h": 600,
    }
    draw(board, "place_image", "picture", role="hero", **arguments)

    said = check(board, "text_present", role="headline", text="Harbour nights")
    read = check(board, "contrast", role="headline", ratio=3)

    assert (said.outcome, read.outcome) == ("not", "not")
    assert said.subtasks == read.subtasks == ("picture",)
    assert "hidden by hero" in said.why


def test_the_later_of_two_that_overlap_is_to_blame():
    board = blank()
    rect(board, "first", "early", x=0, y=0, w=100, h=100)
    rect(board, "second", "late", x=50, y=50, w=100, h=100)
    assert check(board, "no_overlap", role="first").subtasks == ("late",)

    draw(board, "move", "later", role="first", x=60, y=60)
    assert check(board, "no_overlap", role="second").subtasks == ("later",)


def test_what_lies_behind_by_design_does_not_overlap():
    board = blank()
    rect(board, "panel", x=0, y=0, w=800, h=300, layer="background")
    headline(board)
    draw(board, "add_scrim", role="headline")

    assert check(board, "no_overlap", role="headline").outcome == "met"


def test_the_logo_can_be_run_into():
    board = blank()
    headline(board)
    draw(board, "place_logo", x=60, y=90, w=200)

    assert check(board, "no_overlap", role="headline").outcome == "not"


def test_a_lost_element_is_blamed_on_who_lost_it():
    board = blank()
    headline(board, subtask="title")
    draw(board, "resize", "layout", role="headline", w=0, h=0)

    seen = check(board, "min_size", role="headline", share=0.05)

    assert seen.outcome == "not"
    assert "resized to nothing by layout" in seen.why
    assert seen.subtasks == ("layout",)


def test_what_was_never_drawn_is_blamed_on_who_should_have():
    assert check(blank(), "exists", role="headline").subtasks == ("asked",)


def test_half_of_the_words_is_not_the_text_but_most_of_them_is_partly():
    board = blank()
    headline(board, text="Three evenings of music")

    most = check(board, "text_present", role="headline", text="three evenings of jazz")
    few = check(board, "text_present", role="headline", text="two mornings of jazz")

    assert (most.outcome, few.outcome) == ("partly", "not")


def test_all_content_is_partly_good_if_two_thirds_are():
    board = blank()
    for number in range(3):
        rect(board, f"dot{number}", x=100 * number + 90, y=90, w=50, h=50)
    assert check(board, "safe_margin", role="*", share=0.1).outcome == "met"

    draw(board, "move", role="dot1", x=0, y=0)
    assert check(board, "safe_margin", role="*", share=0.1).outcome == "partly"

    draw(board, "move", role="dot2", x=0, y=900)
    assert check(board, "safe_margin", role="*", share=0.1).outcome == "not"


def test_the_size_of_the_export_decides_what_is_legible():
    board = poster()
    assert check(board, "legible", role="legal", px=30).outcome == "met"

    draw(board, "export", scale=1)
    assert check(board, "legible", role="legal", px=30).outcome == "not"


def test_a_group_is_counted_by_its_parts():
    board = blank()
    arguments: dict[str, Any] = {
        "columns": 2,
        "x": 50,
        "y": 50,
        "w": 400,
        "h": 200,
        "size": 20,
    }
    draw(board, "place_grid", role="grid", items=["a", "b", "c", "d"], **arguments)

    assert check(board, "item_count", role="grid", n=4).outcome == "met"
    assert check(board, "item_count", role="grid", n=5).outcome == "partly"
    assert check(board, "no_overlap", role="grid").outcome == "met"


def test_checks_come_one_for_each_requirement_in_their_order():
    board = poster()
    needs = [
        Requirement(id=f"n{number}", kind=kind, text="t", args=args)
        for number, (kind, args) in enumerate(GOOD.items())
    ]

    checks = verify_all(board, needs)

    assert [seen.requirement for seen in checks] == [each.id for each in needs]
    assert checks == tuple(verify(board, each) for each in needs)


def test_every_kind_bears_every_board():
    for board in (blank(), spoilt(), poster()):
        draw(board, "shrink_all", factor=0.02)
        for kind, args in GOOD.items():
            assert check(board, kind, **args).outcome in ("met", "partly", "not")


def test_an_unknown_kind_or_argument_is_an_error_that_lists_the_known():
    with pytest.raises(WorldError, match="text_present"):
        check(blank(), "beauty", role="headline")
    with pytest.raises(WorldError, match="role, ratio"):
        check(blank(), "contrast", role="headline")
    with pytest.raises(WorldError, match="role, ratio"):
        check(blank(), "contrast", role="headline", ratio=3, colour="red")
