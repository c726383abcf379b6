"""What a model wrote, read strictly: the whole text is the answer, or there is none.

Nothing is cut out of prose, no fence is stripped and no bracket is closed: an answer
that needs such help is asked for once more instead.
"""

from collections.abc import Mapping

import orjson
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from skillbank.codec import Json

_SHOWN = 300  # characters of a problem: it is sent back to the model and stored


def parse(
    text: str, schema: Mapping[str, Json]
) -> tuple[Mapping[str, Json] | None, str]:
    """Read an answer.

    Args:
        text: All that the model wrote.
        schema: JSON schema of the answer, which is an object.

    Returns:
        The answer and an empty text, or None and what is wrong with it.
    """
    if not text.strip():
        return None, "the answer is empty"
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return None, f"the answer is not JSON: {error}"[:_SHOWN]
    problem = misfit(value, schema)
    return (None, problem) if problem else (value, "")


def misfit(value: Json, schema: Mapping[str, Json]) -> str:
    """Say how a value departs from a schema; empty if it fits."""
    try:
        orjson.dumps(value)
    except TypeError:
        return "the answer is nested too deep, or holds what JSON cannot"
    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is not None:
        where = "/".join(str(part) for part in error.absolute_path) or "the answer"
        return f"{where}: {error.message}"[:_SHOWN]
    return "" if isinstance(value, Mapping) else "the answer is not an object"
