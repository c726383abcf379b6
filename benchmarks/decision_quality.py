"""How good are a gate's decisions, and at what cost: ours beside the field's.

    python -m benchmarks.decision_quality --seed 301 --write docs/gate

World, loss and regimes are those of the gate study, section 8. Our rules are driven
through the product's own `Trial`, n proposals of the mixture a regime; the figures by
kind and the curve come from its vectorised twin, which is held to `Trial` on the way.
Settings were chosen on other seeds.
"""

import argparse
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import log
from pathlib import Path

import numpy as np

from benchmarks.decision_pages import Curve, Point, Row, Spared, page, plot
from benchmarks.field_rules import FIELD, Use, above_errors, scores
from benchmarks.gate_oc import MIXTURE, REGIMES, plan_of
from benchmarks.gate_world import Drawn, Quality, Tally, drawn, quality
from skillbank.codec import seed_of
from skillbank.gate import STUDY, Case, Limits, Plan, Trial, Votes
from skillbank.gate.neighbours import CONTEXTS, FIRING
from skillbank.gate.noise import Outcomes, outcomes, votes
from skillbank.gate.simulate import Simulated, play, unharmed
from skillbank.gate_params import CertifiedParams

SAID = {
    1: Votes("candidate", "candidate"),
    0: Votes("candidate", "current"),
    -1: Votes("current", "current"),
}
BUDGETS = (16, 32, 64)
_BARS = (3, 6, 12, 20, 50, 80, 160, 400)
_HORIZONS = (10, 14, 18, 24, 32, 40, 56, 72, 80)
_ERRORS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
_SHAPES = ((4, 1), (4, 3), (4, 5), (8, 3), (8, 5))

