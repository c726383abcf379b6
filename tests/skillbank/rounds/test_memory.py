"""What benchmarks drive in memory is what runs in production."""

from skillbank.codec import dump
from skillbank.gate.replay import Pair
from skillbank.rounds.controls import (
    CONTROL,
    DEGRADED,
    PLACEBO,
    purpose,
    standing_of,
)
from skillbank.tables import DECISIONS, PAIRS, PLACEBOS, PROPOSALS, VERDICTS
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace
from tests.skillbank.rounds.played import rounds


def test_rounds_in_memory_decide_what_the_flow_decides(finished: Workspace):
    done = rounds(2, mode=finished.params.gate.mode)

    for one, round in zip(done, ("r0001", "r0002"), strict=True):
        folder = finished.round_dir(round)
        proposals = read_table(table_path(folder, PROPOSALS), PROPOSALS)
        verdicts = read_table(table_path(folder, VERDICTS), VERDICTS)
        decisions = read_table(table_path(folder, DECISIONS), DECISIONS)
        by_id = {proposal.id: proposal for proposal in one.proposals}
        assert by_id == {proposal.id: proposal for proposal in proposals}
        records = {heard.record.plan.proposal: heard.record for heard in one.heard}
        assert records == {record.plan.proposal: record for record in verdicts}
        fates = {decision.proposal: decision for decision in one.decisions}
        assert fates == {decision.proposal: decision for decision in decisions}


def test_controls_in_memory_are_those_of_the_flow(finished: Workspace):
    earlier: list[Pair] = []
    done = rounds(2, mode=finished.params.gate.mode)

    for one, round in zip(done, ("r0001", "r0002"), strict=True):
        folder, mine = finished.round_dir(round), one.controlled
        placebos = read_table(table_path(folder, PLACEBOS), PLACEBOS)
        pairs = read_table(table_path(folder, PAIRS), PAIRS)
        assert placebos
        assert sorted(map(dump, mine.placebos)) == sorted(map(dump, placebos))
        assert sorted(map(dump, mine.pairs)) == sorted(map(dump, pairs))
        assert mine.judge == standing_of(pairs, finished.params)
        earlier += pairs
    assert {purpose(pair) for pair in earlier} >= {"", CONTROL, DEGRADED, PLACEBO}


def test_rounds_in_memory_end_in_the_cards_of_the_flow(finished: Workspace):
    mine = rounds(2, mode=finished.params.gate.mode)[-1].state.bank
    prior = finished.params.recall.prior_trials

    assert mine.cards(prior) == finished.bank.current().cards(prior)
