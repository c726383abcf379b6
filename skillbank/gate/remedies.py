"""Which number to change in a gate that cannot pass or cannot fail.

Each number that could mend it is tried in turn, so that what is named would help.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from skillbank.codec import seed_of
from skillbank.gate.case import Rule
from skillbank.gate.evalues import GAIN
from skillbank.gate.kinds import KINDS, Shape, simulate
from skillbank.gate.limits import Limits
from skillbank.gate.noise import Noise
from skillbank.gate.operating import case_odds, ships

LEAST_POWER, MOST_FALSE = 0.05, 0.5
"""P(ship) of a gain of +1, and of a no-op, beyond which a gate is none."""
_N = 2_000  # proposals of a kind: enough to tell 5% or 50% from what is worth naming
_BARS = (42, 20, 10, 5)
_JUDGE = "no number of this rule mends it: use a judge that ties less, or longer cases"


def published_ships(kind: str, rule: Rule, noise: Noise) -> float:
    """P(ship) of a kind of change under the published rule, exact."""
    effects, _ = KINDS[kind].effects(rule.cases, 0)
    odds = [case_odds(*noise.chances(effect), rule) for effect in effects]
    keep = math.prod(1 - regress for _, regress in odds)
    return keep - math.prod(1 - regress - win for win, regress in odds)


def is_gate(real: float, none: float) -> bool:
    """Whether it lets a gain pass at times, and refuses a no-op at times."""
    return real >= LEAST_POWER and none <= MOST_FALSE


def published_remedy(rule: Rule, noise: Noise) -> str:
    """What to change in params.yaml."""
    real, none = (
        case_odds(*noise.chances(KINDS[kind].seen), rule) for kind in ("+1", "no-op")
    )
    for cases in range(rule.cases - 1, 0, -1):
        if is_gate(ships(*real, cases), ships(*none, cases)):
            return f"lower gate.cases to {cases} in params.yaml"
    for name, other in _others(rule):
        if is_gate(*(published_ships(kind, other, noise) for kind in ("+1", "no-op"))):
            return f"change {name} in params.yaml"
    return _JUDGE


def _others(rule: Rule) -> Iterator[tuple[str, Rule]]:
    yield "gate.band to 0", replace(rule, band=0 * rule.band)
    for contexts in (3, 5, 7, 9):
        yield f"gate.contexts to {contexts}", replace(rule, contexts=contexts)


def certified_remedy(limits: Limits, shape: Shape, noise: Noise) -> str:
    """What to change in params.yaml."""

    def good(other: Limits) -> bool:
        rates: list[float] = [
            simulate(KINDS[kind], other, shape, noise, n=_N, seed=seed_of(kind))
            .ships.mean()
            .item()
            for kind in ("+1", "no-op")
        ]
        return is_gate(*rates)

    n = limits.contexts(shape.held_out)
    named = {
        f"gate.certified.bar to {bar}": replace(limits, bar=Fraction(bar))
        for bar in _BARS
        if limits.win ** limits.hoped(n) >= bar
    }
    named["gate.certified.hope to 1"] = replace(limits, hope=Fraction(1))
    named["gate.certified.floor to 1/5"] = replace(limits, floor=Fraction(1, 5))
    named["gate.certified.win to 3/2 and loss to 1/2"] = replace(
        limits, win=GAIN.win, loss=GAIN.loss
    )
    for name, other in named.items():
        if other != limits and good(other):
            return f"change {name} in params.yaml"
    if good(Limits()):
        return "leave gate.certified out of params.yaml, then change one number at once"
    return _JUDGE
