"""Claims about every trial, not about one."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.codec import dump, load
from skillbank.gate import Case, Count, Decision, Plan, Rule, Trial, Votes
from skillbank.gate.case import open_verdicts, outlook, score_case

WIN = Votes("candidate", "candidate")
LOSS = Votes("current", "current")
TIE = Votes("candidate", "current")
VOID = Votes(void="current: outage")
VALID = (
    WIN,
    LOSS,
    TIE,
    Votes("same", "same"),
    Votes("current", "same"),
    Votes(broken=frozenset({"candidate"})),
    Votes(broken=frozenset({"current"})),
)
BANDS = (Fraction(0), Fraction(1, 10), Fraction(1, 6), Fraction(3, 10))


@dataclass(frozen=True)
class Played:
    """A plan with the votes that each of its contexts would give."""

    plan: Plan
    votes: Mapping[str, Votes]


def plan_of(cases: int, contexts: int, spares: int, band: Fraction) -> Plan:
    return Plan(
        proposal="p",
        cases=tuple(
            Case(
                id=f"c{i}",
                brief="b",
                contexts=tuple(f"c{i}/{j}" for j in range(contexts)),
                spares=tuple(f"c{i}/s{j}" for j in range(spares)),
            )
            for i in range(cases)
        ),
        band=band,
        contexts=contexts,
        required=cases,
    )


@st.composite
def played(draw: st.DrawFn) -> Played:
    plan = plan_of(
        draw(st.integers(1, 5)),
        draw(st.integers(1, 6)),
        draw(st.integers(0, 2)),
        draw(st.sampled_from(BANDS)),
    )
    some = st.sampled_from((*VALID, VOID, Votes("candidate", "invalid")))
    ids = [c for case in plan.cases for c in (*case.contexts, *case.spares)]
    return Played(plan, {context: draw(some) for context in ids})


def decide(
    game: Played, *, curtail: bool = True, wave: int = 1, seed: int | None = None
) -> Trial:
    """Drive a trial in waves; with a seed, each wave is told in a shuffled order."""
    trial = Trial(game.plan, curtail=curtail)
    while asked := list(trial.ask(wave)):
        if seed is not None:
            random.Random(seed).shuffle(asked)
        for context in asked:
            if trial.verdict is None:
                trial.tell(context, game.votes[context])
    return trial


def decision(trial: Trial) -> Decision:
    assert trial.verdict is not None
    return trial.verdict.decision


@settings(max_examples=300, deadline=None)
@given(played(), st.integers(1, 5), st.integers(0, 99))
def test_a_curtailed_trial_decides_as_the_full_rule(
    game: Played, wave: int, seed: int
) -> None:
    full = decide(game, curtail=False)
    curtailed = decide(game, wave=wave, seed=seed)

    assert decision(curtailed) == decision(full)
    assert curtailed.spent <= full.spent


@settings(max_examples=150, deadline=None)
@given(played(), st.integers(0, 99))
def test_the_order_of_telling_changes_no_verdict(game: Played, seed: int) -> None:
    every = game.plan.planned or 1

    in_order = decide(game, curtail=False)
    shuffled = decide(game, curtail=False, wave=every, seed=seed)

    assert shuffled.verdict == in_order.verdict


@settings(max_examples=150, deadline=None)
@given(played())
def test_a_retold_trial_stands_where_the_old_one_stood(game: Played) -> None:
    old = Trial(game.plan)
    history: list[tuple[str, Votes]] = []
    while asked := old.ask():
        again = Trial(load(Plan, dump(game.plan)))
        for context, votes in history:
            again.tell(context, load(Votes, dump(votes)))
        assert again.ask() == asked
        old.tell(asked[0], game.votes[asked[0]])
        history = list(old.told.items())

    again = Trial(game.plan)
    for context, votes in history:
        again.tell(context, votes)
    assert again.verdict == old.verdict


@settings(max_examples=150, deadline=None)
@given(played(), st.data())
def test_an_outage_that_spares_make_up_for_leaves_no_trace(
    game: Played, data: st.DataObject
) -> None:
    calm = plan_of(len(game.plan.cases), game.plan.contexts, 0, game.plan.band)
    votes = {
        context: data.draw(st.sampled_from(VALID))
        for case in calm.cases
        for context in case.contexts
    }
    struck = plan_of(len(calm.cases), calm.contexts, calm.contexts, game.plan.band)
    stormy: dict[str, Votes] = {}
    for case in struck.cases:
        for context, spare in zip(case.contexts, case.spares, strict=True):
            lost = data.draw(st.booleans())
            stormy[context] = VOID if lost else votes[context]
            stormy[spare] = VOID
        # spares are called in order: each takes the place of the next lost context
        lost_ones = [c for c in case.contexts if stormy[c] is VOID]
        stormy.update(
            (spare, votes[context])
            for spare, context in zip(case.spares, lost_ones, strict=False)
        )

    without = decide(Played(calm, votes), curtail=False)
    with_outage = decide(Played(struck, stormy), curtail=False)

    assert decision(with_outage) == decision(without)


@given(st.integers(1, 5), st.integers(1, 5), st.sampled_from(["current", "candidate"]))
def test_an_arm_that_is_down_all_week_decides_nothing(
    cases: int, contexts: int, arm: str
) -> None:
    plan = plan_of(cases, contexts, 1, Fraction(1, 10))
    ids = [c for case in plan.cases for c in (*case.contexts, *case.spares)]

    trial = decide(Played(plan, dict.fromkeys(ids, Votes(void=f"{arm}: down"))))

    assert decision(trial) == "undecided"


def test_an_outage_in_one_arm_cannot_make_a_no_op_win() -> None:
    rng = np.random.default_rng(20)
    plan = plan_of(4, 3, 1, Fraction(1, 10))
    ids = [c for case in plan.cases for c in (*case.contexts, *case.spares)]
    n = 2000

    def shipped(outage: float) -> float:
        outcomes = rng.choice(3, size=(n, len(ids)), p=[0.372, 0.256, 0.372])
        down = rng.random((n, len(ids))) < outage
        ships = 0
        for i in range(n):
            votes = {
                context: VOID if down[i, j] else (WIN, TIE, LOSS)[outcomes[i, j]]
                for j, context in enumerate(ids)
            }
            ships += decision(decide(Played(plan, votes))) == "commit"
        return ships / n

    # 13.4% without; 4 standard errors are 3 points
    assert 0.104 <= shipped(0.0) <= 0.164
    assert shipped(0.1) <= 0.164
    assert shipped(0.4) <= 0.164


@given(
    st.integers(1, 9),
    st.sampled_from(BANDS),
    st.sampled_from(["asym", "sym"]),
    st.data(),
)
def test_the_outlook_of_a_case_agrees_with_every_completion(
    contexts: int, band: Fraction, symmetry: str, data: st.DataObject
) -> None:
    rule = Rule(contexts=contexts, band=band, symmetry=symmetry)  # type: ignore[arg-type]
    wins = data.draw(st.integers(0, contexts))
    ties = data.draw(st.integers(0, contexts - wins))
    losses = data.draw(st.integers(0, contexts - wins - ties))
    left = data.draw(st.integers(0, contexts - wins - ties - losses))
    count = Count(wins, ties, losses, left)
    # every number of voids among the contexts that are left
    ends = {
        verdict
        for void in range(left + 1)
        for verdict in open_verdicts(count._replace(left=left - void), rule)
    }

    view = outlook(count, rule)

    assert view.can_win == ("win" in ends)
    assert view.can_regress == ("regress" in ends)
    assert view.won == (ends == {"win"})
    assert view.regressed == (ends == {"regress"})
    assert (view.short or view.inconclusive) == ("inconclusive" in ends)
    if left == 0:
        assert view.verdict == score_case(count, rule)


@given(played())
def test_plan_votes_and_verdict_survive_json(game: Played) -> None:
    trial = decide(game)

    assert load(Plan, dump(game.plan)) == game.plan
    assert trial.verdict is not None
    assert load(type(trial.verdict), dump(trial.verdict)) == trial.verdict
    for votes in game.votes.values():
        assert load(Votes, dump(votes)) == votes
