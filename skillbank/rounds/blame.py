"""Which commit did harm: a ridge on firing traces; without traces a bisection.

Both only name suspects. What is dropped is decided by replays with and without.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from skillbank.gate.intervals import sign_test
from skillbank.params import BenchmarkParams
from skillbank.records import Measured

_DIGITS = 9  # a last bit must not decide an order


class Effect(NamedTuple):
    """What a commit does to the score of a brief on which it fires."""

    coefficient: float
    """Candidate less previous bank; shrunk towards 0."""
    error: float
    """Its standard error; 0 only if every difference is explained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """A commit that is to be replayed with and without."""

    commit: str
    briefs: tuple[str, ...]
    """Where it fires, sorted; where that is not known all briefs."""
    effect: Effect | None = None
    """None: a bisection found it."""
    golden: bool = False
    """It fires on a golden case that regressed."""


def firing(
    candidate: Sequence[Measured], commits: Mapping[str, str]
) -> Mapping[str, frozenset[str]]:
    """On which briefs each commit's card was recalled.

    Args:
        candidate: Measurements under the candidate bank.
        commits: Commit to the `name@version` that it put into the bank.
    """
    return {
        commit: frozenset(one.brief for one in candidate if ref in one.fired)
        for commit, ref in sorted(commits.items())
    }


def traced(measured: Sequence[Measured]) -> bool:
    """Whether the agent says what it recalls: any attempt names a card."""
    return any(one.fired for one in measured)


def effects(
    fired: Mapping[str, frozenset[str]],
    differences: Mapping[str, float],
    strength: float = 1.0,
) -> Mapping[str, Effect]:
    """Estimate what each commit does where it fires, all commits at once.

    Ridge regression of the paired difference on "commit k fired", without an
    intercept: where none fires the banks are alike. A brief on which a good and a bad
    commit fire counts for both, and the good one does not hide the bad.

    Args:
        fired: Commit to the briefs where it fires.
        differences: Paired difference of the score by brief, candidate less previous.
        strength: Briefs without effect that each commit is given beforehand, above 0.

    Returns:
        Commits that fire on one of these briefs. The error is that of the ridge
        estimate about its own expectation, the residual's variance counted at
        n - trace(hat matrix) degrees of freedom.

    Source:
        Hoerl and Kennard 1970, "Ridge Regression: Biased Estimation for Nonorthogonal
        Problems". The gate study, 3.6.
    """
    commits = [one for one in sorted(fired) if fired[one] & differences.keys()]
    if not commits:
        return {}
    briefs = sorted(differences)
    x = np.array([[brief in fired[one] for one in commits] for brief in briefs], float)
    y = np.array([differences[brief] for brief in briefs])
    inverse = np.linalg.inv(x.T @ x + strength * np.eye(len(commits)))
    smoother = inverse @ x.T
    found = smoother @ y
    rest = y - x @ found
    freedom = len(briefs) - float(np.trace(x @ smoother))
    variance = float(rest @ rest) / freedom
    errors = np.sqrt(variance * np.diag(smoother @ smoother.T))
    return {
        one: Effect(round(float(value), _DIGITS), round(float(error), _DIGITS))
        for one, value, error in zip(commits, found, errors, strict=True)
    }


def suspects(
    fired: Mapping[str, frozenset[str]],
    differences: Mapping[str, float],
    regressed: Collection[str],
    params: BenchmarkParams,
) -> tuple[Suspicion, ...]:
    """The commits that may have done harm.

    Args:
        fired: Commit to the briefs where it fires.
        differences: Paired difference by brief, golden cases included.
        regressed: Golden cases that regressed.
        params: How many at most, how far below zero, how strong the ridge.

    Returns:
        First those that fire on a golden case that regressed, then by lowest
        coefficient, then by name. Of the others only those whose effect lies below
        zero by `suspect_at` standard errors: to replay what shows no harm costs runs,
        and one in twenty of it would be dropped by chance. A commit that fires nowhere
        cannot be replayed and is not among them.
    """
    lost = frozenset(regressed)
    found = [
        Suspicion(
            commit=commit,
            briefs=tuple(sorted(fired[commit] & differences.keys())),
            effect=effect,
            golden=bool(fired[commit] & lost),
        )
        for commit, effect in effects(fired, differences, params.ridge).items()
        if fired[commit] & lost
        or effect.coefficient < -params.suspect_at * effect.error
    ]
    found.sort(key=lambda one: (not one.golden, _coefficient(one), one.commit))
    return tuple(found[: params.suspects])


def _coefficient(one: Suspicion) -> float:
    return one.effect.coefficient if one.effect else 0.0


Scores = Mapping[str, float]
"""Score by brief."""


def bisect(
    commits: Sequence[str],
    scored: Callable[[Sequence[str]], Scores],
    previous: Scores,
    candidate: Scores,
) -> str | None:
    """Halve the commits, and keep the half that brought less, until one is left.

    Finds one commit however many are bad: a round is to be repeated, not drawn out.

    Args:
        commits: In the order in which they are put in.
        scored: Scores of the previous bank with these commits; asked ceil(log2 n)
            times, n the number of commits.
        previous: Scores without any commit.
        candidate: Scores with all of them.

    Returns:
        The last commit of the half that brought least; None without any commit.
    """
    low, high = 0, len(commits)
    if not high:
        return None
    at_low, at_high = previous, candidate
    while high - low > 1:
        middle = (low + high) // 2
        at_middle = scored(commits[:middle])
        if _gain(at_low, at_middle) <= _gain(at_middle, at_high):
            high, at_high = middle, at_middle
        else:
            low, at_low = middle, at_middle
    return commits[low]


def _gain(old: Scores, new: Scores) -> float:
    briefs = sorted(old.keys() & new.keys())
    return fsum(new[brief] - old[brief] for brief in briefs) / max(len(briefs), 1)


def harm_p(wins: int, losses: int) -> float:
    """One-sided exact p of losses over wins, ties left out; 1 without either."""
    return float(sign_test(losses, wins))


def harmful(wins: int, losses: int, at: float) -> bool:
    """Whether losses beat wins in replays with and without a commit.

    Args:
        wins: Replays in which the bank with it was better.
        losses: Replays in which the bank without it was better.
        at: One-sided p, in [0, 1], at or below which they do.
    """
    return losses > wins and sign_test(losses, wins) <= at
