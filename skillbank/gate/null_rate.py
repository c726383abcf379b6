"""How often the certified rule lets in a change that does nothing, by what A/A say.

There is no closed form: every plan of a round is played with no-ops, from fixed seeds.
"""

from collections.abc import Sequence
from functools import lru_cache

from skillbank.codec import seed_of
from skillbank.gate.intervals import Interval, wilson
from skillbank.gate.kinds import KINDS, Shape, simulate
from skillbank.gate.limits import Limits
from skillbank.gate.noise import Noise
from skillbank.gate.plan import Plan

_PLAYED = 2000  # no-ops a plan and tie share; plans of one shape are played once
_NARROWEST = 0.005  # of a tie share: there is no noise that never ties, or always does


def certified_null(
    plans: Sequence[Plan], ties: Interval, confidence: float = 0.95
) -> Interval | None:
    """P(let in | no-op) of a round's certified plans, their mean.

    Args:
        plans: Of the round; those of the published rule, and those with too few cases
            to be replayed, are left out.
        ties: Tie share of A/A contexts with its interval.
        confidence: Of the interval, which spans that of the tie share and what chance
            is in the simulation.

    Returns:
        None if no plan was certified.
    """
    shapes = [
        (plan.limits, _shape(plan))
        for plan in plans
        if plan.limits is not None and plan.cases and not plan.lacking()
    ]
    if not shapes:
        return None
    found = []
    for share in ties:
        inside = min(max(share, _NARROWEST), 1 - _NARROWEST)
        let_in = [_let_in(limits, shape, inside) for limits, shape in shapes]
        played = len(set(shapes)) * _PLAYED
        mean = sum(let_in) / (len(let_in) * _PLAYED)
        found.append(wilson(round(mean * played), played, confidence))
    return Interval(
        found[0].estimate,
        min(one.low for one in found),
        max(one.high for one in found),
    )


def _shape(plan: Plan) -> Shape:
    roles = [plan.role(case) for case in plan.cases]
    return Shape(
        held_out=roles.count("held-out"),
        origin=roles.count("origin"),
        neighbours=roles.count("neighbour"),
    )


@lru_cache(maxsize=1024)
def _let_in(limits: Limits, shape: Shape, ties: float) -> int:
    seed = seed_of("certified null", shape, ties)
    played = simulate(
        KINDS["no-op"], limits, shape, Noise.of_ties(ties), n=_PLAYED, seed=seed
    )
    return int(played.ships.sum())
