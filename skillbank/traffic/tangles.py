"""Which rows of a dataset may tell of the same use: groups that share keys."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def tangles(ties: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield groups of rows that share a key, directly or through others.

    A row that shares no key with another is in none of them: it stands for itself.

    Args:
        ties: Keys of each row, shape (rows, keys); 0 is no key.

    Yields:
        Row numbers, ascending, by the first of them.
    """
    flat = ties.ravel()
    places = np.flatnonzero(flat)
    keys = flat[places]
    ordered = np.sort(keys)  # a fifth of the time of np.unique over all of them
    again = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    shared = np.isin(keys, again)
    rows = places[shared] // max(ties.shape[1], 1)
    if not len(rows):
        return
    names, row = np.unique(rows, return_inverse=True)
    kept, column = np.unique(keys[shared], return_inverse=True)
    n = len(names) + len(kept)  # rows and keys are the nodes of one graph
    edges = (np.ones(len(row), dtype=bool), (row, len(names) + column))
    _, group = connected_components(coo_array(edges, shape=(n, n)), directed=False)
    order = np.argsort(group[: len(names)], kind="stable")
    found = np.split(
        names[order], np.flatnonzero(np.diff(group[: len(names)][order])) + 1
    )
    yield from sorted(found, key=lambda rows: int(rows[0]))
