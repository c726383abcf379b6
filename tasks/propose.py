"""Step 5: proposals from what keeps failing and what keeps coming up uncovered."""

from functools import cache

from skillbank.params import Params
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.propose import Known, Proposed
from skillbank.proposals.propose import propose as propose_changes
from skillbank.tables import (
    ATTEMPTS,
    DECISIONS,
    EVENTS,
    FILINGS,
    GOLDEN,
    GRADES,
    MERGES,
    PROPOSALS,
    RUNS,
    SKIPPED,
    VARIANTS,
)
from tasks.memory import golden, ledger, pool
from tasks.setting import Setting, step

_READ = (RUNS, VARIANTS, ATTEMPTS, GRADES, EVENTS, FILINGS, MERGES)


@step("propose")
def propose(setting: Setting) -> str:
    """Have a writer propose changes; `skillbank.proposals.propose` says for what."""

    @cache
    def made() -> Proposed:
        return propose_changes(
            known(setting),
            setting.world.writer,
            setting.params,
            round=setting.opening.round,
            seed=setting.seed("propose"),
        )

    at = setting.step(
        __file__,
        reads=_READ,
        earlier=[*_READ, PROPOSALS, DECISIONS, GOLDEN],
        depends=[_relevant(setting.params), setting.bank.digest],
    )
    skipped = at.table(SKIPPED, lambda: made().skipped)
    proposals = at.table(PROPOSALS, lambda: made().proposals)
    mints = sum(proposal.kind == "mint" for proposal in proposals)
    return setting.say(
        f"{len(proposals)} changes proposed, {mints} of them mints; "
        f"{len(skipped)} ideas left"
    )


def known(setting: Setting) -> Known:
    """Everything that this round's proposals are made from."""
    bank = setting.bank
    variants = (*setting.earlier(VARIANTS), *setting.read(VARIANTS))
    seen, pending = ledger(setting), _undecided(setting)
    shown = (id for proposal in pending for id in proposal.evidence)
    return Known(
        ledger=seen,
        cards=bank.cards(setting.params.recall.prior_trials),
        taken=bank.taken(),
        evidence=pool(setting, seen, shown),
        golden=golden(setting),
        variants=tuple(row.brief for row in variants if row.side == "teach"),
        pending=pending,
        plan=setting.world.plan,
    )


def _undecided(setting: Setting) -> tuple[Proposal, ...]:
    """What the round before left undecided."""
    before = setting.workspace.before(setting.opening.round)[-1:]
    open_ids = {
        decision.proposal
        for decision in setting.earlier(DECISIONS)
        if decision.fate == "undecided" and decision.round in before
    }
    return tuple(
        proposal for proposal in setting.earlier(PROPOSALS) if proposal.id in open_ids
    )


def _relevant(params: Params) -> list[object]:
    return [
        params.propose,
        params.gate,
        params.attribute,
        params.recall,
        params.studio,
        params.models,
    ]
