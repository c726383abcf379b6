"""How near briefs are to each other, by their words and what they demand."""

from collections.abc import Iterable, Mapping

from skillbank.briefs.brief import Brief
from skillbank.evidence.words import words

_SIMILARITIES = 2**22  # that are held at a time


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

    def to(
        self, ids: Iterable[str], of: Iterable[str] | None = None
    ) -> Mapping[str, float]:
        """Of each brief, by id, its similarity to the nearest of these, in [0, 1].

        Args:
            ids: Briefs to be near to; those that are not known are left out.
            of: Known briefs to look at; all of them by default.
        """
        rows = sorted({self._rows[id] for id in ids if id in self._rows})
        looked = self._rows if of is None else {id: self._rows[id] for id in of}
        if not rows or not looked:
            return dict.fromkeys(looked, 0.0)
        theirs = self._vectors[rows].T
        mine = self._vectors[list(looked.values())]
        # a chunk has as many similarities as there are rows to be near to
        step = max(1, _SIMILARITIES // len(rows))
        near = [
            value
            for start in range(0, len(looked), step)
            for value in (mine[start : start + step] @ theirs)
            .max(axis=1)
            .toarray()
            .ravel()
        ]
        # a last bit must not decide an order
        return {id: round(float(one), 9) for id, one in zip(looked, near, strict=True)}
