"""The search for planted secrets finds them in whatever a round may pack them into."""

import gzip
import json
import sqlite3
import subprocess
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.artefacts import found_in

SECRET = 'k3y "of" zoltan/ü@example.org'


def parquet(folder: Path) -> None:
    table = pa.table({"a": [f"x{SECRET}y"] * 50})
    pq.write_table(table, folder / "noname", compression="zstd")


def database(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "j.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE j (k TEXT, v BLOB)")
        packed = zlib.compress(f"{'.' * 9000}{SECRET}".encode(), level=1)
        connection.execute("INSERT INTO j VALUES ('a', ?)", [packed])


def archive(folder: Path) -> None:
    with zipfile.ZipFile(folder / "a", "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("inner.gz", gzip.compress(SECRET.encode()))


def forgotten_commit(folder: Path) -> None:
    def git(*arguments: str) -> None:
        as_nobody = ["-c", "user.name=a", "-c", "user.email=a@localhost"]
        command = ["git", *as_nobody, *arguments]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)

    git("init", "-q")
    (folder / "a.txt").write_text(SECRET)
    git("add", "a.txt")
    git("commit", "-qm", "one")
    (folder / "a.txt").write_text("")
    git("commit", "-qam", "two", "--amend")


PLACES: dict[str, Callable[[Path], object]] = {
    "text": lambda f: (f / "a").write_text(f"x{SECRET}"),
    "file name": lambda f: (f / SECRET.replace("/", "")).touch(),
    "JSON": lambda f: (f / "a").write_text(json.dumps({"a": SECRET})),
    "JSON thrice": lambda f: (f / "a").write_text(
        json.dumps(json.dumps([json.dumps([SECRET])]))
    ),
    "base64": lambda f: (f / "a").write_bytes(b64encode(f"x{SECRET}y".encode())),
    "base64, 1 on": lambda f: (f / "a").write_bytes(b64encode(f"xx{SECRET}".encode())),
    "base64, 2 on": lambda f: (f / "a").write_bytes(b64encode(f"xyz{SECRET}".encode())),
    "Parquet": parquet,
    "SQLite": database,
    "archive": archive,
    "git": forgotten_commit,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_found_however_it_is_packed(tmp_path: Path, place: str):
    PLACES[place](tmp_path)

    secret = SECRET.replace("/", "") if place == "file name" else SECRET
    assert set(found_in(tmp_path, [secret, "another one"])) == {secret}
