"""What a configured gate will let in, and what it costs, before anything is replayed.

Exact where the rule allows it; else a seeded simulation with its interval. The judge
is the noise model with the tie share that A/A replays measured. Forbidden actions are
taken to be none: what is measured of them is for the report.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from skillbank.codec import fields_of, seed_of
from skillbank.errors import GateError
from skillbank.gate.case import Rule
from skillbank.gate.intervals import Interval, wilson
from skillbank.gate.kinds import KINDS, Shape, draw, misfit, simulate
from skillbank.gate.limits import Limits
from skillbank.gate.noise import Noise, Outcomes
from skillbank.gate.operating import warnings as published_warnings
from skillbank.gate.plan import Case, Mode, Plan
from skillbank.gate.remedies import (
    LEAST_POWER,
    MOST_FALSE,
    certified_remedy,
    is_gate,
    published_remedy,
    published_ships,
)
from skillbank.gate.trial import Trial
from skillbank.gate.votes import Votes
from skillbank.gate_params import GateParams

PROPOSALS = "proposals of a round"
"""Place of an error that says that there are too many."""
REFERENCE = 0.261
"""Tie share taken where none was measured. Source: the gate study, regime ref."""
_MOST = 500
"""Contexts of one proposal: more are a slip of the keyboard, and would take the planner
minutes."""
_PUBLISHED_N = 300  # trials of each kind, for the contexts that curtailment leaves
_ASKED = 10_000  # contexts asked of them at most: what is larger is drawn less often
_CERTIFIED_N = 8_000
_DRAWN = 4_000_000  # votes drawn of each kind at most
_LOOSE = 0.2  # share of no-ops that is worth a warning


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What one agent run and one judge call cost, in dollars."""

    run_usd: float = 0.0
    call_usd: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no price."""
        for name, usd in fields_of(self).items():
            if not 0 <= usd < math.inf:
                raise misfit(name, usd, "a number of dollars, 0 or more")


FREE = Prices()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What becomes of one kind of change."""

    kind: str
    ships: Interval
    """P(ship); where exact, both ends are the estimate."""
    exact: bool
    contexts: float
    """Mean contexts until the verdict, void ones left out."""
    usd: float

    @property
    def runs(self) -> float:
        """Mean agent runs: two a context."""
        return 2 * self.contexts

    @property
    def calls(self) -> float:
        """Mean judge calls: two a context."""
        return 2 * self.contexts


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlay:
    """What the configured gate does and costs."""

    mode: Mode
    ties: float
    """Tie share that it was worked out for."""
    forecasts: tuple[Forecast, ...]
    most_contexts: int
    """Of one proposal, if nothing stops early and no guard is called."""
    bound: float | None
    """P(ship | no-op) is at most this whatever the noise; None: no such bound."""
    warnings: tuple[str, ...]

    def of(self, kind: str) -> Forecast:
        """The forecast of a kind."""
        return next(one for one in self.forecasts if one.kind == kind)


@lru_cache(maxsize=64)
def plan_gate(
    params: GateParams,
    mode: Mode,
    *,
    ties: float = REFERENCE,
    shape: Shape | None = None,
    prices: Prices = FREE,
    proposals: int = 1,
) -> Outlay:
    """What the gate does to each kind of change, and what that costs.

    Args:
        params: The configured numbers.
        mode: The rule.
        ties: Share of A/A contexts that tie, above 0 and below 1.
        shape: Cases of a proposal, in certified mode; None: as many as are drawn at
            most.
        prices: Of a run and a call.
        proposals: Proposals of the round: certified mode asks more of each.

    Raises:
        GateError: If the configuration cannot pass or cannot fail; it names the number
            to change. If the tie share is 0, 1 or missing.
    """
    noise = Noise.of_ties(ties)
    if mode == "published":
        outlay = _plan_published(Rule.of(params), noise, prices)
        outlay = replace(outlay, warnings=published_warnings(params))
    else:
        numbers = params.certified
        shape = shape or Shape(held_out=numbers.held_out, origin=numbers.screen_cases)
        outlay = _plan_certified(params, shape, noise, prices, proposals)
    none = outlay.of("no-op").ships
    if none.estimate > _LOOSE:
        name = "gate.cases" if mode == "published" else "gate.certified.bar"
        text = f"no-ops ship {none.estimate:.0%} of the time: raise {name}"
        outlay = replace(outlay, warnings=(*outlay.warnings, text))
    return replace(outlay, ties=ties)


