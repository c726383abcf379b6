from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.errors import GateError
from skillbank.gate.evalues import (
    GAIN,
    Stakes,
    e_lond,
    e_lond_bar,
    e_value,
    lond_level,
    round_bar,
)
from skillbank.gate.limits import STUDY, Limits
from skillbank.gate_params import CertifiedParams

BARS = st.integers(2, 200).map(Fraction)


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_bet_on_a_no_op_gains_nothing_on_average(wins: int, losses: int) -> None:
    now = e_value(wins, losses)

    after = (e_value(wins + 1, losses) + e_value(wins, losses + 1)) / 2

    assert after == now


@pytest.mark.parametrize("decided", [8, 12, 16])
def test_a_no_op_reaches_the_bar_at_most_once_in_bar_trials(decided: int) -> None:
    bar = Fraction(20)
    alive = {0: Fraction(1)}  # wins so far: chance, of trials that never passed
    passed = Fraction(0)
    for n in range(1, decided + 1):
        grown: dict[int, Fraction] = {}
        for wins, chance in alive.items():
            for more in (0, 1):
                if e_value(wins + more, n - wins - more) >= bar:
                    passed += chance / 2
                else:
                    grown[wins + more] = grown.get(wins + more, 0) + chance / 2
        alive = grown

    assert 0 < passed <= 1 / bar


@pytest.mark.parametrize(
    "stakes",
    [
        Stakes(Fraction(8, 5), Fraction(1, 2)),
        Stakes(Fraction(1), Fraction(1)),
        Stakes(Fraction(3, 2), Fraction(-1, 2)),
    ],
)
def test_a_bet_that_is_not_fair_or_no_bet_is_refused(stakes: Stakes) -> None:
    with pytest.raises(GateError, match="together at most 2"):
        stakes.check("stakes")


def test_a_round_of_many_proposals_asks_for_more_evidence() -> None:
    assert round_bar(Fraction(20), 30, Fraction(2)) == 20
    assert round_bar(Fraction(20), 60, Fraction(2)) == 30
    with pytest.raises(GateError, match="above 0"):
        round_bar(Fraction(20), 60, Fraction(0))


def test_each_discovery_lowers_what_the_next_one_needs() -> None:
    evidence = [Fraction(value) for value in (60, 30, 20, 15, 12, 9)]

    assert e_lond(evidence, Fraction(1, 10)) == (True,) * 5 + (False,)
    assert e_lond([Fraction(59), *evidence[1:]], Fraction(1, 10)) == (False,) * 6


@given(st.integers(1, 100), st.integers(0, 100))
def test_a_level_and_an_e_value_ask_for_the_same(n: int, discoveries: int) -> None:
    alpha = Fraction(1, 5)

    assert e_lond_bar(alpha, n, discoveries) * lond_level(alpha, n, discoveries) == 1


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1), Fraction(-1, 2)])
def test_a_level_of_nothing_or_everything_is_refused(alpha: Fraction) -> None:
    with pytest.raises(GateError, match=r"in \(0, 1\)"):
        lond_level(alpha, 10, 0)


def test_no_proposals_have_no_level() -> None:
    with pytest.raises(GateError, match="at least one"):
        lond_level(Fraction(1, 10), 0, 0)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("least", 0),
        ("screen", -1),
        ("bar", Fraction(1)),
        ("floor", Fraction(1)),
        ("hope", Fraction(0)),
        ("hope", Fraction(11, 10)),
        ("per_case", 0),
        ("horizon", 0),
        ("guard", -1),
        ("regress", 0),
        ("harm_bar", Fraction(1)),
        ("harm_floor", Fraction(1)),
        ("win", Fraction(8, 5)),
    ],
)
def test_numbers_that_cannot_pass_or_cannot_fail_name_what_to_change(
    number: str, value: object
) -> None:
    with pytest.raises(GateError) as caught:
        Limits(**{number: value})  # type: ignore[arg-type]

    assert number in caught.value.remedy


@given(BARS, st.sampled_from([Fraction(1), Fraction(3, 5), Fraction(1, 3)]))
def test_the_shortest_horizon_is_the_first_that_could_pass(
    bar: Fraction, hope: Fraction
) -> None:
    limits = Limits(bar=bar, hope=hope, horizon=1000)

    shortest = limits.shortest()

    assert limits.reachable(shortest)
    assert not limits.reachable(shortest - 1)


@pytest.mark.parametrize(
    ("cases", "rounds", "contexts"),
    [(0, 0, 0), (6, 5, 30), (12, 5, 60), (14, 5, 70), (16, 5, 72), (60, 2, 72)],
)
def test_contexts_are_spread_over_the_cases(
    cases: int, rounds: int, contexts: int
) -> None:
    assert (Limits().rounds(cases), Limits().contexts(cases)) == (rounds, contexts)


def test_the_study_asks_three_contexts_of_twelve_cases() -> None:
    assert (STUDY.rounds(12), STUDY.contexts(12)) == (3, 36)
    assert STUDY.stakes == GAIN


def test_scarce_held_out_cases_are_screened_first() -> None:
    params = CertifiedParams()

    ample = Limits.of(params, held_out=12, origin=4)
    scarce = Limits.of(params, held_out=11, origin=4)
    unseen = Limits.of(params, held_out=11, origin=0)

    assert (ample.screen, ample.bar) == (0, Fraction(50))
    assert (scarce.screen, scarce.bar) == (2, Fraction(20))
    assert scarce.floor < ample.floor == unseen.floor
    assert (unseen.screen, unseen.bar) == (0, Fraction(50))


def test_the_defaults_of_params_are_the_defaults_of_the_rule() -> None:
    assert Limits.of(CertifiedParams(), held_out=16, origin=4) == Limits()


def test_a_round_of_two_hundred_asks_for_a_hundred() -> None:
    params = CertifiedParams()

    limits = Limits.of(params, held_out=16, origin=4, proposals=200)

    assert limits.bar == 100


def test_e_lond_asks_for_less_after_commits() -> None:
    params = CertifiedParams(fdr=Fraction(1, 5))

    bars = [
        Limits.of(params, held_out=16, origin=4, proposals=60, commits=k).bar
        for k in (0, 2, 9)
    ]

    assert bars == [300, 100, 50]
