"""What a configured gate will let in, and what it costs, before anything is replayed.

Exact where the rule allows it; else a seeded simulation with its interval. The judge
is the noise model with the tie share that A/A replays measured. Forbidden actions are
taken to be none: what is measured of them is for the report.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from skillbank.codec import fields_of, seed_of
from skillbank.errors import GateError
from skillbank.gate.case import Rule
from skillbank.gate.intervals import Interval, wilson
from skillbank.gate.limits import Limits
from skillbank.gate.neighbours import CONTEXTS
from skillbank.gate.noise import Noise, Outcomes, outcomes, votes
from skillbank.gate.operating import case_odds
from skillbank.gate.operating import warnings as published_warnings
from skillbank.gate.plan import Case, Mode, Plan
from skillbank.gate.simulate import Played, Simulated, play
from skillbank.gate.trial import Trial
from skillbank.gate.votes import Votes
from skillbank.params import GateParams

REFERENCE = 0.261
"""Tie share taken where none was measured. Source: the gate study, regime ref."""
_PUBLISHED_N = 300  # trials of each kind, for the contexts that curtailment leaves
_LEAST_POWER, _MOST_FALSE = 0.05, 0.5  # beyond them a gate is refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of change: its effects, in agent standard deviations."""

    seen: float
    """On cases that the writer saw."""
    unseen: float
    """On held-out cases."""
    share: float = 1.0
    """Share of the cases that it touches; the others stay as they were."""

    def effects(self, seen: int, unseen: int) -> tuple[list[float], list[float]]:
        """The effect on each case."""
        return self._some(self.seen, seen), self._some(self.unseen, unseen)

    def _some(self, effect: float, n: int) -> list[float]:
        touched = round(self.share * n)
        return [effect] * touched + [0.0] * (n - touched)


