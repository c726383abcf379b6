"""How the published gate behaves on the world of the gate study, section 1.

    python -m benchmarks.gate_oc --seed 101 --n 4000

Drives the product's own `Trial`. Prints how often each kind of candidate ships, with
95% Monte Carlo intervals beside the study's figures, and what curtailment saves at
identical verdicts. Proposals are drawn in one go with NumPy; each is then asked and
told as a flow would. Ends with status 1 if a figure, a verdict or the saving is off.
"""

import argparse
from collections.abc import Callable, Mapping

import numpy as np

from skillbank.codec import seed_of
from skillbank.gate import Case, Plan, Trial, Votes
from skillbank.gate.intervals import wilson
from skillbank.gate.noise import Bools, Floats, Noise, votes

REGIMES: Mapping[str, Noise] = {
    "quiet": Noise(0.25, 0.25, 0.2),
    "ref": Noise(),
    "noisy": Noise(1.0, 1.0, 1.0),
    "corr": Noise(common=0.3),
}

Effects = Callable[[np.random.Generator, tuple[int, int]], Floats]


def _flat(effect: float) -> Effects:
    return lambda rng, shape: np.full(shape, effect)


def _mixed(share: float, some: float, others: float) -> Effects:
    def effects(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        # as many cases of each kind in every proposal; which ones does not matter
        hit = np.arange(shape[1]) < round(share * shape[1])
        return rng.permuted(np.tile(np.where(hit, some, others), (shape[0], 1)), axis=1)

    return effects


def _normal(mean: float, sd: float) -> Effects:
    return lambda rng, shape: rng.normal(mean, sd, shape)


KINDS: Mapping[str, Effects] = {
    "no-op": _flat(0.0),
    "het0": _normal(0.0, 0.8),
    "half +-1": _mixed(0.5, 1.0, -1.0),
    "harm -0.5": _flat(-0.5),
    "harm -1": _flat(-1.0),
    "hurt 1 of 4": _mixed(0.25, -1.0, 0.0),
    "hurt 1 of 4, +1": _mixed(0.25, -1.0, 1.0),
    "overfit": _flat(1.5),  # judged on the very cases that it was written for
    "+0.5": _flat(0.5),
    "+1": _flat(1.0),
    "+1.5": _flat(1.5),
    "target +2": _mixed(0.25, 2.0, 0.0),
    "N(1, .5)": _normal(1.0, 0.5),
}
MIXTURE: Mapping[str, float] = {
    "+0.5": 0.10,
    "+1": 0.20,
    "+1.5": 0.12,
    "target +2": 0.04,
    "N(1, .5)": 0.04,
    "no-op": 0.20,
    "het0": 0.06,
    "overfit": 0.04,
    "harm -0.5": 0.06,
    "harm -1": 0.04,
    "hurt 1 of 4": 0.05,
    "hurt 1 of 4, +1": 0.05,
}

STUDY: Mapping[str, Mapping[str, float]] = {
    "ref": {
        "no-op": 0.134,
        "het0": 0.118,
        "half +-1": 0.047,
        "harm -0.5": 0.027,
        "harm -1": 0.003,
        "hurt 1 of 4": 0.052,
        "hurt 1 of 4, +1": 0.176,
        "overfit": 0.857,
        "+0.5": 0.371,
        "+1": 0.652,
        "+1.5": 0.855,
        "target +2": 0.228,
    },
    "quiet": {"no-op": 0.105, "+1": 0.615},
    "noisy": {"no-op": 0.135, "+1": 0.574},
    "corr": {"no-op": 0.119, "+1": 0.549},
}
"""P(ship) at K4 C3 as the study has it, 2.2 and 3.2."""
TOLERANCE = 0.005
"""How far outside our interval a figure of the study may lie: its own error, as it
says. The interval is at 95% for all figures together: of eighteen, one in the study's
own place would miss its own 95% interval more often than not."""
LEAST_SAVED = 0.45
"""Of the contexts of K4 C3, on the mixture. Source: the gate study, section 4."""


def draw(
    kind: str, shape: tuple[int, int, int], regime: Noise, rng: np.random.Generator
) -> tuple[Bools, Bools]:
    """Votes for the candidate when it is shown first, and when second.

    Args:
        kind: Kind of candidate, a key of KINDS.
        shape: Proposals, cases, contexts.
        regime: The noise.
        rng: Source of all chance.
    """
    return votes(KINDS[kind](rng, shape[:2]), shape[2], regime, rng)


def plan_of(cases: int, contexts: int) -> Plan:
    """A plan whose context ids are `case/context`."""
    return Plan(
        proposal="simulated",
        cases=tuple(
            Case(
                id=str(i),
                brief=str(i),
                contexts=tuple(f"{i}/{j}" for j in range(contexts)),
            )
            for i in range(cases)
        ),
        contexts=contexts,
        required=cases,
    )


_VOTES = {
    (first, second): Votes(
        "candidate" if first else "current", "candidate" if second else "current"
    )
    for first in (False, True)
    for second in (False, True)
}


def decide(
    plan: Plan, first: Bools, second: Bools, *, curtail: bool = True, wave: int = 1
) -> tuple[bool, int]:
    """Whether one proposal ships, and the contexts that it took."""
    trial = Trial(plan, curtail=curtail)
    while asked := trial.ask(wave):
        for context in asked:
            if trial.verdict is None:
                case, _, position = context.partition("/")
                place = int(case), int(position)
                said = _VOTES[bool(first[place]), bool(second[place])]
                trial.tell(context, said)
    return trial.verdict is not None and trial.verdict.decision == "commit", trial.spent


def ship_rates(regime: str, plan: Plan, n: int, seed: int) -> list[str]:
    """Print the share of each kind that ships; returns what the study has otherwise."""
    shape = (n, len(plan.cases), plan.contexts)
    print(f"\n{regime}: K{shape[1]} C{shape[2]}, {n} proposals of each kind")
    print(f"{'kind':<16}{'ships':>8}{'95% interval':>18}{'study':>8}{'contexts':>10}")
    off = []
    for kind in KINDS:
        rng = np.random.default_rng(seed_of(seed, regime, kind, *shape))
        first, second = draw(kind, shape, REGIMES[regime], rng)
        found = [decide(plan, first[i], second[i]) for i in range(n)]
        shipped = sum(ship for ship, _ in found)
        share = wilson(shipped, n)
        spent = sum(contexts for _, contexts in found) / n
        interval = f"{share.low:.1%} to {share.high:.1%}"
        said = STUDY[regime].get(kind)
        beside = "" if said is None else f"{said:.1%}"
        line = (
            f"{kind:<16}{share.estimate:>8.1%}{interval:>18}{beside:>8}{spent:>10.2f}"
        )
        print(line)
        if said is not None and not agrees(shipped, n, said):
            off.append(f"{regime}, {kind}: {interval}, the study {said:.1%}")
    return off


def agrees(shipped: int, n: int, said: float) -> bool:
    """Whether a figure of the study lies in our interval, or as near as its error."""
    figures = sum(len(figures) for figures in STUDY.values())
    found = wilson(shipped, n, 1 - 0.05 / figures)
    return found.low - TOLERANCE <= said <= found.high + TOLERANCE


def curtailment(plan: Plan, n: int, seed: int) -> tuple[bool, float]:
    """Print what curtailment saves on the mixture.

    Returns:
        Whether all verdicts are the full rule's, and the share of contexts saved.
    """
    shape = (len(plan.cases), plan.contexts)
    rng = np.random.default_rng(seed_of(seed, "mixture", *shape))
    kinds = rng.choice(list(MIXTURE), size=n, p=list(MIXTURE.values()))
    alike = shipped = spent = waved = 0
    for kind in kinds:
        first, second = draw(str(kind), (1, *shape), REGIMES["ref"], rng)
        full, _ = decide(plan, first[0], second[0], curtail=False)
        ship, contexts = decide(plan, first[0], second[0])
        also, wave = decide(plan, first[0], second[0], wave=2)
        alike += full == ship == also
        shipped += ship
        spent += contexts
        waved += wave
    planned = n * plan.planned
    print(
        f"K{shape[0]} C{shape[1]}: identical verdicts {alike} of {n}, shipped "
        f"{shipped / n:.1%}, {spent / n:.2f} of {plan.planned} contexts, saved "
        f"{1 - spent / planned:.1%} (two at a time {1 - waved / planned:.1%})"
    )
    return alike == n, 1 - spent / planned


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, nargs="+", default=[101])
    parser.add_argument("--n", type=int, default=4000, help="proposals of each kind")
    parser.add_argument("--mixture", type=int, default=3000, help="curtailed pairs")
    parser.add_argument("--regime", choices=[*REGIMES, "all"], default="all")
    options = parser.parse_args()
    regimes = list(REGIMES) if options.regime == "all" else [options.regime]
    off: list[str] = []
    for seed in options.seed:
        print(f"seed {seed}")
        for regime in regimes:
            off += ship_rates(regime, plan_of(4, 3), options.n, seed)
        print("\ncurtailed against full rule, on the mixture of the study")
        for cases, contexts in ((4, 3), (4, 1), (4, 5), (8, 3), (8, 5)):
            alike, saved = curtailment(plan_of(cases, contexts), options.mixture, seed)
            if not alike:
                off.append(f"K{cases} C{contexts}: curtailment changed a verdict")
            if (cases, contexts) == (4, 3) and saved < LEAST_SAVED:
                off.append(f"K4 C3: curtailment saved {saved:.1%}")
    if off:
        raise SystemExit("not as the study has it:\n" + "\n".join(off))


if __name__ == "__main__":
    main()
