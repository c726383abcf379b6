"""From a file or a folder of any known formats to runs and misfits.

Links are never followed: one that leads out of the folder is named, one within it is
left alone because its file is read where it lies.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from skillbank.errors import TrafficError
from skillbank.traffic.readers import (
    Reader,
    SpanReader,
    reader_of,
    readers_for,
    recognise,
)
from skillbank.traffic.readers.lines import Span, misfit, spans
from skillbank.traffic.readers.packed import packing
from skillbank.traffic.run import Misfit, Run

NO_COLUMNS: Mapping[str, str] = MappingProxyType({})


class Source(NamedTuple):
    """A file that a reader knows, or a part of it."""

    path: Path
    name: str
    """What it is called in a run's `source`: its path below the folder given."""
    format: str
    """Name of its reader."""
    why: str
    """By what it was recognised."""
    span: Span | None = None
    """The part to read; None: all of it."""


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
    return _each(sources(path, format, columns), columns)


def _each(
    found: Iterator[Source | Misfit], columns: Mapping[str, str]
) -> Iterator[Run | Misfit]:
    for source in found:
        if isinstance(source, Misfit):
            yield source
        else:
            yield from read_source(source, columns)


def sources(
    path: Path, format: str = "auto", columns: Mapping[str, str] = NO_COLUMNS
) -> Iterator[Source | Misfit]:
    """Yield the files that can be read, and what is wrong with the others.

    Args and Raises: As `read`.
    """
    readers = readers_for(columns)
    if format != "auto":
        readers = {format: reader_of(format, readers)}
    forced = format if format != "auto" else ""
    if path.is_dir():
        return _folder(path, _names(path), readers, forced)
    if not path.exists():
        raise _unusable(path, "nothing of that name")
    if not os.access(path, os.R_OK):
        raise _unusable(path, "a file that may not be read")
    return iter([_file(path, printable(path.name), readers, forced)])


def printable(name: str) -> str:
    """A file's name as text; bytes of it that are no UTF-8 as their escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def read_source(
    source: Source, columns: Mapping[str, str] = NO_COLUMNS
) -> Iterator[Run | Misfit]:
    """Yield what one file, or a part of it, holds; never raise."""
    reader = readers_for(columns)[source.format]
    try:
        if source.span is not None and isinstance(reader, SpanReader):
            yield from reader.read_span(source.path, source.name, source.span)
        else:
            yield from reader.read(source.path, source.name)
    except OSError as error:
        yield _unreadable(source.name, error)


def parts(source: Source, size: int, columns: Mapping[str, str]) -> Iterator[Source]:
    """A file as parts that can be read by themselves, if its format allows it.

    A packed file is one part: it can only be unpacked from its beginning.

    Args:
        source: The file.
        size: Bytes of a part, about.
        columns: As `read`.
    """
    for span in _spans(source, size, columns):
        yield source._replace(span=span)


def _spans(
    source: Source, size: int, columns: Mapping[str, str]
) -> Iterable[Span | None]:
    reader = readers_for(columns)[source.format]
    try:
        small = source.path.stat().st_size <= size
        if small or not isinstance(reader, SpanReader):
            return [None]
        if packing(source.path) or not reader.in_lines(source.path):
            return [None]
        found = spans(source.path, size)
        return chain([next(found)], found)
    except OSError:  # it is read whole, and the reader says what is wrong
        return [None]


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


def _folder(
    folder: Path, names: list[str], readers: Mapping[str, Reader], forced: str
) -> Iterator[Source | Misfit]:
    root = folder.resolve()
    for relative in names:
        path, name = folder / relative, printable(relative)
        if path.is_symlink():
            if not _leads_into(path, root):
                problem = "a link out of the folder; expected the file itself"
                yield misfit(name, "link", problem)
        else:
            yield _file(path, name, readers, forced)


def _leads_into(link: Path, root: Path) -> bool:
    try:
        return link.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):  # it leads nowhere, or in a circle
        return False


def _file(
    path: Path, name: str, readers: Mapping[str, Reader], forced: str
) -> Source | Misfit:
    if not path.is_file():  # a pipe would wait for ever
        problem = "not a regular file; expected one to read"
        return misfit(name, "unreadable", problem)
    if forced:
        return Source(path, name, forced, "as given")
    try:
        format, why = recognise(path, readers)
    except OSError as error:
        return _unreadable(name, error)
    if not format:
        return misfit(name, "unknown format", why)
    return Source(path, name, format, why)


def _unreadable(name: str, error: OSError) -> Misfit:
    problem = f"{error.strerror or type(error).__name__}; expected a file to read"
    return misfit(name, "unreadable", problem)


def _unusable(path: Path, seen: str) -> TrafficError:
    return TrafficError(
        str(path),
        seen=seen,
        expected="a trace file, or a folder of them, that may be read",
        remedy="give another one: `skillbank round --traffic PATH`",
    )
