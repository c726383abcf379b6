"""When a judge may not gate, and what its votes are worth then."""

from itertools import repeat
from math import ceil

import pytest
from scipy.stats import binom

from skillbank.control_params import ControlParams
from skillbank.gate.published import Code, Decision
from skillbank.gate.standing import Standing, standing, withheld
from skillbank.gate.verdict import Verdict
from skillbank.gate.votes import Votes

PARAMS = ControlParams()
WIN, LOSS = Votes("candidate", "candidate"), Votes("current", "current")
FLIP, SAME = Votes("candidate", "current"), Votes("same", "same")


def held(
    *, lost: int = 24, won: int = 0, tied: int = 0, flips: int = 0, firm: int = 60
) -> Standing:
    degraded = [*repeat(LOSS, lost), *repeat(WIN, won), *repeat(FLIP, tied)]
    return standing(degraded, [*repeat(FLIP, flips), *repeat(WIN, firm)], PARAMS)


def verdict(decision: Decision, code: Code, spent: int = 5) -> Verdict:
    return Verdict(
        proposal="p", plan="", decision=decision, code=code, reason="so", spent=spent
    )


def test_a_judge_that_degraded_outputs_lose_to_may_gate():
    assert held().may_gate
    assert held(lost=9, won=1).may_gate  # nine in ten is not below nine in ten


def test_a_judge_below_the_bar_is_told_its_figure_and_the_bar():
    (fault,) = held(lost=17, won=2).faults

    assert fault == "degraded outputs lost 17 of 19 decided pairs (89%, the bar is 90%)"


def test_only_decided_pairs_count_and_a_few_say_nothing():
    assert held(lost=8, won=0, tied=16).may_gate
    assert held(lost=3, won=4, tied=17).may_gate
    assert not held(lost=4, won=4, tied=16).may_gate


def test_a_judge_that_flips_on_more_than_its_bar_may_not_gate():
    assert held(flips=45, firm=55).may_gate
    (fault,) = held(flips=46, firm=54).faults

    assert "46 of 100 pairs differently" in fault
    assert "46%, the bar is 45%" in fault
    assert held(flips=39, firm=0).may_gate
    assert not held(flips=40, firm=0).may_gate


def test_flips_on_degraded_pairs_are_not_the_judges_flip_rate():
    judge = held(lost=10, tied=100, flips=10, firm=40)

    assert (judge.flips, judge.swapped) == (10, 50)


@pytest.mark.parametrize(
    ("decision", "code", "spent", "after"),
    [
        ("commit", "commit", 5, "undecided:judge"),
        ("refuse", "refuse:regressed", 5, "undecided:judge"),
        ("refuse", "refuse:forbidden", 5, "refuse:forbidden"),
        ("refuse", "refuse:ceiling", 5, "refuse:ceiling"),
        ("undecided", "undecided:inconclusive", 5, "undecided:inconclusive"),
        ("refuse", "refuse:no_cases", 0, "refuse:no_cases"),
    ],
)
def test_what_rests_on_votes_is_undecided_and_nothing_else(
    decision: Decision, code: Code, spent: int, after: Code
):
    given, bad = verdict(decision, code, spent), held(lost=0, won=24)

    said = withheld(given, bad)

    assert said.code == after
    assert withheld(given, held()) == given
    if after == "undecided:judge":
        assert said.decision == "undecided"
        assert "degraded outputs lost 0 of 24 decided pairs" in said.reason


def falls(right: float, n: int) -> float:
    """P(a judge that is right that often falls below the bar over n decided pairs)."""
    return float(binom.cdf(ceil(PARAMS.degraded_min * n - 1e-9) - 1, n, right))


def flips_beyond(rate: float, n: int) -> float:
    return float(binom.sf(int(PARAMS.flip_max * n + 1e-9), n, rate))


def test_the_chances_that_the_documentation_states_are_exact():
    least = PARAMS.degraded_least

    coin = sum(binom.pmf(n, 24, 0.5) * falls(0.5, n) for n in range(least, 24 + 1))

    assert falls(0.99, 24) == pytest.approx(0.002, abs=5e-4)
    assert falls(0.97, 24) == pytest.approx(0.034, abs=5e-4)
    assert coin == pytest.approx(0.96, abs=0.005)
    assert falls(0.0, least) == 1
    n = PARAMS.flip_least
    assert flips_beyond(0.26, n) == pytest.approx(0.003, abs=5e-4)
    assert flips_beyond(0.26, 2 * n) < 1e-4
    assert flips_beyond(0.30, n) == pytest.approx(0.015, abs=5e-4)
    assert flips_beyond(0.30, 2 * n) == pytest.approx(0.002, abs=5e-4)
    assert flips_beyond(0.5, n) == pytest.approx(0.68, abs=0.005)
    assert flips_beyond(0.5, 2 * n) == pytest.approx(0.78, abs=0.005)
    assert flips_beyond(1.0, n) == 1


def test_a_judge_that_calls_all_the_same_is_not_stopped_and_lets_nothing_in():
    assert standing(repeat(SAME, 24), repeat(SAME, 60), PARAMS).may_gate
