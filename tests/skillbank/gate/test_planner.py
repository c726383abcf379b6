from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.errors import GateError
from skillbank.gate.kinds import KINDS, Shape, simulate
from skillbank.gate.limits import STUDY
from skillbank.gate.noise import Noise
from skillbank.gate.planner import Prices, plan_gate
from skillbank.gate_params import CertifiedParams, GateParams

PUBLISHED = {
    # the gate study, 2.2, exact; ours adds effects by context to the judge's spread
    "no-op": 0.134,
    "overfit": 0.855,
    "+0.5": 0.371,
    "+1": 0.652,
    "harm -0.5": 0.027,
    "targeted +2": 0.228,
}


def certified(**numbers: Any) -> GateParams:
    return GateParams(certified=CertifiedParams(**numbers))


def test_the_published_gate_is_forecast_exactly() -> None:
    outlay = plan_gate(GateParams(), "published")

    found = {one.kind: one.ships.estimate for one in outlay.forecasts}
    assert found == pytest.approx(PUBLISHED, abs=0.003)
    assert all(one.exact for one in outlay.forecasts)
    assert outlay.bound is None
    assert any("1/6" in text for text in outlay.warnings)


def test_curtailment_is_in_the_forecast_of_contexts() -> None:
    outlay = plan_gate(GateParams(), "published")

    assert outlay.most_contexts == 12
    assert outlay.of("no-op").contexts == pytest.approx(5.4, abs=0.5)
    assert outlay.of("+1").contexts == pytest.approx(7.9, abs=0.5)


def test_the_certified_gate_is_forecast_with_an_interval() -> None:
    outlay = plan_gate(GateParams(), "certified")

    none, real = outlay.of("no-op").ships, outlay.of("+1").ships
    assert none.low < none.estimate < none.high < 0.018
    assert real.estimate > 0.75
    assert outlay.of("overfit").ships.estimate < 0.03
    assert outlay.of("harm -0.5").ships.estimate < 0.003
    assert none.estimate < outlay.bound == pytest.approx(1 / 50)  # type: ignore[operator]


def test_the_study_s_own_numbers_give_the_study_s_figures() -> None:
    found = {
        kind: simulate(
            KINDS[kind], STUDY, Shape(held_out=12), Noise(), n=8000, seed=3
        ).ships.mean()
        for kind in KINDS
    }

    # 4 standard errors at n = 8000
    assert found["no-op"] == pytest.approx(0.009, abs=0.0045)
    assert found["overfit"] == pytest.approx(0.022, abs=0.007)
    assert found["+0.5"] == pytest.approx(0.189, abs=0.018)
    assert found["+1"] == pytest.approx(0.718, abs=0.02)
    assert found["harm -0.5"] < 0.002


def test_each_context_is_two_runs_and_two_calls() -> None:
    prices = Prices(run_usd=0.05, call_usd=0.01)

    forecast = plan_gate(GateParams(), "published", prices=prices).of("+1")

    assert forecast.runs == forecast.calls == 2 * forecast.contexts
    assert forecast.usd == pytest.approx(forecast.contexts * 0.12)


def test_more_proposals_a_round_ask_more_of_each() -> None:
    one = plan_gate(GateParams(), "certified")
    many = plan_gate(GateParams(), "certified", proposals=200)

    assert many.bound == 1 / 100
    assert many.of("+1").ships.estimate < one.of("+1").ships.estimate


def test_neighbours_cost_contexts_and_stop_some() -> None:
    alone = plan_gate(GateParams(), "certified").of("+1")
    among = plan_gate(GateParams(), "certified", shape=Shape(neighbours=8)).of("+1")

    assert among.contexts > alone.contexts
    assert 0.75 < among.ships.estimate / alone.ships.estimate < 0.95


def test_the_same_question_has_the_same_answer() -> None:
    first = plan_gate(GateParams(), "certified", ties=0.3)
    plan_gate.cache_clear()

    assert plan_gate(GateParams(), "certified", ties=0.3) == first


@pytest.mark.parametrize("mode", ["published", "certified"])
@pytest.mark.parametrize("ties", [0.0, 1.0, float("nan")])
def test_a_tie_share_of_nothing_or_everything_is_an_error(
    mode: Any, ties: float
) -> None:
    with pytest.raises(GateError, match="A/A"):
        plan_gate(GateParams(), mode, ties=ties)


@pytest.mark.parametrize(
    ("numbers", "shape", "remedy"),
    [
        ({}, Shape(held_out=5), "least"),
        ({"horizon": 12}, Shape(), "horizon"),
        ({"per_case": 1}, Shape(held_out=8, origin=0), "per_case"),
        ({"bar": "1"}, Shape(), "bar"),
        ({"floor": "1"}, Shape(), "floor"),
        ({"win": "2"}, Shape(), "win"),
        ({"floor": "0.99", "win": "1.1", "bar": "9"}, Shape(), "gate.certified"),
    ],
)
def test_a_certified_gate_that_cannot_pass_or_fail_names_the_number(
    numbers: Any, shape: Shape, remedy: str
) -> None:
    with pytest.raises(GateError) as caught:
        plan_gate(certified(**numbers), "certified", shape=shape)

    assert remedy in caught.value.remedy


def test_a_published_gate_that_cannot_pass_names_the_number() -> None:
    with pytest.raises(GateError, match=r"gate\.cases"):
        plan_gate(GateParams(cases=60), "published")


@pytest.mark.parametrize(
    ("numbers", "shape", "said"),
    [
        ({"guard": 0, "regress": 1}, Shape(), "not looked at again"),
        ({"regress": 40}, Shape(), "refuses nothing"),
        ({"bar": "9"}, Shape(), "11%"),
        ({}, Shape(held_out=6), "30 of 72"),
    ],
)
def test_a_weak_certified_gate_is_a_warning(
    numbers: Any, shape: Shape, said: str
) -> None:
    outlay = plan_gate(certified(**numbers), "certified", shape=shape)

    assert any(said in text for text in outlay.warnings)


def test_the_defaults_warn_of_nothing() -> None:
    assert plan_gate(GateParams(), "certified").warnings == ()


@settings(max_examples=6, deadline=None)
@given(
    st.floats(0.02, 0.95),
    st.integers(6, 16),
    st.integers(2, 60),
    st.fractions(Fraction(0), Fraction(1, 2), max_denominator=9),
)
def test_no_configuration_ships_more_no_ops_than_its_bound(
    ties: float, held_out: int, bar: int, floor: Fraction
) -> None:
    params = certified(bar=Fraction(bar), screened_bar=Fraction(bar), floor=floor)
    try:
        outlay = plan_gate(
            params, "certified", ties=ties, shape=Shape(held_out=held_out)
        )
    except GateError:
        return  # it cannot pass, and says so

    assert outlay.bound is not None
    assert outlay.of("no-op").ships.low <= outlay.bound


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_price_is_a_number_of_dollars_or_an_error(usd: float) -> None:
    if 0 <= usd < float("inf"):
        assert Prices(run_usd=usd).run_usd == usd
    else:
        with pytest.raises(GateError, match="dollars"):
            Prices(run_usd=usd)


def test_a_negative_number_of_cases_is_an_error() -> None:
    with pytest.raises(GateError, match="held_out"):
        Shape(held_out=-1)


@given(st.floats(allow_nan=True, allow_infinity=True))
@settings(max_examples=40, deadline=None)
def test_any_tie_share_is_forecast_or_an_error(ties: float) -> None:
    if not 0 < ties < 1:
        with pytest.raises(GateError, match="A/A"):
            plan_gate(GateParams(), "published", ties=ties)
