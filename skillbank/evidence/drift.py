"""How this week's traffic differs from last week's, and what no replay case is near.

Themes of both weeks together are the bins; a number says how far their shares are
apart, and how far they would be by chance alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skillbank.codec import seed_of
from skillbank.gate.intervals import Interval, wilson

_DRAWS = 999  # of the permutation test: p in steps of a thousandth


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A theme that came up, or grew."""

    theme: str
    before: int
    """Texts of the week before."""
    now: int
    p: float
    """One-sided exact p of so large a share now, in (0, 1]."""
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Two weeks of traffic compared by what was asked."""

    before: int
    """Texts of the week before."""
    now: int
    distance: float
    """Jensen-Shannon distance of the two weeks' shares of themes, in [0, 1]."""
    by_chance: float
    """Its mean over weeks made of the same texts, dealt at random."""
    p: float
    """Share of such deals with a distance at least as large, in (0, 1]."""
    new: tuple[Need, ...]
    """Themes that were absent before, or grew beyond chance; most texts first."""


def drift(
    before: Sequence[str],
    now: Sequence[str],
    themes: Mapping[str, str],
    *,
    least: int = 3,
    at: float = 0.05,
    seed: int = 0,
) -> Drift | None:
    """Compare what was asked in two weeks; None if one of them is empty.

    Args:
        before: Texts of the week before, one for each run.
        now: Texts of this week.
        themes: Text to its theme; texts without one are counted together.
        least: Texts that make a need.
        at: Share of false needs among those named, by Benjamini and Hochberg.
        seed: Of the deals.

    Source:
        Lin 1991 for the distance, in bits; Fisher's exact test for each theme.
    """
    if not before or not now:
        return None
    old = Counter(themes.get(text, "") for text in before)
    new = Counter(themes.get(text, "") for text in now)
    names = sorted(old.keys() | new.keys())
    counts = np.array([[old[name] for name in names], [new[name] for name in names]])
    distance = _distance(counts)
    rng = np.random.default_rng(seed_of("drift", seed))
    both = counts.sum(axis=0)
    dealt = rng.multivariate_hypergeometric(both, len(before), size=_DRAWS)
    chance = np.array([_distance(np.array([one, both - one])) for one in dealt])
    example = {themes.get(text, ""): text for text in sorted(now, reverse=True)}
    return Drift(
        before=len(before),
        now=len(now),
        distance=distance,
        by_chance=float(chance.mean()),
        p=(1 + int((chance >= distance - 1e-12).sum())) / (1 + _DRAWS),
        new=_needs(old, new, example, least, at),
    )


def _needs(
    old: Counter[str],
    new: Counter[str],
    example: Mapping[str, str],
    least: int,
    at: float,
) -> tuple[Need, ...]:
    """Themes that grew beyond chance, most texts first."""
    # takes a second to import, and only finished rounds need it
    from scipy.stats import false_discovery_control, hypergeom

    told = [name for name in sorted(new) if name and new[name] >= least]
    total = old.total() + new.total()
    p = [
        float(hypergeom.sf(new[name] - 1, total, old[name] + new[name], new.total()))
        for name in told
    ]
    adjusted = false_discovery_control(p) if p else []
    needs = [
        Need(theme=name, before=old[name], now=new[name], p=one, example=example[name])
        for name, one, fdr in zip(told, p, adjusted, strict=True)
        if fdr <= at
    ]
    return tuple(sorted(needs, key=lambda need: (-need.now, need.theme)))


def _distance(counts: NDArray[np.int64]) -> float:
    """Jensen-Shannon distance of two rows of counts, in [0, 1]."""
    from scipy.spatial.distance import jensenshannon

    return float(np.nan_to_num(jensenshannon(counts[0], counts[1], base=2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of a cohort's traffic some replay case is near."""

    cohort: str
    """Empty: runs whose trace tells no cohort."""
    runs: int
    uncovered: Interval
    """Share with no replay case near, with Wilson's interval."""


def coverage(
    near: Sequence[float], cohorts: Sequence[str], at: float
) -> tuple[Coverage, ...]:
    """The share of runs with no replay case near, by cohort.

    Args:
        near: Of each run its similarity to the nearest replay case, in [0, 1].
        cohorts: The run's cohort.
        at: Similarity below which no case is near.

    Returns:
        By cohort; the first one, named `all`, is of all runs where there are several.
    """
    runs = Counter(cohorts)
    far = Counter(
        cohort for value, cohort in zip(near, cohorts, strict=True) if value < at
    )
    each = [
        Coverage(cohort=name, runs=runs[name], uncovered=wilson(far[name], runs[name]))
        for name in sorted(runs)
    ]
    if len(each) < 2:
        return tuple(each)
    total = Coverage(
        cohort="all",
        runs=runs.total(),
        uncovered=wilson(far.total(), runs.total()),
    )
    return (total, *each)
