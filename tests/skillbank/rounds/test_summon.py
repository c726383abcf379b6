"""What a proposal is tried on besides its own cases: who saw what, and who did not."""

import shutil
from dataclasses import replace
from pathlib import Path

from skillbank.codec import digest
from skillbank.records import Side
from skillbank.rounds.docket import Docket
from skillbank.rounds.memory import Done
from skillbank.rounds.summon import Files, dockets
from skillbank.skills.recall import BankShelf
from tasks.replay import dockets_of
from tasks.setting import Setting
from tasks.workspace import Workspace
from tests.skillbank.rounds.played import params, rounds, world

MANY = (3, 40)


def sides(done: Done) -> dict[str, Side]:
    return {one.brief.id: one.side for one in done.state.graded}


def roots(docket: Docket, done: Done) -> set[str]:
    """Roots of what the writer was shown for this proposal."""
    shown = set(docket.proposal.evidence)
    return {one.brief.root for one in done.state.graded if one.id in shown}


def fires(docket: Docket, brief: str, names: set[str]) -> bool:
    shelf, found = BankShelf(docket.cards, docket.params.recall), docket.briefs[brief]
    return any(
        card.name in names
        for part in world().plan(found)
        for card in shelf.recall(part, found.facts).cards
    )


def test_held_out_briefs_of_a_rewrite_are_of_the_test_side_and_recall_its_card():
    n = 0
    for done in rounds(*MANY, mode="auto"):
        side = sides(done)
        for docket in done.dockets:
            proposal = docket.proposal
            if proposal.base is None or proposal.label:
                continue
            for case in docket.held_out:
                n += 1
                assert side[case.brief] == "test"
                assert fires(docket, case.brief, {proposal.skill, *proposal.drops})

    assert n > 100


def test_held_out_briefs_of_a_mint_are_tested_or_were_set_aside():
    tested = aside = 0
    for done in rounds(*MANY, mode="auto"):
        side = sides(done)
        for docket in done.dockets:
            if docket.proposal.base is None:
                shown = roots(docket, done)
                for case in docket.held_out:
                    assert docket.briefs[case.brief].root not in shown
                    tested += side[case.brief] == "test"
                    aside += side[case.brief] == "teach"

    assert tested
    assert aside


def test_nothing_held_out_was_shown_is_an_origin_case_or_a_golden_one():
    earlier: frozenset[str] = frozenset()
    for done in rounds(*MANY, mode="auto"):
        for docket in done.dockets:
            briefs = {case.brief for case in docket.held_out}
            seen = {case.brief for case in docket.proposal.cases if case.origin}
            assert len(briefs) == len(docket.held_out)
            assert not briefs & seen
            assert not {docket.briefs[id].root for id in briefs} & roots(docket, done)
            assert not briefs & earlier
            assert all(not case.origin for case in docket.held_out)
        earlier = frozenset(case.brief.id for case in done.state.golden.cases)

    assert earlier


def test_no_more_are_drawn_than_the_parameters_say_and_all_rounds_give_some():
    last = rounds(*MANY, mode="auto")[-1]
    most = params().gate.certified.held_out
    drawn = [len(docket.held_out) for docket in last.dockets]

    rounds_of = {one.brief.id: one.round for one in last.state.graded}
    given = {rounds_of[c.brief] for docket in last.dockets for c in docket.held_out}

    assert max(drawn) == most
    assert given == {"r0001", "r0002", "r0003"}


def test_a_proposal_is_told_how_many_are_heard_with_it():
    for done in rounds(*MANY, mode="auto"):
        assert {one.proposals for one in done.dockets} == {len(done.dockets)}


def test_the_flow_draws_what_rounds_in_memory_draw(finished: Workspace, tmp_path: Path):
    shutil.copytree(finished.root / "data", tmp_path / "data")
    text = (finished.root / "params.yaml").read_text(encoding="utf-8")
    (tmp_path / "params.yaml").write_text(
        text.replace("mode: published", "mode: auto"), encoding="utf-8"
    )
    copy = Workspace(tmp_path)
    flow = dockets_of(Setting(copy, copy.open_round("r0002")))

    before, done = rounds(2)
    fates = {decision.proposal for decision in done.decisions}
    files = Files(
        briefs={brief.id: brief for brief in done.state.briefs},
        sides=sides(done),
        golden={case.brief.id for case in before.state.golden.cases},
        ledger=replace(
            done.state.ledger,  # as it was before this round's fates
            events=tuple(
                event
                for event in done.state.ledger.events
                if event.round == "r0001" or event.run not in fates
            ),
        ),
        cards=before.state.bank.cards(params().recall.prior_trials),
        bank=before.state.bank.digest,
    )
    passed = [one.proposal for one in done.dockets]
    mine = dockets(passed, files, world(), params(mode="auto"), done.dockets[0].seed)

    told = {one.proposal.id: (one.held_out, one.neighbours) for one in mine}
    assert told == {one.proposal.id: (one.held_out, one.neighbours) for one in flow}
    assert any(held_out for held_out, _ in told.values())
    briefs = {one.proposal.id: digest(one.briefs) for one in mine}
    assert briefs == {one.proposal.id: digest(one.briefs) for one in flow}
