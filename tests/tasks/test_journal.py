import sqlite3
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from skillbank.errors import ServiceError
from tasks.journal import Salted, SqliteJournal


def fill(path: Path, start: int) -> int:
    journal = SqliteJournal(path)
    for number in range(start, start + 50):
        journal.put(f"k{number}", f"by {start}".encode())
    return len(journal)


def test_an_answer_is_kept_for_the_next_who_opens_the_file(tmp_path: Path):
    path = tmp_path / "new" / "journal.sqlite"
    first = SqliteJournal(path)
    first.put("k", b"\x00answer" * 1000)
    first.close()

    journal = SqliteJournal(path)

    assert journal.get("k") == b"\x00answer" * 1000
    assert journal.get("other") is None
    assert len(journal) == 1


def test_the_first_answer_under_a_key_stays(tmp_path: Path):
    journal = SqliteJournal(tmp_path / "journal.sqlite")

    journal.put("k", b"first")
    journal.put("k", b"second")

    assert journal.get("k") == b"first"
    assert len(journal) == 1


def test_an_empty_answer_is_an_answer(tmp_path: Path):
    journal = SqliteJournal(tmp_path / "journal.sqlite")

    journal.put("k", b"")

    assert journal.get("k") == b""


def test_threads_share_a_journal(tmp_path: Path):
    journal = SqliteJournal(tmp_path / "journal.sqlite")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: journal.put(f"k{n % 50}", b"v"), range(400)))
        found = list(pool.map(lambda n: journal.get(f"k{n}"), range(50)))

    assert found == [b"v"] * 50
    assert len(journal) == 50


def test_processes_share_a_journal(tmp_path: Path):
    path = tmp_path / "journal.sqlite"
    with get_context("spawn").Pool(2) as pool:
        pool.starmap(fill, [(path, 0), (path, 25)])

    journal = SqliteJournal(path)

    assert len(journal) == 75
    assert journal.get("k74") == b"by 25"


@pytest.mark.parametrize("data", [b"not a database" * 100, b"SQLite format 3\x00" * 80])
def test_a_file_that_is_no_journal_is_named(tmp_path: Path, data: bytes):
    path = tmp_path / "journal.sqlite"
    path.write_bytes(data)

    with pytest.raises(ServiceError, match=r"journal\.sqlite.*move the file away"):
        SqliteJournal(path)


def test_a_write_that_was_never_committed_is_not_there(tmp_path: Path):
    path = tmp_path / "journal.sqlite"
    SqliteJournal(path).close()
    killed = sqlite3.connect(path, isolation_level=None)
    killed.execute("BEGIN")
    killed.execute("INSERT INTO journal VALUES ('k', x'00')")
    killed.close()

    assert SqliteJournal(path).get("k") is None


def test_what_other_code_answered_is_asked_again(tmp_path: Path):
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    old, new = Salted(journal, "code 1"), Salted(journal, "code 2")

    old.put("k", b"old")

    assert old.get("k") == b"old"
    assert new.get("k") is None


def test_an_answer_that_rotted_is_named_and_not_taken_for_missing(tmp_path: Path):
    path = tmp_path / "journal.sqlite"
    journal = SqliteJournal(path)
    journal.put("k", b"answer")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("UPDATE journal SET value = x'00'")
    other.close()

    with pytest.raises(ServiceError, match=r"journal\.sqlite.*move the file away"):
        journal.get("k")


def test_a_journal_that_rots_while_it_is_open_is_named(tmp_path: Path):
    path = tmp_path / "journal.sqlite"
    filled = SqliteJournal(path)
    for number in range(500):
        filled.put(f"k{number}", bytes([number % 251]) * 2000)
    filled.close()
    journal = SqliteJournal(path)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x55" * (path.stat().st_size - 4096))

    with pytest.raises(ServiceError, match=r"journal\.sqlite.*move the file away"):
        journal.get("k7")


def test_a_journal_in_a_place_that_is_none_is_an_error_that_names_it(tmp_path: Path):
    (tmp_path / "journal").write_text("in the way")

    with pytest.raises(ServiceError, match=r"journal\.sqlite.*disk"):
        SqliteJournal(tmp_path / "journal" / "journal.sqlite")
