"""Bad input to a trial, a plan and the planner: an error in words, or a stated end."""

import json
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from skillbank.codec import dump, load
from skillbank.errors import GateError
from skillbank.gate import (
    Case,
    Limits,
    Plan,
    Rule,
    Shape,
    Trial,
    Votes,
    certify_votes,
    operating,
    p_ship,
    score_votes,
)
from skillbank.gate.guards import Ceiling, Guards
from skillbank.gate.planner import plan_gate
from skillbank.gate.votes import Cost
from skillbank.gate_params import GateParams

WIN = Votes("candidate", "candidate")
VOID = Votes(void="candidate: outage")
SOME = st.sampled_from(
    [WIN, VOID, Votes("current", "current"), Votes("candidate", "current")]
)
LONE = st.sampled_from([Votes(), Votes("candidate"), Votes(None, "same")])


def plan(mode: str = "published", cases: int = 4, **changes: Any) -> Plan:
    limits = Limits() if mode == "certified" else None
    contexts = 3 if limits is None else limits.rounds(cases or 1) + limits.guard
    return Plan(
        **{
            "proposal": "p",
            "mode": mode,
            "limits": limits,
            "required": 4,
            "cases": tuple(
                Case(
                    id=f"c{i}",
                    brief=f"b{i}",
                    origin=limits is None,
                    contexts=tuple(f"c{i}/{j}" for j in range(contexts)),
                    spares=(f"c{i}/s",),
                )
                for i in range(cases)
            ),
            **changes,
        }
    )


def state(trial: Trial) -> tuple[object, ...]:
    return trial.told, trial.spent, trial.verdict, trial.ask(3)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(["published", "certified"]), st.data())
def test_what_is_told_wrongly_is_refused_and_changes_nothing(
    mode: str, data: st.DataObject
) -> None:
    trial = Trial(plan(mode, cases=4 if mode == "published" else 9))
    while asked := trial.ask():
        before = state(trial)
        wrong = [("elsewhere", WIN), ("", WIN), (asked[0], data.draw(LONE))]
        told = list(trial.told)
        wrong += [(told[-1], WIN)] if told else []
        called_for = {context for context in trial.ask(99) if context.endswith("/s")}
        wrong += [("c1/s", WIN)] if "c1/s" not in {*called_for, *told} else []
        for context, votes in wrong:
            with pytest.raises(GateError):
                trial.tell(context, votes)
        assert state(trial)[:3] == before[:3]
        trial.tell(asked[0], data.draw(SOME))

    verdict = trial.verdict
    for context in ("elsewhere", *list(trial.told)[:1], "c0/0", "c0/s"):
        with pytest.raises(GateError, match="after the verdict"):
            trial.tell(context, WIN)
    assert trial.verdict == verdict
    assert verdict is not None


