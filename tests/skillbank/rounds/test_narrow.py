"""A change that names its kind of briefs is certified on those, and harms no others."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from skillbank.briefs.strata import stratum, within
from skillbank.gate.settle import Asked
from skillbank.models.journal import NoJournal
from skillbank.proposals.proposal import Proposal
from skillbank.rounds.docket import Docket
from skillbank.rounds.memory import Done, _files
from skillbank.rounds.replay import GateRecord, hear
from skillbank.rounds.seeds import round_seed
from skillbank.rounds.staging import stage
from skillbank.rounds.summon import dockets
from skillbank.skills.recall import BankShelf
from tests.skillbank.rounds.played import params, rounds, world

MANY = (3, 40)
RETAIL = stratum(cohort="retail")


def summoned(done: Done, given: Proposal, mode: Asked = "auto") -> Docket:
    """The docket of one proposal, on what a round knew when it came before the gate."""
    before = rounds(*MANY, mode="auto")[done.state.number - 2].state
    state = replace(done.state, bank=before.bank, golden=before.golden)
    cards = state.bank.cards(params(40).recall.prior_trials)
    seed = round_seed(params(40).evolve.seed, f"r{state.number:04d}", "gate")
    (made,) = dockets([given], _files(state, cards), world(), params(40, mode), seed)
    return made


@cache
def narrowed() -> tuple[tuple[Docket, Docket], ...]:
    """Rewrites as they were and as they are where they name a cohort."""
    done = rounds(*MANY, mode="auto")[-1]
    return tuple(
        (docket, summoned(done, replace(docket.proposal, stratum=RETAIL)))
        for docket in done.dockets
        if docket.proposal.kind == "edit" and len(docket.held_out) >= 14
    )


def records() -> Iterator[tuple[Docket, GateRecord]]:
    for mode in ("published", "auto"):
        for done in rounds(*MANY, mode=mode):
            for docket, heard in zip(done.dockets, done.heard, strict=True):
                yield docket, heard.record


def test_its_held_out_briefs_are_all_of_its_stratum_and_its_neighbours_of_none():
    taken = [narrow for _, narrow in narrowed() if narrow.stratum]

    # a card that no other cohort ever recalls has nobody to harm
    assert any(docket.neighbours for docket in taken)
    for docket in taken:
        assert docket.stratum == RETAIL
        assert len(docket.held_out) >= 6
        assert len(docket.neighbours) <= 8
        for case in docket.held_out:
            assert within(docket.briefs[case.brief], RETAIL)
        for id in docket.neighbours:
            assert not within(docket.briefs[id], RETAIL)


def test_naming_a_stratum_changes_neither_the_proposal_nor_a_published_plan():
    done = rounds(*MANY)[-1]
    for docket in done.dockets[:4]:
        given = replace(docket.proposal, stratum=RETAIL)
        after = replace(docket, proposal=given)
        assert given.id == docket.proposal.id
        plans = (
            stage(one, world(), BankShelf(one.cards, one.params.recall)).plan
            for one in (docket, after)
        )
        assert len({plan.hash for plan in plans}) == 1


def test_the_plan_says_what_it_is_narrowed_to_and_others_are_looked_at_for_harm():
    docket = next(one for _, one in narrowed() if one.stratum and one.neighbours)

    record = hear(docket, world(), NoJournal()).record

    plan = record.plan
    assert (plan.mode, plan.stratum) == ("certified", RETAIL)
    assert record.declared is not None
    assert "held-out cases of cohort=retail" in record.declared.sentence
    for case in plan.cases:
        role = plan.role(case)
        if role == "held-out":
            assert case.stratum == RETAIL
        if role == "neighbour":
            assert case.stratum == "culture"
    assert len(plan.neighbours) == len(docket.neighbours)


def test_with_too_few_held_out_briefs_of_its_stratum_it_is_held_against_all():
    wide, _ = narrowed()[0]
    rare = replace(wide.proposal, stratum=stratum(cohort="nobody"))

    found = summoned(rounds(*MANY, mode="auto")[-1], rare)

    assert found.stratum == ""
    assert found.held_out == wide.held_out
    assert found.neighbours == wide.neighbours


def test_a_new_trigger_is_looked_up_in_every_mode_and_replayed_only_to_certify():
    seen = {"published": 0, "certified": 0}
    for docket, record in records():
        if docket.proposal.kind != "mint":
            continue
        assert record.reach is not None
        assert len(record.reach.looked) <= 20
        assert set(record.reach.firing) <= set(record.reach.looked)
        mode = record.plan.mode
        seen[mode] += 1
        if mode == "certified":
            briefs = [
                c.brief for c in record.plan.cases if record.plan.role(c) == "neighbour"
            ]
            assert briefs == list(record.reach.firing[:8])
        else:
            assert record.plan.neighbours == ()

    assert all(seen.values())


def test_a_trigger_is_held_against_labels_that_its_writer_never_saw():
    told = 0
    for docket, record in records():
        reach = record.reach
        if reach is None or reach.trigger is None:
            continue
        told += 1
        origin = {case.brief for case in docket.proposal.cases if case.origin}
        assert not origin & set(reach.needed)
        assert set(reach.met) <= set(reach.needed)
        trigger = reach.trigger
        assert trigger.hit == len(reach.met) <= min(trigger.fired, trigger.should)
        assert trigger.fired == len(reach.met) + len(reach.firing)

    assert told


def test_every_record_holds_what_was_declared_and_how_steady_the_arms_were():
    for docket, record in records():
        assert record.declared is not None
        assert record.declared.plan == record.plan.hash == record.verdict.plan
        assert len(record.passes.pooled) <= docket.params.gate.contexts
        assert bool(record.passes.cases) == bool(record.verdict.spent)
