"""What a judge says of two outputs whose difference is known: the world of simulations.

Quality is in standard deviations of one agent run. Both votes of a pair see the same
difference, misjudged alike, each with noise of its own and a pull towards the output
shown first. Position bias and noise cancel in a no-op: it wins and loses alike.

Source:
    The gate study, section 1.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from skillbank.errors import GateError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Outcomes = NDArray[np.int8]
"""1 a win, -1 a loss, 0 a tie."""

BY_CONTEXT = 0.3
"""Standard deviation of an effect from context to context."""
_REACH, _STEPS = 9.0, 4001  # of the integral, in standard deviations
_WIDEST = 1e3  # noise at which next to nothing but ties is left


class Chances(NamedTuple):
    """P(win) and P(loss) of a context; the rest is ties."""

    win: float
    loss: float


@dataclass(frozen=True, slots=True)
class Noise:
    """Faults of a judge, in agent standard deviations."""

    misperception: float = 0.5
    """Noise that both orders share."""
    noise: float = 0.5
    """Noise of each vote."""
    position: float = 0.5
    """Pull towards the output shown first."""
    common: float = 0.0
    """Share of a pair's variance that all contexts of a case share, in [0, 1]."""

    @classmethod
    def of_ties(cls, share: float) -> "Noise":
        """The judge whose A/A contexts tie that often.

        One number cannot tell noise from bias: they are taken to grow together.

        Raises:
            GateError: If the share is not inside (0, 1), or missing (NaN).
        """
        if not 0 < share < 1:
            raise GateError(
                "tie share of A/A contexts",
                seen=str(share),
                expected="a number above 0 and below 1",
                remedy="measure it on more A/A contexts; without any, leave it out",
            )

        def excess(log_scale: float) -> float:
            win, loss = cls._scaled(math.exp(log_scale)).chances(0.0)
            return 1 - win - loss - share

        ends = math.log(1 / _WIDEST), math.log(_WIDEST)
        if excess(ends[0]) > 0 or excess(ends[1]) < 0:
            return cls._scaled(math.exp(ends[0] if excess(ends[0]) > 0 else ends[1]))
        return cls._scaled(math.exp(float(optimize.brentq(excess, *ends, xtol=1e-6))))

    @classmethod
    def _scaled(cls, scale: float) -> "Noise":
        # beyond 1 the bias grows faster, so that every tie share below 1 is reached
        return cls(scale, scale, scale * max(1.0, scale))

    def chances(self, effect: float) -> Chances:
        """P(win) and P(loss) of a context on a case with that effect."""
        spread = math.sqrt(2 + BY_CONTEXT**2 + self.misperception**2)
        z = np.linspace(-_REACH, _REACH, _STEPS)
        weight = stats.norm.pdf(z)
        weight /= weight.sum()
        seen = effect + spread * z
        first = stats.norm.cdf((seen + self.position) / self.noise)
        second = stats.norm.cdf((seen - self.position) / self.noise)
        win = float((weight * first * second).sum())
        return Chances(win, float((weight * (1 - first) * (1 - second)).sum()))


def votes(
    effects: Floats, contexts: int, noise: Noise, rng: np.random.Generator
) -> tuple[Bools, Bools]:
    """Votes for the candidate when it is shown first, and when second.

    Args:
        effects: Effect of each case, shape (proposals, cases).
        contexts: Contexts of each case.
        noise: The judge.
        rng: Source of all chance.

    Returns:
        Two arrays of shape (proposals, cases, contexts).
    """
    shape = (*effects.shape, contexts)
    effect = effects[:, :, None] + rng.normal(0, BY_CONTEXT, shape)
    agent = math.sqrt(2) * (
        math.sqrt(noise.common) * rng.normal(size=effects.shape)[:, :, None]
        + math.sqrt(1 - noise.common) * rng.normal(size=shape)
    )
    seen = effect + agent + rng.normal(0, noise.misperception, shape)
    first = seen + rng.normal(0, noise.noise, shape) + noise.position > 0
    second = seen + rng.normal(0, noise.noise, shape) - noise.position > 0
    return first, second


def outcomes(first: Bools, second: Bools) -> Outcomes:
    """What two votes make of each context."""
    return (first & second).astype(np.int8) - (~first & ~second).astype(np.int8)
