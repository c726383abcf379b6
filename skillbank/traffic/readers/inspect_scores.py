"""Scores of an Inspect sample as ratings: values of any type, and who gave them."""

import re
from collections.abc import Iterator, Mapping

from skillbank.codec import Json
from skillbank.traffic.readers.ratings import direction
from skillbank.traffic.readers.values import (
    as_dict,
    as_list,
    as_text,
    bounded,
    number_of,
    text_of,
)
from skillbank.traffic.run import Provenance, Rating

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect, no answer, as Inspect itself turns them into numbers."""
_JUDGED = re.compile(r"model_graded|llm_judge|_judge\b|\bjudge_|graded_by_model")
_MOST = 200  # ratings of a sample; a scorer may give one for each of many aspects


def ratings_of(
    scores: Mapping[str, Json], accurate: frozenset[str]
) -> tuple[Rating, ...]:
    """A rating for each value that a scorer gave.

    Args:
        scores: By the name of the scorer, as in the sample.
        accurate: Scorers whose numbers are known to be better high.
    """
    found = []
    for scorer, score in scores.items():
        told = as_dict(score)
        for name, value in _values(scorer, told.get("value")):
            found.append(_rating(name, value, told, scorer in accurate))
    return tuple(found[:_MOST])


def _values(scorer: str, value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        for name, held in value.items():
            yield f"{scorer}.{name}", held
    elif isinstance(value, list):
        for number, held in enumerate(value, start=1):
            yield f"{scorer}.{number}", held
    else:
        yield scorer, value


def _rating(name: str, value: Json, told: Mapping[str, Json], accurate: bool) -> Rating:
    letter = _LETTERS.get(value) if isinstance(value, str) else None
    number = float(value) if isinstance(value, bool) else number_of(value)
    number = letter if number is None else number
    words = value if isinstance(value, str) and letter is None else ""
    why = text_of(told.get("explanation"))
    known = letter is not None or isinstance(value, bool) or accurate
    return Rating(
        name=name[:200],
        value=number,
        text=bounded("\n".join(text for text in (words, why) if text)),
        provenance=_provenance(name, told),
        higher_is_better=True if known else direction(name),
    )


def _provenance(name: str, told: Mapping[str, Json]) -> Provenance:
    """A person where the score was edited by hand, a model where its name says so."""
    history = as_list(told.get("history"))
    last = as_dict(history[-1]) if history else {}
    author = as_text(as_dict(last.get("provenance")).get("author"))
    if author or name.startswith("human"):
        return "human"
    return "model" if _JUDGED.search(name[:200]) else "check"
