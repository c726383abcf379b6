"""What a change may cost: compared once, where the votes would ship."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.agents.agent import Attempt, Usage
from skillbank.codec import dump, load
from skillbank.errors import GateError
from skillbank.gate import Case, Plan, Trial, Verdict, Votes
from skillbank.gate.ceilings import weigh
from skillbank.gate.guards import Ceiling, Guards
from skillbank.gate.replay import cost_of
from skillbank.gate.votes import Cost
from skillbank.gate_params import ConstraintParams, GateParams

HARD = Ceiling(what="turns", force="hard", ratio=Fraction(3, 2))


def told(current: Cost | None, candidate: Cost | None, **more: object) -> Votes:
    costs = {"current": current, "candidate": candidate}
    return Votes(
        "candidate",
        "candidate",
        costs={arm: cost for arm, cost in costs.items() if cost},  # type: ignore[misc]
        **more,  # type: ignore[arg-type]
    )


def turns(current: int, candidate: int) -> Votes:
    return told(Cost(turns=current), Cost(turns=candidate))


def tried(votes: Votes, *ceilings: Ceiling, **more: object) -> Verdict:
    plan = Plan(
        proposal="p",
        cases=tuple(
            Case(id=f"c{i}", brief="b", contexts=tuple(f"c{i}/{j}" for j in range(3)))
            for i in range(4)
        ),
        guards=Guards(ceilings=ceilings),
    )
    trial = Trial(replace(plan, hash="", **more))  # type: ignore[arg-type]
    while asked := trial.ask():
        trial.tell(asked[0], votes)
    assert trial.verdict is not None
    return trial.verdict


def test_a_change_that_takes_too_many_turns_is_refused_with_both_totals():
    found = tried(turns(10, 16), HARD)

    assert found.code == "refuse:ceiling"
    assert found.reason.startswith("it costs ")
    assert f"{16 * found.spent} turns against {10 * found.spent}" in found.reason


def test_a_ceiling_that_is_reached_and_not_exceeded_is_kept():
    assert tried(turns(10, 15), HARD).decision == "commit"


def test_a_soft_ceiling_is_told_and_decides_nothing():
    found = tried(turns(10, 16), replace(HARD, force="soft"))

    assert found.decision == "commit"
    assert [(one.what, one.kept) for one in found.ceilings] == [("turns", "exceeded")]


def test_what_the_votes_refuse_is_not_refused_for_its_cost():
    lost = replace(turns(10, 16), first="current", second="current")

    assert tried(lost, HARD).code == "refuse:regressed"


@pytest.mark.parametrize(
    "votes", [told(None, None), told(Cost(turns=3), None), told(Cost(usd=1.0), Cost())]
)
def test_a_hard_ceiling_that_nobody_measured_leaves_the_change_undecided(votes: Votes):
    found = tried(votes, HARD)

    assert (found.decision, found.code) == ("undecided", "undecided:unmeasured")
    assert found.reason == "a hard ceiling, and no context tells the turns of both arms"


def test_a_soft_ceiling_that_nobody_measured_says_so():
    found = tried(told(None, None), replace(HARD, force="soft"))

    assert found.decision == "commit"
    assert found.ceilings[0].kept == "unmeasured"


def test_an_exceeded_ceiling_speaks_before_one_that_nobody_measured():
    usd = Ceiling(what="usd", force="hard", ratio=Fraction(1))

    assert tried(turns(10, 16), usd, HARD).code == "refuse:ceiling"


def test_forbidden_actions_speak_before_costs():
    worse = replace(turns(10, 16), forbidden={"candidate": 1})

    assert tried(worse, HARD).code == "refuse:forbidden"


def test_an_absolute_ceiling_is_of_a_mean_attempt():
    most = Ceiling(what="usd", force="hard", most=Fraction(1, 10))

    assert tried(told(Cost(usd=0.5), Cost(usd=0.1)), most).decision == "commit"
    assert tried(told(Cost(usd=0.5), Cost(usd=0.11)), most).code == "refuse:ceiling"


def test_void_contexts_cost_nothing_here():
    void = told(Cost(turns=1), Cost(turns=99), void="judge: down")

    (found,) = weigh([HARD], [void, turns(10, 10)])

    assert found.contexts == 1
    assert found.current == found.candidate == 10


@given(
    st.lists(
        st.tuples(
            st.none() | st.floats(0, 9, allow_nan=False),
            st.none() | st.floats(0, 9, allow_nan=False),
        ),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_totals_do_not_depend_on_the_order_and_are_only_of_what_both_told(
    costs: Sequence[tuple[float | None, float | None]], rng: object
):
    votes = [told(Cost(usd=old), Cost(usd=new)) for old, new in costs]
    shuffled = list(votes)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    ceiling = Ceiling(what="usd", ratio=Fraction(3, 2), most=Fraction(5))

    (found,) = weigh([ceiling], votes)

    assert weigh([ceiling], shuffled) == (found,)
    both = [(o, n) for o, n in costs if o is not None and n is not None]
    assert found.contexts == len(both)
    assert found.current == sum(Fraction(str(old)) for old, _ in both)
    new = sum(Fraction(str(new)) for _, new in both)
    over = new > Fraction(3, 2) * found.current or new > 5 * len(both)
    assert found.kept == ("unmeasured" if not both else "exceeded" if over else "kept")


def test_plan_votes_and_verdict_with_costs_survive_json():
    usd = Ceiling(what="usd", most=Fraction(1, 3))
    votes = told(Cost(turns=3, usd=0.125), Cost(turns=4))
    found = tried(votes, HARD, usd)
    guards = Guards(ceilings=(HARD, usd), forbidden_tools=("delete",))
    plan = Plan(proposal="p", cases=(), guards=guards)

    assert load(Votes, dump(votes)) == votes
    assert load(Verdict, dump(found)) == found
    assert load(Plan, dump(plan)) == plan


@pytest.mark.parametrize("cost", [{"turns": -1}, {"usd": -0.1}, {"usd": float("nan")}])
def test_a_cost_that_nobody_can_have_is_refused(cost: dict[str, float]):
    with pytest.raises(GateError, match="0 or more"):
        Cost(**cost)  # type: ignore[arg-type]


@pytest.mark.parametrize("limits", [{}, {"ratio": Fraction(0)}, {"most": Fraction(-1)}])
def test_a_ceiling_that_limits_nothing_is_refused(limits: dict[str, Fraction]):
    with pytest.raises(GateError, match=r"gate\.constraints\.turns"):
        Ceiling(what="turns", **limits)  # type: ignore[arg-type]


def test_an_agent_that_tells_no_cost_has_none():
    attempt = Attempt(brief="b", context="c", seed=1, ending="ok")

    assert cost_of(attempt) == Cost()
    assert cost_of(replace(attempt, usage=Usage(turns=4))) == Cost(turns=4)


def test_the_configured_ceilings_are_those_of_the_plan():
    given = ConstraintParams(turns="off", usd="hard", usd_most=Fraction(1))

    guards = Guards.of(GateParams(constraints=given, forbidden_tools=("rm",)))

    assert guards.forbidden_tools == ("rm",)
    assert guards.ceilings == (
        Ceiling(what="usd", force="hard", ratio=Fraction(3, 2), most=Fraction(1)),
    )
