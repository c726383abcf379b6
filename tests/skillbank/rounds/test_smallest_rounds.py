"""Rounds of no proposal and of one, by every rule, with e-LOND and without."""

from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.weeks import traffic
from skillbank.briefs.benchmark import read_benchmark
from skillbank.gate.settle import Asked
from skillbank.models.journal import MemoryJournal
from skillbank.params import Params
from skillbank.rounds.memory import Done, Rounds, State
from skillbank.skills.store import seed_bank
from tests.skillbank.rounds.played import ROOT, params, world

JOURNAL = MemoryJournal()  # attempts are alike until a rule tells them apart


def changed(mode: Asked, fdr: Fraction) -> Params:
    shipped = params(40, mode)
    gate = shipped.gate
    numbers = gate.certified.model_copy(update={"fdr": fdr})
    return shipped.model_copy(
        update={
            "gate": gate.model_copy(update={"certified": numbers}),
            "propose": shipped.propose.model_copy(update={"max_per_round": 1}),
        }
    )


def played(mode: Asked, fdr: Fraction, *, busy: bool) -> list[Done]:
    """Three rounds of one proposal at most, or two of a week without any work."""
    asked = changed(mode, fdr)
    weeks = traffic(world(), asked)
    runner = Rounds(
        world=world(),
        params=asked,
        benchmark=read_benchmark(ROOT / "data/benchmark/benchmark.jsonl")[:6],
        traffic=weeks if busy else lambda number, shelf, seed: (),
        journal=JOURNAL,
    )
    bank = replace(seed_bank(ROOT / "data/bank/seed", "operator"), number=1)
    done: list[Done] = []
    for _ in range(3 if busy else 2):
        done.append(runner.round(done[-1].state if done else State(bank=bank)))
    return done


RULES = pytest.mark.parametrize("mode", ["published", "certified", "auto"])
SHARES = pytest.mark.parametrize("fdr", [Fraction(0), Fraction(1, 100)])


@RULES
@SHARES
def test_a_round_without_a_proposal_ends_with_the_bank_that_it_began_with(
    mode: Asked, fdr: Fraction
):
    first, second = played(mode, fdr, busy=False)

    for one in (first, second):
        assert not (*one.proposals, *one.heard, *one.decisions, *one.dockets)
        assert (one.suspects, one.test, one.controlled.placebos) == ((), None, ())
        assert one.controlled.pairs == ()
    assert second.state.bank.cards(8) == first.state.bank.cards(8)


@RULES
@SHARES
def test_a_round_of_one_proposal_hears_it_by_the_rule_that_was_asked_for(
    mode: Asked, fdr: Fraction
):
    done = played(mode, fdr, busy=True)

    for one in done:
        assert [each.proposal for each in one.decisions] == [
            each.id for each in one.proposals
        ]
        assert len(one.proposals) == 1
        for heard in one.heard:
            plan, verdict = heard.record.plan, heard.record.verdict
            certified = mode != "published" and not plan.uncertifiable
            assert plan.mode == ("certified" if certified else "published")
            assert verdict.uncertifiable == plan.uncertifiable
            if plan.limits is not None:  # one proposal: its own bar, or 1 / fdr
                assert plan.limits.bar >= (1 / fdr if fdr else 20)
                assert verdict.decision != "commit" or verdict.evidence is not None
    assert any(one.heard for one in done)
