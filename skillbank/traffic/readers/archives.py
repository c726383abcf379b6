"""Members of zip archives that nobody vouches for, read within bounds.

Nothing is ever unpacked to a disk. A member is read only if its name stays within the
archive, and only as far as the bounds go, whatever the archive says of its size.
"""

import re
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from skillbank.traffic.readers.documents import WHOLE
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import SAMPLE, Misfit

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdError
else:
    from backports.zstd import ZstdError, zipfile

TOTAL = 16 * WHOLE
"""Most bytes that the members of one archive may have together, unpacked; ours."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_ZSTANDARD)
"""The others are no trace's, and one of them takes gigabytes of memory if asked to."""
_BROKEN = (
    zipfile.BadZipFile,
    ZstdError,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""All that a damaged or encrypted archive makes the library raise."""


class Member(NamedTuple):
    """One file of an archive."""

    name: str
    data: bytes


def outside(name: str) -> bool:
    """Whether a member's name leads out of the folder that it would be unpacked to."""
    path = PurePosixPath(name.replace("\\", "/"))
    drive = path.parts[:1] != () and path.parts[0].endswith(":")
    return path.is_absolute() or drive or ".." in path.parts


def members(
    path: Path,
    name: str,
    wanted: Sequence[re.Pattern[str]],
    limit: int = WHOLE,
    total: int = TOTAL,
) -> Iterator[Member | Misfit]:
    """Yield the members of an archive whose names are wanted.

    Names that lead out of the archive are told of, wanted or not.

    Args:
        path: The archive.
        name: What to call it in a misfit; a member is `name#member`.
        wanted: Patterns of whole names; all members of the first come first, in the
            archive's order, then those of the next.
        limit: Most bytes of a member, unpacked; a longer one is refused, not cut.
        total: Most bytes of all members; what comes behind is refused.

    Raises:
        OSError: If the file cannot be opened.
    """
    with path.open("rb") as file:
        try:
            archive = zipfile.ZipFile(file)
            infos = {info.filename: info for info in archive.infolist()}
        except _BROKEN as error:
            problem = f"{str(error)[:80]}; the file may still be growing"
            yield misfit(name, "truncated", problem)
            return
        for member in filter(outside, infos):
            problem = "a name that leads out of the archive; it was not read"
            yield misfit(f"{name}#{member[:SAMPLE]}", "bad value", problem)
        for info in _in_order(infos, wanted):
            room = min(limit, total)
            found = _read(archive, info, f"{name}#{info.filename[:SAMPLE]}", room)
            if isinstance(found, Member):
                total -= len(found.data)
            yield found


def _in_order(
    infos: Mapping[str, zipfile.ZipInfo], wanted: Sequence[re.Pattern[str]]
) -> Iterator[zipfile.ZipInfo]:
    for pattern in wanted:
        for name, info in infos.items():
            if pattern.fullmatch(name) and not outside(name):
                yield info


def _read(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, place: str, room: int
) -> Member | Misfit:
    if info.compress_type not in _METHODS:
        problem = f"compression method {info.compress_type}; expected deflate or zstd"
        return misfit(place, "unreadable", problem)
    try:
        with archive.open(info) as opened:
            data = opened.read(room + 1)
    except _BROKEN as error:
        problem = f"{type(error).__name__}: {str(error)[:80]}; expected a sound member"
        return misfit(place, "unreadable", problem)
    if len(data) > room:
        problem = f"over {room} bytes when unpacked; expected less"
        return misfit(place, "too long", problem, data[:SAMPLE])
    return Member(info.filename, data)
