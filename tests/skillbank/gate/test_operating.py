from fractions import Fraction

import pytest

from skillbank.errors import GateError
from skillbank.gate import Rule, operating, p_ship, smallest_band, warnings
from skillbank.gate_params import GateParams

TIES = 1 - 2 * 0.3717  # the study's reference noise: a context of a no-op


def test_the_published_rule_ships_one_in_seven_no_ops() -> None:
    assert operating(GateParams(), TIES) == pytest.approx(0.134, abs=0.0005)


def test_the_rate_is_exact_in_fractions() -> None:
    rate = operating(Rule(), Fraction(1, 3))

    assert rate == Fraction(2723, 19683)
    assert float(rate) == pytest.approx(operating(Rule(), 1 / 3))


def test_a_rule_that_asks_a_majority_of_losses_ships_more_no_ops() -> None:
    sym = Rule(symmetry="sym")

    assert operating(sym, TIES) == pytest.approx(0.204, abs=0.0005)


def test_a_sure_win_ships_and_a_sure_loss_never() -> None:
    assert p_ship(Fraction(1), Fraction(0), Rule()) == 1
    assert p_ship(Fraction(0), Fraction(1), Rule()) == 0
    assert operating(Rule(), Fraction(1)) == 0


@pytest.mark.parametrize("ties", [float("nan"), -0.1, 1.1, float("inf")])
def test_a_tie_share_that_is_no_share_is_an_error(ties: float) -> None:
    with pytest.raises(GateError, match=r"\[0, 1\]"):
        operating(Rule(), ties)


def test_chances_above_one_together_are_an_error() -> None:
    with pytest.raises(GateError):
        p_ship(0.7, 0.7, Rule())


def test_an_inert_band_is_a_warning_that_names_the_smallest_useful_one() -> None:
    (found,) = warnings(GateParams())

    assert "1/6" in found


def test_the_smallest_useful_band_is_no_warning_and_changes_a_verdict() -> None:
    band = smallest_band(3)

    assert warnings(Rule(contexts=3, band=band)) == ()
    assert operating(Rule(band=band), 0.26) != operating(Rule(band=Fraction(0)), 0.26)


def test_a_band_of_zero_is_meant_and_no_warning() -> None:
    assert warnings(Rule(band=Fraction(0))) == ()


def test_an_even_number_of_contexts_is_a_warning() -> None:
    found = warnings(GateParams(contexts=4, band=Fraction(1, 8)))

    assert any("even" in text for text in found)


@pytest.mark.parametrize("band", [Fraction(1, 2), Fraction(3, 5)])
def test_a_band_that_nothing_can_leave_is_an_error(band: Fraction) -> None:
    with pytest.raises(GateError, match="cannot pass or cannot fail"):
        warnings(GateParams(band=band))


def test_no_cases_are_an_error() -> None:
    with pytest.raises(GateError, match="no case, no verdict"):
        Rule(cases=0)
