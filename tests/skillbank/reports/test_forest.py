import pytest

from skillbank.reports.forest import forest
from tests.skillbank.reports.builders import gain


def test_zero_and_every_end_lie_on_the_scale():
    made = forest(
        [
            gain("benchmark", "none", "completeness", 0.31),
            gain("benchmark", "seed", "completeness", -0.12),
        ]
    )

    assert 0 <= made.zero <= 100
    assert all(0 <= row.x_low < row.x < row.x_high <= 100 for row in made.rows)
    assert [row.side for row in made.rows] == ["better", "worse"]


def test_marks_are_round_numbers_and_few():
    made = forest([gain("benchmark", "none", "completeness", 0.31)])

    assert [tick.label for tick in made.ticks] == ["0", "+10", "+20", "+30", "+40"]
    assert made.zero == made.ticks[0].x == 0


@pytest.mark.parametrize("mean", [-0.9, -0.01, 0.0, 0.004, 0.9])
@pytest.mark.parametrize("half", [0.0, 0.001, 0.1])
def test_any_gain_can_be_laid_out(mean, half):
    made = forest([gain("sealed", "seed", "success", mean, half)])

    assert 2 <= len(made.ticks) <= 8
    assert 0 <= made.rows[0].x <= 100


def test_an_interval_that_reaches_zero_is_unclear():
    (row,) = forest([gain("sealed", "seed", "success", 0.06, 0.06)]).rows

    assert row.side == "unclear"


def test_completeness_comes_before_success():
    gains = [
        gain("benchmark", over, what, 0.1)
        for what in ("success", "completeness")
        for over in ("seed", "none")
    ]

    assert [(row.what, row.over) for row in forest(gains).rows] == [
        ("completeness", "no skills"),
        ("completeness", "seed bank"),
        ("success", "no skills"),
        ("success", "seed bank"),
    ]
