"""The numbers of the certified rule, as they stand in a plan.

Knows nothing about cases or votes: only what may be asked, and what must be reached.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

from skillbank.codec import fields_of
from skillbank.errors import GateError
from skillbank.gate.evalues import GAIN, Stakes, e_lond_bar, round_bar
from skillbank.gate_params import CertifiedParams

_MOST = 1_000  # contexts of anything: nobody replays more for one proposal
_HIGHEST = 10**9  # evidence
_LEAST_GAIN = Fraction(101, 100)  # of a bet: below it no horizon reaches a bar
HARM = Stakes(Fraction(7, 5), Fraction(3, 5))
"""Of the neighbour guard, where a loss is what gains. Source: the gate study, 3.3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Screen, evidence, guards: when each passes, refuses and gives up.

    The defaults are those for twelve held-out cases and more. `STUDY` has the numbers
    of the gate study, 3.1.

    Raises:
        GateError: If no votes at all could fail, or none pass however many there are.
            Whether there are enough is asked of each trial, and by the planner.
    """

    least: int = 6
    """Held-out prompts, of each card concerned, below which nothing is certified."""
    screen: int = 0
    """Contexts of each origin case before the held-out ones; 0: no screen."""
    bar: Fraction = Fraction(50)
    """Evidence at which the gain counts as shown."""
    floor: Fraction = Fraction(8, 25)
    """Evidence at which it is given up."""
    hope: Fraction = Fraction(1, 2)
    """Given up too if winning this share of what is left, the rest tied, would not
    reach the bar; 1: only what is impossible."""
    win: Fraction = GAIN.win
    """A win multiplies the evidence by this."""
    loss: Fraction = GAIN.loss
    """A loss multiplies it by this."""
    horizon: int = 72
    """Held-out contexts at most."""
    per_case: int = 5
    """Of one case at most, in rounds over all cases."""
    guard: int = 6
    """Further contexts of every case that lost more than it won, once the gain is
    shown."""
    regress: int = 4
    """Losses less wins of a case, in all, that are a confirmed regress."""
    harm_bar: Fraction = Fraction(5)
    """Evidence of harm on neighbours that refuses."""
    harm_floor: Fraction = Fraction(2, 5)
    """Evidence of harm at which the neighbours are clear."""

    def __post_init__(self) -> None:
        """Refuse numbers with which the gate is no gate."""
        for name, seen in fields_of(self).items():
            whole = self.__dataclass_fields__[name].type is int
            if not (type(seen) is int if whole else isinstance(seen, Rational)):
                raise _useless(name, seen, "a whole number" if whole else "a fraction")
        self.stakes.check("gate.certified.win and loss")
        evidence = f"above 1, where evidence starts, and at most {_HIGHEST:,}"
        some, any_number = f"1 to {_MOST:,}", f"0 to {_MOST:,}"
        for name, seen, right, expected in (
            ("least", self.least, 1 <= self.least <= _MOST, some),
            ("screen", self.screen, 0 <= self.screen <= _MOST, any_number),
            ("bar", self.bar, 1 < self.bar <= _HIGHEST, evidence),
            ("floor", self.floor, 0 <= self.floor < 1, "in [0, 1)"),
            ("hope", self.hope, 0 < self.hope <= 1, "in (0, 1]"),
            ("win", self.win, self.win >= _LEAST_GAIN, f"at least {_LEAST_GAIN}"),
            ("per_case", self.per_case, 1 <= self.per_case <= _MOST, some),
            ("horizon", self.horizon, 1 <= self.horizon <= _MOST, some),
            ("guard", self.guard, 0 <= self.guard <= _MOST, any_number),
            ("regress", self.regress, self.regress >= 1, "at least 1"),
            ("harm_bar", self.harm_bar, 1 < self.harm_bar <= _HIGHEST, evidence),
            ("harm_floor", self.harm_floor, 0 <= self.harm_floor < 1, "in [0, 1)"),
        ):
            if not right:
                raise _useless(name, seen, expected)

    @classmethod
    def of(
        cls,
        params: CertifiedParams,
        *,
        held_out: int,
        origin: int,
        proposals: int = 1,
        commits: int = 0,
    ) -> "Limits":
        """What params.yaml asks of one proposal.

        Where held-out cases are scarce, origin cases screen it first: a screen costs
        runs, but no held-out ones.

        Args:
            params: Section gate.certified.
            held_out: Held-out cases that there are.
            origin: Origin cases that there are.
            proposals: Proposals of the round: more of them ask for more evidence.
            commits: How many of them have passed when this plan is made.
        """
        screened = held_out < params.ample and origin > 0
        bar = params.screened_bar if screened else params.bar
        if params.fdr:
            bar = max(bar, e_lond_bar(params.fdr, proposals, commits))
        else:
            bar = round_bar(bar, proposals, params.budget)
        return cls(
            least=params.least,
            screen=params.screen_contexts if screened else 0,
            bar=bar,
            floor=params.screened_floor if screened else params.floor,
            hope=params.hope,
            win=params.win,
            loss=params.loss,
            horizon=params.horizon,
            per_case=params.per_case,
            guard=params.guard,
            regress=params.regress,
            harm_bar=params.harm_bar,
            harm_floor=params.harm_floor,
        )

    @property
    def stakes(self) -> Stakes:
        """The bet on a gain."""
        return Stakes(self.win, self.loss)

    def hoped(self, left: int) -> int:
        """Wins that are hoped for in that many contexts."""
        return math.floor(self.hope * left)

    def reachable(self, contexts: int) -> bool:
        """Whether that many contexts could pass at all."""
        return self.win ** self.hoped(contexts) >= self.bar

    def shortest(self) -> int:
        """Fewest contexts that could pass."""
        wins = max(1, math.floor(math.log(self.bar) / math.log(self.win)))
        while self.win**wins < self.bar:  # logarithms are rounded
            wins += 1
        return math.ceil(wins / self.hope)

    def rounds(self, cases: int) -> int:
        """Contexts of one held-out case before the guard, with that many cases."""
        return min(self.per_case, -(-self.horizon // cases)) if cases else 0

    def contexts(self, cases: int) -> int:
        """Held-out contexts in all, with that many cases."""
        return min(self.horizon, cases * self.rounds(cases))


STUDY = Limits(
    screen=2,
    bar=Fraction(20),
    floor=Fraction(1, 5),
    hope=Fraction(1),
    horizon=36,
    per_case=3,
    guard=4,
    regress=3,
)
"""Twelve held-out cases as in the gate study, 3.1."""


def _useless(name: str, seen: object, expected: str) -> GateError:
    return GateError(
        f"gate.certified.{name}",
        seen=f"{seen}, a gate that cannot pass or cannot fail",
        expected=expected,
        remedy=f"change gate.certified.{name} in params.yaml",
    )
