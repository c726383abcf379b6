"""Controls of whole rounds: they measure gate and judge, and touch nothing else."""

from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.weeks import traffic
from skillbank.briefs.benchmark import read_benchmark
from skillbank.gate.replay import Place
from skillbank.gate.settle import Asked
from skillbank.judging.faulty import CoinJudge, ContraryJudge, FirstJudge
from skillbank.judging.judge import Judge
from skillbank.models.journal import NoJournal
from skillbank.proposals.accounting import tally
from skillbank.rounds.controls import (
    CONTROL,
    DEGRADED,
    IN_BANK,
    PLACEBO,
    controlled,
    purpose,
)
from skillbank.rounds.memory import Done, Rounds, State
from skillbank.skills.store import seed_bank
from studio.world import Studio
from tests.skillbank.rounds.played import ROOT, params, rounds
from tests.workspaces import N_FIXED

MANY = (3, 40)


def run(
    judge: Judge | None = None,
    n: int = 1,
    mode: Asked = "published",
    **controls: float,
) -> tuple[Done, ...]:
    """Rounds of forty briefs with another judge, or other numbers of controls."""
    numbers = params(40, mode)
    numbers = numbers.model_copy(
        update={"controls": numbers.controls.model_copy(update=controls)}
    )
    place = Studio(numbers)
    if judge is not None:
        place.judge = judge
    runner = Rounds(
        world=place,
        params=numbers,
        benchmark=read_benchmark(ROOT / "data/benchmark/benchmark.jsonl")[:N_FIXED],
        traffic=traffic(place, numbers),
    )
    bank = replace(seed_bank(ROOT / "data/bank/seed", "operator"), number=1)
    done: list[Done] = []
    for _ in range(n):
        done.append(runner.round(done[-1].state if done else State(bank=bank)))
    return tuple(done)


def test_each_round_has_a_placebo_and_over_rounds_both_kinds():
    made = [one.controlled.placebos for one in rounds(*MANY)]

    assert [len(some) for some in made] == [1, 1, 1]
    assert {one.kind for some in made for one in some} == {"paraphrase", "irrelevant"}


@pytest.mark.parametrize("mode", ["published", "auto"])
def test_real_proposals_fare_the_same_with_and_without_placebos(mode: Asked):
    without_any = run(n=2, mode=mode, placebo_share=0.0)

    for with_, without in zip(rounds(2, 40, mode), without_any, strict=True):
        assert with_.controlled.placebos
        assert not without.controlled.placebos
        assert with_.heard == without.heard
        assert with_.proposals == without.proposals
        assert with_.decisions == without.decisions
        same = tuple(
            replace(one, params=with_.dockets[0].params) for one in without.dockets
        )
        assert with_.dockets == same
        assert with_.state == without.state


def test_a_placebo_is_in_no_count_no_bank_no_ledger_and_no_golden_case():
    for done in rounds(*MANY):
        ids = {one.proposal.id for one in done.controlled.placebos}
        texts = {one.proposal.text for one in done.controlled.placebos}
        assert ids
        assert not ids & {one.id for one in done.proposals}
        assert not ids & {one.proposal for one in done.decisions}
        assert not ids & {one.proposal for one in done.state.golden.cases}
        assert not any(
            id in repr(event) for id in ids for event in done.state.ledger.events
        )
        bank = done.state.bank
        assert not texts & {entry.skill.text for entry in bank.entries}
        tally(done.proposals, {one.proposal: one.fate for one in done.decisions})


def test_no_attempt_of_a_placebo_serves_a_real_proposal():
    for done in rounds(*MANY):
        used: dict[str, set[str]] = {}
        for pair in done.controlled.pairs:
            for attempt in (pair.current, pair.candidate):
                if attempt is not None:
                    used.setdefault(purpose(pair), set()).add(attempt.id)
        assert used[PLACEBO]
        for other in ("", IN_BANK, CONTROL, DEGRADED):
            assert not used[PLACEBO] & used.get(other, set())


def test_every_pair_of_a_round_is_of_one_purpose():
    done = rounds(*MANY)[-1]

    counts = Counter(map(purpose, done.controlled.pairs))

    assert counts[""] == sum(len(heard.pairs) for heard in done.heard)
    assert counts[CONTROL] >= params().gate.aa_contexts
    assert 0.8 * 2 * counts[CONTROL] <= counts[DEGRADED] <= 2 * counts[CONTROL]


def test_what_is_planted_is_an_output_of_the_controls_made_worse():
    done = rounds(*MANY)[0]
    pairs = done.controlled.pairs
    whole = {
        attempt.output
        for pair in pairs
        if purpose(pair) == CONTROL
        for attempt in (pair.current, pair.candidate)
        if attempt
    }

    for pair in pairs:
        if purpose(pair) == DEGRADED:
            assert pair.current
            assert pair.candidate
            assert pair.current.output in whole
            assert pair.candidate.id != pair.current.id
            assert (pair.candidate_score or 0) < (pair.current_score or 0)


def test_the_studios_judge_with_its_shipped_noise_may_gate():
    for done in rounds(*MANY):
        judge = done.controlled.judge
        assert judge.may_gate
        assert judge.degraded.losses >= 0.95 * judge.degraded.valid > 20
        assert judge.swapped >= params().controls.flip_least


@pytest.mark.parametrize(
    ("judge", "says"),
    [
        (CoinJudge(), "degraded outputs lost"),
        (FirstJudge(), "differently in the other order"),
        (ContraryJudge(Studio(params()).judge), "degraded outputs lost 0 of"),
    ],
    ids=["coin", "first", "contrary"],
)
def test_a_judge_below_its_bar_lets_nothing_in_and_says_why(judge: Judge, says: str):
    (done,) = run(judge)

    assert any(says in fault for fault in done.controlled.judge.faults)
    fates = Counter(one.fate for one in done.decisions)
    assert fates["committed"] == 0
    assert fates["undecided"] >= 8
    withheld = [one for one in done.decisions if "may not gate" in one.reason]
    assert withheld
    assert all(says in one.reason for one in withheld)
    # the books hold, the bank stays, and all of it is asked again
    counted = tally(done.proposals, {one.proposal: one.fate for one in done.decisions})
    assert sum(axis.undecided for axis in counted) == fates["undecided"]
    assert not done.state.golden.cases
    asked = {one.id for one in done.state.undecided}
    assert {one.proposal for one in withheld} <= asked


def test_what_a_bad_judge_left_open_is_heard_again_when_it_is_better():
    (bad,) = run(ContraryJudge(Studio(params()).judge))
    numbers = params(40)
    place = Studio(numbers)
    runner = Rounds(
        world=place,
        params=numbers,
        benchmark=read_benchmark(ROOT / "data/benchmark/benchmark.jsonl")[:N_FIXED],
        traffic=traffic(place, numbers),
    )

    good = runner.round(bad.state)

    open_texts = {one.text for one in bad.state.undecided}
    again = {one.text for one in good.proposals} & open_texts
    assert len(again) >= 0.5 * len(open_texts)
    assert good.controlled.judge.may_gate


def test_controls_made_again_are_the_same():
    done = rounds(*MANY)[0]
    docket = done.dockets[0]
    record = done.heard[0].record
    case = record.plan.cases[0]
    places = [Place(case.id, context) for context in case.contexts]
    place = Studio(params(40))

    once = controlled(docket, places, place, NoJournal())

    assert once == controlled(docket, places, place, NoJournal())
    assert Counter(map(purpose, once))[CONTROL] == len(places)
