"""The steps of a certified trial that look for a gain, and for a case that pays for it.

Each step sees the counts of all cases and knows which are its own. It passes, rules, or
waits for more. Exact: fractions and integers only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol

from skillbank.gate.case import Count
from skillbank.gate.evalues import e_value
from skillbank.gate.limits import Limits
from skillbank.gate.published import Ruling

Step = Ruling | Literal["passed"] | None
"""What a phase says: a ruling ends the trial, None waits for more votes."""
Planned = Mapping[int, int]
"""Contexts of each of a phase's cases, by index, in the order of replay."""
_INCONCLUSIVE: Literal["undecided:inconclusive"] = "undecided:inconclusive"


class Phase(Protocol):
    """One step of a certified trial."""

    def rule_on(self, counts: Sequence[Count]) -> Step:
        """Pass, rule or wait; called after each context told while it is its turn."""
        ...

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """Index of the case to replay next; None if all that it may ask is asked."""
        ...


def lost(planned: int, count: Count) -> int:
    """Contexts of a case that were void and had no spare."""
    return planned - count.valid - count.left


def done(planned: int, count: Count) -> int:
    """Contexts of a case that were told, or lost."""
    return planned - count.left


def next_in_turn(
    caps: Planned, planned: Planned, free: Sequence[int], total: int
) -> int | None:
    """The case that was asked least, the first of these; None at the total.

    Args:
        caps: What may be asked of each case.
        planned: What each case has.
        free: What of each case is neither told nor asked.
        total: What may be asked of all together.
    """
    asked = {i: planned[i] - free[i] for i in caps}
    if sum(asked.values()) >= total:
        return None
    able = [i for i in caps if free[i] and asked[i] < caps[i]]
    return min(able, key=lambda i: asked[i], default=None)


@dataclass(slots=True)
class Screen:
    """Refuses at once what gains nothing on the cases that it was written from."""

    planned: Planned
    contexts: int
    """Of each case."""
    net: int = 0
    """Wins less losses so far."""
    _caps: Planned = field(init=False)

    def __post_init__(self) -> None:
        """Work out what may be asked."""
        self._caps = {i: min(n, self.contexts) for i, n in self.planned.items()}

    def rule_on(self, counts: Sequence[Count]) -> Step:
        """Pass at more wins than losses, as soon as nothing left can change that."""
        self.net = sum(counts[i].net for i in self.planned)
        gone = sum(done(n, counts[i]) for i, n in self.planned.items())
        left = max(0, sum(self._caps.values()) - gone)
        void = sum(lost(n, counts[i]) for i, n in self.planned.items())
        if self.net - left > 0:
            return "passed"
        if self.net + left + void <= 0:
            reason = f"the origin cases won {self.net} more than they lost"
            return Ruling("refuse", "refuse:screen", reason)
        if left:
            return None
        reason = f"{void} contexts of the screen are void, and it hangs on them"
        return Ruling("undecided", _INCONCLUSIVE, reason)

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """In rounds over the origin cases."""
        total = sum(self._caps.values())
        return next_in_turn(self._caps, self.planned, free, total)


