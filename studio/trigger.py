"""Trigger conditions: when to use a card, from the phrases that it answers."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random

_WORD = re.compile(r"[a-z]+")
_SMALL_WORDS = """
a an and are as at be by for from in is it its of on or so that the their this
to up when where which with
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_COMMON_WORDS = """
place set show put make write draw lay out list add name arrange read people can
poster banner story board
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_HASTY = 0.25  # share of triggers that keep the common words as well
_MOST = 7
_LONGEST = 400  # characters


def trigger(label: str, phrases: Sequence[str], rng: Random) -> str:
    """A trigger condition from the words that most phrases share.

    A hasty one keeps the words that every part of a board has, and so misfires.
    """
    counts = Counter(
        word
        for phrase in dict.fromkeys(phrases)
        for word in dict.fromkeys(_WORD.findall(phrase.lower()))
        if word not in _SMALL
    )
    hasty = rng.random() < _HASTY
    words = [
        word
        for word, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        if hasty or word not in _COMMON
    ]
    said = ", ".join(words[:_MOST]) or label
    return f"Use when a part of the board is about {said}."


def merged_trigger(description: str, others: Sequence[str]) -> str:
    """A trigger condition that covers the superseded cards' as well."""
    known = set(_WORD.findall(description.lower()))
    more = [
        word
        for text in others
        for word in dict.fromkeys(_WORD.findall(text.lower()))
        if word not in known | _SMALL | _COMMON | {"use", "part", "about"}
    ]
    if not more:
        return description
    return f"{description.rstrip('. ')}; also {', '.join(more[:8])}."[:_LONGEST]
