"""The offline labeller: a need that no skill serves gets the nearest known label."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from studio.labels import PHRASES

_WORD = re.compile(r"[a-z]+")
_SMALL_WORDS = """
a an and at be by can for from in into is it its of on or so that the their this
to up with where which place set show draw make put write lay out list add name
arrange poster banner story format board people
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_ENOUGH = 0.3  # share of the phrase's words that a known label must explain


class StudioLabeller:
    """The studio's labeller; see `skillbank.world.Labeller`."""

    def study(self, phrases: Sequence[str], filed: Mapping[str, str]) -> None:
        """It knows its words already."""

    def label(self, phrase: str, known: Sequence[str]) -> tuple[str, str]:
        """The nearest of `known`, else the studio's name, else the phrase's words."""
        words = _words(phrase)
        best = max(
            known, key=lambda name: (_explained(words, name), name), default=None
        )
        if best is not None and _explained(words, best) >= _ENOUGH:
            shared = ", ".join(sorted(words & _about(best)))
            return best, f"shares the words {shared}"
        own = max(PHRASES, key=lambda name: (_explained(words, name), name))
        if _explained(words, own) >= _ENOUGH:
            return own, "no known label fits; named after what is drawn"
        name = "-".join(sorted(words)[:3]) or "other"
        return name, "no known label fits; named after its words"


@lru_cache(maxsize=8192)
def _words(phrase: str) -> frozenset[str]:
    return frozenset(_WORD.findall(phrase.lower())) - _SMALL


@lru_cache(maxsize=8192)
def _about(label: str) -> frozenset[str]:
    phrases = " ".join(PHRASES.get(label, ()))
    return _words(f"{label.replace('-', ' ')} {phrases}")


def _explained(words: frozenset[str], label: str) -> float:
    return len(words & _about(label)) / len(words) if words else 0.0
