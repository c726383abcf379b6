"""Canonical labels of what nobody has a skill for, and how each came about.

A labeller names a phrase; here the name is bounded, compared with the known ones, and
merged with a synonym. Every filing and every merge is kept with its reason, and nothing
is ever renamed: an old label is followed to what it was merged into.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from skillbank.codec import digest
from skillbank.errors import TableError
from skillbank.evidence.words import alike, words
from skillbank.world import Labeller

LABEL_LIMIT = 48  # a label becomes part of a skill's name, which has at most 64
PHRASE_LIMIT = 300
_WHY_LIMIT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """That a phrase was filed under a label."""

    phrase: str
    """As compared: lower case, single blanks, bounded."""
    label: str
    why: str
    round: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """That a label was found to mean the same as another."""

    from_label: str
    to_label: str
    why: str
    round: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Every filing and merge so far; immutable."""

    filings: tuple[Filing, ...] = ()
    merges: tuple[Merge, ...] = ()
    _filed: dict[str, str] = field(init=False, repr=False, compare=False)
    _merged: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the filings.

        Raises:
            TableError: If merges go round in a circle.
        """
        filed = {filing.phrase: filing.label for filing in self.filings}
        merged = {merge.from_label: merge.to_label for merge in self.merges}
        object.__setattr__(self, "_filed", filed)
        object.__setattr__(self, "_merged", merged)
        for merge in self.merges:
            self.canonical(merge.from_label)

    @property
    def known(self) -> tuple[str, ...]:
        """The canonical labels, sorted."""
        return tuple(sorted({self.canonical(filing.label) for filing in self.filings}))

    def canonical(self, label: str) -> str:
        """What a label was merged into, itself if into nothing."""
        seen = [label]
        while seen[-1] in self._merged:
            seen.append(self._merged[seen[-1]])
            if seen[-1] in seen[:-1]:
                raise TableError(
                    f"label {label!r}",
                    seen=f"merges that go in a circle: {' > '.join(seen)}",
                    expected="every label to end in a canonical one",
                    remedy="remove the last of these merges from the table of labels",
                )
        return seen[-1]

    def of(self, phrase: str) -> str:
        """The canonical label of a phrase; the words of one never filed."""
        label = self._filed.get(_normal(phrase))
        return self.canonical(slug(phrase) if label is None else label)

    def file(
        self,
        phrases: Iterable[str],
        labeller: Labeller,
        *,
        same_label: float,
        round: str,
    ) -> "Labels":
        """File phrases that were not filed before; the order given does not matter.

        Args:
            phrases: Words of uncovered subtasks.
            labeller: Who names them; it is asked once for each new phrase.
            same_label: Similarity, in [0, 1], from which the phrase of a new label
                makes it a synonym of a known one.
            round: Round that the filing is dated with.
        """
        labels = self
        for phrase in sorted({_normal(phrase) for phrase in phrases}):
            if phrase not in labels._filed:
                labels = labels._with(phrase, labeller, same_label, round)
        return labels

    def merge(self, from_label: str, to_label: str, why: str, round: str) -> "Labels":
        """The labels with one merged into another; nothing changes if it is already.

        Raises:
            TableError: If a label is not in its form: `slug` gives it.
        """
        for label in (from_label, to_label):
            if slug(label) != label:
                raise TableError(
                    f"label {label!r}",
                    seen="not a label's form",
                    expected=slug(label),
                    remedy="use that",
                )
        source, target = self.canonical(from_label), self.canonical(to_label)
        if source == target:
            return self
        merge = Merge(
            from_label=source, to_label=target, why=why[:_WHY_LIMIT], round=round
        )
        return replace(self, merges=(*self.merges, merge))

    def _with(
        self, phrase: str, labeller: Labeller, same_label: float, round: str
    ) -> "Labels":
        named, why = labeller.label(phrase, self.known)
        label = slug(named)
        filing = Filing(phrase=phrase, label=label, why=why[:_WHY_LIMIT], round=round)
        filed = replace(self, filings=(*self.filings, filing))
        if self.canonical(label) in self.known:
            return filed
        synonym = self._synonym(label, phrase, same_label)
        if synonym is None:
            return filed
        return filed.merge(label, synonym[0], synonym[1], round)

    def _synonym(
        self, label: str, phrase: str, same_label: float
    ) -> tuple[str, str] | None:
        mine = words(label)
        for known in self.known:
            if mine and mine == words(known):
                return known, f"{label} and {known} have the same words"
        nearest = max(
            (
                (alike(phrase, filing.phrase), filing.label, filing.phrase)
                for filing in sorted(self.filings, key=lambda filing: filing.phrase)
            ),
            default=(0.0, "", ""),
            key=lambda near: near[0],
        )
        if nearest[0] < same_label or not nearest[1]:
            return None
        why = f"{phrase!r} is like {nearest[2]!r} ({nearest[0]:.2f})"
        return self.canonical(nearest[1]), why


def slug(text: str) -> str:
    """A label's form: lower-case letters, digits, single hyphens, bounded length.

    Text without any Latin letter or digit gets a label made of its digest.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    joined = "-".join(re.findall(r"[a-z0-9]+", plain.lower()))
    if len(joined) > LABEL_LIMIT:
        cut = joined[: LABEL_LIMIT + 1].rfind("-")
        joined = joined[: cut if cut > 0 else LABEL_LIMIT]
    return joined or f"need-{digest('label', text)[:8]}"


def _normal(phrase: str) -> str:
    return " ".join(phrase.casefold().split())[:PHRASE_LIMIT]
