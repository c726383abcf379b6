"""The evidence of the teach side, indexed the ways in which proposals look at it."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skillbank.briefs.brief import Brief
from skillbank.evidence.nearness import signature
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
        self._vectors: dict[str, NDArray[np.float64]] = {}
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

    def closeness(self, one: Evidence, others: Sequence[Evidence]) -> float:
        """Similarity, in [0, 1], of one's brief to the nearest of the others'.

        Cosine of TF-IDF over the brief's words and kinds of requirement: what few
        briefs of the pool ask for tells more than what all do.
        """
        if not others:
            return 0.0
        near = np.stack([self._vector(other.brief) for other in others])
        found = (near @ self._vector(one.brief)).max()
        return round(float(found), 9)  # a last bit must not decide an order

    def _vector(self, brief: Brief) -> NDArray[np.float64]:
        """TF-IDF of a brief, of length 1; it need not be one of the pool's."""
        if brief.id not in self._vectors:
            row = self._vectorizer.transform([brief])
            self._vectors[brief.id] = row.toarray().ravel()
        return self._vectors[brief.id]

    @cached_property
    def _vectorizer(self) -> Any:
        # takes a second to import, and only a round with a queue needs it
        from sklearn.feature_extraction.text import TfidfVectorizer

        made = TfidfVectorizer(analyzer=signature)
        return made.fit({one.brief.id: one.brief for one in self.all()}.values())
