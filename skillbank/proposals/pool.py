"""The evidence of the teach side, indexed the ways in which proposals look at it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from skillbank.evidence.nearness import Nearness
from skillbank.proposals.writer import Evidence


class Pool:
    """Evidence by id, by brief and by card; never changed once made.

    Args:
        evidence: Runs and attempts of the teach side, in any order.
        fail_below: Score below which one is a failure, in [0, 1].
    """

    def __init__(self, evidence: Iterable[Evidence], fail_below: float) -> None:
        self._by_id = {one.id: one for one in evidence}
        self._fail_below = fail_below
        self._by_brief: dict[str, list[Evidence]] = {}
        self._by_skill: dict[str, list[Evidence]] = {}
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
            if one.score is not None and one.score >= self._fail_below
        )

    def closeness(
        self, some: Sequence[Evidence], others: Sequence[Evidence]
    ) -> Mapping[str, float]:
        """Similarity, in [0, 1], of each one's brief to the nearest of the others'.

        Cosine of TF-IDF over the brief's words and kinds of requirement: what few
        briefs of the pool ask for tells more than what all do.

        Args:
            some: Evidence of the pool.
            others: Evidence of the pool that it may be near to.

        Returns:
            By id of the brief.
        """
        if not some or not others:
            return {one.brief.id: 0.0 for one in some}
        return self._nearness.to(
            (one.brief.id for one in others), {one.brief.id: None for one in some}
        )

    @cached_property
    def _nearness(self) -> Nearness:
        return Nearness(one.brief for one in self._by_id.values())
