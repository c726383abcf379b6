"""Strata: kinds of briefs that a change may be about, and how each is named.

A name is one or more of `cohort=...`, `subtask=...` and `check=...`, in that order,
with a comma and a blank between them. A subtask or a check is met by a requirement of
that subtask and of that kind: both by one and the same.
"""

import re
from collections.abc import Mapping

from skillbank.briefs.brief import Brief

_KEYS = ("cohort", "subtask", "check")
_BETWEEN = re.compile(rf", (?=(?:{'|'.join(_KEYS)})=)")


def stratum(*, cohort: str = "", subtask: str = "", check: str = "") -> str:
    """The name of a stratum; empty if nothing narrows it."""
    given = zip(_KEYS, (cohort, subtask, check), strict=True)
    return ", ".join(f"{key}={value}" for key, value in given if value)


def is_stratum(name: str) -> bool:
    """Whether a name says a kind of briefs."""
    return bool(_parts(name))


def within(brief: Brief, name: str) -> bool:
    """Whether a brief is of a stratum; none is of a name that says nothing."""
    parts = _parts(name)
    if not parts or parts.get("cohort", brief.cohort) != brief.cohort:
        return False
    if "subtask" not in parts and "check" not in parts:
        return True
    return any(
        parts.get("subtask", need.subtask) == need.subtask
        and parts.get("check", need.kind) == need.kind
        for need in brief.requirements
    )


def _parts(name: str) -> Mapping[str, str]:
    """What a name says by key; nothing if it cannot be read."""
    pairs = [part.partition("=") for part in _BETWEEN.split(name)]
    parts = {key: value for key, _, value in pairs}
    order = [key for key, _, _ in pairs]
    known = order == [key for key in _KEYS if key in parts]
    return parts if known and all(parts.values()) else {}
