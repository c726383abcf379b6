import subprocess
import sys
from pathlib import Path

import pytest
from PIL import ImageFont

from skillbank.errors import WorldError
from studio.fonts import cased, face, font_path, layout, read_face, width


@pytest.mark.parametrize("family", ["sans", "serif", "mono"])
@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_measured_widths_are_those_of_the_letters_that_are_drawn(family, weight):
    text = "Harbour Jazz, 12-14 June: été"
    font = ImageFont.truetype(font_path(family, weight), 1000)

    drawn = sum(font.getlength(letter) for letter in text) / 1000

    assert width(text, family, weight) == pytest.approx(drawn, rel=0.002)


def test_bold_is_wider_than_regular():
    assert width("Harbour", "sans", "bold") > width("Harbour", "sans", "regular")


def test_lines_break_between_words_and_stay_within_the_room():
    text = "three evenings of open air music at the old fish market"

    lines = layout(text, "sans", "regular", 12.0)

    assert " ".join(line.text for line in lines) == text
    assert all(line.width <= 12.0 for line in lines)
    assert all(
        width(line.text, "sans", "regular") == pytest.approx(line.width)
        for line in lines
    )


def test_a_word_wider_than_the_room_stands_alone_and_runs_over():
    lines = layout("an incomprehensibility here", "sans", "regular", 5.0)

    assert [line.text for line in lines] == ["an", "incomprehensibility", "here"]
    assert lines[1].width > 5.0


def test_a_line_feed_opens_a_paragraph():
    lines = layout("one two\nthree", "sans", "regular", 2.5)

    assert [line.opens for line in lines] == [True, False, True]


def test_an_unknown_character_has_a_width():
    assert width("\U0001f9ff", "sans", "regular") == face("sans", "regular").missing


def test_case_is_applied_before_measuring():
    assert cased("big day", "title") == "Big Day"
    assert cased("big day", "upper") == "BIG DAY"


def test_a_missing_font_names_the_file_and_the_remedy(tmp_path: Path):
    with pytest.raises(WorldError, match=r"DejaVuSans-Bold\.ttf.*make setup"):
        font_path("sans", "bold", tmp_path)


def test_a_broken_font_names_the_file_and_the_remedy(tmp_path: Path):
    broken = tmp_path / "DejaVuSans.ttf"
    broken.write_bytes(b"not a font")

    with pytest.raises(WorldError, match=r"DejaVuSans\.ttf.*make setup"):
        read_face(broken)


def test_matplotlib_is_not_imported_for_its_fonts():
    code = (
        "import sys; from studio.fonts import width;"
        "width('a', 'sans', 'bold'); sys.exit('matplotlib' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
