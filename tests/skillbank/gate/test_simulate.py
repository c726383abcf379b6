from fractions import Fraction

import numpy as np
import pytest

from skillbank.gate import Case, Plan, Trial, Votes
from skillbank.gate.limits import STUDY, Limits
from skillbank.gate.noise import Outcomes
from skillbank.gate.simulate import Simulated, play

VOTES = {
    1: Votes("candidate", "candidate"),
    0: Votes("current", "candidate"),
    -1: Votes("current", "current"),
}
SHAPES = {"o": (4, 8), "h": (12, 10), "n": (3, 6)}


def world(n: int, limits: Limits, neighbours: int, seed: int) -> Simulated:
    rng = np.random.default_rng(seed)

    def some(cases: int, contexts: int, least: float = 0.5) -> Outcomes:
        # some cases are better than others
        win = rng.uniform(least, least + 0.4, (n, cases, 1))
        draw = rng.random((n, cases, contexts))
        return ((draw < win).astype(np.int8) - (draw > win + 0.1)).astype(np.int8)

    return Simulated(
        origin=some(4 if limits.screen else 0, 8),
        held_out=some(12, 10),
        neighbours=some(neighbours, 6, least=0.2),
    )


def as_plan(limits: Limits, simulated: Simulated) -> Plan:
    arrays = {
        "o": simulated.origin,
        "h": simulated.held_out,
        "n": simulated.neighbours,
    }
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
    return Plan(
        proposal="p",
        mode="certified",
        limits=limits,
        cases=cases,
        neighbours=tuple(case.id for case in cases if case.id.startswith("n")),
    )


@pytest.mark.parametrize("neighbours", [0, 3])
@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        STUDY,
        Limits(bar=Fraction(7), floor=Fraction(0), guard=2, regress=2),
        Limits(screen=1, bar=Fraction(3), guard=0, horizon=20, hope=Fraction(1, 2)),
    ],
)
def test_a_simulated_proposal_is_decided_as_a_trial_decides_it(
    limits: Limits, neighbours: int
) -> None:
    simulated = world(60, limits, neighbours, seed=5)
    plan = as_plan(limits, simulated)
    arrays = {
        "o": simulated.origin,
        "h": simulated.held_out,
        "n": simulated.neighbours,
    }

    played = play(limits, simulated)

    for k in range(60):
        trial = Trial(plan)
        while asked := trial.ask():
            role, i, j = asked[0].split("/")
            trial.tell(asked[0], VOTES[int(arrays[role][k, int(i), int(j)])])
        assert trial.verdict is not None
        assert (trial.verdict.decision == "commit") == played.ships[k]
        assert trial.spent == played.contexts[k]
    assert 0 < played.ships.sum() < 60
