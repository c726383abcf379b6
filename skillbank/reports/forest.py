"""Paired differences laid out on one scale, in percent of its width."""

import math
from collections.abc import Sequence

from skillbank.records import Arm
from skillbank.reports.numbers import gained, typeset
from skillbank.reports.view import Forest, ForestRow, Tick
from skillbank.summary import Gain

ARM_WORDS: dict[Arm, str] = {
    "kept": "bank after the round",
    "candidate": "candidate bank",
    "previous": "bank before the round",
    "seed": "seed bank",
    "none": "no skills",
}
_OVER: tuple[Arm, ...] = ("none", "seed", "previous")
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)  # between marks, as differences
_MARKS = 6  # at most


def forest(gains: Sequence[Gain]) -> Forest:
    """Lay out the gains of one set: completeness, then success, each arm in turn."""
    ordered = [
        gain
        for what in ("completeness", "success")
        for over in _OVER
        for gain in gains
        if (gain.what, gain.over) == (what, over)
    ]
    if not ordered:
        return Forest()
    low = min(0.0, *(gain.low for gain in ordered))
    high = max(0.0, *(gain.high for gain in ordered))
    step = _step(high - low)
    start, end = math.floor(low / step), math.ceil(high / step)
    end = max(end, start + 1)

    def place(value: float) -> float:
        return round(100 * (value / step - start) / (end - start), 2)

    return Forest(
        rows=tuple(
            ForestRow(
                what=gain.what,
                over=ARM_WORDS[gain.over],
                mean=gain.mean,
                low=gain.low,
                high=gain.high,
                briefs=gain.briefs,
                x=place(gain.mean),
                x_low=place(gain.low),
                x_high=place(gain.high),
            )
            for gain in ordered
        ),
        ticks=tuple(
            Tick(x=place(mark * step), label=_label(mark * step))
            for mark in range(start, end + 1)
        ),
        zero=place(0.0),
    )


def _step(width: float) -> float:
    fits = (step for step in _STEPS if width / step <= _MARKS - 1)
    return next(fits, _STEPS[-1])


def _label(value: float) -> str:
    return typeset(gained(value).removesuffix(".0"))
