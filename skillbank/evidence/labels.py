"""Canonical labels of what nobody has a skill for, and how each came about.

A labeller names a phrase; here the name is bounded, compared with the known ones, and
merged with a synonym. Every filing and every merge is kept with its reason, and nothing
is ever renamed: an old label is followed to what it was merged into.
"""

import re
import unicodedata
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import ceil

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
        new = sorted({_normal(phrase) for phrase in phrases} - self._filed.keys())
        if not new:
            return self
        labeller.study(new, self._filed)
        filer = _Filer(self, same_label, round)
        for phrase in new:
            filer.file(phrase, *labeller.label(phrase, filer.known))
        return Labels(filings=tuple(filer.filings), merges=tuple(filer.merges))

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


class _Filer:
    """Files phrase after phrase, each compared only with those that share a word."""

    def __init__(self, labels: Labels, same_label: float, round: str) -> None:
        self.filings = list(labels.filings)
        self.merges = list(labels.merges)
        self._labels, self._same_label, self._round = labels, same_label, round
        self._merged: dict[str, str] = {}  # what this filing merged
        self.known: list[str] = []
        """The canonical labels so far, sorted."""
        self._by_words: dict[frozenset[str], list[str]] = {}
        self._with_word: dict[str, list[Filing]] = {}
        for label in labels.known:
            self._know(label)
        for filing in self.filings:
            self._index(filing)

    def file(self, phrase: str, named: str, why: str) -> None:
        """File a phrase as it was named, and merge its label with a synonym's."""
        label = slug(named)
        own = self._canonical(label)
        is_new = not self._is_known(own)
        synonym = self._synonym(label, phrase) if is_new else None
        filing = Filing(
            phrase=phrase, label=label, why=why[:_WHY_LIMIT], round=self._round
        )
        self.filings.append(filing)
        self._index(filing)
        if synonym is not None and synonym[0] != own:
            to_label, why = synonym
            self._merged[own] = to_label
            self.merges.append(
                Merge(
                    from_label=own,
                    to_label=to_label,
                    why=why[:_WHY_LIMIT],
                    round=self._round,
                )
            )
        elif is_new:
            self._know(own)

    def _canonical(self, label: str) -> str:
        label = self._labels.canonical(label)
        while label in self._merged:
            label = self._merged[label]
        return label

    def _is_known(self, label: str) -> bool:
        at = bisect_left(self.known, label)
        return at < len(self.known) and self.known[at] == label

    def _know(self, label: str) -> None:
        if not self._is_known(label):
            insort(self.known, label)
            insort(self._by_words.setdefault(words(label), []), label)

    def _index(self, filing: Filing) -> None:
        for word in words(filing.phrase):
            self._with_word.setdefault(word, []).append(filing)

    def _synonym(self, label: str, phrase: str) -> tuple[str, str] | None:
        """A known label that means the same, and why; the first by name or phrase."""
        mine = words(label)
        if mine and (same := self._by_words.get(mine)):
            return same[0], f"{label} and {same[0]} have the same words"
        nearest = min(
            (
                (-alike(phrase, filing.phrase), filing.phrase, filing.label)
                for filing in self._candidates(phrase)
            ),
            default=(0.0, "", ""),
        )
        if -nearest[0] < self._same_label or not nearest[2]:
            return None
        why = f"{phrase!r} is like {nearest[1]!r} ({-nearest[0]:.2f})"
        return self._canonical(nearest[2]), why

    def _candidates(self, phrase: str) -> Iterator[Filing]:
        """Filings that may be alike enough.

        To share so much of all words a phrase must share one of its rarest: those that
        are left once as many are taken away as may differ.
        """
        mine = sorted(words(phrase), key=lambda w: (len(self._with_word.get(w, ())), w))
        shared = ceil(len(mine) * self._same_label - 1e-9)  # 30 * 0.1 is above 3
        may_differ = len(mine) - shared
        seen: set[str] = set()
        for word in mine[: may_differ + 1]:
            for filing in self._with_word.get(word, ()):
                if filing.phrase not in seen:
                    seen.add(filing.phrase)
                    yield filing


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
