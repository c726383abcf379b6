"""A file that one process at a time may hold; a killed process holds nothing."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skillbank.errors import SkillbankError


@contextmanager
def held(path: Path, busy: SkillbankError) -> Iterator[None]:
    """Hold a lock file, which is made if need be, until the block ends.

    Args:
        path: The file; its folder must exist.
        busy: What to raise if another process holds it.

    Raises:
        OSError: If the file cannot be made.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise busy from error
        if not _is_at(path, handle):  # who held it has removed it
            raise busy
        yield
    finally:
        os.close(handle)


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
