"""Rounds in memory, played once for all tests of this process."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from benchmarks.weeks import traffic
from skillbank.briefs.benchmark import read_benchmark
from skillbank.gate.settle import Asked
from skillbank.params import Params, read_params
from skillbank.rounds.memory import Done, Rounds, State
from skillbank.skills.store import seed_bank
from studio.world import Studio
from tests.workspaces import N_BRIEFS, N_FIXED

ROOT = Path(__file__).resolve().parents[3]


@cache
def params(briefs: int = N_BRIEFS, mode: Asked = "published") -> Params:
    """The shipped parameters with a small week, and a rule."""
    shipped = read_params(ROOT / "params.yaml")
    week = shipped.evolve.model_copy(update={"briefs": Fraction(briefs)})
    gate = shipped.gate.model_copy(update={"mode": mode})
    return shipped.model_copy(update={"evolve": week, "gate": gate})


@cache
def world() -> Studio:
    """The embedded world."""
    return Studio(params())


@cache
def rounds(
    n: int, briefs: int = N_BRIEFS, mode: Asked = "published"
) -> tuple[Done, ...]:
    """The first `n` rounds, each on what the one before left."""
    runner = Rounds(
        world=world(),
        params=params(briefs, mode),
        benchmark=read_benchmark(ROOT / "data/benchmark/benchmark.jsonl")[:N_FIXED],
        traffic=traffic(world(), params(briefs, mode)),
    )
    state = State(
        bank=replace(seed_bank(ROOT / "data/bank/seed", "operator"), number=1)
    )
    done: list[Done] = []
    for _ in range(n):
        done.append(runner.round(done[-1].state if done else state))
    return tuple(done)
