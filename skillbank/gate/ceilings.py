"""What a change may cost: totals over the contexts that were replayed, both arms told.

Like forbidden actions they are compared once, when the votes would ship: a curtailed
trial compares what it replayed, which the full rule's contexts might have changed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from skillbank.gate.guards import Ceiling, Force, Measure
from skillbank.gate.published import Ruling
from skillbank.gate.votes import Arm, Votes

Kept = Literal["kept", "exceeded", "unmeasured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CeilingState:
    """One ceiling, and what was spent, when the verdict fell."""

    what: Measure
    force: Force
    contexts: int
    """Valid contexts in which both arms told what they spent."""
    current: Fraction
    """Total of the current arm over these, in turns or US dollars."""
    candidate: Fraction
    kept: Kept

    @property
    def words(self) -> str:
        """The comparison in words."""
        if self.kept == "unmeasured":
            return f"no context tells the {self.what} of both arms"
        unit = "turns" if self.what == "turns" else "US dollars"
        n = f"{self.contexts} context" + ("" if self.contexts == 1 else "s")
        return (
            f"{_number(self.candidate)} {unit} against {_number(self.current)} of the "
            f"current bank over {n}"
        )


def weigh(
    ceilings: Sequence[Ceiling], votes: Iterable[Votes]
) -> tuple[CeilingState, ...]:
    """Compare both arms with each ceiling.

    Args:
        ceilings: Of the plan.
        votes: Everything that the trial was told; void contexts do not count.
    """
    valid = [one for one in votes if one.complete and one.outcome != "void"]
    return tuple(_state(ceiling, valid) for ceiling in ceilings)


def ruling(states: Sequence[CeilingState]) -> Ruling | None:
    """What the hard ones say: refuse, undecided where nothing was measured, or None."""
    hard = [one for one in states if one.force == "hard"]
    for one in hard:
        if one.kept == "exceeded":
            return Ruling("refuse", "refuse:ceiling", f"it costs {one.words}")
    for one in hard:
        if one.kept == "unmeasured":
            reason = f"a hard ceiling, and {one.words}"
            return Ruling("undecided", "undecided:unmeasured", reason)
    return None


def _state(ceiling: Ceiling, votes: Sequence[Votes]) -> CeilingState:
    told = [
        (current, candidate)
        for one in votes
        if (current := _spent(one, "current", ceiling.what)) is not None
        and (candidate := _spent(one, "candidate", ceiling.what)) is not None
    ]
    current = sum((old for old, _ in told), Fraction(0))
    candidate = sum((new for _, new in told), Fraction(0))
    above = (
        ceiling.ratio is not None and candidate > ceiling.ratio * current,
        ceiling.most is not None and candidate > ceiling.most * len(told),
    )
    return CeilingState(
        what=ceiling.what,
        force=ceiling.force,
        contexts=len(told),
        current=current,
        candidate=candidate,
        kept="unmeasured" if not told else "exceeded" if any(above) else "kept",
    )


def _spent(votes: Votes, arm: Arm, what: Measure) -> Fraction | None:
    """As the decimal that was told, so that sums do not depend on their order."""
    cost = votes.costs.get(arm)
    value = None if cost is None else getattr(cost, what)
    return None if value is None else Fraction(str(value))


def _number(value: Fraction) -> str:
    return f"{float(value):.4g}"
