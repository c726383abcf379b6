"""Themes of few texts: each is compared with each, and the alike are linked.

Density needs many texts, and dimensions are learnt on many; where there are few, words
that two of them share are all there is to go by. Texts are linked while their mean
likeness lasts (average linkage), so one text in common does not chain two themes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skillbank.skills.words import terms

_Likeness = NDArray[np.float64]
_Groups = NDArray[np.intp]
_CLEARLY = 1e-9  # a last bit must not decide


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What few texts belong to."""

    known: Mapping[str, tuple[str, float]]
    """Text to a known theme, and its mean likeness to that theme's texts."""
    groups: tuple[tuple[str, ...], ...]
    """Texts that are alike, of those that are of no known theme; sorted."""
    near: Mapping[str, float]
    """Mean likeness of a text of a group to the others in it."""


def linked(
    texts: Sequence[str], known: Mapping[str, str], bar: float, least: int
) -> Linked:
    """Give texts a known theme, and group the others.

    Args:
        texts: Different texts, sorted; cost grows with the square of their number.
        known: Text to the name of its theme, from before.
        bar: Mean cosine, by weighted words, from which texts are alike, in (0, 1].
        least: Texts that make a group, at least 2.

    Source:
        Average linkage: Sokal and Michener 1958.
    """
    before = sorted(known.items())
    alike = _likeness([*texts, *(text for text, _ in before)])
    n = len(texts)
    names = [name for _, name in before]
    found = _by_known(texts, alike[:n, n:], names, bar)
    rest = [row for row, text in enumerate(texts) if text not in found]
    own = alike[np.ix_(rest, rest)]
    group, mean = _settled(own, _groups(own, bar), bar)
    groups: dict[int, list[str]] = {}
    near = {}
    for row, at in enumerate(group.tolist()):
        groups.setdefault(at, []).append(texts[rest[row]])
        near[texts[rest[row]]] = float(mean[row])
    held = sorted(tuple(some) for some in groups.values() if len(some) >= least)
    return Linked(
        known=found,
        groups=tuple(held),
        near={text: near[text] for some in held for text in some},
    )


def _likeness(texts: Sequence[str]) -> _Likeness:
    """Cosine of each text with each; one without telling words is like none."""
    # takes seconds to import, and only those who look for themes need it
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not any(map(terms, texts)):
        return np.zeros((len(texts), len(texts)))
    rows = TfidfVectorizer(analyzer=terms, sublinear_tf=True).fit_transform(texts)
    alike: _Likeness = (rows @ rows.T).toarray()
    return np.clip(alike, 0, 1)


def _by_known(
    texts: Sequence[str], alike: _Likeness, names: Sequence[str], bar: float
) -> dict[str, tuple[str, float]]:
    if not names:
        return {}
    each = sorted(set(names))
    place = {name: row for row, name in enumerate(each)}
    member = np.zeros((len(names), len(each)))
    member[np.arange(len(names)), [place[name] for name in names]] = 1
    means = alike @ member / member.sum(axis=0)
    best = means.argmax(axis=1)
    return {
        text: (each[at], float(means[row, at]))
        for row, (text, at) in enumerate(zip(texts, best.tolist(), strict=True))
        if means[row, at] >= bar
    }


def _groups(alike: _Likeness, bar: float) -> _Groups:
    from sklearn.cluster import AgglomerativeClustering

    if len(alike) < 2:
        return np.zeros(len(alike), dtype=np.intp)
    method = AgglomerativeClustering(
        None, metric="precomputed", linkage="average", distance_threshold=1 - bar
    )
    group: _Groups = method.fit_predict(1 - alike)
    return group


def _settled(alike: _Likeness, group: _Groups, bar: float) -> tuple[_Groups, _Likeness]:
    """Each text in the group that it is most like, and how much; itself left out.

    A rare word that two texts happen to share links them first, whatever else they say.
    """
    if not len(group):
        return group, np.zeros(0)
    member = np.eye(int(group.max()) + 1)[group]
    others = member.sum(axis=0) - member
    sums = (alike - np.diag(np.diag(alike))) @ member
    means = sums / np.maximum(others, 1)
    each = np.arange(len(group))
    best = means.argmax(axis=1)
    moves = means[each, best] >= np.maximum(bar, means[each, group] + _CLEARLY)
    settled = np.where(moves, best, group)
    return settled, means[each, settled]
