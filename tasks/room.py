"""Whether a round's traffic fits into memory: said before it begins, not by the kernel.

A round holds its runs once while they are masked and collapsed. What one takes was
measured (docs/scale.md); what is free is asked of the system where it tells.
"""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from skillbank.errors import TrafficError
from skillbank.traffic.readers.lines import PARQUET, ZIP
from skillbank.traffic.readers.packed import kind_of

HELD = 11
"""Bytes that a round holds at most for a byte of JSON, while it reads; measured: 10."""
_PACKED = 8  # bytes of JSON in one of a compressed file, about
_MB = 10**6


def check_room(files: Iterable[Path], free: int | None = None) -> None:
    """See that a round on these files fits into the memory that is free.

    Args:
        files: The traffic.
        free: Bytes; asked of the system by default, and unchecked where it tells none.

    Raises:
        TrafficError: If it does not; with the size of the parts that would.
    """
    room = _free() if free is None else free
    size = sum(map(_unpacked, files))
    if room is None or HELD * size <= room:
        return
    raise TrafficError(
        "traffic of the round",
        seen=f"{size / _MB:,.0f} MB, for which a round holds about "
        f"{HELD * size / _MB:,.0f} MB",
        expected=f"at most the {room / _MB:,.0f} MB of memory that are free",
        remedy=f"split it into folders of at most {room // HELD // _MB:,} MB and run a "
        "round on each: what is counted adds up over rounds",
    )


def _unpacked(path: Path) -> int:
    """Bytes of JSON in a file, about; told as the readers tell, whatever its name."""
    try:
        with path.open("rb") as file:
            start = file.read(16)
        if start.startswith(PARQUET):
            groups = pq.read_metadata(path)
            return sum(
                groups.row_group(n).total_byte_size
                for n in range(groups.num_row_groups)
            )
        size = path.stat().st_size
    except (OSError, pa.ArrowInvalid):  # the reader says what is wrong with it
        return 0
    packed = kind_of(start) or start.startswith(ZIP)
    return size * (_PACKED if packed else 1)


def _free() -> int | None:
    """Bytes of memory that can be had without swapping; None: the system tells none."""
    told = [one for one in (_of_machine(), _of_container()) if one is not None]
    return min(told, default=None)


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    return next((int(kilobytes) * 1024 for kilobytes in found), None)


def _of_container(group: Path = Path("/sys/fs/cgroup")) -> int | None:
    """What is left of the limit that a container was given; None: it has none."""
    try:
        most, used, stat = (
            (group / f"memory.{name}").read_text(encoding="ascii")
            for name in ("max", "current", "stat")
        )
        told = dict(line.split() for line in stat.splitlines())
        # pages of files that nobody looks at are given back before memory runs out
        held = int(used) - int(told.get("inactive_file", 0))
        return max(0, int(most) - held)
    except (OSError, ValueError):  # `max` is no number: no limit
        return None
