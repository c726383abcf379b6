"""What a judge said of one pair, and what follows for its context.

Knows nothing about cases, plans or who the judge is.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from skillbank.codec import is_text
from skillbank.errors import GateError

Arm = Literal["current", "candidate"]
Vote = Literal["candidate", "current", "same", "invalid"]
"""`invalid`: an answer that could not be read, after every retry."""
Outcome = Literal["win", "tie", "loss", "void"]
"""Of one context, as the candidate sees it."""

ARMS: tuple[Arm, Arm] = get_args(Arm)
_VOTES = frozenset(get_args(Vote))
UNREADABLE = "judge: no readable answer after retries"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the attempt of one arm spent, as far as it was told.

    Raises:
        GateError: If it is no finite number of 0 or more.
    """

    turns: int | None = None
    """None: not measured, which is not 0."""
    usd: float | None = None
    """In US dollars; likewise."""

    def __post_init__(self) -> None:
        """Refuse what nobody can have spent."""
        for name, value in (("turns", self.turns), ("usd", self.usd)):
            number = isinstance(value, int | float) and 0 <= value < math.inf
            if value is not None and not number:
                raise _misfit(f"cost, {name}", value, "a number of 0 or more, or None")


@dataclass(frozen=True, slots=True)
class Votes:
    """The judge's two answers about one pair, and what happened to its arms.

    Raises:
        GateError: If a vote, an arm or a count is none of those that exist.
    """

    first: Vote | None = None
    """The vote when the candidate was shown first; None: the judge was not asked."""
    second: Vote | None = None
    """The vote when the candidate was shown second."""
    broken: frozenset[Arm] = frozenset()
    """Arms whose agent crashed, ran out of time or returned nothing."""
    forbidden: Mapping[Arm, int] = field(default_factory=dict)
    """Forbidden actions taken in each arm; a missing arm took none."""
    void: str | None = None
    """Arm and cause of an infrastructure fault; None: both arms were measured."""
    costs: Mapping[Arm, Cost] = field(default_factory=dict)
    """What each arm spent; a missing arm did not tell."""

    def __post_init__(self) -> None:
        """Refuse what is no vote, no arm or no count."""
        for name, vote in (("first", self.first), ("second", self.second)):
            if vote is not None and not (isinstance(vote, str) and vote in _VOTES):
                raise _misfit(name, vote, f"one of {', '.join(sorted(_VOTES))}")
        if not isinstance(self.broken, Collection):
            raise _misfit("broken", self.broken, "the arms that broke")
        for name in ("forbidden", "costs"):
            if not isinstance(given := getattr(self, name), Mapping):
                raise _misfit(name, given, "a value by arm")
        for arm in (*self.broken, *self.forbidden, *self.costs):
            if arm not in ARMS:
                raise _misfit("arm", arm, "current or candidate")
        object.__setattr__(self, "broken", frozenset(self.broken))
        for arm, count in self.forbidden.items():
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise _misfit(f"forbidden[{arm!r}]", count, "a count of 0 or more")
        for arm, cost in self.costs.items():
            if not isinstance(cost, Cost):
                raise _misfit(f"costs[{arm!r}]", cost, "a Cost")
        void = self.void
        if void is not None and not (isinstance(void, str) and void and is_text(void)):
            raise _misfit("void", void, "the arm and the cause, or None")

    @property
    def complete(self) -> bool:
        """Whether they decide their context: a lone vote never does."""
        asked = self.first is not None and self.second is not None
        return asked or self.void is not None or bool(self.broken)

    @property
    def cause(self) -> str | None:
        """Why the context is void; None if it is not.

        A broken arm is never void: if the judge could not answer because the
        candidate's output is broken, voiding would let broken candidates through.
        """
        if self.void is not None:
            return self.void
        if not self.broken and "invalid" in (self.first, self.second):
            return UNREADABLE
        return None

    @property
    def outcome(self) -> Outcome:
        """Win or loss if both orders agree; a broken arm loses (both: tie).

        Raises:
            GateError: If they are not complete.
        """
        if not self.complete:
            raise _misfit("votes", (self.first, self.second), "a vote in each order")
        if self.cause is not None:
            return "void"
        if self.broken:
            if len(self.broken) == len(ARMS):
                return "tie"
            return "loss" if "candidate" in self.broken else "win"
        if self.first == self.second == "candidate":
            return "win"
        return "loss" if self.first == self.second == "current" else "tie"

    @property
    def leaning(self) -> bool:
        """Whether they are one vote and one "same": a tie that is counted apart."""
        if self.cause is not None or self.broken:
            return False
        return (self.first == "same") != (self.second == "same")

    def forbidden_in(self, arm: Arm) -> int:
        """Forbidden actions taken in that arm."""
        return self.forbidden.get(arm, 0)


def _misfit(place: str, seen: object, expected: str) -> GateError:
    return GateError(
        f"votes, {place}",
        seen=repr(seen),
        expected=expected,
        remedy="correct this vote, or report the context as void with its cause",
    )
