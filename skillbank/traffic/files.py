"""From a file or a folder of any known formats to runs and misfits.

Links are never followed: one that leads out of the folder is named, one within it is
left alone because its file is read where it lies.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from skillbank.errors import TrafficError
from skillbank.traffic.readers import Reader, reader_of, readers_for, recognise
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import Misfit, Run

NO_COLUMNS: Mapping[str, str] = MappingProxyType({})


class _Ask(NamedTuple):
    """Whom to ask about a file."""

    readers: Mapping[str, Reader]
    forced: bool
    """The format was given: there is one reader, and nothing is recognised."""

    def about(self, path: Path) -> tuple[Reader | None, str]:
        if self.forced:
            return next(iter(self.readers.values())), "as given"
        format, why = recognise(path, self.readers)
        return self.readers.get(format), why


def read(
    path: Path, format: str = "auto", columns: Mapping[str, str] = NO_COLUMNS
) -> Iterator[Run | Misfit]:
    """Yield what a file or folder holds, files by their sorted path.

    Args:
        path: A file, or a folder that is read with all folders below it; names that
            begin with a dot are left alone.
        format: A name in `READERS`, `mapped`, or `auto`: each file is recognised by its
            content.
        columns: For tables of any shape: what a run has to the column that holds it.

    Raises:
        TrafficError: At once, if there is no such path, the folder holds no file or
            cannot be read, or there is no such format.
        ParamsError: If the columns are no mapping of a run. Whatever is wrong with a
            single file, line or value is yielded as a `Misfit`.
    """
    readers = readers_for(columns)
    if format != "auto":
        readers = {format: reader_of(format, readers)}
    ask = _Ask(readers, forced=format != "auto")
    if path.is_dir():
        return _folder(path, _names(path), ask)
    if not path.exists():
        raise _unusable(path, "nothing of that name")
    if not os.access(path, os.R_OK):
        raise _unusable(path, "a file that may not be read")
    return _file(path, path.name, ask)


def _names(folder: Path) -> list[str]:
    """Everything below a folder that is not a folder, as sorted relative paths."""
    if not os.access(folder, os.R_OK | os.X_OK):
        raise _unusable(folder, "a folder that may not be read")
    found = []
    for place, folders, files in os.walk(folder, followlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if Path(place, name).is_symlink()]
        closed = [name for name in folders if not _open(Path(place, name))]
        found += [
            Path(place, name).relative_to(folder).as_posix()
            for name in [*files, *links, *closed]
            if not name.startswith(".")
        ]
    if not found:
        raise _unusable(folder, "a folder without a file")
    return sorted(set(found))


def _open(folder: Path) -> bool:
    return folder.is_symlink() or os.access(folder, os.R_OK | os.X_OK)


def _folder(folder: Path, names: list[str], ask: _Ask) -> Iterator[Run | Misfit]:
    root = folder.resolve()
    for name in names:
        path = folder / name
        if path.is_symlink():
            if not _leads_into(path, root):
                problem = "a link out of the folder; expected the file itself"
                yield misfit(name, "link", problem)
        else:
            yield from _file(path, name, ask)


def _leads_into(link: Path, root: Path) -> bool:
    try:
        return link.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):  # it leads nowhere, or in a circle
        return False


def _file(path: Path, name: str, ask: _Ask) -> Iterator[Run | Misfit]:
    if not path.is_file():  # a pipe would wait for ever
        yield misfit(name, "unreadable", "not a regular file; expected one to read")
        return
    try:
        reader, why = ask.about(path)
        if reader is None:
            yield misfit(name, "unknown format", why)
        else:
            yield from reader.read(path, name)
    except OSError as error:
        problem = f"{error.strerror or type(error).__name__}; expected a file to read"
        yield misfit(name, "unreadable", problem)


def _unusable(path: Path, seen: str) -> TrafficError:
    return TrafficError(
        str(path),
        seen=seen,
        expected="a trace file, or a folder of them, that may be read",
        remedy="give another one: `skillbank round --traffic PATH`",
    )
