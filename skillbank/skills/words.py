"""Words of a text as retrieval and duplicate checks compare them."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# A run of letters and digits; of scripts without blanks each character is a word.
_WORD = re.compile(r"[぀-ヿ㐀-䶿一-鿿가-힯]|[^\W_぀-ヿ㐀-䶿一-鿿가-힯]+")
# Words that say nothing of a task, and those that every trigger condition opens with.
_STOP_WORDS = """
a about after all also an and any are as at be been before being but by can could do
does doing for from had has have having how i if in into is it its just may me might
more most must my need needed needs no nor not of off on one only or other our out over
own please same shall she should so some such than that the their them then there these
they this those through to too under until up upon us use used user users uses using
very want wants was we were what when whenever where which while who why will with
within without would you your
"""
_STOP = frozenset(_STOP_WORDS.split())


@lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """All words in their order: case folded, plurals made singular, numbers kept."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return tuple(_singular(word) for word in _WORD.findall(folded))


@lru_cache(maxsize=65536)
def terms(text: str) -> tuple[str, ...]:
    """The different words that say something of a task, sorted."""
    return tuple(sorted(set(_telling(text))))


def _telling(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    for word in _WORD.findall(folded):
        if word not in _STOP:
            yield _singular(word)


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]
