"""Step 7: the gate. One Prefect task is one proposal; the verdicts make one table."""

from collections.abc import Sequence

from skillbank.briefs.brief import Brief
from skillbank.gate.controls import choose_controls, n_controls
from skillbank.gate.replay import Pair, Place
from skillbank.rounds.replay import (
    Docket,
    GateRecord,
    Heard,
    against_itself,
    control_places,
    hear,
)
from skillbank.tables import (
    GOLDEN,
    PAIRS,
    PROPOSALS,
    RUNS,
    SCREENINGS,
    VARIANTS,
    VERDICTS,
)
from tasks.setting import Setting, step
from tasks.worlds import Site


def replay(setting: Setting) -> str:
    """Hear every proposal that passed the screen, then replay the A/A controls."""
    heard: dict[str, Heard] = {}

    def verdicts() -> tuple[GateRecord, ...]:
        heard.update(_hear_all(setting))
        return tuple(one.record for one in heard.values())

    def pairs() -> tuple[Pair, ...]:
        if not heard:  # killed after the verdicts: all of this is in the journal
            heard.update(_hear_all(setting))
        made = [pair for one in heard.values() for pair in (*one.pairs, *one.in_bank)]
        return (*made, *replay_controls(setting, [h.record for h in heard.values()]))

    at = setting.step(
        __file__,
        reads=[PROPOSALS, SCREENINGS, RUNS, VARIANTS],
        earlier=[GOLDEN],
        depends=[setting.params, setting.bank.digest],
    )
    records = at.table(VERDICTS, verdicts)
    at.table(PAIRS, pairs)
    committed = sum(one.verdict.decision == "commit" for one in records)
    refused = sum(one.verdict.decision == "refuse" for one in records)
    planned = sum(one.verdict.planned for one in records)
    spent = sum(one.verdict.spent for one in records)
    return setting.say(
        f"gate: {committed} let in, {refused} refused, "
        f"{len(records) - committed - refused} undecided; "
        f"{spent} of {planned} contexts replayed"
    )


@step("gate", "gate {docket.proposal.kind} {docket.proposal.skill}")
def replay_proposal(setting: Setting, docket: Docket) -> Heard:
    """Replay one proposal until its verdict is certain."""
    (heard,) = setting.workers.map(_hear, [docket], chunk=1)
    verdict, proposal = heard.record.verdict, docket.proposal
    setting.say(
        f"{proposal.kind} {proposal.skill}: {verdict.decision}, {verdict.reason}"
    )
    return heard


@step("controls")
def replay_controls(
    setting: Setting, records: Sequence[GateRecord]
) -> tuple[Pair, ...]:
    """Replay current against current on contexts drawn from the round's trials."""
    places = control_places(records)
    gate = setting.params.gate
    spent = sum(record.verdict.spent for record in records)
    n = n_controls(spent, least=gate.aa_contexts, share=gate.aa_share)
    chosen = choose_controls(places, n, setting.seed("controls"))
    dockets = {docket.proposal.id: docket for docket in dockets_of(setting)}
    todo = []
    for record in records:
        cases = {case.id for case in record.plan.cases}
        mine = tuple(place for place in chosen if place.case in cases)
        if mine:
            todo.append((dockets[record.plan.proposal], mine))
    made = setting.workers.map(_against_itself, todo, chunk=1)
    return tuple(pair for pairs in made for pair in pairs)


def dockets_of(setting: Setting) -> tuple[Docket, ...]:
    """Every proposal that passed the screen, with everything that its trial needs."""
    passed = {one.proposal for one in setting.read(SCREENINGS) if one.passed}
    briefs = briefs_known(setting)
    cards = setting.bank.cards(setting.params.recall.prior_trials)
    return tuple(
        Docket(
            proposal=proposal,
            briefs={case.brief: briefs[case.brief] for case in proposal.cases},
            cards=cards,
            bank=setting.bank.digest,
            params=setting.params,
            seed=setting.seed("gate"),
        )
        for proposal in setting.read(PROPOSALS)
        if proposal.id in passed
    )


def _hear_all(setting: Setting) -> dict[str, Heard]:
    dockets = dockets_of(setting)
    futures = [replay_proposal.submit(setting, docket) for docket in dockets]
    return {
        docket.proposal.id: future.result()
        for docket, future in zip(dockets, futures, strict=True)
    }


def briefs_known(setting: Setting) -> dict[str, Brief]:
    """Every brief that a case may name: of all rounds, and the golden ones."""
    runs = (*setting.earlier(RUNS), *setting.read(RUNS))
    variants = (*setting.earlier(VARIANTS), *setting.read(VARIANTS))
    cases = setting.earlier(GOLDEN)
    return {
        **{case.brief.id: case.brief for case in cases},
        **{row.run.brief.id: row.run.brief for row in runs},
        **{row.brief.id: row.brief for row in variants},
    }


def _hear(site: Site, docket: Docket) -> Heard:
    return hear(docket, site.world, site.journal)


def _against_itself(
    site: Site, todo: tuple[Docket, tuple[Place, ...]]
) -> tuple[Pair, ...]:
    docket, places = todo
    return against_itself(docket, places, site.world, site.journal)
