"""What a round's gate will do, worked out before it, at the noise measured so far.

A gate that cannot pass or cannot fail is refused before anything is spent on it; by few
A/A contexts alone no gate is refused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from skillbank.errors import GateError
from skillbank.gate.controls import Tally
from skillbank.gate.intervals import wilson
from skillbank.gate.plan import Mode
from skillbank.gate.planner import FREE, REFERENCE, Outlay, Prices, plan_gate
from skillbank.gate.settle import Asked
from skillbank.gate_params import GateParams

RULES: Mapping[Asked, tuple[Mode, ...]] = {
    "published": ("published",),
    "certified": ("certified",),
    "auto": ("certified", "published"),
}
"""The rules that may decide in each mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """What A/A replays have said of the judge so far, pooled over rounds."""

    ties: int = 0
    valid: int = 0
    """Contexts with a vote."""

    @classmethod
    def of(cls, pooled: Tally) -> "Ties":
        """What these controls say."""
        return cls(ties=pooled.ties, valid=pooled.valid)

    @property
    def share(self) -> float:
        """Share of contexts that tie, in (0, 1); the study's where none was replayed.

        Where none or all of them tie, it is taken to be half a context from that.
        """
        if not self.valid:
            return REFERENCE
        return min(max(self.ties, 0.5), self.valid - 0.5) / self.valid

    @property
    def nearest(self) -> float:
        """The share within its 95% interval that is nearest to the study's."""
        if not self.valid:
            return REFERENCE
        found = wilson(self.ties, self.valid)
        return min(max(REFERENCE, found.low), found.high)

    @property
    def source(self) -> str:
        """Where the share comes from, for people."""
        if not self.valid:
            return "the study's reference: no round has measured it"
        return f"{self.valid} A/A contexts"


@lru_cache(maxsize=64)
def foresee(
    params: GateParams,
    seen: Ties,
    *,
    prices: Prices = FREE,
    proposals: int = 1,
) -> tuple[Outlay, ...]:
    """What each rule that may decide does, and costs.

    Args:
        params: The configured numbers.
        seen: What was measured.
        prices: Of a run and a call.
        proposals: Proposals of the round.

    Raises:
        GateError: If a rule cannot pass or cannot fail at any tie share that what was
            measured allows; it names the number to change.
    """
    return tuple(
        _foresee(params, mode, seen, prices, proposals) for mode in RULES[params.mode]
    )


def _foresee(
    params: GateParams, mode: Mode, seen: Ties, prices: Prices, proposals: int
) -> Outlay:
    def at(ties: float) -> Outlay:
        return plan_gate(params, mode, ties=ties, prices=prices, proposals=proposals)

    try:
        return at(seen.share)
    except GateError as error:
        if seen.nearest == seen.share:
            raise
        found = at(seen.nearest)
        text = (
            f"at the {seen.share:.0%} ties of {seen.source} {error.seen}; at "
            f"{seen.nearest:.0%}, which they allow too, it can. If more of them say "
            f"the same: {error.remedy}"
        )
        return replace(found, warnings=(*found.warnings, text))


def notes_of(outlays: Iterable[Outlay]) -> tuple[str, ...]:
    """What is allowed and still does not do what it seems to, each sentence once."""
    return tuple(dict.fromkeys(text for one in outlays for text in one.warnings))
