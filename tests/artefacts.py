"""Every byte that a round leaves behind, as it reads once it is unpacked."""

import gzip
import io
import re
import sqlite3
import subprocess
import tarfile
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import closing
from json import dumps
from pathlib import Path
from urllib.parse import quote

import pyarrow.parquet as pq

_SQLITE = b"SQLite format 3\x00"


def unpacked(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield where something stands and its bytes: files, and what is packed in them.

    Parquet, SQLite with its blobs, archives, gzip and zlib are unpacked whatever their
    names; of a git repository every object that it holds, named by a branch or not.
    """
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        yield name, name.encode()
        if path.is_dir() and path.name == ".git":
            yield name, _git(path)
        if path.is_file() and not path.is_symlink():
            yield from ((name, data) for data in _layers(path.read_bytes(), path))


def _layers(data: bytes, path: Path | None = None) -> Iterator[bytes]:
    yield data
    if data.startswith(b"PAR1"):
        yield str(pq.read_table(io.BytesIO(data)).to_pylist()).encode()
    elif data.startswith(_SQLITE) and path is not None:
        yield from _sqlite(path)
    elif data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as held:
            for name in held.namelist():
                yield from _layers(held.read(name))
    elif data.startswith(b"\x1f\x8b"):
        yield from _layers(gzip.decompress(data))
    elif data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in filter(None, map(tar.extractfile, tar.getmembers())):
                yield from _layers(member.read())
    elif data[:1] == b"\x78":
        try:
            yield from _layers(zlib.decompress(data))
        except zlib.error:
            return


def _sqlite(path: Path) -> Iterator[bytes]:
    """Rows, since a page cuts long ones, and what is packed in their blobs."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        named = "SELECT name FROM sqlite_master WHERE type = 'table'"
        for (table,) in connection.execute(named).fetchall():
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                yield "\t".join(map(str, row)).encode(errors="surrogateescape")
                for value in row:
                    if isinstance(value, bytes):
                        yield from _layers(value)


def _git(folder: Path) -> bytes:
    """Every object, those that nothing names any more included."""
    command = ["git", "cat-file", "--batch-all-objects", "--batch"]
    return subprocess.run(
        command, cwd=folder.parent, capture_output=True, check=True
    ).stdout


def found_in(folder: Path, secrets: Iterable[str]) -> dict[str, set[str]]:
    """Secrets that stand somewhere in a folder, each with where.

    Looked for as they are, escaped as in JSON, JSON of ASCII and URLs, and in base64
    wherever in its text they begin.
    """
    needles = [(_flat(needle), one) for one in secrets for needle in _written(one)]
    found: dict[str, set[str]] = {}
    for where, data in unpacked(folder):
        flat = _flat(data)
        for needle, secret in needles:
            if needle in flat and _apart(needle, flat):
                found.setdefault(secret, set()).add(where)
    return found


def _apart(needle: bytes, flat: bytes) -> bool:
    """Not only within a longer number: ids and times of a database hold any digits."""
    if not needle.isdigit():
        return True
    return bool(re.search(rb"(?<![0-9a-f])%b(?![0-9a-f])" % needle, flat))


def _flat(data: bytes) -> bytes:
    """Data with one backslash an escape, however deep JSON stands in JSON."""
    return re.sub(rb"\\+", rb"\\", data)


def _written(secret: str) -> set[bytes]:
    texts = {
        secret,
        dumps(secret)[1:-1],
        dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret),
        quote(secret, safe=""),
    }
    needles = {text.encode() for text in texts}
    raw = secret.encode()
    if len(raw) < 6:
        return needles
    for shift in range(3):
        # signs that also depend on the bytes before or after are left out
        first = -(-8 * shift // 6)
        last = 8 * (shift + len(raw)) // 6
        needles.add(b64encode(b"\x00" * shift + raw)[first:last])
    return needles
