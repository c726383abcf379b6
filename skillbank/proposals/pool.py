"""The evidence of the teach side, indexed the ways in which proposals look at it."""

from collections.abc import Iterable, Sequence

from skillbank.briefs.brief import Brief
from skillbank.evidence.words import overlap, words
from skillbank.proposals.writer import Evidence


class Pool:
    """Evidence by id, by brief and by card; never changed once made.

    Args:
        evidence: Scored runs and attempts of the teach side, in any order.
        fail_below: Score below which one is a failure, in [0, 1].
    """

    def __init__(self, evidence: Iterable[Evidence], fail_below: float) -> None:
        self._by_id = {one.id: one for one in evidence}
        self._fail_below = fail_below
        self._by_brief: dict[str, list[Evidence]] = {}
        self._by_skill: dict[str, list[Evidence]] = {}
        self._words: dict[str, frozenset[str]] = {}
        for id in sorted(self._by_id):
            one = self._by_id[id]
            self._by_brief.setdefault(one.brief.id, []).append(one)
            for skill in {recall.skill for recall in one.recalls}:
                self._by_skill.setdefault(skill, []).append(one)

    def all(self) -> tuple[Evidence, ...]:
        """Everything, by id."""
        return tuple(self._by_id[id] for id in sorted(self._by_id))

    def known(self, ids: Iterable[str]) -> tuple[Evidence, ...]:
        """The evidence of these ids that is still held, in their order."""
        return tuple(self._by_id[id] for id in dict.fromkeys(ids) if id in self._by_id)

    def on(self, brief: str) -> tuple[Evidence, ...]:
        """All evidence on one brief, by id; exploring attempts among it."""
        return tuple(self._by_brief.get(brief, ()))

    def successes(self, skill: str) -> tuple[Evidence, ...]:
        """Where a card was recalled at any version and nothing failed, by id."""
        return tuple(
            one
            for one in self._by_skill.get(skill, ())
            if one.score >= self._fail_below
        )

    def closeness(self, one: Evidence, others: Sequence[Evidence]) -> float:
        """Similarity, in [0, 1], of one's brief to the nearest of the others'."""
        mine = self._signature(one.brief)
        return max(
            (overlap(mine, self._signature(other.brief)) for other in others),
            default=0.0,
        )

    def _signature(self, brief: Brief) -> frozenset[str]:
        if brief.id not in self._words:
            kinds = {f"kind {need.kind}" for need in brief.requirements}
            self._words[brief.id] = words(brief.text) | kinds
        return self._words[brief.id]