_NEIGHBOURS: Mapping[str, tuple[float, ...]] = {
    "benign": (0.0,) * FIRING,
    "helped, +0.5": (0.5,) * FIRING,
    "half hurt, -1": (-1.0, 0.0) * (FIRING // 2),
    "all hurt, -1": (-1.0,) * FIRING,
    "all hurt, -0.5": (-0.5,) * FIRING,
}

_draw = lru_cache(maxsize=64)(drawn)


@dataclass(frozen=True, slots=True)
class Options:
    """What to run."""

    seed: int
    n: int
    """Proposals of the mixture that go through `Trial`, a regime and gate."""
    kinds: int
    """Proposals of each kind."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A certified rule and how many held-out cases it is given."""

    limits: Limits
    held_out: int
    driven: bool = False
    """All n through `Trial`; else a twentieth."""

    def world(self, some: Drawn) -> Simulated:
        """What the rule may see of drawn proposals."""
        deep = self.limits.guard
        seen = some.origin if self.limits.screen else some.origin[:, :0]
        rounds = self.limits.rounds(self.held_out)
        return Simulated(
            origin=seen[:, :, : self.limits.screen + deep],
            held_out=some.held_out[:, :, : rounds + deep],
            neighbours=np.zeros((len(seen), 0, 1), np.int8),
        )


def ours(held_out: int, *, proposals: int = 1, driven: bool = False) -> Gate:
    """The product's numbers for that many held-out cases."""
    limits = Limits.of(
        CertifiedParams(), held_out=held_out, origin=4, proposals=proposals
    )
    return Gate(limits, held_out, driven)


GATES: Mapping[str, Gate] = {
    "certified": ours(16, driven=True),
    "certified, 12 held out": ours(12),
    "certified, round of 120": ours(16, proposals=120),
    "certified, 8 held out (mint)": ours(8),
    "certified, 6 held out (mint)": ours(6, driven=True),
    "same, round of 60": ours(6, proposals=60, driven=True),
    "certified, E >= 20": Gate(Limits(bar=Fraction(20)), 16),
    "study, E >= 20": Gate(STUDY, 12, driven=True),
    "study, E >= 30 (round of 60)": Gate(replace(STUDY, bar=Fraction(30)), 12),
    "study, E >= 10": Gate(replace(STUDY, bar=Fraction(10)), 12),
}


def certified(gate: Gate, regime: str, options: Options) -> dict[str, Tally]:
    """Tallies by kind; a mixture's worth of each kind also goes through `Trial`."""
    tallies = {}
    for kind, share in MIXTURE.items():
        some = _draw(kind, options.kinds, gate.held_out, regime, options.seed)
        world = gate.world(some)
        played = play(gate.limits, world)
        n = round(share * options.n) if gate.driven else round(share * options.n / 20)
        for k, found in enumerate(_tried(world, gate.limits, n)):
            if found != (played.ships[k], played.contexts[k]):
                raise SystemExit(f"{kind}: Trial and its twin differ on proposal {k}")
        tallies[kind] = Tally.of(played.ships, played.contexts)
    return tallies


def _tried(world: Simulated, limits: Limits, n: int) -> Iterable[tuple[bool, int]]:
    """The first `n` proposals through `Trial`: whether each ships, and its contexts."""
    arrays = {"o": world.origin, "h": world.held_out}
    cases = tuple(
        Case(
            id=f"{role}{i}",
            brief=f"{role}{i}",
            origin=role == "o",
            contexts=tuple(f"{role}/{i}/{j}" for j in range(array.shape[2])),
        )
        for role, array in arrays.items()
        for i in range(array.shape[1])
    )
    plan = Plan(proposal="simulated", mode="certified", limits=limits, cases=cases)
    for k in range(n):
        trial = Trial(plan)
        while asked := trial.ask():
            role, i, j = asked[0].split("/")
            trial.tell(asked[0], SAID[int(arrays[role][k, int(i), int(j)])])
        yield _decided(trial), trial.spent


def _decided(trial: Trial) -> bool:
    if trial.verdict is None:
        raise SystemExit("a trial that asks for nothing has no verdict")
    return trial.verdict.decision == "commit"


def published(
    shape: tuple[int, int], regime: str, options: Options
) -> dict[str, Tally]:
    """The published rule, curtailed, on cases that the writer saw."""
    plan = plan_of(*shape)
    tallies = {}
    for kind in MIXTURE:
        some = _draw(kind, options.kinds, max(shape[0], 12), regime, options.seed)
        # of an overfit the writer saw all cases
        seen = some.origin if shape[0] == 4 or kind == "overfit" else some.held_out
        found = [_curtailed(plan, one) for one in _widened(seen, shape[0])[:4000]]
        ships, spent = zip(*found, strict=True)
        tallies[kind] = Tally.of(np.array(ships), np.array(spent))
    return tallies


def _widened(seen: Outcomes, cases: int) -> Outcomes:
    """Overfit proposals have four cases: contexts beyond the fifth make up for more."""
    if seen.shape[1] >= cases:
        return seen[:, :cases]
    half = seen.shape[2] // 2
    return np.concatenate([seen[:, :, :half], seen[:, :, half:]], 1)


def _curtailed(plan: Plan, outcomes: Outcomes) -> tuple[bool, int]:
    trial = Trial(plan)
    while asked := trial.ask():
        case, _, place = asked[0].partition("/")
        trial.tell(asked[0], SAID[int(outcomes[int(case), int(place)])])
    return _decided(trial), trial.spent


def field(use: Use, regime: str, options: Options, *, fair: bool) -> dict[str, Tally]:
    """A rule of the field.

    Args:
        use: The rule and how it is used.
        regime: The judge.
        options: Seed and size.
        fair: On held-out cases; else on cases that the writer saw.
    """
    tallies = {}
    for kind in MIXTURE:
        some = _draw(kind, options.kinds, 16, regime, options.seed)
        effects = (some.effects if fair else some.seen_effects)[:, : use.cases]
        rng = np.random.default_rng(seed_of(options.seed, regime, kind, "field"))
        ships = use.rule(
            scores(
                effects,
                max(use.contexts, 1),
                REGIMES[regime],
                rng,
                one_batch=use.one_batch,
            )
        )
        spent = np.full(len(ships), use.cases * use.contexts)
        tallies[kind] = Tally.of(ships, spent)
    return tallies


def efficiency(tallies: Mapping[str, Tally], regime: str) -> float:
    """Fewest contexts that any test of these errors needs at +1, over those used.

    Source:
        Wald 1945: the bound on the mean sample size of a sequential test.
    """
    false, power = tallies["no-op"].rate, tallies["+1"].rate
    win, loss = REGIMES[regime].chances(1.0)
    none, _ = REGIMES[regime].chances(0.0)
    ties, ties_none = 1 - win - loss, 1 - 2 * none
    information = (
        win * log(win / none) + loss * log(loss / none) + ties * log(ties / ties_none)
    )
    needed = power * log(power / false) + (1 - power) * log((1 - power) / (1 - false))
    return needed / information / tallies["+1"].contexts


def curves(regime: str, options: Options) -> tuple[Curve, ...]:
    """No-gain accepts against clear-gain refusals, at most so many runs on average."""
    few = replace(options, kinds=min(options.kinds, 2000), n=0)
    ours_at = [
        quality(certified(Gate(limits, 16), regime, few))
        for bar in _BARS
        for horizon in _HORIZONS
        if (limits := _limits(bar, horizon)) is not None
    ]
    theirs = {shape: quality(published(shape, regime, few)) for shape in _SHAPES}
    found = []
    for budget, least in zip(BUDGETS, (0, *BUDGETS), strict=False):
        cases = min(16, budget // 2)
        uses = [Use(above_errors(k), cases, budget // 2 // cases) for k in _ERRORS]
        found.append(
            Curve(
                budget=budget,
                ours=_frontier([one for one in ours_at if one.runs <= budget]),
                errors=tuple(
                    _point(quality(field(use, regime, few, fair=True))) for use in uses
                ),
                published=tuple(
                    (f"K{shape[0]} C{shape[1]}", _point(one))
                    for shape, one in theirs.items()
                    if least < one.runs <= budget
                ),
            )
        )
    return tuple(found)


def _limits(bar: int, horizon: int) -> Limits | None:
    """Limits of a point of the curve; None where the bar is out of reach."""
    usual = Limits()
    if usual.win ** usual.hoped(horizon) < bar:
        return None
    return Limits(bar=Fraction(bar), horizon=horizon)


def _point(one: Quality) -> Point:
    return Point(one.fa0.value, one.fr_clear.value, one.runs)


def _frontier(found: Iterable[Quality]) -> tuple[Point, ...]:
    """Points that no other beats in both, by rising false accepts."""
    best: list[Point] = []
    for point in sorted(map(_point, found)):
        if not best or point.refused < best[-1].refused:
            best.append(point)
    return tuple(best)


def rows(regime: str, options: Options) -> list[Row]:
    """Every gate under one judge."""
    found = []
    for name, use in FIELD.items():
        tallies = field(use, regime, options, fair=False)
        found.append(Row(name, regime, tallies, quality(tallies), None))
    tallies = published((4, 3), regime, options)
    found.append(Row("published K4 C3, curtailed", regime, tallies, quality(tallies)))
    for name, gate in GATES.items():
        tallies = certified(gate, regime, options)
        share = efficiency(tallies, regime)
        found.append(Row(name, regime, tallies, quality(tallies), share))
    return found


def spared(regime: str, options: Options) -> list[Spared]:
    """What the neighbour guard stops, with eight neighbours on which the card fires."""
    found = []
    for name, effects in _NEIGHBOURS.items():
        rng = np.random.default_rng(seed_of(options.seed, regime, name))
        each = np.tile(np.array(effects), (options.kinds, 1))
        drawn_ = outcomes(*votes(each, CONTEXTS, REGIMES[regime], rng))
        clear, spent = unharmed(Limits(), drawn_)
        found.append(Spared(regime, name, Tally.of(~clear, spent)))
    return found


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, nargs="+", default=[301])
    parser.add_argument("--n", type=int, default=4000, help="through Trial, a regime")
    parser.add_argument("--kinds", type=int, default=4000, help="of each kind")
    parser.add_argument("--regime", choices=[*REGIMES, "all"], default="all")
    parser.add_argument("--write", type=Path, help="folder for the page and the plot")
    given = parser.parse_args()
    regimes = list(REGIMES) if given.regime == "all" else [given.regime]
    for seed in given.seed:
        options = Options(seed, given.n, max(given.kinds, round(0.2 * given.n)))
        start, found = time.perf_counter(), []
        for regime in regimes:
            found += rows(regime, options)
            _draw.cache_clear()
        curve = curves("ref", options)
        near = [one for regime in regimes for one in spared(regime, options)]
        text = page(found, near, curve, seed=seed, n=options.n, kinds=options.kinds)
        print(text)
        print(f"{time.perf_counter() - start:.0f} s")
        if given.write:
            given.write.mkdir(parents=True, exist_ok=True)
            (given.write / "decision_quality.md").write_text(text, "utf-8")
            plot(curve, given.write / "decision_quality.svg")


if __name__ == "__main__":
    main()
