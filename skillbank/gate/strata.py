"""No stratum regresses: what a total hides, with a bar that noise seldom passes.

Of each stratum that has contexts enough an exact one-sided sign test asks whether its
losses beat its wins; the strata share the level (Bonferroni). A no-op's arms can be
exchanged context by context, so that through this guard it is refused with at most that
chance, whatever ties, position bias and noise the judge has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from skillbank.gate.case import CaseVerdict, Count
from skillbank.gate.cohorts import holm
from skillbank.gate.guards import Guards
from skillbank.gate.intervals import sign_test
from skillbank.gate.plan import Plan
from skillbank.gate.policy import Evidence, Policy
from skillbank.gate.published import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumState:
    """One stratum as it stood when the verdict fell."""

    stratum: str
    cases: int
    wins: int = 0
    ties: int = 0
    losses: int = 0
    p: Fraction = Fraction(1)
    """One-sided exact p of losses over wins, for this stratum alone."""
    judged: bool = False
    """False: it has too few planned contexts to be judged."""
    regressed: bool = False
    """Its p holds against all strata judged (Holm)."""


class Strata:
    """The strata of one plan; neighbours have a guard of their own and are in none.

    Published: one is open while a vote to come could change what is said of it, so that
    a curtailed trial decides as the full rule does. Certified, where there is no full
    rule: one that lost more than it won is looked at again until it did not, it
    regresses, or its contexts are used up. A no-op hardly ever comes that far: the
    certified bar alone keeps it below the level.
    """

    def __init__(self, plan: Plan) -> None:
        guards = plan.guards or Guards(level=Fraction(0))
        self._members: dict[str, list[int]] = {}
        for index, case in enumerate(plan.cases):
            if case.stratum and plan.role(case) != "neighbour":
                self._members.setdefault(case.stratum, []).append(index)
        self._level = guards.level
        self._again = plan.limits is not None
        self.judged = tuple(
            name
            for name in sorted(self._members)
            if guards.level
            and sum(len(plan.cases[i].contexts) for i in self._members[name])
            >= guards.least
        )

    @property
    def bar(self) -> Fraction:
        """What the p of one stratum must not be above to refuse."""
        return self._level / max(1, len(self.judged))

    def rule_on(self, counts: Sequence[Count]) -> Ruling | Literal["passed"] | None:
        """Pass, refuse, or wait while more has to be known.

        Args:
            counts: One for each case of the plan.
        """
        sums = [self._sums(name, counts) for name in self.judged]
        if any(self._regressed(one) for one in sums):
            return self._refusal(counts)
        return None if any(self._open(one) for one in sums) else "passed"

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """The worst case, with a context free, of a stratum that is open."""
        able = [
            i
            for name in self.judged
            if self._open(self._sums(name, counts))
            for i in self._members[name]
            if free[i]
        ]
        return min(able, key=lambda i: (counts[i].net, i), default=None)

    def states(self, counts: Sequence[Count]) -> tuple[StratumState, ...]:
        """Every stratum by name, the ones too small to be judged too."""
        sums = {name: self._sums(name, counts) for name in sorted(self._members)}
        p = {name: sign_test(losses, wins) for name, (wins, losses, _) in sums.items()}
        adjusted = holm({name: p[name] for name in self.judged})
        return tuple(
            StratumState(
                stratum=name,
                cases=len(self._members[name]),
                wins=wins,
                ties=sum(counts[i].ties for i in self._members[name]),
                losses=losses,
                p=p[name],
                judged=name in adjusted,
                regressed=name in adjusted and adjusted[name] <= self._level,
            )
            for name, (wins, losses, _) in sums.items()
        )

    def _regressed(self, sums: tuple[int, int, int]) -> bool:
        wins, losses, left = sums
        return sign_test(losses, wins if self._again else wins + left) <= self.bar

    def _open(self, sums: tuple[int, int, int]) -> bool:
        wins, losses, left = sums
        if self._again:
            return losses > wins and left > 0
        return sign_test(losses + left, wins) <= self.bar

    def _sums(self, name: str, counts: Sequence[Count]) -> tuple[int, int, int]:
        mine = [counts[i] for i in self._members[name]]
        return (
            sum(count.wins for count in mine),
            sum(count.losses for count in mine),
            sum(count.left for count in mine),
        )

    def _refusal(self, counts: Sequence[Count]) -> Ruling:
        told = [
            f"stratum {one.stratum[:80]!r}: {one.losses} losses, {one.wins} wins, "
            f"{one.ties} ties"
            for one in self.states(counts)
            if one.regressed
        ]
        return Ruling("refuse", "refuse:stratum", "; ".join(told))


class Guarded:
    """A rule that ships only what makes no stratum regress.

    Args:
        rule: The rule.
        strata: Of the same plan; where one is open, more is replayed.
    """

    def __init__(self, rule: Policy, strata: Strata) -> None:
        self._rule, self._strata = rule, strata
        self._ships = False

    def rule_on(self, counts: Sequence[Count]) -> Ruling | None:
        """The rule's ruling; where it ships, the strata have the last word."""
        found = self._rule.rule_on(counts)
        self._ships = found is not None and found.decision == "commit"
        if not self._ships:
            return found
        step = self._strata.rule_on(counts)
        return found if step == "passed" else step

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """What the rule wants, or the strata where it has all that it needs."""
        asking: Strata | Policy = self._strata if self._ships else self._rule
        return asking.choose(counts, free)

    def standing(
        self, index: int, counts: Sequence[Count]
    ) -> CaseVerdict | Literal["open"]:
        """As the rule has it."""
        return self._rule.standing(index, counts)

    def evidence(self) -> Evidence | None:
        """As the rule has it."""
        return self._rule.evidence()


def guarded(rule: Policy, strata: Strata) -> Policy:
    """The rule with its strata guarded; the rule itself where none can be judged."""
    return Guarded(rule, strata) if strata.judged else rule
