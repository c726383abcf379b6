"""What a plan says before it is replayed is what is decided after."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.codec import dump, load
from skillbank.gate import Case, Limits, Plan, Verdict, Votes
from skillbank.gate.declared import Condition, Declared, declare
from skillbank.gate.guards import Ceiling, Guards
from skillbank.gate.votes import Cost
from tests.skillbank.gate.stratified import Played, played, verdict

HARD = (
    Ceiling(what="turns", force="hard", ratio=Fraction(3, 2), most=Fraction(4)),
    Ceiling(what="usd", force="soft", ratio=Fraction(1)),
)


def measured(plan: Plan, said: Verdict, one: Condition) -> Fraction | int:
    """The number that a condition is about, read off the verdict."""
    states = [state.verdict for state in said.cases]
    counts: Mapping[str, Fraction | int] = {
        "cases": len(plan.cases),
        "regressed_cases": states.count("regress"),
        "short_cases": states.count("inconclusive"),
        "won_cases": states.count("win"),
        "forbidden": said.forbidden["candidate"],
        "forbidden_more": said.forbidden["candidate"] - said.forbidden["current"],
    }
    if one.what == "stratum_p":
        return next(s.p for s in said.strata if s.stratum == one.of)
    if one.what in ("ratio", "mean"):
        (spent,) = (state for state in said.ceilings if state.what == one.of)
        by = spent.current if one.what == "ratio" else spent.contexts
        return spent.candidate / by
    return counts[one.what]


@st.composite
def costly(draw: st.DrawFn) -> Played:
    """Plans of every kind of guard, with votes that tell deeds and turns."""
    game = draw(played())
    assert game.plan.guards is not None
    plan = replace(
        game.plan,
        guards=replace(game.plan.guards, ceilings=draw(st.sampled_from(((), HARD)))),
        required=draw(st.integers(1, len(game.plan.cases) + 1)),
        hash="",
    )
    turns = st.integers(1, 6)
    return Played(
        plan,
        {
            context: replace(
                votes,
                forbidden={"candidate": draw(st.sampled_from((0, 0, 0, 1)))},
                costs={
                    "current": Cost(turns=draw(turns)),
                    "candidate": Cost(turns=draw(turns)),
                },
            )
            for context, votes in game.votes.items()
        },
    )


@settings(max_examples=300, deadline=None)
@given(costly())
def test_the_first_condition_that_does_not_hold_is_what_the_full_rule_says(
    game: Played,
) -> None:
    said = verdict(game, curtail=False)

    expected = "commit"
    for one in declare(game.plan).conditions:
        if not one.holds(measured(game.plan, said, one)):
            expected = one.otherwise
            break

    assert said.code == expected


@settings(max_examples=100, deadline=None)
@given(costly())
def test_a_declaration_is_derived_from_its_plan_alone_and_survives_json(
    game: Played,
) -> None:
    said = declare(game.plan)

    assert said == declare(load(Plan, dump(game.plan)))
    assert load(Declared, dump(said)) == said
    assert said.plan == game.plan.hash


def certified(**more: object) -> Plan:
    return Plan(
        proposal="p",
        mode="certified",
        limits=Limits(),
        cases=tuple(
            Case(
                id=f"c{i}",
                brief=f"b{i}",
                origin=False,
                stratum="retail" if i % 2 else "culture",
                contexts=tuple(f"c{i}/{j}" for j in range(9)),
            )
            for i in range(12)
        ),
        guards=Guards(),
        **more,  # type: ignore[arg-type]
    )


def test_another_bar_is_another_declaration() -> None:
    one, two = certified(), certified()
    lower = replace(one, limits=Limits(bar=Fraction(30)), hash="")

    assert declare(one).hash == declare(two).hash
    assert declare(lower).hash != declare(one).hash
    assert declare(replace(one, risk="high", hash="")).hash != declare(one).hash


def test_the_published_decision_reads_as_a_sentence() -> None:
    plan = Plan(proposal="p", cases=())

    assert declare(plan).sentence == (
        "Ships if there are 4 cases of each card concerned; no case regresses (a rate "
        "below 2/5, a tie counting half); every case has 2 valid contexts; at least "
        "one case is won (a rate above 3/5, and more than half of its 3 planned "
        "contexts); the candidate takes no more forbidden actions than the current "
        "bank."
    )


def test_the_certified_decision_names_bar_guard_neighbours_and_strata() -> None:
    said = declare(certified(neighbours=("c11",), stratum="cohort=retail"))

    codes = [one.otherwise for one in said.conditions]
    assert codes == [
        "undecided:uncertifiable",
        "refuse:no_gain",
        "refuse:regressed",
        "refuse:neighbours",
        "refuse:stratum",
        "refuse:stratum",
        "refuse:forbidden",
    ]
    assert "held-out cases of cohort=retail reaches 50" in said.sentence
    assert "stratum 'culture' does not lose more than noise would" in said.sentence
    assert "harm on 1 neighbour stays below 5" in said.sentence


def test_a_screen_and_a_high_risk_are_declared_first() -> None:
    screened = replace(certified(), limits=Limits(screen=2), risk="high", hash="")

    codes = [one.otherwise for one in declare(screened).conditions]

    assert codes[:3] == ["refuse:forbidden", "undecided:uncertifiable", "refuse:screen"]


def test_soft_ceilings_declare_nothing() -> None:
    soft = Guards(ceilings=(replace(HARD[0], force="soft"),))

    codes = [
        c.otherwise
        for c in declare(replace(certified(), guards=soft, hash="")).conditions
    ]

    assert "refuse:ceiling" not in codes
    assert Votes().costs == {}
