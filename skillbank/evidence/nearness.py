"""How near briefs are to each other, by their words and what they demand."""

from collections.abc import Iterable, Mapping

from skillbank.briefs.brief import Brief
from skillbank.evidence.words import words

_CHUNK = 8192  # briefs whose similarities are held at a time


def signature(brief: Brief) -> list[str]:
    """The words of a brief and its kinds of requirement, sorted, each once."""
    kinds = {f"kind {need.kind}" for need in brief.requirements}
    return sorted(words(brief.text) | kinds)


class Nearness:
    """Cosine of TF-IDF between briefs; the same whatever order they come in.

    Args:
        briefs: All that are compared.
    """

    def __init__(self, briefs: Iterable[Brief]) -> None:
        # takes a second to import, and only a round with such proposals needs it
        from sklearn.feature_extraction.text import TfidfVectorizer

        known = sorted({brief.id: brief for brief in briefs}.items())
        self._rows = {id: row for row, (id, _) in enumerate(known)}
        if known:
            made = TfidfVectorizer(analyzer=signature)
            self._vectors = made.fit_transform([brief for _, brief in known])

    def to(self, ids: Iterable[str]) -> Mapping[str, float]:
        """Of each brief, by id, its similarity to the nearest of these, in [0, 1].

        Args:
            ids: Briefs to be near to; those that are not known are left out.
        """
        rows = sorted({self._rows[id] for id in ids if id in self._rows})
        if not rows:
            return dict.fromkeys(self._rows, 0.0)
        theirs = self._vectors[rows].T
        near = [
            value
            for start in range(0, self._vectors.shape[0], _CHUNK)
            for value in (self._vectors[start : start + _CHUNK] @ theirs)
            .max(axis=1)
            .toarray()
            .ravel()
        ]
        # a last bit must not decide an order
        return {id: round(float(near[row]), 9) for id, row in self._rows.items()}
