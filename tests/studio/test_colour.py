import pytest
from coloraide import Color

from studio.assets import asset, mean_colour, pixels
from studio.colour import best_contrast, contrast, over, parse


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.48),
        ("#767676", "#ffffff", 4.54),
        ("#ff0000", "#ffffff", 4.0),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_that_of_wcag(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(one, other) == contrast(other, one)
    assert contrast(one, other) == pytest.approx(
        Color(one).contrast(other, method="wcag21")
    )


def test_colours_are_read_in_css_notations():
    assert parse("RED") == parse("#f00") == parse("rgb(255 0 0)") == "#ff0000"
    assert parse(" hsl(120, 100%, 50%) ") == "#00ff00"


@pytest.mark.parametrize("text", ["", "reddish", "#12", "rgb(0 0 0 / 50%)", "none"])
def test_what_is_no_opaque_colour_is_none(text):
    assert parse(text) is None


def test_opacity_mixes_with_what_lies_below():
    assert over("#ffffff", "#000000", 0.5) == "#808080"
    assert over("#ffffff", "#000000", 0) == "#000000"
    assert over("#ffffff", "#000000", 1) == "#ffffff"


def test_the_best_contrast_is_the_candidate_that_stands_out_most():
    assert best_contrast("#14213d") == "#ffffff"
    assert best_contrast("#ffd166") == "#000000"
    assert best_contrast("#ffffff", ("#eeeeee", "#884422")) == "#884422"


def test_a_name_fixes_size_and_tone_of_a_picture():
    assert (asset("quay@1600x900").width, asset("quay@1600x900").height) == (1600, 900)
    assert asset("stock-quay").width > asset("quay").width
    dark, light = mean_colour("quay-dark"), mean_colour("quay-light")
    assert contrast(dark, "#ffffff") > contrast(light, "#ffffff")


def test_checks_and_rendering_see_the_same_picture():
    import numpy as np

    steps = (np.arange(240) + 0.5) / 240
    across, down = np.meshgrid(steps, steps)

    fine = pixels("harbour@1500x1000", across, down)
    red = int(mean_colour("harbour@1500x1000")[1:3], 16) / 255

    assert fine.shape == (240, 240, 3)
    assert 0 <= fine.min() <= fine.max() <= 1
    assert fine[..., 0].mean() == pytest.approx(red, abs=0.02)


def test_part_of_a_picture_has_its_own_mean():
    whole = mean_colour("skyline@1200x800")
    top = mean_colour("skyline@1200x800", (0, 0, 1, 0.2))

    assert top != whole