@dataclass(slots=True)
class Gain:
    """Weighs held-out contexts until the gain is shown, or given up.

    Source:
        Ville's inequality; the gate study, 3.1, without its screen.
    """

    planned: Planned
    limits: Limits
    wins: int = 0
    ties: int = 0
    losses: int = 0
    _caps: Planned = field(init=False)
    _total: int = field(init=False)

    def __post_init__(self) -> None:
        """Work out what may be asked."""
        rounds = self.limits.rounds(len(self.planned))
        self._caps = {i: min(n, rounds) for i, n in self.planned.items()}
        self._total = min(self.limits.horizon, sum(self._caps.values()))

    @property
    def value(self) -> Fraction:
        """The evidence so far."""
        return e_value(self.wins, self.losses, self.limits.stakes)

    def rule_on(self, counts: Sequence[Count]) -> Step:
        """Pass at the bar; refuse at the floor, or when the bar is out of reach.

        A void context refuses nothing: where winning it might have reached the bar, the
        trial is undecided. Nor does the bar count where a third was lost.
        """
        mine = [counts[i] for i in self.planned]
        self.wins = sum(count.wins for count in mine)
        self.ties = sum(count.ties for count in mine)
        self.losses = sum(count.losses for count in mine)
        void = sum(lost(n, counts[i]) for i, n in self.planned.items())
        valid = self.wins + self.ties + self.losses
        left = max(0, self._total - valid - void)
        limits, value = self.limits, self.value
        if value >= limits.bar:
            return "passed" if 2 * void <= valid else self._void(void, valid)
        if value <= limits.floor:
            return self._refuse("refuse:no_gain", "at the floor of", limits.floor)
        if value * limits.win ** (limits.hoped(left) + void) < limits.bar:
            return self._refuse("refuse:out_of_reach", "without hope of", limits.bar)
        return None if left else self._void(void, valid)

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """In rounds over the held-out cases: contexts of one case hang together."""
        return next_in_turn(self._caps, self.planned, free, self._total)

    def _refuse(
        self,
        code: Literal["refuse:no_gain", "refuse:out_of_reach"],
        where: str,
        what: Fraction,
    ) -> Ruling:
        reason = (
            f"evidence {float(self.value):.3g} {where} {float(what):g} after "
            f"{self.wins} wins, {self.losses} losses and {self.ties} ties"
        )
        return Ruling("refuse", code, reason)

    def _void(self, void: int, valid: int) -> Ruling:
        reason = f"{void} held-out contexts are void, {valid} valid"
        return Ruling("undecided", _INCONCLUSIVE, reason)


@dataclass(slots=True)
class Guard:
    """Looks again at every case that lost more than it won, before the gain counts.

    Says "no confirmed regress", not "no regress": proving the latter takes about ten
    contexts of each case.
    """

    planned: Planned
    limits: Limits
    confirmed: set[int] = field(default_factory=set)
    """Cases that regress."""
    _since: dict[int, Count] = field(default_factory=dict)
    """Cases under watch, and their counts when that began."""

    def rule_on(self, counts: Sequence[Count]) -> Step:
        """Pass when no case under watch can still regress; refuse at the first."""
        for i in self.planned:
            if i not in self._since and counts[i].net < 0:
                self._since[i] = counts[i]
        waiting, short = False, 0
        for i in self._since:
            down, left = -counts[i].net, self._left(i, counts[i])
            if down - left >= self.limits.regress:
                self.confirmed.add(i)
            elif down + left + self._lost(i, counts[i]) >= self.limits.regress:
                waiting |= left > 0
                short += left == 0
        if self.confirmed:
            worst = max(-counts[i].net for i in self.confirmed)
            reason = f"a case lost {worst} more than it won, looked at again"
            return Ruling("refuse", "refuse:regressed", reason)
        if waiting:
            return None
        if short:
            reason = f"{short} cases may regress, but their further contexts are void"
            return Ruling("undecided", _INCONCLUSIVE, reason)
        return "passed"

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """The worst case that can still regress."""
        able = [
            i
            for i, since in self._since.items()
            if self._open(i, counts[i]) and since.left - free[i] < self._more(since)
        ]
        return min(able, key=lambda i: (counts[i].net, free[i], i), default=None)

    def _more(self, since: Count) -> int:
        return min(self.limits.guard, since.left)

    def _left(self, case: int, count: Count) -> int:
        since = self._since[case]
        return max(0, self._more(since) - (since.left - count.left))

    def _lost(self, case: int, count: Count) -> int:
        since, n = self._since[case], self.planned[case]
        return lost(n, count) - lost(n, since)

    def _open(self, case: int, count: Count) -> bool:
        down, left = -count.net, self._left(case, count)
        could = down + left + self._lost(case, count) >= self.limits.regress
        return left > 0 and could and down - left < self.limits.regress
