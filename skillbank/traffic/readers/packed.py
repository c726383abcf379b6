"""Files that were packed by gzip, zstd, bzip2 or xz, read as if they were not.

Told by their first bytes, whatever they are called. They are unpacked as they are read,
never to a disk and never whole in memory. What stands before a break is read as it is;
then the file ends, and says why.
"""

import bz2
import io
import lzma
import math
import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from skillbank.traffic.run import Reason

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FREE = 256 * 2**20
"""Bytes that any packed file may unpack to, however small it is; ours."""
RATIO = 200
"""Most bytes beyond `FREE` for each packed one; ours: traces come to 5 to 50."""
_MEMORY = 256 * 2**20  # bytes that unpacking xz may take; its files ask for any amount
_INPUT = 2**16  # packed bytes at a time
_OUTPUT = 2**18  # unpacked bytes at a time
_BZIP2 = b"1AY&SY"  # follows on its mark, which plain text may begin with
_BROKEN = (zlib.error, lzma.LZMAError, zstd.ZstdError, OSError, ValueError, EOFError)


class _Decoder(Protocol):
    """What unpacks one stream; the libraries' own have this shape, or nearly."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """`zlib`'s decoder in the shape of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


_KINDS: dict[str, tuple[bytes, Callable[[], _Decoder]]] = {
    "gzip": (b"\x1f\x8b\x08", _Gzip),
    "zstd": (b"\x28\xb5\x2f\xfd", zstd.ZstdDecompressor),
    "bzip2": (b"BZh", bz2.BZ2Decompressor),
    "xz": (b"\xfd7zXZ\x00", lambda: lzma.LZMADecompressor(memlimit=_MEMORY)),
}


class Break(NamedTuple):
    """Why a packed file could not be read to its end."""

    reason: Reason
    problem: str


class Opened(io.BufferedReader):
    """A file to read, unpacked where it is packed."""

    def __init__(self, raw: io.RawIOBase) -> None:
        """Read from `raw`: bytes as they lie in a file, or as they are unpacked."""
        super().__init__(raw, _OUTPUT)
        self._unpacking = raw if isinstance(raw, _Unpacking) else None

    @property
    def broken(self) -> Break | None:
        """Why it ended too early; None: it did not, or has not been read so far."""
        return self._unpacking.broken if self._unpacking else None

    @property
    def size(self) -> float:
        """Bytes that it has by now; infinite where it is packed."""
        return math.inf if self._unpacking else os.fstat(self.fileno()).st_size


def kind_of(start: bytes) -> str:
    """What packed a file that begins so; empty: nothing known here."""
    for kind, (mark, _) in _KINDS.items():
        if start.startswith(mark):
            plain = kind == "bzip2" and start[4:10] != _BZIP2
            return "" if plain else kind
    return ""


def packing(path: Path) -> str:
    """What packed a file; empty: it lies there as it is.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    with path.open("rb") as file:
        return kind_of(file.read(16))


def opened(path: Path, free: int = FREE, ratio: int = RATIO) -> Opened:
    """Open a file for reading, unpacked.

    Args:
        path: The file.
        free: Bytes that it may unpack to in any case.
        ratio: Bytes beyond these that it may unpack to for each packed one.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    file = path.open("rb", buffering=0)
    try:
        start = file.read(16)
        file.seek(0)
    except OSError:
        file.close()
        raise
    kind = kind_of(start)
    return Opened(_Unpacking(file, kind, free, ratio) if kind else file)


def unpacked(data: bytes, limit: int) -> tuple[bytes, Break | None]:
    """The first `limit` bytes of what was packed, and why there are no more if so.

    Args:
        data: Given back as it is, up to the limit, where it is not packed.
        limit: Most bytes.
    """
    kind = kind_of(data)
    if not kind:
        return data[:limit], None
    with Opened(_Unpacking(io.BytesIO(data), kind, FREE, RATIO)) as file:
        return file.read(limit), file.broken


def longer(path: Path, limit: int) -> bool:
    """Whether a file has more than `limit` bytes, unpacked.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    if not packing(path):
        return path.stat().st_size > limit
    n = 0
    with opened(path) as file:
        while n <= limit and (data := file.read(_OUTPUT)):
            n += len(data)
    return n > limit


class _Unpacking(io.RawIOBase):
    """The unpacked bytes of a file; it ends at a break."""

    def __init__(
        self, file: io.FileIO | io.BytesIO, kind: str, free: int, ratio: int
    ) -> None:
        self._file = file
        self._kind = kind
        self._free, self._ratio = free, ratio
        self._decoder = _KINDS[kind][1]()
        self._n_in = self._n_out = 0
        self._ended = False
        self.broken: Break | None = None

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._ended:
            return 0
        try:
            data = self._next(min(len(buffer), _OUTPUT))
        except MemoryError:
            data = self._break("too long", "it takes too much memory to unpack")
        except _BROKEN as error:
            data = self._break("unreadable", str(error)[:80] or type(error).__name__)
        self._n_out += len(data)
        if self._n_out > self._free + self._ratio * self._n_in:
            data = self._break("too long", f"{self._n_in} packed ones; a bomb?")
        self._ended = not data
        buffer[: len(data)] = data
        return len(data)

    def _next(self, most: int) -> bytes:
        """The next bytes, at least one until the end."""
        while True:
            hungry = self._decoder.needs_input
            more = self._more() if hungry else b""
            if self._decoder.eof and not (more := self._behind(more)):
                return b""
            if data := self._decoder.decompress(more, most):
                return data
            if hungry and not more and not self._decoder.eof:
                return self._break("truncated", "the file may still be growing")

    def _more(self) -> bytes:
        data = self._file.read(_INPUT)
        self._n_in += len(data)
        return data

    def _behind(self, more: bytes) -> bytes:
        """What stands behind the end of a stream: mostly nothing, or another one."""
        left = (self._decoder.unused_data + more).lstrip(b"\0")  # some pad with these
        while not left and (more := self._more()):
            left = more.lstrip(b"\0")
        if left:
            self._decoder = _KINDS[self._kind][1]()
        return left

    def _break(self, reason: Reason, why: str) -> bytes:
        place = f"{self._kind} breaks off after {self._n_out} bytes unpacked"
        self.broken = Break(reason, f"{place}: {why}; expected a whole one")
        return b""
