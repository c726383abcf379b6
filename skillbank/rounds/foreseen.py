"""What was to be expected of the gate when a round began, by the rounds before it."""

from collections.abc import Sequence

from skillbank.errors import GateError
from skillbank.gate.controls import tally
from skillbank.gate.foresight import Ties, foresee
from skillbank.gate.planner import Outlay
from skillbank.gate.replay import Pair
from skillbank.gate_params import GateParams
from skillbank.rounds.controls import CONTROL, purpose
from skillbank.rounds.health import TIES
from skillbank.summary import RoundSummary


def ties_of(summary: RoundSummary) -> Ties:
    """What the A/A controls of a round and of those before it say of the judge."""
    for one in summary.health:
        if one.name == TIES:
            return Ties(ties=int(one.value or 0), valid=one.n)
    return Ties()


def plans_of(earlier: Sequence[Pair], params: GateParams) -> tuple[Outlay, ...]:
    """What each rule that may decide was to do.

    Args:
        earlier: Pairs of the rounds before this one.
        params: The configured numbers.
    """
    before = tally(pair.votes for pair in earlier if purpose(pair) == CONTROL)
    try:
        return foresee(params, Ties.of(before))
    except GateError:  # it was let begin: its parameters were changed since
        return ()
