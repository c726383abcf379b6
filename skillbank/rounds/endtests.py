"""Whether the bank as a whole regressed: two co-primary tests, and both curves.

A rate of catastrophes and a mean see different harm: one brief in twenty that falls
apart hardly moves the mean, a small loss everywhere makes no catastrophe.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skillbank.briefs.benchmark import pairs
from skillbank.codec import seed_of
from skillbank.gate.intervals import (
    Paired,
    bootstrap_mean,
    completeness_curve,
    mid_p,
    newcombe_paired,
)
from skillbank.params import BenchmarkParams
from skillbank.records import BankTest, CoPrimary, CurvePoint, Measured, Standing

THRESHOLDS = tuple(tenth / 10 for tenth in range(1, 11))
"""Completeness from which a brief counts, in [0.1, 1]."""
_FLIPS = 9999
_Floats = NDArray[np.float64]


def bank_test(
    previous: Sequence[Measured],
    candidate: Sequence[Measured],
    params: BenchmarkParams,
    seed: int,
) -> BankTest:
    """Compare the bank that a round leads to with the one that it began with.

    Regressed: one of two tests says so, each one-sided at half of `regress_at`, so
    that a bank like the one before is called regressed in at most that share of
    rounds. Non-inferior: neither does, and both lower bounds, each one-sided at
    `regress_at`, lie above the margin. Else it was not shown.

    Args:
        previous: One measurement a brief under the bank of before.
        candidate: One a brief under the other, of the same batch.
        params: Margin, error and what a catastrophe is.
        seed: Seed of sign-flips and bootstrap.

    Raises:
        BriefError: If a brief was attempted twice under one bank.
    Source:
        The gate study, 7.2. McNemar's mid-p: Fagerland, Lydersen and Laake 2013.
    """
    found = pairs(previous, candidate)
    briefs = {one.brief for one in (*previous, *candidate)}
    if len(found) < 2:
        return BankTest(
            standing="not shown",
            briefs=len(found),
            missing=len(briefs) - len(found),
            margin=params.margin,
            level=params.regress_at,
        )
    old = np.array([one.completeness or 0.0 for one, _ in found])
    new = np.array([one.completeness or 0.0 for _, one in found])
    tests = (
        _catastrophes(old, new, params),
        _mean(new - old, params, seed_of(seed, "mean")),
    )
    return BankTest(
        standing=_standing(tests, params),
        briefs=len(found),
        missing=len(briefs) - len(found),
        margin=params.margin,
        level=params.regress_at,
        tests=tests,
        curve=curve(old, new, seed_of(seed, "curve")),
    )


def _standing(tests: Sequence[CoPrimary], params: BenchmarkParams) -> Standing:
    if any(one.p <= params.regress_at / len(tests) for one in tests):
        return "regressed"
    if all(one.low > -params.margin for one in tests):
        return "non-inferior"
    return "not shown"


def _confidence(params: BenchmarkParams) -> float:
    """Of an interval whose lower end is a one-sided bound at `regress_at`."""
    return 1 - 2 * params.regress_at


def _catastrophes(old: _Floats, new: _Floats, params: BenchmarkParams) -> CoPrimary:
    before, after = old >= params.catastrophe, new >= params.catastrophe
    both = int((before & after).sum())
    gained, lost = int((after & ~before).sum()), int((before & ~after).sum())
    table = Paired(both, gained, lost, len(old) - both - gained - lost)
    estimate, low, high = newcombe_paired(table, _confidence(params))
    return CoPrimary(
        name="catastrophes",
        p=float(mid_p(lost, gained)),
        estimate=estimate,
        low=low,
        high=high,
        gained=gained,
        lost=lost,
    )


def _mean(difference: _Floats, params: BenchmarkParams, seed: int) -> CoPrimary:
    """Exact while all sign-flips fit into the number drawn, else drawn by seed."""
    test = stats.permutation_test(
        (difference,),
        np.mean,
        permutation_type="samples",
        alternative="less",
        n_resamples=_FLIPS,
        rng=np.random.default_rng(seed),
    )
    estimate, low, high = bootstrap_mean(
        difference.tolist(), seed=seed, confidence=_confidence(params)
    )
    return CoPrimary(
        name="mean",
        p=float(test.pvalue),
        estimate=estimate,
        low=low,
        high=high,
        gained=int((difference > 0).sum()),
        lost=int((difference < 0).sum()),
    )


def curve(old: _Floats, new: _Floats, seed: int) -> tuple[CurvePoint, ...]:
    """Share of briefs that reach each threshold, and what each change may mean.

    The adjusted p holds whichever threshold is looked at: how often, with the arms of
    each brief swapped at random, any threshold moves as far as this one did (largest
    |gained - lost| / sqrt(gained + lost), two-sided).

    Args:
        old: Completeness by brief under the bank of before, in [0, 1].
        new: The same under the other, in the same order.
        seed: Seed of the swaps.

    Raises:
        GateError: If one is missing (NaN).
    Source:
        Westfall and Young 1993, "Resampling-Based Multiple Testing": single-step maxT.
    """
    before = completeness_curve(old.tolist(), THRESHOLDS)
    after = completeness_curve(new.tolist(), THRESHOLDS)
    bars = np.array(THRESHOLDS)
    moved = (new[:, None] >= bars).astype(float) - (old[:, None] >= bars)
    scale = np.sqrt(np.maximum(np.abs(moved).sum(axis=0), 1.0))
    rng = np.random.default_rng(seed)
    flips = 1.0 - 2.0 * rng.integers(0, 2, size=(_FLIPS, len(old)))
    largest = np.abs(flips @ moved / scale).max(axis=1)
    seen = np.abs(moved.sum(axis=0) / scale)
    reached = (largest[:, None] >= seen - 1e-9).sum(axis=0)
    return tuple(
        CurvePoint(
            at=THRESHOLDS[i],
            before=before[i],
            after=after[i],
            gained=int((moved[:, i] > 0).sum()),
            lost=int((moved[:, i] < 0).sum()),
            adjusted_p=(1 + int(reached[i])) / (1 + _FLIPS),
        )
        for i in range(len(THRESHOLDS))
    )
