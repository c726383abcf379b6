"""Acceptance rules that others use, in the gate's place: for benchmarks only.

They take and return what the gate does, so the rest of a round is the same.
"""

from dataclasses import replace
from math import fsum

from skillbank.codec import seed_of
from skillbank.gate.plan import Plan
from skillbank.gate.replay import Pair
from skillbank.gate.verdict import Verdict
from skillbank.models.journal import Journal
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import GateRecord, Heard, hear
from skillbank.world import World
from studio.judge import StudioJudge


def accept_all(docket: Docket, world: World, journal: Journal) -> Heard:
    """Let every change in that passed the screen; nothing is replayed."""
    plan = Plan(proposal=docket.proposal.id, cases=())
    verdict = Verdict(
        proposal=docket.proposal.id,
        plan=plan.hash,
        decision="commit",
        code="commit",
        reason="everything is let in",
    )
    return Heard(record=GateRecord(plan=plan, verdict=verdict), pairs=())


def mean_score(docket: Docket, world: World, journal: Journal) -> Heard:
    """Let a change in if the mean absolute score went up.

    The judge scores each output alone, every arm in a batch of its own, as a rule that
    keeps the incumbent's score does: its drift between batches does not cancel. All
    planned contexts are replayed.
    """
    heard = hear(replace(docket, curtail=False), world, journal)
    judge = world.judge
    assert isinstance(judge, StudioJudge)  # the only judge with absolute scores
    old, new = [], []
    for pair in heard.pairs:
        if pair.void or pair.current is None or pair.candidate is None:
            continue
        old.append(_absolute(judge, docket, pair, "current"))
        new.append(_absolute(judge, docket, pair, "candidate"))
    planned = heard.record.verdict.planned
    if heard.record.verdict.decision == "undecided" or not new:
        return heard
    rose = fsum(new) / len(new) > fsum(old) / len(old)
    verdict = replace(
        heard.record.verdict,
        decision="commit" if rose else "refuse",
        code="commit" if rose else "refuse:regressed",
        reason="the mean score went up" if rose else "the mean score did not go up",
        spent=planned,
    )
    return replace(heard, record=replace(heard.record, verdict=verdict))


def _absolute(judge: StudioJudge, docket: Docket, pair: Pair, arm: str) -> float:
    attempt = pair.current if arm == "current" else pair.candidate
    assert attempt is not None
    brief = docket.briefs[attempt.brief]
    return judge.absolute(
        brief,
        attempt.output,
        batch=f"{docket.proposal.id}-{arm}",
        seed=seed_of(docket.seed, "absolute", pair.context, arm),
    )
