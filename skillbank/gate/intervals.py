"""Exact tests and intervals for paired counts and scores.

SciPy and statsmodels do what they do; what is here is exact in fractions, or missing
there (Newcombe's paired interval, sign-flips over cases).
"""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from skillbank.errors import GateError


class Interval(NamedTuple):
    """Ends of a confidence interval around an estimate."""

    estimate: float
    low: float
    high: float


class Paired(NamedTuple):
    """A 2x2 table of two arms on the same briefs."""

    both: int
    gained: int
    """Only the candidate met the bar."""
    lost: int
    """Only the current arm met it."""
    neither: int

    @property
    def n(self) -> int:
        """Briefs."""
        return sum(self)


def wilson(k: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's interval of a share k / n.

    Raises:
        GateError: If there are no trials, or more hits than trials.
    """
    _check_share(k, n)
    low, high = proportion_confint(k, n, alpha=1 - confidence, method="wilson")
    return Interval(k / n, float(low), float(high))


def upper_bound(k: int, n: int, confidence: float = 0.95) -> float:
    """One-sided Clopper-Pearson upper bound of a share after k events in n trials.

    Raises:
        GateError: If there are no trials, or more events than trials.
    """
    _check_share(k, n)
    if k == n:
        return 1.0
    return float(stats.beta.ppf(confidence, k + 1, n - k))


def rule_of_three(n: int) -> Fraction:
    """The 95% upper bound of a rate by heart, after no event in n trials."""
    _check_share(0, n)
    return Fraction(3, n)


def sign_test(wins: int, losses: int) -> Fraction:
    """One-sided exact p: chance of at least as many wins if each were a coin toss."""
    n = wins + losses
    return Fraction(sum(math.comb(n, k) for k in range(wins, n + 1)), 2**n)


def sign_test_two_sided(wins: int, losses: int) -> Fraction:
    """Two-sided exact p, the one-sided one of the larger side doubled; at most 1."""
    larger, smaller = max(wins, losses), min(wins, losses)
    return min(Fraction(1), 2 * sign_test(larger, smaller))


def mid_p(wins: int, losses: int) -> Fraction:
    """One-sided mid-p: half of the chance of exactly this many wins is left out.

    Source:
        Lancaster 1961; for McNemar's test Fagerland, Lydersen and Laake 2013.
    """
    n = wins + losses
    return sign_test(wins, losses) - Fraction(math.comb(n, wins), 2 ** (n + 1))


def mcnemar_mid_p(gained: int, lost: int) -> float:
    """Two-sided mid-p of McNemar's test: the exact p less the chance of this split.

    Source:
        Fagerland, Lydersen and Laake 2013, "The McNemar test for binary matched-pairs
        data".
    """
    n = gained + lost
    if not n:
        return 1.0
    exact = float(mcnemar([[0, gained], [lost, 0]], exact=True).pvalue)
    if gained == lost:  # its exact p is cut at 1, the sum over both tails is above
        return 1 - float(stats.binom.pmf(gained, n, 0.5)) / 2
    return exact - float(stats.binom.pmf(gained, n, 0.5))


def mcnemar_chi2(gained: int, lost: int, *, corrected: bool = False) -> float:
    """McNemar's chi-squared statistic, with Edwards' correction if asked."""
    table = [[0, gained], [lost, 0]]
    return float(mcnemar(table, exact=False, correction=corrected).statistic)


def newcombe_paired(table: Paired, confidence: float = 0.95) -> Interval:
    """Interval of the candidate's share less the current one's, on the same briefs.

    Source:
        Newcombe 1998, "Improved confidence intervals for the difference between
        binomial proportions based on paired data", method 10.

    Raises:
        GateError: If there are no briefs.
    """
    both, gained, lost, neither = table
    n = table.n
    new = wilson(both + gained, n, confidence)
    old = wilson(both + lost, n, confidence)
    margins = (both + gained) * (lost + neither) * (both + lost) * (gained + neither)
    cross = float(both * neither - gained * lost)
    if cross > 0:  # corrected for continuity, as method 10 has it
        cross = max(cross - n / 2, 0.0)
    phi = cross / math.sqrt(margins) if margins else 0.0
    difference = new.estimate - old.estimate

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(a * a - 2 * phi * a * b + b * b, 0.0))

    down = reach(new.estimate - new.low, old.high - old.estimate)
    up = reach(new.high - new.estimate, old.estimate - old.low)
    return Interval(difference, difference - down, difference + up)


def bootstrap_mean(
    values: Sequence[float], *, seed: int, confidence: float = 0.95, n: int = 9999
) -> Interval:
    """Percentile bootstrap interval of a mean over briefs.

    Args:
        values: One paired difference for each brief (mean over its replays): briefs are
            the independent units, replays of one brief are not.
        seed: Seed of the resampling.
        confidence: Coverage, in (0, 1).
        n: Resamples.

    Raises:
        GateError: If there are fewer than two values, or one is missing (NaN).
    """
    data = np.asarray(values, dtype=np.float64)
    if data.size < 2 or not np.isfinite(data).all():
        raise GateError(
            "paired interval",
            seen=f"{data.size} values, {int((~np.isfinite(data)).sum())} missing",
            expected="at least two briefs, each measured under both banks",
            remedy="replay the briefs that lack a score",
        )
    result = stats.bootstrap(
        (data,),
        np.mean,
        n_resamples=n,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    low, high = result.confidence_interval
    return Interval(float(data.mean()), float(low), float(high))


def sign_flip_p(sums: Sequence[int | Fraction]) -> Fraction:
    """One-sided p over cases: share of sign flips that reach the observed sum.

    Equals the share of subsets of cases whose sum is at most 0: flipping a subset
    raises the total if its own sum is below 0.

    Args:
        sums: Wins less losses of each case, exact.
    """
    totals: Counter[int | Fraction] = Counter({0: 1})
    for value in sums:
        grown = Counter(totals)
        for total, ways in totals.items():
            grown[total + value] += ways
        totals = grown
    reached = sum(ways for total, ways in totals.items() if total <= 0)
    return Fraction(reached, 2 ** len(sums))


def completeness_curve(
    scores: Sequence[float], thresholds: Sequence[float]
) -> tuple[int, ...]:
    """How many briefs reach each threshold.

    Raises:
        GateError: If a score is missing (NaN): it is neither above nor below.
    """
    if any(math.isnan(score) for score in scores):
        raise GateError(
            "completeness curve",
            seen="a missing score",
            expected="a score for each brief",
            remedy="replay the briefs that could not be measured",
        )
    return tuple(sum(score >= bar for score in scores) for bar in thresholds)


def pass_hat_k(passes: int, n: int, k: int) -> Fraction:
    """pass^k: chance that k runs drawn from n, of which some passed, all passed.

    Source:
        Yao et al. 2024, tau-bench: C(passes, k) / C(n, k), unbiased.

    Raises:
        GateError: If k is below 1 or above n, or there are more passes than runs.
    """
    _check_share(passes, n)
    if not 1 <= k <= n:
        raise GateError(
            "pass^k",
            seen=f"k = {k} of {n} runs",
            expected="k between 1 and the number of runs",
            remedy="make more runs of the brief, or ask for a smaller k",
        )
    return Fraction(math.comb(passes, k), math.comb(n, k))


def _check_share(k: int, n: int) -> None:
    if n < 1 or not 0 <= k <= n:
        raise GateError(
            "share",
            seen=f"{k} of {n}",
            expected="at least one trial, and no more hits than trials",
            remedy="count again; a rate over nothing is missing, not 0",
        )
