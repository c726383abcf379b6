"""The published ship rule: when a trial may stop, and what it asks next.

K and the rule (no case regresses, at least one is won) are published; contexts and band
are our readings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from skillbank.gate.case import CaseVerdict, Count, Outlook, Rule, outlook, score_case

Shipping = Literal[
    "ship", "refuse:regressed", "refuse:all_ties", "refuse:no_cases", "requeue"
]
Decision = Literal["commit", "refuse", "undecided"]
Code = Literal[
    "commit",
    "refuse:regressed",
    "refuse:all_ties",
    "refuse:no_win",
    "refuse:no_cases",
    "refuse:forbidden",
    "refuse:screen",
    "refuse:no_gain",
    "refuse:out_of_reach",
    "refuse:neighbours",
    "refuse:stratum",
    "refuse:ceiling",
    "undecided:inconclusive",
    "undecided:too_few_cases",
    "undecided:no_cases",
    "undecided:uncertifiable",
    "undecided:unmeasured",
    "undecided:judge",
    "undecided:no_agent",
]
"""`refuse:no_win`: no case can still be won; whether one regresses was left open.
Certified mode: the origin cases gained nothing (`screen`), evidence of a gain fell to
its floor (`no_gain`) or has no hope of its bar (`out_of_reach`), the change harms where
it was not meant to act (`neighbours`), too few held-out prompts (`uncertifiable`).
Where the votes would ship: a stratum regresses (`stratum`), a hard ceiling is exceeded
(`ceiling`) or could not be told (`unmeasured`). After the votes: the judge fell below
its bar in this round (`judge`). Nothing could be replayed, since there is no agent
(`no_agent`)."""
BEFORE_ANY: frozenset[Code] = frozenset(
    {"undecided:too_few_cases", "undecided:no_cases", "undecided:uncertifiable"}
)
"""What is decided before any replay: by these the rule asks for no context at all."""


class Ruling(NamedTuple):
    """What the votes alone decide."""

    decision: Decision
    code: Code
    reason: str


_RULINGS: dict[Shipping, Ruling] = {
    "ship": Ruling("commit", "commit", "no case regresses and {won} of {n} won"),
    "refuse:regressed": Ruling(
        "refuse", "refuse:regressed", "{regressed} of {n} cases regressed"
    ),
    "refuse:all_ties": Ruling("refuse", "refuse:all_ties", "none of {n} cases is won"),
    "refuse:no_cases": Ruling("refuse", "refuse:no_cases", "there are no cases"),
    "requeue": Ruling(
        "undecided",
        "undecided:inconclusive",
        "{short} of {n} cases have too few valid contexts and none regressed",
    ),
}


def ship(verdicts: Sequence[CaseVerdict]) -> Shipping:
    """Ship if no case regresses and at least one is won.

    A regressed case refuses whatever else; then an inconclusive one sends the proposal
    back to the queue; how many cases there must be is the trial's business.
    """
    if not verdicts:
        return "refuse:no_cases"
    if "regress" in verdicts:
        return "refuse:regressed"
    if "inconclusive" in verdicts:
        return "requeue"
    return "ship" if "win" in verdicts else "refuse:all_ties"


@dataclass(frozen=True, slots=True)
class Published:
    """The published rule over counts of cases, curtailed or not.

    Curtailment stops only when no vote or void to come can change commit, refuse or
    undecided, so it decides as the full rule does.
    """

    rule: Rule
    curtail: bool = True
    _known: dict[Count, Outlook] = field(
        default_factory=dict, repr=False, compare=False
    )

    def outlook(self, count: Count) -> Outlook:
        """What can still become of a case."""
        found = self._known.get(count)
        if found is None:
            found = self._known[count] = outlook(count, self.rule)
        return found

    def rule_on(self, counts: Sequence[Count]) -> Ruling | None:
        """The ruling, as soon as it cannot change; None while it can."""
        if not self.curtail:
            if any(count.left for count in counts):
                return None
            return self._ruling(
                ship([score_case(c, self.rule) for c in counts]), counts
            )
        views = [self.outlook(count) for count in counts]
        if any(view.regressed for view in views):
            return self._ruling("refuse:regressed", counts)
        waiting = any(view.short for view in views)
        lacking = any(view.inconclusive for view in views)
        if any(view.can_regress for view in views):
            if waiting or lacking or any(view.can_win for view in views):
                return None
            reason = "no case can still win"
            return Ruling("refuse", "refuse:no_win", reason)
        if waiting:
            return None
        if lacking:
            return self._ruling("requeue", counts)
        if any(view.won for view in views):
            return self._ruling("ship", counts)
        if any(view.can_win for view in views):
            return None
        return self._ruling("refuse:all_ties", counts)

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """Index of the case to replay next; None if nothing more would help.

        Worst first: among cases that can still regress the lowest net (wins less
        losses), then the most replayed, then the first. If none can regress: a case
        that lacks a quorum, then the one that is nearest to being won.

        Args:
            counts: One for each case.
            free: Contexts of each case that are neither told nor asked.
        """
        cases = [index for index, n in enumerate(free) if n]
        if not self.curtail:
            return cases[0] if cases else None
        views = [self.outlook(count) for count in counts]
        # what is asked already counts as replayed, so that a wave goes deep
        done = [counts[i].valid + counts[i].left - free[i] for i in range(len(counts))]
        risky = [i for i in cases if views[i].can_regress]
        if risky:
            return min(risky, key=lambda i: (counts[i].net, -done[i], i))
        short = [i for i in cases if views[i].short]
        if short:
            return min(short, key=lambda i: (-done[i], i))
        hopeful = [i for i in cases if views[i].can_win]
        if hopeful:
            return min(hopeful, key=lambda i: (-counts[i].net, -done[i], i))
        return None

    def standing(
        self, index: int, counts: Sequence[Count]
    ) -> CaseVerdict | Literal["open"]:
        """The verdict of one case if it is settled."""
        return self.outlook(counts[index]).verdict

    def evidence(self) -> None:
        """This rule weighs none."""

    def _ruling(self, shipping: Shipping, counts: Sequence[Count]) -> Ruling:
        verdicts = [self.outlook(count).verdict for count in counts]
        ruling = _RULINGS[shipping]
        return ruling._replace(
            reason=ruling.reason.format(
                n=len(verdicts),
                won=verdicts.count("win"),
                regressed=verdicts.count("regress"),
                short=verdicts.count("inconclusive"),
            )
        )


@lru_cache(maxsize=64)
def published(rule: Rule, *, curtail: bool = True) -> Published:
    """The policy of a rule, shared: it remembers the outlooks that it worked out."""
    return Published(rule, curtail)