def _plan_published(rule: Rule, noise: Noise, prices: Prices) -> Outlay:
    most = rule.cases * rule.contexts
    _check_size(most, "gate.cases" if rule.cases >= rule.contexts else "gate.contexts")
    rates = {kind: published_ships(kind, rule, noise) for kind in KINDS}
    _check("published", rates, lambda: published_remedy(rule, noise))
    return Outlay(
        mode="published",
        ties=0.0,
        forecasts=tuple(
            _published(kind, rate, rule, noise, prices) for kind, rate in rates.items()
        ),
        most_contexts=most,
        bound=None,
        warnings=(),
    )


def _plan_certified(
    params: GateParams, shape: Shape, noise: Noise, prices: Prices, proposals: int
) -> Outlay:
    limits = _limits(params, shape, proposals)
    most = limits.contexts(shape.held_out) + limits.screen * shape.origin
    cases = shape.held_out + shape.origin + shape.neighbours
    drawn = cases * (limits.rounds(shape.held_out) + limits.guard + limits.screen)
    _check_size(most, "gate.certified.horizon")
    _check_size(cases, "gate.certified.held_out", "cases")
    _check_size(limits.guard * cases // 100, "gate.certified.guard", "contexts x 100")
    n = max(200, min(_CERTIFIED_N, _DRAWN // max(drawn, 1)))
    made = tuple(_certified(kind, n, limits, shape, noise, prices) for kind in KINDS)
    rates = {one.kind: one.ships.estimate for one in made}
    _check("certified", rates, lambda: certified_remedy(limits, shape, noise))
    return Outlay(
        mode="certified",
        ties=0.0,
        forecasts=made,
        most_contexts=most,
        bound=float(1 / limits.bar),
        warnings=tuple(_warnings(limits, shape)),
    )


def _check_size(n: int, name: str, of: str = "contexts") -> None:
    if n > _MOST:
        raise GateError(
            "gate",
            seen=f"{n} {of} for one proposal",
            expected=f"at most {_MOST}",
            remedy=f"lower {name} in params.yaml",
        )


def _check(mode: Mode, rates: Mapping[str, float], remedy: Callable[[], str]) -> None:
    real, none = rates["+1"], rates["no-op"]
    if is_gate(real, none):
        return
    cannot, seen = "pass", f"a gain of +1 ships {real:.1%}"
    if none > MOST_FALSE:
        cannot, seen = "fail", f"a no-op ships {none:.1%}"
    raise GateError(
        f"gate, mode {mode}",
        seen=f"{seen} of the time: it cannot {cannot}",
        expected=f"+1 at least {LEAST_POWER:.0%}, no-op at most {MOST_FALSE:.0%}",
        remedy=remedy(),
    )


def _limits(params: GateParams, shape: Shape, proposals: int) -> Limits:
    alone = _limits_of(params, shape, 1)  # the faults of the configuration itself
    if proposals == 1:
        return alone
    try:
        return _limits_of(params, shape, proposals)
    except GateError as error:
        raise GateError(
            PROPOSALS,
            seen=f"{proposals}, which ask for more evidence of each: {error.seen}",
            expected="so few that each can reach what is asked of it",
            remedy="plan for fewer proposals, or raise gate.certified.horizon or "
            "budget (fdr if that is set) in params.yaml",
        ) from error


def _limits_of(params: GateParams, shape: Shape, proposals: int) -> Limits:
    limits = Limits.of(
        params.certified,
        held_out=shape.held_out,
        origin=shape.origin,
        proposals=proposals,
    )
    n = limits.contexts(shape.held_out)
    if shape.held_out < limits.least:
        seen = f"{shape.held_out} held-out cases"
        expected, remedy = f"at least {limits.least}", "raise gate.certified.held_out"
        if params.certified.held_out >= limits.least:
            remedy = "bring in more held-out cases, or lower gate.certified.least"
    elif not limits.reachable(n):
        seen = f"{n} held-out contexts, which cannot reach {float(limits.bar):g}"
        expected, remedy = f"at least {limits.shortest()}", "gate.certified.per_case"
        if limits.horizon < limits.shortest():
            remedy = "gate.certified.horizon"
        remedy = f"bring in more held-out cases, or raise {remedy}"
    else:
        return limits
    raise GateError(
        "gate, mode certified",
        seen=f"{seen}: it cannot pass",
        expected=expected,
        remedy=f"{remedy} in params.yaml",
    )


def _warnings(limits: Limits, shape: Shape) -> list[str]:
    found = []
    name = "gate.certified"
    deepest = limits.rounds(shape.held_out) + limits.guard
    if limits.regress > deepest:
        found.append(
            f"{name}.regress {limits.regress} refuses nothing: a case has at most "
            f"{deepest} contexts; lower it, or raise {name}.guard"
        )
    elif not limits.guard:
        found.append(f"{name}.guard 0: a case that lost is not looked at again")
    if limits.bar < 20:
        found.append(
            f"{name}.bar {float(limits.bar):g} lets up to {float(1 / limits.bar):.0%} "
            "of no-ops pass; 20 or more keeps them below 5%"
        )
    if limits.contexts(shape.held_out) < limits.horizon:
        n = limits.contexts(shape.held_out)
        found.append(
            f"{shape.held_out} held-out cases give {n} of {limits.horizon} contexts: "
            f"small gains are missed; widen the stratum, or raise {name}.per_case"
        )
    return found


def _forecast(
    kind: str, ships: Interval, exact: bool, contexts: float, prices: Prices
) -> Forecast:
    usd = 2 * contexts * (prices.run_usd + prices.call_usd)
    return Forecast(kind=kind, ships=ships, exact=exact, contexts=contexts, usd=usd)


def _published(
    kind: str, rate: float, rule: Rule, noise: Noise, prices: Prices
) -> Forecast:
    """Every case is one that the writer saw: the rule does not tell them apart."""
    effects, _ = KINDS[kind].effects(rule.cases, 0)
    n = max(1, min(_PUBLISHED_N, _ASKED // (rule.cases * rule.contexts)))
    spent = _contexts(rule, draw(effects, rule.contexts, noise, n, seed_of(kind)))
    return _forecast(kind, Interval(rate, rate, rate), True, spent, prices)


def _contexts(rule: Rule, drawn: Outcomes) -> float:
    """Mean contexts of curtailed trials."""
    plan = Plan(
        proposal="planner",
        cases=tuple(
            Case(
                id=str(i),
                brief=str(i),
                contexts=tuple(f"{i}/{j}" for j in range(rule.contexts)),
            )
            for i in range(rule.cases)
        ),
        band=rule.band,
        contexts=rule.contexts,
        required=rule.cases,
    )
    said = {
        1: Votes("candidate", "candidate"),
        0: Votes("candidate", "current"),
        -1: Votes("current", "current"),
    }
    spent = 0
    for one in drawn:
        trial = Trial(plan)
        while asked := trial.ask():
            i, _, j = asked[0].partition("/")
            trial.tell(asked[0], said[int(one[int(i), int(j)])])
        spent += trial.spent
    return spent / len(drawn)


def _certified(
    kind: str, n: int, limits: Limits, shape: Shape, noise: Noise, prices: Prices
) -> Forecast:
    played = simulate(KINDS[kind], limits, shape, noise, n=n, seed=seed_of(kind))
    rate = wilson(int(played.ships.sum()), len(played.ships))
    spent = float(played.contexts.mean())
    return _forecast(kind, rate, False, spent, prices)
