"""In which order a round's proposals come before the gate, and what that costs them.

All at once, unless e-LOND holds the share of false commits: then one after the other,
because each that passes lowers what is asked of those after it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from skillbank.gate.limits import Limits
from skillbank.gate.plan import Plan
from skillbank.params import Params
from skillbank.rounds.controls import mixed
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import Heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A docket as it was heard, and what came of it."""

    docket: Docket
    heard: Heard


def in_turn(
    real: Sequence[Docket],
    fake: Sequence[Docket],
    hear: Callable[[Sequence[Docket]], Sequence[Heard]],
) -> Mapping[str, Tried]:
    """Hear real proposals and placebos, mixed; by proposal id.

    Args:
        real: Dockets of the real ones; only these count as commits for e-LOND.
        fake: Dockets of the placebos.
        hear: Hears dockets that do not depend on each other, in their order.
    """
    waiting = mixed(real, fake)
    if not any(docket.params.gate.certified.fdr for docket in waiting):
        return _tried(waiting, hear)
    ours = {docket.proposal.id for docket in real}
    found: dict[str, Tried] = {}
    commits = 0
    for docket in waiting:
        found.update(_tried([replace(docket, commits=commits)], hear))
        verdict = found[docket.proposal.id].heard.record.verdict
        commits += docket.proposal.id in ours and verdict.decision == "commit"
    return found


def as_heard(docket: Docket, plan: Plan) -> Docket:
    """A docket to be heard again: asked for the evidence that it was asked for before.

    What a round asks of a proposal hangs on its others, and under e-LOND on how many of
    those heard earlier had passed.

    Args:
        docket: As the round's tables give it.
        plan: What was recorded of its hearing.
    """
    if plan.limits is None:
        return docket
    gate, bar = docket.params.gate, plan.limits.bar
    alone = {"bar": bar, "screened_bar": bar, "budget": Fraction(1), "fdr": Fraction(0)}
    gate = gate.model_copy(
        update={"certified": gate.certified.model_copy(update=alone)}
    )
    params = docket.params.model_copy(update={"gate": gate})
    return replace(docket, params=params, proposals=1)


def _tried(
    some: Sequence[Docket], hear: Callable[[Sequence[Docket]], Sequence[Heard]]
) -> dict[str, Tried]:
    return {
        docket.proposal.id: Tried(docket=docket, heard=heard)
        for docket, heard in zip(some, hear(some), strict=True)
    }


def asked_of(params: Params, proposals: int) -> str:
    """What evidence has to reach in a round of so many proposals; empty: no evidence.

    Args:
        params: Section gate is read.
        proposals: Proposals that the gate hears.
    """
    if params.gate.mode == "published" or not proposals:
        return ""
    numbers = params.gate.certified
    ample, scarce = (
        Limits.of(numbers, held_out=n, origin=origin, proposals=proposals).bar
        for n, origin in ((numbers.ample, 0), (0, numbers.screen_cases))
    )
    told = f"{float(ample):g}"
    if scarce != ample:
        told += f", {float(scarce):g} after a screen"
    if numbers.fdr:
        told += ", less after each that passed"
    return told