KINDS: Mapping[str, Kind] = {
    "no-op": Kind(seen=0.0, unseen=0.0),
    "overfit": Kind(seen=1.5, unseen=0.0),
    "+0.5": Kind(seen=0.5, unseen=0.5),
    "+1": Kind(seen=1.0, unseen=1.0),
    "harm -0.5": Kind(seen=-0.5, unseen=-0.5),
    "targeted +2": Kind(seen=2.0, unseen=2.0, share=0.25),
}
"""targeted: a quarter of the cases; where that kind is named as the stratum it is +2 on
all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The cases that a proposal will have in certified mode."""

    held_out: int = 16
    origin: int = 4
    neighbours: int = 0
    """On which the card fires; taken to be neither helped nor harmed."""

    def __post_init__(self) -> None:
        """Refuse what is no count."""
        for name, n in fields_of(self).items():
            if n < 0:
                raise _misfit(name, n, "at least 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What one agent run and one judge call cost, in dollars."""

    run_usd: float = 0.0
    call_usd: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no price."""
        for name, usd in fields_of(self).items():
            if not 0 <= usd < math.inf:
                raise _misfit(name, usd, "a number of dollars, 0 or more")


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
    shape: Shape = Shape(),
    prices: Prices = Prices(),
    proposals: int = 1,
) -> Outlay:
    """What the gate does to each kind of change, and what that costs.

    Args:
        params: The configured numbers.
        mode: The rule.
        ties: Share of A/A contexts that tie, above 0 and below 1.
        shape: Cases of a proposal, in certified mode.
        prices: Of a run and a call.
        proposals: Proposals of the round: certified mode asks more of each.

    Raises:
        GateError: If the configuration cannot pass or cannot fail; it names the number
            to change. If the tie share is 0, 1 or missing.
    """
    noise = Noise.of_ties(ties)
    if mode == "published":
        rule = Rule.of(params)
        made = [_published(kind, rule, noise, prices) for kind in KINDS]
        found, most = list(published_warnings(params)), rule.cases * rule.contexts
        bound, remedy = None, "gate.cases, gate.contexts or gate.band"
    else:
        limits = _limits(params, shape, proposals)
        made = [_certified(kind, limits, shape, noise, prices) for kind in KINDS]
        found = _warnings(limits, shape)
        most = limits.contexts(shape.held_out) + limits.screen * shape.origin
        bound = float(1 / limits.bar)
        remedy = "gate.certified.bar, horizon or held_out"
    outlay = Outlay(
        mode=mode,
        ties=ties,
        forecasts=tuple(made),
        most_contexts=most,
        bound=bound,
        warnings=tuple(found),
    )
    _check(outlay, remedy)
    return outlay


def _misfit(name: str, seen: float, expected: str) -> GateError:
    return GateError(
        f"planner, {name}",
        seen=str(seen),
        expected=expected,
        remedy=f"give {name} as it will be, or leave it out",
    )


def _check(outlay: Outlay, remedy: str) -> None:
    real, none = outlay.of("+1").ships, outlay.of("no-op").ships
    for wrong, seen in (
        (real.estimate < _LEAST_POWER, f"a gain of +1 ships {real.estimate:.1%}"),
        (none.estimate > _MOST_FALSE, f"a no-op ships {none.estimate:.1%}"),
    ):
        if wrong:
            raise GateError(
                f"gate, mode {outlay.mode}",
                seen=f"{seen} of the time: it cannot pass or cannot fail",
                expected=f"+1 at least {_LEAST_POWER:.0%}, no-op at most "
                f"{_MOST_FALSE:.0%}",
                remedy=f"change {remedy} in params.yaml",
            )


def _limits(params: GateParams, shape: Shape, proposals: int) -> Limits:
    limits = Limits.of(
        params.certified,
        held_out=shape.held_out,
        origin=shape.origin,
        proposals=proposals,
    )
    n = limits.contexts(shape.held_out)
    if shape.held_out < limits.least:
        seen, remedy = f"{shape.held_out} held-out cases", "gate.certified.least"
        expected = f"at least {limits.least}"
    elif not limits.reachable(n):
        seen = f"{n} held-out contexts, which cannot reach {float(limits.bar):g}"
        expected, remedy = f"at least {limits.shortest()}", "gate.certified.per_case"
        if limits.horizon < limits.shortest():
            remedy = "gate.certified.horizon"
    else:
        return limits
    raise GateError(
        "gate, mode certified",
        seen=f"{seen}: it cannot pass",
        expected=expected,
        remedy=f"bring in more held-out cases, or change {remedy} in params.yaml",
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


def _published(kind: str, rule: Rule, noise: Noise, prices: Prices) -> Forecast:
    """Every case is one that the writer saw: the rule does not tell them apart."""
    effects, _ = KINDS[kind].effects(rule.cases, 0)
    odds = [case_odds(*noise.chances(effect), rule) for effect in effects]
    keep = math.prod(1 - regress for _, regress in odds)
    ships = keep - math.prod(1 - regress - win for win, regress in odds)
    drawn = _draw(effects, rule.contexts, noise, _PUBLISHED_N, seed_of(kind))
    spent = _contexts(rule, drawn)
    return _forecast(kind, Interval(ships, ships, ships), True, spent, prices)


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
    kind: str, limits: Limits, shape: Shape, noise: Noise, prices: Prices
) -> Forecast:
    played = simulate(KINDS[kind], limits, shape, noise, n=8000, seed=seed_of(kind))
    ships = wilson(int(played.ships.sum()), len(played.ships))
    spent = float(played.contexts.mean())
    return _forecast(kind, ships, False, spent, prices)


def simulate(
    kind: Kind, limits: Limits, shape: Shape, noise: Noise, *, n: int, seed: int
) -> Played:
    """Decide `n` certified proposals of a kind."""
    origin = shape.origin if limits.screen else 0
    seen, unseen = kind.effects(origin, shape.held_out)
    deep = limits.guard + limits.rounds(shape.held_out)

    def drawn(what: str, effects: Sequence[float], contexts: int) -> Outcomes:
        return _draw(effects, contexts, noise, n, seed_of(seed, what))

    world = Simulated(
        origin=drawn("origin", seen, limits.guard + limits.screen),
        held_out=drawn("held out", unseen, deep),
        neighbours=drawn("neighbours", [0.0] * shape.neighbours, CONTEXTS),
    )
    return play(limits, world)


def _draw(
    effects: Sequence[float], contexts: int, noise: Noise, n: int, seed: int
) -> Outcomes:
    rng = np.random.default_rng(seed)
    each = np.tile(np.asarray(effects, dtype=np.float64), (n, 1))
    return outcomes(*votes(each, contexts, noise, rng))
