from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.errors import GateError
from skillbank.gate import Case, Plan, Role, Trial, plan_gate
from skillbank.gate.settle import Asked, Settled, settle
from skillbank.gate_params import CertifiedParams, GateParams

PARAMS = CertifiedParams()


def settled(asked: Asked, held_out: Mapping[str, int], origin: int = 4) -> Settled:
    return settle(asked, PARAMS, held_out=held_out, origin=origin)


def test_published_mode_stays_published_whatever_there_is() -> None:
    found = settled("published", {"": 40})

    assert (found.mode, found.limits, found.uncertifiable) == ("published", None, False)


def test_auto_certifies_from_six_held_out_prompts_on() -> None:
    assert settled("auto", {"": 6}).mode == "certified"


@pytest.mark.parametrize("held_out", [{}, {"": 0}, {"": 5}, {"old": 30, "new": 5}])
def test_auto_gates_as_published_and_says_so_where_held_out_prompts_are_few(
    held_out: Mapping[str, int],
) -> None:
    found = settled("auto", held_out)

    assert (found.mode, found.uncertifiable) == ("published", True)


def test_certified_mode_does_not_fall_back() -> None:
    found = settled("certified", {"": 5})

    assert (found.mode, found.uncertifiable) == ("certified", False)


def test_auto_falls_back_where_a_large_round_asks_for_more_than_there_is() -> None:
    found = settle("auto", PARAMS, held_out={"": 6}, origin=4, proposals=5000)

    assert found.uncertifiable


def test_no_more_held_out_cases_are_drawn_than_configured() -> None:
    assert settled("auto", {"": 99}).held_out == 16
    assert settled("auto", {"old": 99, "new": 99}).held_out == 32


def test_a_fallback_is_written_on_the_plan_and_the_verdict() -> None:
    case = Case(id="c", brief="b", contexts=("c/0",))
    plan = Plan(
        proposal="p",
        cases=(case,),
        contexts=1,
        required=2,
        uncertifiable=settled("auto", {"": 3}).uncertifiable,
    )

    verdict = Trial(plan).verdict

    assert verdict is not None
    assert verdict.uncertifiable
    assert verdict.evidence is None


@given(
    st.integers(0, 30),
    st.integers(0, 6),
    st.integers(1, 200),
    st.integers(0, 50),
    st.sampled_from([Fraction(0), Fraction(1, 5)]),
)
def test_what_is_drawn_is_enough_for_the_trial(
    held_out: int, origin: int, proposals: int, commits: int, fdr: Fraction
) -> None:
    found = settle(
        "auto",
        CertifiedParams(fdr=fdr),
        held_out={"": held_out},
        origin=origin,
        proposals=proposals,
        commits=commits,
    )
    if found.limits is None:
        assert found.uncertifiable
        return
    drawn: dict[Role, int] = {"origin": min(origin, 4), "held-out": found.held_out}
    cases = tuple(
        Case(
            id=f"{role}{i}",
            brief=f"{role}{i}",
            origin=role == "origin",
            contexts=tuple(f"{role}{i}/{j}" for j in range(found.contexts(role))),
        )
        for role, n in drawn.items()
        for i in range(n)
    )

    trial = Trial(
        Plan(proposal="p", mode="certified", limits=found.limits, cases=cases)
    )

    assert trial.verdict is None
    assert trial.ask(1)


def test_a_round_that_asks_for_more_than_the_horizon_can_show_goes_on() -> None:
    short = CertifiedParams(horizon=24, budget=Fraction(1, 10))

    few, many = (
        settle("auto", short, held_out={"": 16}, origin=0, proposals=n)
        for n in (12, 20)
    )

    assert (few.mode, few.uncertifiable) == ("certified", False)
    assert (many.mode, many.uncertifiable) == ("published", True)
    strict = settle("certified", short, held_out={"": 16}, origin=0, proposals=20)
    assert strict.limits is not None
    assert not strict.limits.reachable(strict.limits.contexts(16))


@pytest.mark.parametrize("mode", ["certified", "auto"])
@pytest.mark.parametrize("proposals", [10**8, 10**12])
def test_a_plan_for_too_many_proposals_blames_their_number(
    mode: str, proposals: int
) -> None:
    params = GateParams.model_validate({"mode": mode})

    with pytest.raises(GateError) as caught:
        plan_gate(params, "certified", proposals=proposals)

    assert caught.value.place == "proposals of a round"
    assert str(proposals) in caught.value.seen


def test_a_plan_for_many_proposals_blames_what_is_wrong_without_them() -> None:
    short = GateParams(certified=CertifiedParams(horizon=9))

    with pytest.raises(GateError, match=r"gate\.certified\.horizon"):
        plan_gate(short, "certified", proposals=20)
