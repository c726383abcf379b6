"""What users keep asking for, found in their words alone, without any model.

Texts become TF-IDF vectors, those become a few dimensions, and dense regions of these
become themes; up to `FEW` texts are compared each with each instead. A text that lies
near a theme of before is of that theme; one that lies near nothing stands for itself.
The cost grows with the number of texts, not with its square: dimensions are learnt on a
sample, and above `LIMIT` texts the regions are found among centres of small groups.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skillbank.codec import seed_of
from skillbank.evidence.few import linked
from skillbank.skills.words import terms, words

FEW = 2000
"""Texts, those of known themes among them, up to which each is compared with each:
half a second, and 32 MB for each such matrix."""
_PLAIN = 0.13  # a cosine of plain words, as a share of one of learnt dimensions
LIMIT = 15_000
"""Texts above which small groups are formed first; measured: density clustering takes
three seconds at ten thousand and forty at twenty."""
_SAMPLE = 20_000  # texts that dimensions are learnt on
_DIMENSIONS = 64
_FEATURES = 2**18
_CORE = 3  # texts that make a region dense
_GROUP = 20  # texts of a small group, about
_SPARSE = 4  # a theme has at least the root of the number of texts over this
_CHUNK = 8192  # texts whose similarities are held at a time
_NAMING = 3  # words of a theme's name
_OWN = 5  # words of the name of what is no theme: enough to be its own
_Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """What a text was taken to ask for."""

    name: str
    """Words that tell it from the others; empty: it lies near nothing."""
    why: str
    near: float
    """Cosine to the middle of the theme, in [-1, 1]; among few texts the mean cosine to
    its other texts; 0 without a theme."""


def themes(
    texts: Sequence[str],
    known: Mapping[str, str] | None = None,
    *,
    near: float = 0.6,
    least: int = 2,
    limit: int = LIMIT,
    seed: int = 0,
) -> tuple[Theme, ...]:
    """The theme of each text, in the order given.

    Args:
        texts: What was asked; the same text always gets the same theme.
        known: Text to the name of its theme, from before.
        near: Cosine from which a text is of a theme, and two themes are one, in (0, 1].
        least: Different texts that make a new theme; at least 2.
        limit: Texts above which small groups are formed first; no more than it are
            compared each with each.
        seed: Of the sample and of the small groups.

    Source:
        Density clusters by HDBSCAN (Campello, Moulavi, Sander 2013); names by
        class-based TF-IDF (Grootendorst 2022, arXiv:2203.05794).
    """
    distinct = sorted({*texts})
    before = sorted((known or {}).items())
    if not distinct:
        return ()
    if len(distinct) + len(before) <= min(FEW, limit):
        found = _of_few(distinct, dict(before), near, least)
    else:
        found = _of_many(distinct, before, near, (least, limit), seed)
    alone = Theme(name="", why="near no other text", near=0.0)
    return tuple(found.get(text, alone) for text in texts)


def _of_few(
    distinct: Sequence[str], known: Mapping[str, str], near: float, least: int
) -> dict[str, Theme]:
    """Each compared with each."""
    made = linked(distinct, known, near * _PLAIN, max(least, 2))
    found = {
        text: Theme(
            name=name, why=f"near a known theme ({value:.2f})", near=round(value, 6)
        )
        for text, (name, value) in made.known.items()
    }
    place = {text: n for n, group in enumerate(made.groups) for text in group}
    told = sorted(place)
    groups = np.array([place[text] for text in told], dtype=int)
    names = _names(told, groups, len(made.groups), set(known.values()))
    for text in told:
        held = made.groups[place[text]]
        found[text] = Theme(
            name=names[place[text]],
            why=_one_of(len(held)),
            near=round(made.near[text], 6),
        )
    return found


def _of_many(
    distinct: Sequence[str],
    before: Sequence[tuple[str, str]],
    near: float,
    sizes: tuple[int, int],
    seed: int,
) -> dict[str, Theme]:
    """Dense regions among learnt dimensions."""
    vectors = _vectors([*distinct, *(text for text, _ in before)], seed)
    mine, theirs = vectors[: len(distinct)], vectors[len(distinct) :]
    found: dict[str, Theme] = {}
    if before:
        _by_known(distinct, mine, [name for _, name in before], theirs, near, found)
    rest = [row for row, text in enumerate(distinct) if text not in found]
    taken = {name for _, name in before}
    groups = _joined(mine[rest], _dense(mine[rest], *sizes, seed), near)
    _by_density([distinct[row] for row in rest], mine[rest], groups, taken, found)
    return found


def _one_of(many: int) -> str:
    return f"one of {many} different texts that are alike"


def _vectors(texts: Sequence[str], seed: int) -> _Vectors:
    """Unit vectors of a few dimensions; a text without telling words is all zero."""
    # takes seconds to import, and only those who look for themes need it
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer
    from sklearn.preprocessing import normalize

    counted = HashingVectorizer(
        n_features=_FEATURES, analyzer=terms, alternate_sign=False, norm=None
    ).transform(texts)
    rng = np.random.default_rng(seed_of("themes", seed) % 2**32)
    rows = np.arange(len(texts))
    if len(texts) > _SAMPLE:
        rows = np.sort(rng.choice(rows, _SAMPLE, replace=False))
    # words that the sample lacks have no part in its dimensions, and cost as much
    counted = counted[:, np.flatnonzero(counted[rows].getnnz(axis=0))]
    if not counted.shape[1]:
        return np.zeros((len(texts), 1))
    weighted = TfidfTransformer(sublinear_tf=True).fit(counted[rows]).transform(counted)
    # with as many as texts nothing would be learnt of which words go together
    most = min(_DIMENSIONS, 2 * len(rows) // 3, counted.shape[1] - 1)
    if most < 2:  # of so few texts, or words, there is nothing to reduce
        few: _Vectors = normalize(weighted).toarray()
        return few
    reduced = TruncatedSVD(most, random_state=int(rng.integers(2**31)))
    with np.errstate(invalid="ignore"):  # of its explained shares, where all are alike
        reduced.fit(weighted[rows])
    made: _Vectors = normalize(reduced.transform(weighted))
    return made


def _by_known(
    texts: Sequence[str],
    vectors: _Vectors,
    names: Sequence[str],
    theirs: _Vectors,
    near: float,
    found: dict[str, Theme],
) -> None:
    """Give texts the known theme in whose middle they nearly are."""
    each = sorted(set(names))
    place = {name: row for row, name in enumerate(each)}
    middles = _middles(theirs, np.array([place[name] for name in names]), len(each))
    best, likeness = _nearest(vectors, middles)
    for row in np.flatnonzero(likeness >= near).tolist():
        value = float(likeness[row])
        found[texts[row]] = Theme(
            name=each[best[row]],
            why=f"near a known theme ({value:.2f})",
            near=round(value, 6),
        )


def _nearest(vectors: _Vectors, middles: _Vectors) -> tuple[NDArray[np.intp], _Vectors]:
    """The middle that each vector is most like, and how much; chunk by chunk."""
    best = np.zeros(len(vectors), dtype=np.intp)
    likeness = np.zeros(len(vectors))
    for start in range(0, len(vectors), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        each = vectors[chunk] @ middles.T
        best[chunk], likeness[chunk] = each.argmax(axis=1), each.max(axis=1)
    return best, likeness


def _middles(vectors: _Vectors, group: NDArray[Any], n: int) -> _Vectors:
    """The unit vector in the middle of each group."""
    sums = np.zeros((n, vectors.shape[1]))
    np.add.at(sums, group, vectors)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    middles: _Vectors = sums / np.where(lengths > 0, lengths, 1)
    return middles


def _by_density(
    texts: Sequence[str],
    vectors: _Vectors,
    groups: NDArray[Any],
    taken: set[str],
    found: dict[str, Theme],
) -> None:
    """Give texts in dense regions a theme, named after the words that tell it."""
    n = int(groups.max(initial=-1)) + 1
    if not n:
        return
    names = _names(texts, groups, n, taken)
    inside = groups >= 0
    middles = _middles(vectors[inside], groups[inside], n)
    sizes = np.bincount(groups[inside])
    for row in np.flatnonzero(inside).tolist():
        group = int(groups[row])
        found[texts[row]] = Theme(
            name=names[group],
            why=_one_of(sizes[group]),
            near=round(float(vectors[row] @ middles[group]), 6),
        )


def _dense(vectors: _Vectors, least: int, limit: int, seed: int) -> NDArray[Any]:
    """The dense region of each row; -1 for those in none."""
    least = max(least, _CORE)
    if len(vectors) < least:
        return np.full(len(vectors), -1)
    from sklearn.cluster import HDBSCAN, MiniBatchKMeans

    if len(vectors) <= limit:
        # among many texts three that are alike by chance are no theme
        smallest = max(least, round(math.sqrt(len(vectors)) / _SPARSE))
        method = HDBSCAN(min_cluster_size=smallest, min_samples=least, copy=True)
        return _regions(method, vectors)
    made = MiniBatchKMeans(
        min(limit, max(2, len(vectors) // _GROUP)),
        random_state=seed % 2**32,
        batch_size=_CHUNK,
        n_init=1,
        init="random",
        max_iter=5,
    ).fit(vectors)
    small: NDArray[Any] = made.labels_
    regions = _regions(HDBSCAN(min_cluster_size=2, copy=True), made.cluster_centers_)
    # a small group that lies alone is a theme of its own if it is large enough
    sizes = np.bincount(small, minlength=len(regions))
    alone = np.flatnonzero((regions < 0) & (sizes >= least))
    regions[alone] = regions.max() + 1 + np.arange(len(alone))
    found: NDArray[Any] = regions[small]
    return found


def _joined(vectors: _Vectors, groups: NDArray[Any], near: float) -> NDArray[Any]:
    """Regions whose middles are near each other as one, with the texts near them."""
    from sklearn.cluster import AgglomerativeClustering

    n = int(groups.max(initial=-1)) + 1
    if not n:
        return groups
    inside = groups >= 0
    middles = _middles(vectors[inside], groups[inside], n)
    if n > 1:
        alike = AgglomerativeClustering(
            None, metric="cosine", linkage="average", distance_threshold=1 - near
        ).fit_predict(middles)
        groups = np.where(inside, alike[groups], -1)
        middles = _middles(vectors[inside], groups[inside], int(alike.max()) + 1)
    best, likeness = _nearest(vectors, middles)
    return np.where((groups < 0) & (likeness >= near), best, groups)


def _regions(method: Any, vectors: _Vectors) -> NDArray[Any]:
    found: NDArray[Any] = method.fit_predict(vectors)
    kept: NDArray[Any] = np.maximum(found, -1)
    return kept


def _names(
    texts: Sequence[str], groups: NDArray[Any], n: int, taken: set[str]
) -> list[str]:
    """A name for each group: the words that are frequent in it and rare elsewhere."""
    counts: list[Counter[str]] = [Counter() for _ in range(n)]
    everywhere: Counter[str] = Counter()
    for text, group in zip(texts, groups.tolist(), strict=True):
        if group >= 0:
            counts[group].update(terms(text))
            everywhere.update(terms(text))
    mean = sum(everywhere.values()) / max(n, 1)
    used = set(taken)
    names = []
    for count in counts:
        weight = {
            word: times * math.log1p(mean / everywhere[word])
            for word, times in count.items()
        }
        # what is as short as `hi` comes last: it tells nothing, at least in Latin
        ranked = sorted(weight, key=lambda w: (_is_short(w), -weight[w], w))
        name = "-".join(ranked[:_NAMING])
        longer = _NAMING
        while name in used and longer < len(ranked):
            longer += 1
            name = "-".join(ranked[:longer])
        used.add(name)
        names.append(name)
    return names


class ThemeLabeller:
    """Names needs after themes; see `skillbank.world.Labeller`.

    Args:
        near: Cosine from which a phrase is of a known theme.
        least: Different phrases that make a theme.
        seed: Of the samples.
    """

    def __init__(self, near: float = 0.6, least: int = 2, seed: int = 0) -> None:
        self._near, self._least, self._seed = near, least, seed
        self._found: dict[str, Theme] = {}

    def study(self, phrases: Sequence[str], filed: Mapping[str, str]) -> None:
        """Find the themes of all phrases at once."""
        made = themes(
            phrases, filed, near=self._near, least=self._least, seed=self._seed
        )
        self._found = dict(zip(phrases, made, strict=True))

    def label(self, phrase: str, known: Sequence[str]) -> tuple[str, str]:
        """The theme's name; of a phrase that lies near nothing its first words."""
        theme = self._found.get(phrase)
        if theme is None or not theme.name:
            telling = [word for word in words(phrase) if _tells(word, phrase)]
            own = "-".join(dict.fromkeys(telling[:_OWN])) or phrase
            return own, "near no other phrase; named after its words"
        return theme.name, theme.why


def _tells(word: str, phrase: str) -> bool:
    return word.isalpha() and word in terms(phrase) and not _is_short(word)


def _is_short(word: str) -> bool:
    return len(word) < 3 and word.isascii()
