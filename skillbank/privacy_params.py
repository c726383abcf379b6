"""What a workspace says of privacy in params.yaml."""

import re

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field, field_validator

from skillbank.section import Section

BUILT_IN = ("secret", "email", "phone", "card", "iban", "account", "name", "user")
"""Kinds of private values that have a detector, and what a user becomes."""


class PrivacyParams(Section):
    """What is masked beside what is built in, and what never is."""

    patterns: dict[str, str] = Field(default={})
    """Kind to a pattern (RE2) of values that are masked too. Ours."""
    never: tuple[str, ...] = ()
    """Values that are never masked, such as a public address. Ours."""
    never_patterns: tuple[str, ...] = ()
    """Patterns (RE2) of whole values that are never masked. Ours."""

    @field_validator("patterns")
    @classmethod
    def _kinds(cls, patterns: dict[str, str]) -> dict[str, str]:
        for kind, pattern in patterns.items():
            if not re.fullmatch(r"[a-z][a-z0-9_]{0,30}", kind):
                raise ValueError(f"{kind!r} is no name: small letters, digits and _")
            if kind in BUILT_IN:
                raise ValueError(f"{kind!r} is built in; give another name")
            _check_pattern(pattern)
        return patterns

    @field_validator("never_patterns")
    @classmethod
    def _whole(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            _check_pattern(pattern)
        return patterns


def _check_pattern(pattern: str) -> None:
    """RE2 alone is offered: its time grows with the text and never explodes."""
    try:
        hit = pc.match_substring_regex(pa.array([""]), pattern)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{pattern!r} is no pattern of RE2: {error}") from None
    if hit[0].as_py():
        raise ValueError(f"{pattern!r} matches nothing at all, so it is everywhere")
