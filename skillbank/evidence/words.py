"""How alike two texts are, by the words they share.

Knows nothing about any world's vocabulary; a word is a word.
"""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_SMALL = """a an and are as at be by for from in into is it its of on or our that the
their this to we with you your"""
_STOP = frozenset(_WORD.findall(_SMALL))


@lru_cache(maxsize=65536)
def words(text: str) -> frozenset[str]:
    """The words of a text: case folded, without small words and a plural's s."""
    found = _WORD.findall(text.casefold())
    return frozenset(_singular(word) for word in found if word not in _STOP)


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Jaccard similarity of two sets, in [0, 1]; two empty ones share nothing."""
    both = len(first & second)
    return both / (len(first) + len(second) - both) if both else 0.0


def alike(first: str, second: str) -> float:
    """Share of the two texts' words that both have, in [0, 1]."""
    return overlap(words(first), words(second))
