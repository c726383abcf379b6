"""The gate as a state machine: ask what to replay, tell the votes, read the verdict.

Does no IO and holds no clock, so a flow, a simulator and a test drive the same code.
A trial is restored by telling a new one what the old one was told, in the same order.
"""

from collections.abc import Mapping

from skillbank.errors import GateError
from skillbank.gate.case import Count
from skillbank.gate.ceilings import CeilingState, ruling, weigh
from skillbank.gate.certified import Certified
from skillbank.gate.limits import Limits
from skillbank.gate.plan import Plan, Role
from skillbank.gate.policy import Policy
from skillbank.gate.published import BEFORE_ANY, Ruling, published
from skillbank.gate.strata import Strata, guarded
from skillbank.gate.verdict import CaseState, Verdict
from skillbank.gate.votes import ARMS, Arm, Outcome, Votes

_Place = tuple[int, int]  # case, position within its planned contexts


class Trial:
    """One proposal before the gate.

    Args:
        plan: What to replay and by which numbers.
        curtail: Stop as soon as the votes cannot change the verdict. False replays
            everything and decides the same; for tests and benchmarks. Forbidden
            actions and ceilings are compared over what was replayed: there alone the
            two may differ. A certified trial always stops at its bounds.
    """

    def __init__(self, plan: Plan, *, curtail: bool = True) -> None:
        self.plan = plan
        self._strata = Strata(plan)
        self._policy = guarded(_policy(plan, curtail=curtail), self._strata)
        self._counts = [Count(left=len(case.contexts)) for case in plan.cases]
        self._slots: list[list[str | None]] = [list(c.contexts) for c in plan.cases]
        self._spares = [list(case.spares) for case in plan.cases]
        self._open: dict[str, _Place] = {
            context: (i, j)
            for i, case in enumerate(plan.cases)
            for j, context in enumerate(case.contexts)
        }
        self._asked: list[str] = []
        self._told: dict[str, Votes] = {}
        self._leaning = [0] * len(plan.cases)
        self._voids = [0] * len(plan.cases)
        self._forbidden: dict[Arm, int] = dict.fromkeys(ARMS, 0)
        self._verdict = self._before_any()

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None until it is decided."""
        return self._verdict

    @property
    def told(self) -> Mapping[str, Votes]:
        """What was told, by context id, in the order of telling."""
        return dict(self._told)

    @property
    def spent(self) -> int:
        """Contexts told so far, void ones too."""
        return len(self._told)

    def ask(self, n: int = 1) -> tuple[str, ...]:
        """Name at most `n` contexts to replay next; none once there is a verdict.

        What was asked and not told is named again, first; after a void its spare comes.
        The order is worst-first, so that the trial ends soon.

        Raises:
            GateError: If `n` is no whole number, or below 1.
        """
        if type(n) is not int or n < 1:
            expected = "a whole number, at least 1"
            raise _error(self.plan, f"ask({n!r})", expected, "ask for one context")
        if self._verdict is not None:
            return ()
        while len(self._asked) < n:
            context = self._next()
            if context is None:
                break
            self._asked.append(context)
        return tuple(self._asked[:n])

    def tell(self, context: str, votes: Votes) -> None:
        """Record what the judge said of a context, or why nothing could be measured.

        Raises:
            GateError: If there is a verdict already, the context is unknown, was told
                before, is a spare that nothing called for, or has one vote only.
        """
        place = self._check(context, votes)
        outcome = votes.outcome
        self._told[context] = votes
        del self._open[context]
        if context in self._asked:
            self._asked.remove(context)
        if outcome == "void":
            self._replace(place)
        else:
            self._count(place, outcome, votes)
        self._decide(votes)

    def _before_any(self) -> Verdict | None:
        plan = self.plan
        if not plan.cases:
            ruling = Ruling("undecided", "undecided:no_cases", "the plan has no cases")
            return self._verdict_of(ruling)
        lacking = plan.lacking()
        if plan.limits is not None:
            return self._uncertifiable(plan.limits, lacking)
        if not lacking:
            return None
        card, n = next(iter(lacking.items()))
        of = f" of {card}" if card else ""
        reason = f"{n} case(s){of} where {plan.required} are required"
        ruling = Ruling("undecided", "undecided:too_few_cases", reason)
        return self._verdict_of(ruling)

    def _uncertifiable(
        self, limits: Limits, lacking: Mapping[str, int]
    ) -> Verdict | None:
        roles = [self.plan.role(case) for case in self.plan.cases]
        contexts = limits.contexts(roles.count("held-out"))
        if lacking:
            card, n = next(iter(lacking.items()))
            of = f" of {card}" if card else ""
            reason = f"{n} held-out prompt(s){of} where {limits.least} are required"
        elif limits.screen and "origin" not in roles:
            reason = "a screen is planned, and there are no origin cases"
        elif not limits.reachable(contexts):
            reason = f"{contexts} held-out contexts cannot reach {float(limits.bar):g}"
        else:
            return None
        return self._verdict_of(Ruling("undecided", "undecided:uncertifiable", reason))

    def _next(self) -> str | None:
        free = [count.left for count in self._counts]
        for context in self._asked:
            free[self._open[context][0]] -= 1
        case = self._policy.choose(self._counts, free)
        if case is None:
            return None
        return next(
            context
            for context in self._slots[case]
            if context in self._open and context not in self._asked
        )

    def _check(self, context: str, votes: Votes) -> _Place:
        where = f"context {context!r}"
        if self._verdict is not None:
            seen = f"{where} told after the verdict ({self._verdict.code})"
            raise _error(self.plan, seen, "no more votes", "start a new trial")
        if context in self._told:
            remedy = "tell each context once"
            raise _error(self.plan, f"{where} told twice", "a context once", remedy)
        place = self._open.get(context)
        if place is None:
            spare = any(context in spares for spares in self._spares)
            kind = "a spare that no void called for" if spare else "unknown"
            expected = "a context of the plan, or the spare of a void one"
            remedy = "replay what ask() names"
            raise _error(self.plan, f"{where}, {kind}", expected, remedy)
        if not votes.complete:
            seen = f"{where} with votes {votes.first!r} and {votes.second!r}"
            remedy = "ask the judge in the other order too, or report the context void"
            raise _error(self.plan, seen, "a vote in each order", remedy)
        return place

    def _replace(self, place: _Place) -> None:
        case, position = place
        self._voids[case] += 1
        if self._spares[case]:
            spare = self._spares[case].pop(0)
            self._slots[case][position] = spare
            self._open[spare] = place
        else:
            self._slots[case][position] = None
            count = self._counts[case]
            self._counts[case] = count._replace(left=count.left - 1)

    def _count(self, place: _Place, outcome: Outcome, votes: Votes) -> None:
        case, _ = place
        wins, ties, losses, left = self._counts[case]
        self._counts[case] = Count(
            wins + (outcome == "win"),
            ties + (outcome == "tie"),
            losses + (outcome == "loss"),
            left - 1,
        )
        self._leaning[case] += votes.leaning
        for arm in ARMS:
            self._forbidden[arm] += votes.forbidden_in(arm)

    def _decide(self, votes: Votes) -> None:
        # a risky card is stopped by the deed itself, in a void context too
        if self.plan.risk == "high" and votes.forbidden_in("candidate"):
            reason = "a forbidden action of a candidate whose risk is high"
            ruling = Ruling("refuse", "refuse:forbidden", reason)
            self._verdict = self._verdict_of(ruling)
            return
        found = self._policy.rule_on(self._counts)
        if found is None:
            return
        if found.decision == "commit":
            found = self._constrained() or found
        self._verdict = self._verdict_of(found)

    def _constrained(self) -> Ruling | None:
        """What is asked of the way there, once, where the votes would ship."""
        new, old = self._forbidden["candidate"], self._forbidden["current"]
        if new > old:
            reason = f"{new} forbidden actions against {old} of the current bank"
            return Ruling("refuse", "refuse:forbidden", reason)
        return ruling(self._ceilings())

    def _ceilings(self) -> tuple[CeilingState, ...]:
        guards = self.plan.guards
        return weigh(guards.ceilings, self._told.values()) if guards else ()

    def _verdict_of(self, ruling: Ruling) -> Verdict:
        return Verdict(
            proposal=self.plan.proposal,
            plan=self.plan.hash,
            decision=ruling.decision,
            code=ruling.code,
            reason=ruling.reason,
            cases=tuple(self._state(index) for index in range(len(self.plan.cases))),
            # a trial that is over before any replay saved nothing by stopping early
            planned=0 if ruling.code in BEFORE_ANY else self.plan.planned,
            spent=self.spent,
            forbidden=dict(self._forbidden),
            evidence=self._policy.evidence(),
            strata=self._strata.states(self._counts),
            ceilings=self._ceilings(),
            uncertifiable=self.plan.uncertifiable,
        )

    def _state(self, index: int) -> CaseState:
        count = self._counts[index]
        return CaseState(
            case=self.plan.cases[index].id,
            wins=count.wins,
            ties=count.ties,
            losses=count.losses,
            voids=self._voids[index],
            leaning=self._leaning[index],
            verdict=self._policy.standing(index, self._counts),
        )


def _policy(plan: Plan, *, curtail: bool) -> Policy:
    if plan.limits is None:
        return published(plan.rule, curtail=curtail)

    def of(role: Role) -> dict[int, int]:
        return {
            i: len(case.contexts)
            for i, case in enumerate(plan.cases)
            if plan.role(case) == role
        }

    return Certified(
        plan.limits,
        origin=of("origin"),
        held_out=of("held-out"),
        neighbours=of("neighbour"),
    )


def _error(plan: Plan, seen: str, expected: str, remedy: str) -> GateError:
    place = f"trial of proposal {plan.proposal!r}"
    return GateError(place, seen=seen, expected=expected, remedy=remedy)
