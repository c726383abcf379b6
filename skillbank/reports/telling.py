"""The one context of a proposal that tells most, and the drawings of both arms."""

from collections.abc import Callable, Mapping, Sequence

from skillbank.agents.agent import Attempt
from skillbank.briefs.brief import Brief
from skillbank.errors import SkillbankError
from skillbank.gate.replay import Pair
from skillbank.gate.votes import Outcome
from skillbank.records import Fate
from skillbank.reports.text import shown
from skillbank.reports.view import Drawing, Showing

Draw = Callable[[str], bytes]
"""A PNG of an output; asked for the drawings that are shown, and for no other."""

PICTURES = 2_500_000
"""Bytes of all PNG of a page together: a page stays below 4 MB."""
_REASON = 200  # characters
_TEXT = 400  # characters of the brief beside the drawings

_FIRST: Mapping[Fate, tuple[Outcome, ...]] = {
    "committed": ("win", "tie", "loss"),
    "dropped": ("win", "tie", "loss"),
    "refused": ("loss", "tie", "win"),
    "undecided": ("win", "loss", "tie"),
    "screened out": (),
}


class Album:
    """Draws the telling pairs of a page until its pictures are as large as they may be.

    Args:
        draw: Makes the PNG of an output.
        room: Bytes that all of them may take.
    """

    def __init__(self, draw: Draw, room: int = PICTURES) -> None:
        self._draw = draw
        self._room = room

    def showing(
        self,
        fate: Fate,
        pairs: Sequence[Pair],
        briefs: Mapping[str, Brief],
        names: Mapping[str, str],
    ) -> Showing | None:
        """Both drawings of the pair that tells most; None if there is no pair.

        Args:
            fate: What became of the proposal: a win tells why it was committed, a loss
                why it was refused.
            pairs: Of the proposal, in the order of replay.
            briefs: By id; a brief that is not held is shown by its id.
            names: Context id to its place in the plan.
        """
        pair = telling(fate, pairs)
        if pair is None or pair.current is None or pair.candidate is None:
            return None
        brief = briefs.get(pair.candidate.brief)
        return Showing(
            brief=pair.candidate.brief,
            text=shown(brief.text, _TEXT) if brief else "",
            context=names.get(pair.context, shown(pair.context, 40)),
            outcome=pair.outcome,
            current=self._drawing(pair.current),
            candidate=self._drawing(pair.candidate),
            current_score=pair.current_score,
            candidate_score=pair.candidate_score,
        )

    def _drawing(self, attempt: Attempt) -> Drawing:
        if attempt.ending != "ok" or not attempt.output:
            why = attempt.reason or "no output"
            return Drawing(problem=shown(f"{attempt.ending}: {why}", _REASON))
        try:
            png = self._draw(attempt.output)
        except SkillbankError as error:
            return Drawing(problem=shown(f"cannot be drawn: {error.seen}", _REASON))
        if len(png) > self._room:
            return Drawing(problem="left out: the page has as many pictures as it may")
        self._room -= len(png)
        return Drawing(png=png)


def telling(fate: Fate, pairs: Sequence[Pair]) -> Pair | None:
    """The pair that tells most about a fate; None where there is none.

    Of the pairs with the outcome that explains it, the one whose scores lie furthest
    apart in that direction; scores the gate never saw, so this decides nothing.
    """
    made = [pair for pair in pairs if pair.current and pair.candidate]
    for outcome in _FIRST[fate]:
        fitting = [pair for pair in made if pair.outcome == outcome]
        if fitting:
            sign = -1 if outcome == "loss" else 1
            return max(fitting, key=lambda pair: sign * _lead(pair))
    return None


def _lead(pair: Pair) -> float:
    if pair.current_score is None or pair.candidate_score is None:
        return 0.0
    return pair.candidate_score - pair.current_score
