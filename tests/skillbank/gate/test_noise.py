import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.errors import GateError
from skillbank.gate.noise import Noise, outcomes, votes

QUIET, REF, NOISY = Noise(0.25, 0.25, 0.2), Noise(), Noise(1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("noise", "effect", "win", "loss"),
    [
        # the table of the study, section 1; effects by context widen it a little
        (QUIET, 0.0, 0.439, 0.439),
        (QUIET, 1.0, 0.70, 0.21),
        (REF, 0.0, 0.369, 0.369),
        (REF, 0.5, 0.49, 0.26),
        (REF, 1.0, 0.62, 0.17),
        (REF, 1.5, 0.73, 0.10),
        (NOISY, 0.0, 0.298, 0.298),
        (NOISY, 1.0, 0.49, 0.15),
    ],
)
def test_the_judge_is_that_of_the_study(
    noise: Noise, effect: float, win: float, loss: float
) -> None:
    assert noise.chances(effect) == pytest.approx((win, loss), abs=0.006)


@given(st.floats(0.01, 1.5), st.floats(0.01, 1.5), st.floats(0, 2))
def test_a_no_op_wins_and_loses_alike_whatever_the_judge(
    misperception: float, noise: float, position: float
) -> None:
    win, loss = Noise(misperception, noise, position).chances(0.0)

    assert win == pytest.approx(loss, abs=1e-9)


@pytest.mark.parametrize("share", [0.01, 0.122, 0.261, 0.404, 0.6, 0.9, 0.99])
def test_a_tie_share_comes_back_from_the_judge_that_it_implies(share: float) -> None:
    win, loss = Noise.of_ties(share).chances(0.0)

    assert 1 - win - loss == pytest.approx(share, abs=0.003)


def test_the_reference_share_implies_the_reference_judge() -> None:
    found = Noise.of_ties(0.261)

    assert found.noise == found.position == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, 1.1, float("nan"), float("inf")])
def test_a_tie_share_of_nothing_or_everything_is_an_error(share: float) -> None:
    with pytest.raises(GateError, match="above 0 and below 1"):
        Noise.of_ties(share)


@pytest.mark.parametrize("common", [0.0, 0.5])
def test_drawn_votes_fall_as_often_as_the_integral_says(common: float) -> None:
    noise, n = Noise(common=common), 30_000
    rng = np.random.default_rng(8)

    drawn = outcomes(*votes(np.full((n, 1), 1.0), 1, noise, rng))

    win, loss = noise.chances(1.0)
    assert (drawn > 0).mean() == pytest.approx(win, abs=0.012)  # 4 standard errors
    assert (drawn < 0).mean() == pytest.approx(loss, abs=0.012)


def test_contexts_of_a_case_hang_together_only_where_they_are_said_to() -> None:
    rng = np.random.default_rng(9)

    def agreement(common: float) -> float:
        none = np.zeros((20_000, 1))
        drawn = outcomes(*votes(none, 2, Noise(common=common), rng))
        return float((drawn[:, 0, 0] * drawn[:, 0, 1]).mean())

    assert agreement(0.0) == pytest.approx(0.0, abs=0.03)
    assert agreement(0.5) > 0.15
