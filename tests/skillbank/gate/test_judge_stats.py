import numpy as np
import pytest

from skillbank.gate import SwapCounts, Votes, judge_health, swap_counts
from skillbank.gate.votes import Vote


def simulated(
    n: int, quality: float, bias: float, shared: float, seed: int
) -> SwapCounts:
    """A probit judge: a shared part of its noise has share `shared` of the variance."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0, shared**0.5, n)
    noise = rng.normal(0, (1 - shared) ** 0.5, (2, n))
    first = quality + bias + common + noise[0] > 0
    second = quality - bias + common + noise[1] > 0
    names: tuple[Vote, Vote] = ("current", "candidate")
    return swap_counts(
        Votes(names[int(a)], names[int(b)]) for a, b in zip(first, second, strict=True)
    )


def test_the_probit_trio_finds_bias_quality_and_repeatability() -> None:
    health = judge_health(simulated(20_000, quality=0.3, bias=0.25, shared=0.6, seed=3))

    assert health.bias == pytest.approx(0.25, abs=0.03)
    assert health.quality == pytest.approx(0.3, abs=0.03)
    assert health.repeatability == pytest.approx(0.6, abs=0.04)


def test_a_judge_without_noise_repeats_itself() -> None:
    health = judge_health(SwapCounts(cc=10, rr=10))

    assert health.flip_rate == 0
    assert health.repeatability == 1
    assert health.bias == 0
    assert health.bias_p == 1


def test_a_judge_that_always_takes_the_first_slot_is_seen() -> None:
    health = judge_health(SwapCounts(ff=12))

    assert health.flip_rate == health.net_first_bias == health.first_share == 1
    assert health.bias_p < 0.001
    assert health.bias is None  # beyond what a probit can say


def test_a_judge_that_contradicts_itself_has_repeatability_minus_one() -> None:
    assert judge_health(SwapCounts(ff=10, ss=10)).repeatability == -1


def test_nothing_seen_is_missing_and_not_zero() -> None:
    health = judge_health(SwapCounts())

    assert health.flip_rate is None
    assert health.candidate_rate is None
    assert health.repeatability is None


def test_pairs_are_counted_by_what_the_judge_saw() -> None:
    found = swap_counts(
        [
            Votes("candidate", "candidate"),
            Votes("current", "current"),
            Votes("candidate", "current"),
            Votes("current", "candidate"),
            Votes("same", "candidate"),
            Votes("same", "same"),
            Votes("candidate", "invalid"),
            Votes("invalid", None, void="judge: no readable answer"),
            Votes(broken=frozenset({"candidate"})),
            Votes(void="current: outage"),
            Votes("candidate", None, void="judge: down"),
        ]
    )

    assert found == SwapCounts(cc=1, rr=1, ff=1, ss=1, leaning=1, same=1, unreadable=2)
    assert (found + found).n == 8