@pytest.mark.parametrize("mode", ["published", "certified"])
def test_no_cases_are_undecided_before_any_replay(mode: str) -> None:
    trial = Trial(plan(mode, cases=0))

    assert trial.verdict is not None
    assert trial.verdict.code == "undecided:no_cases"
    assert trial.ask() == ()
    with pytest.raises(GateError, match="after the verdict"):
        trial.tell("c0/0", WIN)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a JSON value that has no parts."""
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    found = [leaf for key, part in parts for leaf in leaves(part, (*path, key))]
    return found or [path]


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["published", "certified"]),
    st.data(),
    st.one_of(
        st.text(max_size=5), st.integers(), st.floats(), st.booleans(), st.none()
    ),
)
def test_a_plan_of_which_anything_was_edited_is_refused(
    mode: str, data: st.DataObject, fresh: Any
) -> None:
    tree = json.loads(dump(plan(mode, models=("m",), tools="t", judge="1", policy="p")))
    *path, last = data.draw(st.sampled_from(leaves(tree)))
    if [*path, last] == ["hash"] and not fresh:
        return  # a plan without its hash is a new plan
    owner = tree
    for key in path:
        owner = owner[key]
    old, owner[last] = owner[last], fresh

    try:
        read = load(Plan, json.dumps(tree))
    except (GateError, ValidationError):
        return
    # 1 and True, 7 and "7/1": another way to write the same
    assert read == plan(mode, models=("m",), tools="t", judge="1", policy="p"), old


@pytest.mark.parametrize(
    "wrong",
    [
        {"band": math.nan},
        {"band": 0.1},
        {"band": "1/10"},
        {"contexts": 3.0},
        {"contexts": math.nan},
        {"contexts": True},
        {"required": math.nan},
        {"required": "4"},
    ],
)
def test_numbers_of_a_plan_that_are_none_are_refused(wrong: Any) -> None:
    with pytest.raises(GateError):
        plan(**wrong)


LIMITS = {
    **dict.fromkeys(
        ("least", "screen", "horizon", "per_case", "guard", "regress"),
        st.one_of(st.integers(-1, 60), st.sampled_from([2**31 - 1, 10**30])),
    ),
    **dict.fromkeys(
        ("bar", "floor", "hope", "win", "loss", "harm_bar", "harm_floor"),
        st.one_of(
            st.fractions(0, 60, max_denominator=20),
            st.fractions(0, 1, max_denominator=20),
            st.sampled_from([Fraction(10) ** 400, 1 + Fraction(1, 10**40)]),
        ),
    ),
}


@settings(max_examples=300, deadline=None)
@given(st.fixed_dictionaries({}, optional=LIMITS), st.integers(0, 40))
def test_limits_make_a_gate_that_ends_or_are_refused(numbers: Any, cases: int) -> None:
    try:
        limits = Limits(**numbers)
    except GateError as error:
        said = error
    else:
        assert limits.reachable(limits.shortest())
        assert limits.contexts(cases) <= limits.horizon
        return
    assert "gate.certified." in said.place


@given(
    st.floats(),
    st.floats(),
    st.integers(1, 6),
    st.integers(1, 6),
    st.fractions(Fraction(0), Fraction(49, 100)),
)
def test_any_two_chances_give_a_probability_or_an_error(
    win: float, loss: float, cases: int, contexts: int, band: Fraction
) -> None:
    rule = Rule(cases=cases, contexts=contexts, band=band)
    try:
        found = p_ship(win, loss, rule)
    except GateError:
        assert not (win >= 0 and loss >= 0 and win + loss <= 1)
    else:
        assert -1e-9 <= found <= 1 + 1e-9


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=4),
        st.sampled_from(["\ud800", "a\udfff", "nan", "1/0", 10**30, -1, 0, 1, 2]),
    ),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(), some),
    max_leaves=4,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["case", "context", "order", "vote"]), st.data(), JSON)
def test_any_value_in_a_file_of_votes_has_a_stated_outcome_or_an_error_in_words(
    column: str, data: st.DataObject, value: Any
) -> None:
    rows = [
        {"case": f"c{i}", "context": f"c{i}/{j}", "order": order, "vote": "candidate"}
        for i in range(6)
        for j in range(2)
        for order in ("candidate_first", "current_first")
    ]
    n = data.draw(st.integers(1, 4))  # of one context, of both of a case
    for row in rows[:n]:
        row[column] = value

    for score in (score_votes, certify_votes):
        try:
            told: str = score(rows).code
        except GateError as error:
            told = str(error)
        assert dump(told)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["published", "certified"]), st.data(), JSON)
def test_any_value_in_a_plan_makes_a_trial_or_an_error_in_words(
    mode: str, data: st.DataObject, value: Any
) -> None:
    tree = json.loads(dump(plan(mode, models=("m",), hash="")))
    del tree["hash"]
    places = [(tree, name) for name in tree] + [(tree["cases"][0], "contexts")]
    places += [(tree["cases"][0], name) for name in ("id", "brief", "card", "stratum")]
    places += [(tree["limits"], name) for name in tree["limits"] or ()]
    owner, name = data.draw(st.sampled_from(places))
    owner[name] = value

    try:
        trial = Trial(load(Plan, json.dumps(tree)))
    except (GateError, ValidationError):
        return
    assert trial.verdict or trial.ask()


def test_text_that_no_file_can_hold_is_named() -> None:
    with pytest.raises(GateError, match="surrogate"):
        plan(proposal="a\ud800")
    with pytest.raises(GateError, match=r"row 1.*ud800"):
        score_votes([{"case": "\ud800", "context": "x", "order": "o", "vote": "v"}])


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["first", "second", "broken", "forbidden", "void", "costs"]), JSON
)
def test_any_value_in_votes_can_be_told_and_kept_or_is_an_error_in_words(
    name: str, value: Any
) -> None:
    try:
        votes = Votes(**{"first": "same", "second": "same", name: value})
    except GateError:
        return
    trial = Trial(plan())
    if votes.complete:
        trial.tell("c0/0", votes)
    assert dump((votes, trial.told))


@pytest.mark.parametrize("n", [math.nan, math.inf, 1.5, True, None, "1", 0, -1])
def test_only_a_whole_number_of_contexts_can_be_asked_for(n: Any) -> None:
    with pytest.raises(GateError, match="whole number"):
        Trial(plan()).ask(n)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: Limits(horizon=n),
        lambda n: Limits(bar=n),
        lambda n: Shape(held_out=n),
        lambda n: Guards(level=n),
        lambda n: Guards(least=n),
        lambda n: Ceiling(what="usd", ratio=n),
        lambda n: Cost(usd=n),
        lambda n: score_votes([], contexts=n),
        lambda n: score_votes([], required=n),
    ],
)
@pytest.mark.parametrize("n", [math.nan, "7", [7], -1])
def test_a_number_that_is_none_is_an_error_in_words(make: Any, n: Any) -> None:
    with pytest.raises(GateError) as caught:
        make(n)

    assert caught.value.remedy


def test_chances_of_zero_and_one_have_a_stated_outcome() -> None:
    assert p_ship(1.0, 0.0, Rule()) == 1
    assert p_ship(0.0, 1.0, Rule()) == p_ship(0.0, 0.0, Rule()) == 0
    assert operating(Rule(), 1.0) == 0
    assert 0 < operating(Rule(), 0.0) < 0.3


@settings(max_examples=25, deadline=None)
@given(
    st.one_of(
        st.floats(),
        st.sampled_from([0.0, 1.0, 5e-324, 1e-12, 1 - 1e-12, math.nextafter(1, 0)]),
    )
)
def test_any_tie_share_gives_chances_or_an_error(ties: float) -> None:
    try:
        outlay = plan_gate(GateParams(), "published", ties=ties)
    except GateError as error:
        told = error
    else:
        for one in outlay.forecasts:
            assert 0 <= one.ships.low <= one.ships.high <= 1
            assert 0 < one.contexts <= outlay.most_contexts
        return
    assert told.remedy
