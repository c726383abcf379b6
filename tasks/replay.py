"""Step 7: the gate. One Prefect task is one proposal; the verdicts make one table."""

from collections.abc import Sequence

from skillbank.briefs.brief import Brief
from skillbank.gate.controls import choose_controls, n_controls
from skillbank.gate.replay import Pair, Place
from skillbank.records import Side
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import (
    GateRecord,
    Heard,
    against_itself,
    control_places,
    hear,
)
from skillbank.rounds.summon import Files, dockets
from skillbank.rounds.voids import void_lines
from skillbank.tables import (
    DECISIONS,
    EVENTS,
    FILINGS,
    GOLDEN,
    MERGES,
    PAIRS,
    PROPOSALS,
    RUNS,
    SCREENINGS,
    VARIANTS,
    VERDICTS,
)
from tasks.memory import golden, ledger
from tasks.setting import Setting, step
from tasks.worlds import Site

_LEDGER = (EVENTS, FILINGS, MERGES)
_EARLIER = (*_LEDGER, RUNS, VARIANTS, PROPOSALS, DECISIONS)


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
        # held-out cases, and where a trigger fires, come from all rounds
        reads=[PROPOSALS, SCREENINGS, RUNS, VARIANTS, *_LEDGER],
        earlier=[GOLDEN, *_EARLIER],
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
    for line in void_lines((*heard.pairs, *heard.in_bank)):
        setting.say(f"{proposal.kind} {proposal.skill}: {line}")
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
    by_id = {docket.proposal.id: docket for docket in dockets_of(setting)}
    todo = []
    for record in records:
        cases = {case.id for case in record.plan.cases}
        mine = tuple(place for place in chosen if place.case in cases)
        if mine:
            todo.append((by_id[record.plan.proposal], mine))
    made = setting.workers.map(_against_itself, todo, chunk=1)
    found = tuple(pair for pairs in made for pair in pairs)
    for line in void_lines(found):
        setting.say(f"A/A control: {line}")
    return found


def dockets_of(setting: Setting) -> tuple[Docket, ...]:
    """Every proposal that passed the screen, with everything that its trial needs."""
    passed = {one.proposal for one in setting.read(SCREENINGS) if one.passed}
    files = Files(
        briefs=briefs_known(setting),
        sides=sides_known(setting),
        golden={case.brief.id for case in golden(setting).cases},
        ledger=ledger(setting),
        cards=setting.bank.cards(setting.params.recall.prior_trials),
        bank=setting.bank.digest,
    )
    proposals = [one for one in setting.read(PROPOSALS) if one.id in passed]
    return dockets(
        proposals, files, setting.world, setting.params, setting.seed("gate")
    )


def _hear_all(setting: Setting) -> dict[str, Heard]:
    made = dockets_of(setting)
    futures = [replay_proposal.submit(setting, docket) for docket in made]
    return {
        docket.proposal.id: future.result()
        for docket, future in zip(made, futures, strict=True)
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


def sides_known(setting: Setting) -> dict[str, Side]:
    """The side of every brief of traffic and every variant, of all rounds."""
    runs = (*setting.earlier(RUNS), *setting.read(RUNS))
    variants = (*setting.earlier(VARIANTS), *setting.read(VARIANTS))
    return {
        **{row.run.brief.id: row.side for row in runs},
        **{row.brief.id: row.side for row in variants},
    }


def _hear(site: Site, docket: Docket) -> Heard:
    return hear(docket, site.world, site.journal)


def _against_itself(
    site: Site, todo: tuple[Docket, tuple[Place, ...]]
) -> tuple[Pair, ...]:
    docket, places = todo
    return against_itself(docket, places, site.world, site.journal)
