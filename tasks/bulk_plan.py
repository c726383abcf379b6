"""Traffic cut into parts: a large file into several, small ones together.

The parts depend on the traffic and on their size alone, never on who reads them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skillbank.traffic.files import parts, printable, sources
from skillbank.traffic.privacy import mask_value
from skillbank.traffic.run import Misfit
from tasks.bulk_part import Piece, Reading, Todo


class Refused(NamedTuple):
    """A file that no reader was given, and why."""

    file: str
    misfit: Misfit


class Plan:
    """The parts, found one by one as they are asked for; what was found is kept."""

    def __init__(
        self, paths: Sequence[Path], reading: Reading, folder: Path, part: int
    ) -> None:
        """Look at the paths, not yet at what they hold.

        Args:
            paths: Files and folders.
            reading: How to read.
            folder: Where parts are kept until they are settled.
            part: Bytes of a part, about.

        Raises:
            TrafficError: If a path cannot be used.
        """
        params = reading.params
        self.reading, self._folder, self._part = reading, folder, part
        self._sources = [
            (path, sources(path, params.format, params.columns)) for path in paths
        ]
        self.todo: list[Todo] = []
        self.refused: list[Refused] = []

    @property
    def pieces(self) -> list[Piece]:
        """Of all parts found so far, in order."""
        return [piece for one in self.todo for piece in one.pieces]

    def __iter__(self) -> Iterator[Todo]:
        """Yield each part once."""
        for pieces in self._grouped():
            self.todo.append(
                Todo(
                    number=len(self.todo),
                    pieces=tuple(pieces),
                    reading=self.reading,
                    folder=self._folder,
                )
            )
            yield self.todo[-1]

    def _grouped(self) -> Iterator[list[Piece]]:
        small: list[Piece] = []
        held = 0
        for piece, size in self._pieces():
            if size >= self._part:
                yield [piece]
                continue
            if held + size > self._part:
                yield small
                small, held = [], 0
            small.append(piece)
            held += size
        if small:
            yield small

    def _pieces(self) -> Iterator[tuple[Piece, int]]:
        """Yield what is read as one, with the bytes of its file."""
        for path, found in self._sources:
            for source in found:
                if isinstance(source, Misfit):
                    self._refuse(_shown(path, source.source), source)
                    continue
                file = _shown(path, source.name)
                size = _size(source.path)
                for one in parts(source, self._part, self.reading.params.columns):
                    yield Piece(file, one), size

    def _refuse(self, file: str, misfit: Misfit) -> None:
        reading = self.reading
        if reading.key is not None:  # a file's name may be private as well
            misfit = mask_value(misfit, reading.key, reading.params.privacy)
        self.refused.append(Refused(file, misfit))


def _shown(given: Path, name: str) -> str:
    return printable(str(given / name) if given.is_dir() else str(given))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # its reader says what is wrong
        return 0
