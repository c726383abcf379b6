"""Step 7: the gate. One Prefect task is one proposal; the verdicts make one table."""

from collections.abc import Sequence
from functools import cache

from skillbank.gate.replay import Pair, Place
from skillbank.models.journal import NoJournal
from skillbank.proposals.proposal import Proposal
from skillbank.rounds.controls import Controlled, Work, controlled, standing_of
from skillbank.rounds.docket import Docket
from skillbank.rounds.hearing import Hearing
from skillbank.rounds.replay import Heard, hear
from skillbank.rounds.summon import Files, dockets
from skillbank.rounds.turns import asked_of
from skillbank.rounds.voids import void_lines
from skillbank.tables import (
    DECISIONS,
    EVENTS,
    FILINGS,
    GOLDEN,
    MERGES,
    PAIRS,
    PLACEBOS,
    PROPOSALS,
    RUNS,
    SCREENINGS,
    VARIANTS,
    VERDICTS,
)
from tasks.memory import briefs_known, golden, ledger
from tasks.setting import Setting, step
from tasks.worlds import Site

_LEDGER = (EVENTS, FILINGS, MERGES)
_EARLIER = (*_LEDGER, RUNS, VARIANTS, PROPOSALS, DECISIONS)


def replay(setting: Setting) -> str:
    """Hear every proposal that passed the screen, placebos among them, then controls.

    A verdict is written only when the controls have said whether the judge may gate.
    """

    @cache
    def found() -> Controlled:
        return _hear_all(setting)

    at = setting.step(
        __file__,
        # held-out cases, and where a trigger fires, come from all rounds
        reads=[PROPOSALS, SCREENINGS, RUNS, VARIANTS, *_LEDGER],
        earlier=[GOLDEN, *_EARLIER],
        depends=[setting.params, setting.bank.digest],
    )
    records = at.table(VERDICTS, lambda: [one.record for one in found().heard])
    placebos = at.table(PLACEBOS, lambda: found().placebos)
    pairs = at.table(PAIRS, lambda: found().pairs)
    for fault in standing_of(pairs, setting.params).faults:
        setting.say(f"THE JUDGE MAY NOT GATE, nothing is let in: {fault}")
    committed = sum(one.verdict.decision == "commit" for one in records)
    refused = sum(one.verdict.decision == "refuse" for one in records)
    planned = sum(one.verdict.planned for one in records)
    spent = sum(one.verdict.spent for one in records)
    fooled = sum(one.record.verdict.decision == "commit" for one in placebos)
    asked = asked_of(setting.params, len(records))
    return setting.say(
        f"gate: {committed} let in, {refused} refused, "
        f"{len(records) - committed - refused} undecided; "
        f"{spent} of {planned} contexts replayed; "
        f"{fooled} of {len(placebos)} placebos would have been let in"
        + (f"; evidence asked for: {asked}" if asked else "")
    )


@step("gate", "gate {docket.proposal.kind} {docket.proposal.skill}")
def replay_proposal(setting: Setting, docket: Docket) -> Heard:
    """Replay one proposal until its verdict is certain."""
    if setting.world.unable:  # no process need be started to say so
        heard = hear(docket, setting.world, NoJournal())
    else:
        (heard,) = setting.workers.map(_hear, [docket], chunk=1)
    verdict, proposal = heard.record.verdict, docket.proposal
    setting.say(
        f"{proposal.kind} {proposal.skill}: {verdict.decision}, {verdict.reason}"
    )
    for line in void_lines((*heard.pairs, *heard.in_bank)):
        setting.say(f"{proposal.kind} {proposal.skill}: {line}")
    return heard


@step("controls")
def replay_controls(setting: Setting, work: Work) -> tuple[Pair, ...]:
    """Replay current against current, and show the judge outputs made worse."""
    made = setting.workers.map(_controlled, work, chunk=1)
    found = tuple(pair for pairs in made for pair in pairs)
    for line in void_lines(found):
        setting.say(f"control: {line}")
    return found


def dockets_of(setting: Setting) -> tuple[Docket, ...]:
    """Every proposal that passed the screen, with everything that its trial needs."""
    return dockets(
        _passed(setting),
        _files(setting),
        setting.world,
        setting.params,
        setting.seed("gate"),
    )


def _hear_all(setting: Setting) -> Controlled:
    def heard(some: Sequence[Docket]) -> list[Heard]:
        futures = [replay_proposal.submit(setting, docket) for docket in some]
        return [future.result() for future in futures]

    hearing = Hearing(
        world=setting.world,
        params=setting.params,
        seed=setting.seed,
        hear=heard,
        control=lambda work: replay_controls(setting, work),
    )
    return hearing.of(_passed(setting), _files(setting), setting.bank)[1]


def _passed(setting: Setting) -> list[Proposal]:
    passed = {one.proposal for one in setting.read(SCREENINGS) if one.passed}
    return [one for one in setting.read(PROPOSALS) if one.id in passed]


def _files(setting: Setting) -> Files:
    briefs, sides = briefs_known(setting)
    return Files(
        briefs=briefs,
        sides=sides,
        golden={case.brief.id for case in golden(setting).cases},
        ledger=ledger(setting),
        cards=setting.bank.cards(setting.params.recall.prior_trials),
        bank=setting.bank.digest,
    )


def _hear(site: Site, docket: Docket) -> Heard:
    return hear(docket, site.world, site.journal)


def _controlled(site: Site, todo: tuple[Docket, tuple[Place, ...]]) -> tuple[Pair, ...]:
    docket, places = todo
    return controlled(docket, places, site.world, site.journal)
