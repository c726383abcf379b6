"""How long a whole decision takes of our own time: plan, asks, tells and verdict.

    python -m benchmarks.decision_time

Eight cases in four contexts, replayed to the end, under both rules. Each decision is
timed next to a yardstick of the machine, a SHA-256 over a megabyte: the ratio is what
can be compared from one machine, or one busy hour, to the next. Ends with status 1 if
the median of a rule is above 5 ms.
"""

import argparse
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import median

import numpy as np

from benchmarks.gate_oc import REGIMES, draw, plan_of
from skillbank.gate import Limits, Outcome, Plan, Trial, Votes
from skillbank.gate.noise import outcomes

CASES, CONTEXTS = 8, 4
MOST_MS = 5.0
_SAID: Mapping[Outcome, Votes] = {
    "win": Votes("candidate", "candidate"),
    "tie": Votes("candidate", "current"),
    "loss": Votes("current", "current"),
}
_OUTCOME: Mapping[int, Outcome] = {1: "win", 0: "tie", -1: "loss"}
_MEGABYTE = bytes(1_000_000)


def published() -> Plan:
    """Drawn up anew each time: sealing the plan is part of a decision."""
    return replace(plan_of(CASES, CONTEXTS), hash="")


def certified() -> Plan:
    """The same cases, held out, with a bar that takes every context to reach."""
    limits = Limits(
        bar=Fraction(3, 2) ** (CASES * CONTEXTS),
        hope=Fraction(1),
        per_case=CONTEXTS,
        horizon=CASES * CONTEXTS,
    )
    held_out = tuple(
        replace(case, origin=False) for case in plan_of(CASES, CONTEXTS).cases
    )
    return Plan(proposal="timed", mode="certified", limits=limits, cases=held_out)


RULES: Mapping[str, tuple[Callable[[], Plan], Outcome | None]] = {
    "published": (published, None),
    "certified": (certified, "win"),
}
"""How each plan is drawn up, and what every context gives; None: votes of a gain."""


def decision_ms(make: Callable[[], Plan], votes: Mapping[str, Votes]) -> float:
    """Milliseconds of one decision, every context asked and told."""
    start = time.perf_counter()
    trial = Trial(make(), curtail=False)
    while asked := trial.ask():
        trial.tell(asked[0], votes[asked[0]])
    spent = (time.perf_counter() - start) * 1e3
    if trial.spent != CASES * CONTEXTS:
        raise SystemExit(f"{trial.spent} contexts told: this was no whole decision")
    return spent


def yardstick_ms() -> float:
    """Milliseconds of a SHA-256 over a megabyte."""
    start = time.perf_counter()
    hashlib.sha256(_MEGABYTE).digest()
    return (time.perf_counter() - start) * 1e3


def measured(rule: str, n: int, seed: int) -> tuple[Sequence[float], Sequence[float]]:
    """Times of `n` decisions, and of the yardstick after each."""
    make, outcome = RULES[rule]
    rng = np.random.default_rng(seed)
    said = outcomes(*draw("+1", (n, CASES, CONTEXTS), REGIMES["ref"], rng))
    pairs = []
    for one in said:
        votes = {
            f"{i}/{j}": _SAID[outcome or _OUTCOME[int(one[i, j])]]
            for i in range(CASES)
            for j in range(CONTEXTS)
        }
        pairs.append((decision_ms(make, votes), yardstick_ms()))
    return [ours for ours, _ in pairs], [theirs for _, theirs in pairs]


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=500, help="decisions of each rule")
    parser.add_argument("--seed", type=int, default=101)
    options = parser.parse_args()
    print(f"{'rule':<12}{'median':>10}{'95th':>10}{'yardstick':>11}{'ratio':>8}")
    slow = []
    for rule in RULES:
        ours, theirs = measured(rule, options.n, options.seed)
        typical, yard = median(ours), median(theirs)
        late = sorted(ours)[int(0.95 * len(ours))]
        print(
            f"{rule:<12}{typical:>7.3f} ms{late:>7.3f} ms{yard:>8.3f} ms"
            f"{typical / yard:>8.2f}"
        )
        if typical > MOST_MS:
            slow.append(rule)
    if slow:
        raise SystemExit(f"above {MOST_MS:g} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main()
