"""Single values beside the tables: JSON files, written whole or not at all."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from skillbank.codec import dump, load
from skillbank.errors import TableError

T = TypeVar("T")


def write_text(path: Path, text: str) -> None:
    """Write a text under a temporary name, then rename it into its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def write_value(path: Path, value: object) -> None:
    """Write a value as JSON."""
    write_text(path, dump(value))


def read_value(path: Path, kind: Any, remedy: str) -> Any:
    """Read a value back.

    Args:
        path: Its file, which is there.
        kind: The type that it was written as.
        remedy: What to do if it is damaged.

    Raises:
        TableError: If the file holds no such value.
    """
    try:
        return load(kind, path.read_bytes())
    except (OSError, ValidationError) as error:
        raise TableError(
            str(path),
            seen=" ".join(str(error).split()),
            expected="what a round wrote there",
            remedy=remedy,
        ) from error
