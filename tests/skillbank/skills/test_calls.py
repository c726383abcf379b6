"""A call line is read, and nothing of it is ever run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.errors import SkillError
from skillbank.skills.calls import Call, parse_call


def test_arguments_stay_expressions():
    call = parse_call('place_text(role="headline", x=0.08*W, c=contrast_of(board))')

    assert call.tool == "place_text"
    assert call.arguments == {
        "role": "'headline'",
        "x": "0.08 * W",
        "c": "contrast_of(board)",
    }


def test_a_call_written_out_reads_back_equal():
    call = parse_call("draw(a=[1, 2], b=-x ** 2, c='it\\'s')")

    assert parse_call(str(call)) == call
    assert parse_call("undo()") == Call(tool="undo")


@pytest.mark.parametrize(
    "line",
    [
        "draw(1)",
        "draw(*xs)",
        "draw(**more)",
        "draw(a=1, a=2)",
        "board.draw(a=1)",
        "draw",
        "draw(a=1); draw(a=2)",
        "x = draw(a=1)",
        "import os",
        "draw(a=",
        "",
        "draw(a='\0')",
        "draw(a=" + "(" * 900 + ")" * 900 + ")",
        "draw(a=" + "-" * 1500 + "1)",
        "draw(a='" + "x" * 3000 + "')",
    ],
)
def test_what_is_no_plain_call_is_refused(line):
    with pytest.raises(SkillError) as caught:
        parse_call(line)

    assert len(str(caught.value)) < 700


def test_reading_a_call_runs_nothing(tmp_path):
    target = tmp_path / "made"

    parse_call(f"draw(a=open({str(target)!r}, 'w'))")

    assert not target.exists()


@given(st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_any_line_is_a_call_or_a_skill_error(line):
    for text in (line, f"draw(a={line})"):
        try:
            parse_call(text)
        except SkillError:
            continue
