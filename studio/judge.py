"""The offline judge: it prefers the drawing that meets more, with faults to measure.

In units of the agent's within-brief standard deviation it prefers the first drawing if
`D + taste + leak + misperception + noise + bias > 0`, where D is the difference of the
two qualities. Misperception belongs to the pair and is the same in both orders; noise
is drawn for every call; bias pulls towards what is shown first. The gate is told none
of it.

Source of the model: the gate study's section 1; the parameters are `JudgeParams`.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from skillbank.briefs.brief import Brief, Check, score
from skillbank.codec import digest, seed_of
from skillbank.judging.judge import Preference
from skillbank.params import JudgeParams
from studio.reading import read_board

AGENT_SD = 0.08
"""Within-brief standard deviation of the agent's score, in score units.

Measured by `benchmarks/headroom.py`: root mean square over the benchmark briefs of the
sd of 3 attempts in one context: .082 under the seed bank, .136 without skills, .063
under the bank written by hand."""

_KEPT = 8192  # drawings whose quality is remembered

Verify = Callable[[Brief, str], Sequence[Check]]


@dataclass(frozen=True, slots=True)
class _Impression:
    """What the judge gathers from one drawing."""

    quality: float
    """Score in agent standard deviations."""
    elements: int


class StudioJudge:
    """The studio's judge; see `skillbank.judging.judge.Judge`.

    Args:
        params: Its faults.
        verify: What it can see of a drawing.
    """

    def __init__(self, params: JudgeParams, verify: Verify) -> None:
        self._params = params
        self._verify = verify
        self._seen: OrderedDict[tuple[str, str, str], _Impression] = OrderedDict()
        self.revision = f"studio-judge-1-{digest(params.model_dump(mode='json'))[:8]}"

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        """Say which drawing better satisfies the brief; the same for equal ones."""
        if first == second:
            return "same"
        params = self._params
        one, other = self._impression(brief, first), self._impression(brief, second)
        pull = one.quality - other.quality
        pull += (params.taste + params.leak * self._drift(batch)) * _busier(one, other)
        pull += params.misperception * _misperceived(brief, first, second)
        pull += params.noise * Random(seed_of("judge", seed)).gauss(0, 1)
        return "first" if pull + params.position_bias > 0 else "second"

    def absolute(self, brief: Brief, output: str, *, batch: str, seed: int) -> float:
        """A score of one drawing, in score units: it drifts from batch to batch.

        Only for the mean-score rule that the gate is compared with.
        """
        noise = self._params.noise * Random(seed_of("absolute", seed)).gauss(0, 1)
        seen = self._impression(brief, output).quality if output else 0.0
        return (seen + self._drift(batch) + noise) * AGENT_SD

    def _drift(self, batch: str) -> float:
        return self._params.drift * Random(seed_of("drift", batch)).gauss(0, 1)

    def _impression(self, brief: Brief, output: str) -> _Impression:
        key = (brief.id, brief.text, output)
        found = self._seen.get(key)
        if found is None:
            quality = score(brief, self._verify(brief, output)) / AGENT_SD
            found = _Impression(quality, len(read_board(output).elements))
            self._seen[key] = found
            if len(self._seen) > _KEPT:
                self._seen.popitem(last=False)
        return found


def _busier(one: _Impression, other: _Impression) -> float:
    """Doublings of the number of elements from the second to the first drawing."""
    return math.log2(max(1, one.elements) / max(1, other.elements))


def _misperceived(brief: Brief, first: str, second: str) -> float:
    """A standard normal draw of the pair, its sign turned with the order."""
    low, high = sorted((first, second))
    draw = Random(seed_of("misperceived", brief.id, low, high)).gauss(0, 1)
    return draw if first == low else -draw
