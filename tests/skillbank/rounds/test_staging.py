"""Plans by each rule: the published one as it always was, the certified one's cases."""

from dataclasses import replace
from fractions import Fraction

import pytest

from skillbank.codec import digest, dump, load, seed_of
from skillbank.errors import WorldError
from skillbank.gate.guards import Guards
from skillbank.gate.plan import Case, Plan
from skillbank.gate.settle import Asked
from skillbank.models.journal import NoJournal
from skillbank.proposals.proposal import CaseSeed
from skillbank.rounds.arms import Arms, arms
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import hear
from skillbank.rounds.staging import Staged, stage
from skillbank.skills.recall import BankShelf
from tests.skillbank.rounds.played import rounds, world

MANY = (3, 40)


def staged(docket: Docket) -> Staged:
    return stage(docket, world(), BankShelf(docket.cards, docket.params.recall))


def asking(docket: Docket, mode: Asked) -> Docket:
    gate = docket.params.gate.model_copy(update={"mode": mode})
    return replace(docket, params=docket.params.model_copy(update={"gate": gate}))


def published_plan(docket: Docket) -> Plan:
    """The plan as rounds drew it up before there was another rule."""
    proposal, gate, bank = docket.proposal, docket.params.gate, docket.cards
    shelf = BankShelf(bank, docket.params.recall)
    chosen: list[tuple[CaseSeed, Arms]] = []
    for case in proposal.cases:
        brief = docket.briefs[case.brief]
        if sum(one.card == case.card for one, _ in chosen) >= gate.cases:
            continue
        try:
            found = arms(proposal, case, world().plan(brief), brief, shelf)
        except WorldError:
            continue
        if found is not None:
            chosen.append((case, found))
    cases = []
    for number, (case, _) in enumerate(chosen, start=1):
        id = f"{proposal.id}-{number}"
        seed = seed_of(seed_of(docket.seed, "contexts"), id)
        brief = docket.briefs[case.brief]
        drawn = world().contexts(brief, gate.contexts + gate.spares, seed)
        names = tuple(context.id for context in drawn)
        cases.append(
            Case(
                id=id,
                brief=case.brief,
                revision=digest(brief),
                stratum=brief.cohort,
                origin=case.origin,
                card=case.card,
                contexts=names[: gate.contexts],
                spares=names[gate.contexts :],
            )
        )
    return Plan(
        proposal=proposal.id,
        cases=tuple(cases),
        band=gate.band,
        contexts=gate.contexts,
        required=gate.cases,
        risk=docket.risk,
        candidate=digest(proposal.text),
        tools=digest(world().tools),
        judge=world().judge.revision,
        policy=digest(gate),
        guards=Guards.of(gate),
    )


def test_published_plans_are_to_the_byte_what_they_were_before_there_was_a_choice():
    dockets = [docket for done in rounds(*MANY) for docket in done.dockets]
    records = [heard.record for done in rounds(*MANY) for heard in done.heard]

    assert len(dockets) > 40
    for docket, record in zip(dockets, records, strict=True):
        assert not docket.held_out
        assert record.plan == published_plan(docket)
        assert record.verdict.plan == published_plan(docket).hash


def test_held_out_briefs_on_the_docket_change_nothing_in_published_mode():
    for done in rounds(*MANY, mode="auto"):
        for docket in done.dockets:
            given = asking(docket, "published")
            assert given.held_out == docket.held_out
            assert staged(given).plan == published_plan(given)


def test_auto_certifies_where_there_are_six_held_out_prompts_and_flags_the_rest():
    plans = []
    for done in rounds(*MANY, mode="auto"):
        for docket, heard in zip(done.dockets, done.heard, strict=True):
            plan = heard.record.plan
            enough = len(docket.held_out) >= docket.params.gate.certified.least
            assert (plan.mode == "certified") == enough
            assert plan.uncertifiable == heard.record.verdict.uncertifiable
            assert plan.uncertifiable == (not enough)
            assert (heard.record.verdict.evidence is not None) == enough
            plans.append(plan)

    modes = [plan.mode for plan in plans]
    assert modes.count("certified") > modes.count("published") > 0


def test_a_certified_plan_has_contexts_for_what_each_case_may_be_asked():
    seen = set()
    for done in rounds(*MANY, mode="auto"):
        for docket, heard in zip(done.dockets, done.heard, strict=True):
            plan, spares = heard.record.plan, docket.params.gate.spares
            if plan.limits is None:
                continue
            held_out = [c for c in plan.cases if plan.role(c) == "held-out"]
            due = {
                "origin": plan.limits.screen + plan.limits.guard,
                "held-out": plan.limits.rounds(len(held_out)) + plan.limits.guard,
                "neighbour": 6,
            }
            for case in plan.cases:
                seen.add(plan.role(case))
                assert len(case.contexts) == due[plan.role(case)]
                assert len(case.spares) == spares
            screened = any(plan.role(case) == "origin" for case in plan.cases)
            assert screened == (plan.limits.screen > 0) == (len(held_out) < 12)

    assert {"origin", "held-out"} <= seen


def test_a_certified_plan_survives_json_with_its_hash():
    plan = next(
        heard.record.plan
        for done in rounds(*MANY, mode="auto")
        for heard in done.heard
        if heard.record.plan.limits
    )

    assert load(Plan, dump(plan)) == plan


def test_certified_mode_leaves_undecided_what_auto_gates_as_published():
    docket, heard = next(
        (docket, heard)
        for done in rounds(*MANY, mode="auto")
        for docket, heard in zip(done.dockets, done.heard, strict=True)
        if heard.record.plan.uncertifiable
    )

    strict = hear(asking(docket, "certified"), world(), NoJournal())

    assert heard.record.verdict.spent > 0
    assert strict.record.plan.mode == "certified"
    assert strict.record.verdict.code == "undecided:uncertifiable"
    assert strict.pairs == ()


def test_without_any_case_certified_mode_decides_nothing():
    docket = asking(rounds(*MANY)[0].dockets[0], "certified")
    bare = replace(docket, proposal=replace(docket.proposal, cases=()))

    assert hear(bare, world(), NoJournal()).record.verdict.code == "undecided:no_cases"


def test_more_proposals_in_a_round_raise_the_bar():
    docket = next(d for d in rounds(*MANY, mode="auto")[2].dockets if d.held_out[12:])

    few, many = (staged(replace(docket, proposals=n)).plan for n in (1, 200))

    assert few.limits is not None
    assert few.limits.bar == Fraction(50)
    assert many.limits is not None
    assert many.limits.bar == Fraction(100)


def test_a_card_that_a_merge_drops_needs_held_out_prompts_of_its_own():
    docket = next(
        d
        for done in rounds(*MANY, mode="auto")
        for d in done.dockets
        if d.proposal.base is not None and d.held_out[12:]
    )
    other = next(c.name for c in docket.cards if c.name != docket.proposal.skill)
    merge = replace(docket, proposal=replace(docket.proposal, drops=(other,)))

    plain, certified = staged(merge).plan, staged(asking(merge, "certified")).plan

    assert (plain.mode, plain.uncertifiable) == ("published", True)
    assert certified.mode == "certified"
    assert not any(case.card == docket.proposal.skill for case in certified.cases)
    heard = hear(asking(merge, "certified"), world(), NoJournal())
    assert heard.record.verdict.decision == "undecided"


@pytest.mark.parametrize("mode", ["published", "auto"])
def test_the_same_docket_gives_the_same_plan(mode: Asked):
    for docket in rounds(*MANY, mode="auto")[1].dockets[:4]:
        given = asking(docket, mode)
        assert staged(given).plan.hash == staged(given).plan.hash
