"""Claims about the order of hearings, and what evidence a round asks for."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from skillbank.params import Params
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import Heard
from skillbank.rounds.staging import stage
from skillbank.rounds.turns import as_heard, asked_of, in_turn
from skillbank.skills.recall import BankShelf
from tests.skillbank.rounds.played import rounds, world

MANY = (3, 40)

FDR = Fraction(1, 5)


def certified(**numbers: Any) -> Params:
    shipped = Params()
    section = shipped.gate.certified.model_copy(update=numbers)
    gate = shipped.gate.model_copy(update={"certified": section})
    return shipped.model_copy(update={"gate": gate})


def heard_with(fdr: Fraction, fakes: int = 0) -> tuple[list[list[Docket]], list[bool]]:
    """Batches as they were heard, and which of the dockets passed."""
    done = rounds(*MANY, mode="auto")[-1]
    known = {one.record.plan.proposal: one for one in done.heard}
    dockets = [replace(one, params=certified(fdr=fdr)) for one in done.dockets]
    batches: list[list[Docket]] = []

    def hear(some: Sequence[Docket]) -> list[Heard]:
        batches.append(list(some))
        return [known[docket.proposal.id] for docket in some]

    tried = in_turn(dockets[fakes:], dockets[:fakes], hear)
    assert tried.keys() == known.keys()
    real = {docket.proposal.id for docket in dockets[fakes:]}
    passed = [
        docket.proposal.id in real
        and known[docket.proposal.id].record.verdict.decision == "commit"
        for batch in batches
        for docket in batch
    ]
    return batches, passed


def test_without_e_lond_all_are_heard_at_once():
    batches, _ = heard_with(Fraction(0))

    assert len(batches) == 1
    assert {docket.commits for docket in batches[0]} == {0}


@pytest.mark.parametrize("fakes", [0, 3])
def test_e_lond_hears_one_after_the_other_and_counts_what_really_passed(fakes: int):
    batches, passed = heard_with(FDR, fakes)

    assert {len(batch) for batch in batches} == {1}
    assert [batch[0].commits for batch in batches] == [
        sum(passed[:place]) for place in range(len(passed))
    ]


def test_each_that_passed_lowers_what_the_next_is_asked_for():
    done = rounds(*MANY, mode="auto")[-1]
    docket = next(
        replace(docket, params=certified(fdr=FDR), proposals=60)
        for docket, heard in zip(done.dockets, done.heard, strict=True)
        if heard.record.plan.mode == "certified"
    )
    shelf = BankShelf(docket.cards, docket.params.recall)

    limits = [
        stage(replace(docket, commits=commits), world(), shelf).plan.limits
        for commits in (0, 1, 2)
    ]

    assert [one and one.bar for one in limits] == [300, 150, 100]


@pytest.mark.parametrize("numbers", [{"fdr": FDR}, {"budget": Fraction(1, 10)}])
def test_what_is_heard_again_is_asked_for_what_it_was_asked_for(numbers: Any):
    done = rounds(*MANY, mode="auto")[-1]
    docket = next(
        replace(docket, params=certified(**numbers), proposals=60)
        for docket, heard in zip(done.dockets, done.heard, strict=True)
        if heard.record.plan.mode == "certified"
    )
    shelf = BankShelf(docket.cards, docket.params.recall)
    plan = stage(replace(docket, commits=2), world(), shelf).plan

    again = stage(as_heard(docket, plan), world(), shelf).plan

    assert again.limits == plan.limits
    assert (again.mode, again.cases) == (plan.mode, plan.cases)


@pytest.mark.parametrize(
    ("params", "proposals", "said"),
    [
        (certified(), 20, "50, 20 after a screen"),
        (certified(), 60, "50, 30 after a screen"),
        (certified(), 120, "60"),
        (certified(fdr=FDR), 60, "300, less after each that passed"),
        (certified(), 0, ""),
    ],
)
def test_the_round_s_own_bar_is_told(params: Params, proposals: int, said: str):
    assert asked_of(params, proposals) == said


def test_published_mode_asks_for_no_evidence():
    gate = Params().gate.model_copy(update={"mode": "published"})

    assert asked_of(Params().model_copy(update={"gate": gate}), 20) == ""
