"""How alike two texts are, by the telling words that they share."""

from skillbank.skills.words import terms


def words(text: str) -> frozenset[str]:
    """The telling words of a text, as retrieval reads it."""
    return frozenset(terms(text))


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Jaccard similarity of two sets, in [0, 1]; two empty ones share nothing."""
    both = len(first & second)
    return both / (len(first) + len(second) - both) if both else 0.0


def alike(first: str, second: str) -> float:
    """Share of the two texts' words that both have, in [0, 1]."""
    return overlap(words(first), words(second))
