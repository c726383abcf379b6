"""Acceptance rules that others use, from their published definitions.

They look at absolute scores, not at preferences: the judge scores each output alone,
with twice the noise of a vote, and outputs of one batch share that batch's drift. All
are given what these rules are used with: cases that the writer saw.
"""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np

from skillbank.gate.noise import BY_CONTEXT, Bools, Floats, Noise

DRIFT = 0.5
"""Standard deviation of a batch's drift, in agent standard deviations."""
_DIFFICULTY = (1.0, 0.5)  # sd by case and by context: only passes hang on it


class Scores(NamedTuple):
    """Scores of both arms, each of shape (proposals, cases, contexts)."""

    current: Floats
    candidate: Floats

    @property
    def gain(self) -> Floats:
        """Candidate less current."""
        return self.candidate - self.current

    @property
    def passes(self) -> "Scores":
        """1 where the score is above 0, else 0: what a pass/fail check makes of it."""
        return Scores(*(np.where(one > 0, 1.0, 0.0) for one in self))


Rule = Callable[[Scores], Bools]


def scores(
    effects: Floats,
    contexts: int,
    noise: Noise,
    rng: np.random.Generator,
    *,
    one_batch: bool,
) -> Scores:
    """Score the outputs of both arms.

    Args:
        effects: Effect on each case, shape (proposals, cases).
        contexts: Contexts of each case.
        noise: The judge.
        rng: Source of all chance.
        one_batch: Both arms were scored in one batch; else each in its own, as where
            the incumbent's score is kept.
    """
    shape = (*effects.shape, contexts)
    case, context = _DIFFICULTY
    base = rng.normal(0, case, effects.shape)[:, :, None]
    base = base + rng.normal(0, context, shape)

    def arm() -> Floats:
        common = sqrt(noise.common) * rng.normal(size=effects.shape)[:, :, None]
        agent = common + sqrt(1 - noise.common) * rng.normal(size=shape)
        drift = 0.0 if one_batch else rng.normal(0, DRIFT, (len(effects), 1, 1))
        found: Floats = base + agent + rng.normal(0, 2 * noise.noise, shape) + drift
        return found

    effect = effects[:, :, None] + rng.normal(0, BY_CONTEXT, shape)
    return Scores(arm(), arm() + effect)


def strict_improvement(found: Scores) -> Bools:
    """The sum of the scores went up (GEPA's default, on a minibatch of three)."""
    up: Bools = found.gain.sum((1, 2)) > 0
    return up


def non_decrease(found: Scores) -> Bools:
    """As many checks passed as before, or more (GEPA's "improvement or equal")."""
    kept: Bools = found.passes.gain.sum((1, 2)) >= 0
    return kept


def above_errors(k: float) -> Rule:
    """The mean difference is more than k standard errors above 0, cases the units.

    Source:
        Miller 2024, "Adding Error Bars to Evals": paired differences, clustered.
    """

    def accepts(found: Scores) -> Bools:
        each = found.gain.mean(2)
        error = each.std(1, ddof=1) / sqrt(each.shape[1])
        above: Bools = each.mean(1) > k * error
        return above

    return accepts


def accept_all(found: Scores) -> Bools:
    """Everything passes."""
    return np.ones(len(found.current), np.bool_)


class Use(NamedTuple):
    """A rule as it is used."""

    rule: Rule
    cases: int
    contexts: int
    """Of each case; 0: nothing is replayed."""
    one_batch: bool = True


FIELD: Mapping[str, Use] = {
    "accept all": Use(accept_all, 4, 0),
    "mean went up, own batches": Use(strict_improvement, 4, 3, one_batch=False),
    "mean went up, one batch": Use(strict_improvement, 4, 3),
    "minibatch of three": Use(strict_improvement, 3, 1),
    "non-decrease of passes": Use(non_decrease, 4, 3),
    "mean > 1 standard error": Use(above_errors(1.0), 4, 3),
    "mean > 2 standard errors": Use(above_errors(2.0), 4, 3),
}
