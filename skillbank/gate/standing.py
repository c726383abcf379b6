"""Whether a judge may gate: what it makes of outputs that were made worse on purpose.

Below its bar no verdict that rests on votes stands. What the votes cannot touch, such
as a refusal for forbidden actions, does.

The bars are points, applied from a number of pairs on. Chances, exact (binomial), for
24 degraded pairs and the shipped numbers: a judge that is right on 99 of 100 decided
pairs falls below 90% in 0.2% of rounds, one that is right on 97 in 3%; a coin, which
decides half of them, in 96%, and one that prefers the degraded in all. Of judges that
flip on 26% (30%) of pairs, 0.3% (1.5%) are above 45% over 40 pairs and 0.01% (0.2%)
over 80; of coins 68% and 78%, and of judges that always take the first all. A judge
that calls everything the same is not stopped: with it nothing is let in anyway.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from skillbank.control_params import ControlParams
from skillbank.gate.controls import Tally, tally
from skillbank.gate.judge_stats import judge_health, swap_counts
from skillbank.gate.published import Code
from skillbank.gate.verdict import Verdict
from skillbank.gate.votes import Votes

_BESIDE_VOTES: frozenset[Code] = frozenset({"refuse:forbidden", "refuse:ceiling"})
"""What was counted, not judged, refuses whoever the judge is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A judge against its bars."""

    degraded: Tally
    """Of degraded against whole outputs, the degraded one being the candidate."""
    flips: int
    """Of the other pairs, those called differently in the other order."""
    swapped: int
    """The other pairs with two votes."""
    faults: tuple[str, ...] = ()
    """Which figure fails which bar, one sentence each."""

    @property
    def may_gate(self) -> bool:
        """Whether its votes decide."""
        return not self.faults


def standing(
    degraded: Iterable[Votes], others: Iterable[Votes], params: ControlParams
) -> Standing:
    """Hold a round's judge to its bars.

    Args:
        degraded: Votes on planted pairs, the degraded output as the candidate.
        others: Votes on every other pair of the round.
        params: The bars, and the numbers of pairs from which they hold.
    """
    planted = tally(degraded)
    health = judge_health(swap_counts(others))
    flips = round(health.n * (health.flip_rate or 0))
    decided = planted.wins + planted.losses
    faults = []
    if decided >= params.degraded_least:
        lost = planted.losses / decided
        if lost < params.degraded_min:
            faults.append(
                f"degraded outputs lost {planted.losses} of {decided} decided pairs "
                f"({lost:.0%}, the bar is {params.degraded_min:.0%})"
            )
    if health.n >= params.flip_least and flips > params.flip_max * health.n:
        faults.append(
            f"the judge called {flips} of {health.n} pairs differently in the other "
            f"order ({flips / health.n:.0%}, the bar is {params.flip_max:.0%})"
        )
    return Standing(
        degraded=planted, flips=flips, swapped=health.n, faults=tuple(faults)
    )


def withheld(verdict: Verdict, judge: Standing) -> Verdict:
    """The verdict, undecided if it rests on the votes of a judge that may not gate."""
    by_votes = verdict.spent > 0 and verdict.code not in _BESIDE_VOTES
    if judge.may_gate or not by_votes or verdict.decision == "undecided":
        return verdict
    return replace(
        verdict,
        decision="undecided",
        code="undecided:judge",
        reason=f"the judge may not gate: {'; '.join(judge.faults)}",
    )
