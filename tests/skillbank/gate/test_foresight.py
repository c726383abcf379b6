import re
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.codec import dump, load
from skillbank.errors import GateError
from skillbank.gate.foresight import Ties, foresee, notes_of
from skillbank.gate.planner import REFERENCE, Outlay, plan_gate
from skillbank.gate_params import CertifiedParams, GateParams


def gate(mode: Any = "published", **numbers: Any) -> GateParams:
    return GateParams(mode=mode, **numbers)


def test_without_a_round_the_study_s_noise_is_taken() -> None:
    (outlay,) = foresee(gate(), Ties())

    assert outlay.ties == REFERENCE
    assert "no round" in Ties().source


def test_each_rule_that_may_decide_is_planned_at_the_noise_measured() -> None:
    outlays = foresee(gate("auto"), Ties(ties=30, valid=100))

    assert [one.mode for one in outlays] == ["certified", "published"]
    assert {one.ties for one in outlays} == {0.3}


@pytest.mark.parametrize("ties", [0, 12])
def test_a_dozen_contexts_that_tie_all_or_never_stop_no_round(ties: int) -> None:
    outlays = foresee(gate("auto"), Ties(ties=ties, valid=12))

    assert all(0 < one.ties < 1 for one in outlays)
    told = [text for text in notes_of(outlays) if "they allow too" in text]
    assert len(told) == (2 if ties else 0)


def test_hundreds_of_contexts_that_all_tie_stop_it() -> None:
    with pytest.raises(GateError, match="cannot pass") as caught:
        foresee(gate(), Ties(ties=400, valid=400))

    assert "ties less" in caught.value.remedy


def test_a_note_of_both_rules_is_told_once() -> None:
    both = foresee(gate("auto", cases=1, contexts=1, band="0"), Ties())

    assert len(set(notes_of(both))) == len(notes_of(both))


@pytest.mark.parametrize(
    ("numbers", "cannot", "remedy"),
    [
        ({"cases": 60}, "pass", r"lower gate\.cases to \d+"),
        ({"cases": 30, "contexts": 2}, "pass", r"gate\.cases"),
        ({"cases": 4, "contexts": 1000}, "500", r"gate\.contexts"),
    ],
)
def test_a_published_gate_that_is_none_says_what_would_mend_it(
    numbers: Any, cannot: str, remedy: str
) -> None:
    with pytest.raises(GateError, match=cannot) as caught:
        foresee(gate(**numbers), Ties())

    found = caught.value.remedy
    assert re.search(remedy, found)


def test_what_is_named_mends_it() -> None:
    with pytest.raises(GateError) as caught:
        foresee(gate(cases=60), Ties())
    named = int(caught.value.remedy.split()[3])

    assert foresee(gate(cases=named), Ties())
    with pytest.raises(GateError):
        foresee(gate(cases=named + 1), Ties())


def test_a_certified_gate_that_cannot_fail_is_refused_and_told_its_bar() -> None:
    loose = CertifiedParams(bar="1.4", screened_bar="1.4", floor="0")

    with pytest.raises(GateError, match="cannot fail") as caught:
        foresee(gate("certified", certified=loose), Ties())

    assert "gate.certified.bar to 42" in caught.value.remedy


def test_held_out_cases_are_as_many_as_the_configuration_draws() -> None:
    few = CertifiedParams(held_out=5)

    with pytest.raises(GateError, match="5 held-out cases") as caught:
        foresee(gate("certified", certified=few), Ties())

    assert "gate.certified.held_out" in caught.value.remedy


def test_a_rule_that_lets_many_no_ops_in_is_told_what_to_raise() -> None:
    (outlay,) = foresee(gate(cases=1, contexts=1, band="0"), Ties())

    assert any("raise gate.cases" in text for text in outlay.warnings)


def test_an_outlay_survives_json() -> None:
    outlays = foresee(gate("auto"), Ties())

    assert load(tuple[Outlay, ...], dump(outlays)) == outlays


NUMBERS = st.one_of(st.integers(1, 12), st.sampled_from([25, 499, 5000, 2**31 - 1]))


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["published", "certified"]),
    st.fixed_dictionaries({}, optional=dict.fromkeys(["cases", "contexts"], NUMBERS)),
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ["held_out", "horizon", "per_case", "guard", "screen_cases"], NUMBERS
        ),
    ),
    st.floats(0.01, 0.99),
)
def test_any_configuration_is_planned_or_refused_within_ten_seconds(
    mode: Any, numbers: Any, certified: Any, ties: float
) -> None:
    params = gate(mode, certified=CertifiedParams(**certified), **numbers)
    began = process_time()
    try:
        outlay = plan_gate(params, mode, ties=ties)
    except GateError as error:
        said = error.remedy
    else:
        said = "fine"
        assert all(0 <= one.ships.estimate <= 1 for one in outlay.forecasts)
    assert said
    assert process_time() - began < 10
