"""Claims about the language of a card's arguments."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.agent import opening
from studio.expressions import Failure, evaluate, problem
from studio.scope import BoardScope
from tests.studio.playing import brief, context


def scope() -> BoardScope:
    one = brief(1)
    board = opening(one, context(one).kit)
    return BoardScope.of(board, one.facts["say"], context(one).assets)


def test_arithmetic_over_the_board_gives_numbers():
    here = scope()

    assert evaluate("0.5*W", here) == here.board.width / 2
    assert evaluate("W - 2*kit.margin", here) == pytest.approx(
        here.board.width - 2 * here.board.kit.margin * here.board.short
    )


def test_the_contrasting_colour_is_one_of_the_kit_and_can_be_read():
    here = scope()

    assert evaluate("contrast_of(board)", here) in here.board.kit.palette.values()


def test_strings_of_the_brief_and_retrieved_pictures_have_names():
    here = scope()

    assert evaluate("brief.headline", here) == here.say["headline"]
    assert evaluate("assets.first", here) == here.assets[0]
    assert evaluate("largest()", here) in here.assets


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "board.__class__",
        "().__class__.__bases__",
        "open('x')",
        "[x for x in (1, 2)]",
        "lambda: 1",
        "9**9",
        "9*9*9*9*9*9*9*9*9*9",
        "1/0",
        "W +",
        "",
        "nobody",
        "kit.nothing",
        "brief.nothing",
        "assets.ninetieth",
        "below()",
        "below(1)",
        "below(board)",
        "fit(1, 2, 3)",
        "max('a', 1)",
        "contrast_of('no colour')",
        "-'a'",
        "W(1)",
        "kit.margin.real",
        "f'{W}'",
        "1 if W else 2",
        "None",
        "1e400",
        "9" * 200,
        "W" * 500,
        "-" * 30 + "1",
        "+".join(["1"] * 100),
        "min(" * 12 + "1" + ")" * 12,
    ],
)
def test_what_cannot_be_worked_out_is_a_failure_and_never_an_exception(text):
    assert isinstance(evaluate(text, scope()), Failure)


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_text_at_all_raises(text):
    evaluate(text, scope())
    problem(text)


def test_a_problem_is_told_before_there_is_a_board():
    assert problem("0.1*W") == ""
    assert "not allowed" in problem("W if H else S")
