"""What the guard of strata refuses: no-ops, gains, and gains that one cohort pays for.

    python -m benchmarks.strata_guard --seed 301 --n 2000

Drives the product's own `Trial` on the world of the gate study, section 1. Each
line says how often a change ships with the guard and without it, and how often the
guard is what refuses, with its 95% interval.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from benchmarks.gate_oc import REGIMES
from skillbank.codec import seed_of
from skillbank.gate import Case, Limits, Plan, Trial, Votes
from skillbank.gate.guards import Guards
from skillbank.gate.intervals import wilson
from skillbank.gate.noise import Floats, Outcomes, outcomes, votes
from skillbank.gate_params import CertifiedParams

KINDS: Mapping[str, tuple[float, float]] = {
    "no-op": (0.0, 0.0),
    "+1": (1.0, 1.0),
    "+1.5, other cohort 0": (1.5, 0.0),
    "+1.5, other cohort -0.5": (1.5, -0.5),
    "+1.5, other cohort -1": (1.5, -1.0),
}
"""Effect on each cohort, in agent standard deviations."""
HET = 0.8  # sd of the effects of cases, mean 0: no gain, and no exact no-op either

_OTHER = "other cohort"

SAID = {
    1: Votes("candidate", "candidate"),
    0: Votes("candidate", "current"),
    -1: Votes("current", "current"),
}


def published(cases: int, contexts: int, band: Fraction) -> Plan:
    """A plan of the published rule, cohorts in turn."""
    return Plan(
        proposal="simulated",
        cases=tuple(_case(i, contexts, origin=True) for i in range(cases)),
        band=band,
        contexts=contexts,
        required=cases,
        guards=Guards(),
    )


def certified(held_out: int, every: int = 2) -> Plan:
    """A plan of the certified rule; each so many-th case is of the other cohort."""
    limits = Limits.of(CertifiedParams(), held_out=held_out, origin=0)
    deep = limits.rounds(held_out) + limits.guard
    return Plan(
        proposal="simulated",
        mode="certified",
        limits=limits,
        cases=tuple(_case(i, deep, every, origin=False) for i in range(held_out)),
        guards=Guards(),
    )


def _case(i: int, contexts: int, every: int = 2, *, origin: bool) -> Case:
    return Case(
        id=str(i),
        brief=str(i),
        stratum=_OTHER if i % every == every - 1 else "cohort",
        origin=origin,
        contexts=tuple(f"{i}/{j}" for j in range(contexts)),
    )


PLANS: Mapping[str, Plan] = {
    "published, K4 C3": published(4, 3, Fraction(1, 10)),
    "published, K8 C9, band .3": published(8, 9, Fraction(3, 10)),
    "certified, 16 held out": certified(16),
    "certified, 16 held out, 4 of them of the other cohort": certified(16, 4),
}


def effects(kind: str, n: int, plan: Plan, rng: np.random.Generator) -> Floats:
    """Effect of each case, shape (proposals, cases)."""
    if kind == "het0":
        return rng.normal(0, HET, (n, len(plan.cases)))
    mine = [KINDS[kind][case.stratum == _OTHER] for case in plan.cases]
    return np.tile(np.array(mine), (n, 1))


def decided(plan: Plan, told: Outcomes) -> str:
    """The code of a trial on these outcomes, shape (cases, contexts)."""
    trial = Trial(plan)
    while asked := trial.ask():
        i, j = map(int, asked[0].split("/"))
        trial.tell(asked[0], SAID[int(told[i, j])])
    if trial.verdict is None:
        raise AssertionError("a trial that can ask for nothing has a verdict")
    return trial.verdict.code


def lines(plan: Plan, regime: str, n: int, seed: int) -> Iterator[str]:
    """One line for each kind of change."""
    bare = replace(plan, guards=None, hash="")
    shape = len(plan.cases), max(len(case.contexts) for case in plan.cases)
    for kind in (*KINDS, "het0"):
        rng = np.random.default_rng(seed_of(seed, regime, kind))
        made = votes(effects(kind, n, plan, rng), shape[1], REGIMES[regime], rng)
        some = outcomes(*made)
        codes = [decided(plan, one) for one in some]
        without = sum(decided(bare, one) == "commit" for one in some)
        refused = wilson(codes.count("refuse:stratum"), n)
        yield (
            f"{kind:26} ships {codes.count('commit') / n:6.1%} (without "
            f"{without / n:6.1%})  refused for a stratum {refused.estimate:6.2%} "
            f"[{refused.low:.2%}, {refused.high:.2%}]"
        )


def main() -> None:
    """Print every line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=301)
    parser.add_argument("--n", type=int, default=2000, help="proposals of each kind")
    parser.add_argument(
        "--regimes", nargs="+", choices=REGIMES, default=["ref", "corr"]
    )
    given = parser.parse_args()
    for name, plan in PLANS.items():
        for regime in given.regimes:
            print(f"\n{name}, {regime}")
            for line in lines(plan, regime, given.n, given.seed):
                print(line)


if __name__ == "__main__":
    main()
