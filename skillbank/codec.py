"""Values to bytes and back, and the keys and seeds that are made of them.

One encoding serves tables, journal, hashes and plans: canonical JSON, so that equal
values have equal bytes on every machine.
"""

import hashlib
from dataclasses import is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, TypeAdapter

T = TypeVar("T")
Json = Any
"""What JSON holds; `Any` because values enter and leave the program here."""


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _encodable(value: object) -> object:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return value._asdict()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"cannot encode {type(value).__name__}")


def encode(value: object) -> bytes:
    """Canonical JSON of a value: sorted keys, no blanks, UTF-8.

    Args:
        value: JSON types, dataclasses, tuples, fractions and sets of them.

    Raises:
        TypeError: If something in the value has no JSON form.
    """
    return orjson.dumps(
        value, default=_encodable, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
    )


def dump(value: object) -> str:
    """`encode` as text."""
    return encode(value).decode()


def load(kind: type[T], text: str | bytes) -> T:
    """Read a value of a dataclass (or any type pydantic knows) back from its JSON.

    Raises:
        pydantic.ValidationError: If the text is not such a value.
    """
    adapter: TypeAdapter[T] = _adapter(kind)  # type: ignore[arg-type] # types hash
    return adapter.validate_json(text)


def is_text(value: str) -> bool:
    """Whether UTF-8, and with it JSON, can hold a text: no lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def digest(*parts: object) -> str:
    """SHA-256 over the canonical JSON of the parts, as 64 hexadecimal digits."""
    return hashlib.sha256(encode(parts)).hexdigest()


def seed_of(*parts: object) -> int:
    """A seed in [0, 2**63) that depends on every part and on nothing else."""
    return int(digest("seed", *parts)[:16], 16) >> 1


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass as a dict, not copied and not recursive."""
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} is not a dataclass")
    return {name: getattr(value, name) for name in value.__dataclass_fields__}
