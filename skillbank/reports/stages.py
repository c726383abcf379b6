"""The page of the DVC stages: one generated week, the seed bank on the benchmark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skillbank.gate.intervals import Interval
from skillbank.reports.page import environment


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePage:
    """What the page shows."""

    runs: int
    teaching: int
    quarantined: int
    briefs: int
    completeness: Mapping[str, float]
    """Mean by arm, in [0, 1]."""
    success: Mapping[str, float]
    """Share by arm, in [0, 1]."""
    gain: Interval
    """Of the seed bank over no skills, in completeness."""
    thresholds: Sequence[float]
    curves: Mapping[str, Sequence[int]]
    """Briefs that reach each threshold, by arm."""


def render_stages(page: StagePage) -> str:
    """The page, the same bytes for the same values."""
    text: str = environment().get_template("stages.html.j2").render(page=page)
    return text
