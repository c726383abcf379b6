"""Round ids: r0001, r0002, ... and their order."""

import re

from skillbank.errors import TableError

_ID = re.compile(r"r(\d{4,})")


def round_id(number: int) -> str:
    """The id of a round, from its number (1 is the first)."""
    return f"r{number:04d}"


def is_round_id(name: str) -> bool:
    """Whether a name is that of a round."""
    return _ID.fullmatch(name) is not None


def round_number(round: str) -> int:
    """The number of a round, for order: r10000 comes after r9999.

    Raises:
        TableError: If it is no round id.
    """
    match = _ID.fullmatch(round)
    if match is None:
        raise TableError(
            "round id",
            seen=repr(round),
            expected="r and at least four digits, such as r0001",
            remedy="name the round as `skillbank rounds` lists it",
        )
    return int(match[1])
