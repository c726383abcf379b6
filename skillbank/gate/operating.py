"""How often the published rule errs: exact, by enumeration of a case's contexts.

Contexts are taken as independent and cases as alike. P(win) and P(loss) are those of a
context, not of a case.
"""

import math
from fractions import Fraction
from typing import TypeVar

from skillbank.errors import GateError
from skillbank.gate.case import (
    Count,
    Rule,
    inert_band,
    score_case,
    smallest_band,
    trinomial,
)
from skillbank.gate_params import GateParams

Number = TypeVar("Number", float, Fraction)
"""Fractions in, fractions out: exact to the last digit."""


def ships(win: Number, regress: Number, cases: int) -> Number:
    """P(ship) from a case's chances of being won and of regressing.

    (1 - r)^K - (1 - r - w)^K: no case regresses, less no case regresses or is won.

    Raises:
        GateError: If these are no chances.
    """
    for name, chance in (("win", win), ("regress", regress), ("both", win + regress)):
        _check_chance(name, chance)
    keep: Number = 1 - regress
    none: Number = 1 - regress - win
    result: Number = keep**cases - none**cases
    return result


def case_odds(win: Number, loss: Number, rule: Rule) -> tuple[Number, Number]:
    """Chances that a full case is won and that it regresses.

    Args:
        win: P(win) of a context, in [0, 1].
        loss: P(loss) of a context; win + loss at most 1.
        rule: The configured numbers.

    Raises:
        GateError: If these are no chances.
    """
    for name, chance in (("win", win), ("loss", loss), ("win + loss", win + loss)):
        _check_chance(name, chance)
    tie: Number = 1 - win - loss
    odds: dict[str, Number] = {"win": 0 * tie, "regress": 0 * tie}
    for wins in range(rule.contexts + 1):
        for ties in range(rule.contexts + 1 - wins):
            count = Count(wins, ties, rule.contexts - wins - ties)
            verdict = score_case(count, rule)
            if verdict in odds:
                chance = win**wins * tie**ties * loss**count.losses
                odds[verdict] += trinomial(count) * chance
    return odds["win"], odds["regress"]


def p_ship(win: Number, loss: Number, rule: Rule) -> Number:
    """P(ship) of a proposal whose every context is won or lost with these chances.

    Raises:
        GateError: If these are no chances.
    """
    return ships(*case_odds(win, loss, rule), rule.cases)


def operating(params: GateParams | Rule, ties: Number) -> Number:
    """P(ship | no-op) of the configured rule: what it lets through that does nothing.

    Under a no-op the arms are alike, so wins and losses share what ties leave.

    Args:
        params: The configured numbers.
        ties: Share of contexts that A/A replays tie, in [0, 1].

    Raises:
        GateError: If the share is none, or the configuration is no gate.
    """
    rule = params if isinstance(params, Rule) else Rule.of(params)
    _check_chance("tie share", ties)
    half: Number = (1 - ties) / 2
    return p_ship(half, half, rule)


def warnings(params: GateParams | Rule) -> tuple[str, ...]:
    """What in the configuration is allowed but does not do what it seems to.

    Raises:
        GateError: If it cannot pass or cannot fail.
    """
    rule = params if isinstance(params, Rule) else Rule.of(params)
    found = []
    if rule.band and inert_band(rule):
        least = smallest_band(rule.contexts)
        found.append(
            f"gate.band {rule.band} changes no verdict at {rule.contexts} contexts: "
            f"the smallest that can is {least}; set it to 0, or to {least} or more"
        )
    if rule.contexts % 2 == 0:
        found.append(
            f"gate.contexts {rule.contexts} is even and wastes a context: half of them "
            f"is no strict majority; use {rule.contexts - 1} or {rule.contexts + 1}"
        )
    if isinstance(params, GateParams) and params.spares == 0:
        found.append("gate.spares 0: each void brings its case nearer to undecided")
    return tuple(found)


def _check_chance(name: str, chance: float | Fraction) -> None:
    slack = 0 if isinstance(chance, Fraction | int) else 1e-12
    if math.isnan(chance) or not -slack <= chance <= 1 + slack:
        raise GateError(
            f"probability of {name}",
            seen=str(chance),
            expected="a number in [0, 1]",
            remedy="measure it with A/A replays, or give the rate as a share",
        )
