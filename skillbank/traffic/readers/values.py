"""What readers make of values that nobody vouches for.

Knows no format. Nothing here raises: a value of another type than expected, such as a
placeholder where a number was, means that the trace does not tell.
"""

import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import orjson

from skillbank.briefs.brief import Brief
from skillbank.codec import Json, digest
from skillbank.skills.shelf import Recall
from skillbank.traffic.run import SAMPLE, SkillUse

RESULT_LIMIT = 20_000
"""Most characters of a tool's result or argument that a run keeps, the mark included;
ours: what tells why a call failed is at its beginning or was summed up elsewhere."""
LARGEST = 2**53
"""Largest count or amount: beyond it a float has lost the last digit."""
_MARK = "… [{} more characters]"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_S = 253_402_300_799  # the end of the year 9999
_UNITS = ((10**11, 10**6), (10**14, 10**3), (10**17, 1))  # below: microseconds of one
_DIGITS = re.compile(r"[0-9]{10,19}")
_SKILL_FILE = re.compile(r"([A-Za-z0-9_][\w.-]{0,99})[/\\]{1,2}SKILL\.md\b")


def brief_of(text: str, id: str = "") -> Brief | None:
    """The brief of a text; None if it asks nothing.

    Args:
        text: What was asked.
        id: The task's, sample's or instance's id if the trace has one; empty: the same
            words, however spaced and cased, get the same id.
    """
    words = text.split()
    if not words:
        return None
    made = f"task-{digest(' '.join(words).casefold())[:16]}"
    return Brief(id=id or made, text=text)


def text_of(content: Json) -> str:
    """The words of a message: of a text, a part, or a list of both, a line each.

    What is no text (thoughts, images, tool calls) is left out.
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = (
        as_text(part.get("text")) if isinstance(part, dict) else as_text(part)
        for part in parts
    )
    return "\n".join(text for text in texts if text)


def arguments_of(value: Json) -> dict[str, str]:
    """A call's arguments by name, each bounded; what is no text is JSON.

    Args:
        value: An object, an object as JSON text, even twice encoded, or anything else,
            which becomes the one argument `input`.
    """
    for _ in range(2):
        if isinstance(value, str):
            value = parsed(value, value)
    if isinstance(value, dict):
        return {name: bounded(written(held)) for name, held in value.items()}
    return {} if value is None or value == "" else {"input": bounded(written(value))}


def written(value: Json) -> str:
    """A text as it is, nothing as nothing, anything else as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except (TypeError, ValueError):
        return "[cannot be written]"


def parsed(text: str | bytes, otherwise: Json = None) -> Json:
    """The value that a JSON text holds; `otherwise` if it is none."""
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return otherwise


def bounded(text: str) -> str:
    """A text of at most `RESULT_LIMIT` characters; what was cut is marked."""
    if len(text) <= RESULT_LIMIT:
        return text
    kept = RESULT_LIMIT - len(_MARK) - len(str(len(text)))
    return text[:kept] + _MARK.format(len(text) - kept)


def error_line(text: str) -> str:
    """The first line that says something, at most `SAMPLE` characters."""
    for line in text[:RESULT_LIMIT].splitlines():
        if words := " ".join(line.split()):
            return words if len(words) <= SAMPLE else f"{words[: SAMPLE - 1]}…"
    return ""


def iso_of(value: Json) -> str:
    """A time as ISO 8601; empty if it is none.

    Args:
        value: ISO text, which is kept as it is, or the time since 1970 in seconds,
            milliseconds, microseconds or nanoseconds, told apart by their size.
    """
    if isinstance(value, str):
        value = value.strip()
        if not _DIGITS.fullmatch(value):
            return value if is_time(value) else ""
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if not math.isfinite(value) or not 0 < value < 10**20:
        return ""
    for below, in_us in _UNITS:
        if value < below:
            us = round(value * in_us)
            break
    else:
        us = int(value) // 1000
    if us > _LAST_S * 10**6:
        return ""
    time = _EPOCH + timedelta(microseconds=us)
    return time.isoformat().replace("+00:00", "Z")


def is_time(text: str) -> bool:
    """Whether a text is a time in ISO 8601."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1024)
def time_of(text: str) -> datetime | None:
    """A time in UTC, which one without a zone is taken for; None if it is none."""
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def seconds_between(start: str, end: str) -> float | None:
    """Seconds from one ISO time to another; None if untold or the end comes first."""
    first, last = time_of(start), time_of(end)
    if first is None or last is None:
        return None
    seconds = (last - first).total_seconds()
    return seconds if seconds >= 0 else None


def number_of(value: Json) -> float | None:
    """A finite number, of either sign; None if it is none. Truth is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -LARGEST <= value <= LARGEST else None


def amount_of(value: Json) -> float | None:
    """Money or time: a number from 0 to `LARGEST`; None if it is none."""
    number = number_of(value)
    return number if number is not None and number >= 0 else None


def count_of(value: Json) -> int | None:
    """A whole number from 0 to `LARGEST`; None if it is none."""
    amount = amount_of(value)
    return int(value) if amount is not None and amount.is_integer() else None


def total(*parts: int | None) -> int | None:
    """Sum of what is told; None if nothing is, or it is beyond `LARGEST`."""
    told = [part for part in parts if part is not None]
    return sum(told) if told and sum(told) <= LARGEST else None


def id_of(value: Json) -> str:
    """An id as it is, or a digest of one that is longer than `SAMPLE` characters."""
    text = as_text(value).strip()
    return text if len(text) <= SAMPLE else digest(text)[:32]


def as_dict(value: Json) -> dict[str, Json]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Json) -> str:
    """The value if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def skill_name(text: str) -> str:
    """A skill's name without a plug-in's prefix: `a:b:name` is `name`."""
    return text.strip().rpartition(":")[2].strip().removeprefix("/")


def skills_read(text: str) -> tuple[str, ...]:
    """Names of the folders whose SKILL.md a command or path names, each once."""
    return tuple(dict.fromkeys(_SKILL_FILE.findall(text)))


def each_once(uses: Iterable[SkillUse]) -> tuple[SkillUse, ...]:
    """The first of each skill and way of using it, in order.

    One that failed gives way to a later one that did not.
    """
    found: dict[tuple[str, str], SkillUse] = {}
    for use in uses:
        key = (use.skill, use.how)
        if key not in found or (found[key].error and not use.error):
            found[key] = use
    return tuple(found.values())


def recalls_of(uses: Sequence[SkillUse]) -> tuple[Recall, ...]:
    """A recall for each skill that was opened or applied without an error.

    What was merely offered, or refused, had no part in the run.
    """
    found: dict[str, SkillUse] = {}
    for use in uses:
        if use.how == "offered" or use.error:
            continue
        before = found.get(use.skill)
        if before is None or before.how == "opened":
            found[use.skill] = use
    return tuple(
        Recall(
            subtask="",
            skill=use.skill,
            version=_version(use.version),
            relevance=1.0,
            reason=use.how,
        )
        for use in found.values()
    )


def _version(text: str) -> int:
    digits = text.removeprefix("v")
    whole = digits.isascii() and digits.isdecimal() and len(digits) < 16
    return int(digits) if whole else 0
