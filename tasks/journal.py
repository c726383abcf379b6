"""The journal on disk: what was answered once is never paid for again."""

import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skillbank.errors import ServiceError
from skillbank.models.journal import Journal


class SqliteJournal:
    """Keys to answers in one SQLite file, shared by threads and processes.

    A write is one transaction: a killed process leaves whole answers or none.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, and make it if it is not there.

        Raises:
            ServiceError: If the file is no journal.
        """
        self._path = path
        self._lock = threading.Lock()
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=60, isolation_level=None, check_same_thread=False
            )
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute("PRAGMA synchronous=NORMAL")
                self._connection.execute(
                    "CREATE TABLE IF NOT EXISTS journal"
                    " (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
                )
                self._connection.execute(
                    "CREATE TABLE IF NOT EXISTS spent"
                    " (round TEXT NOT NULL, usd REAL NOT NULL)"
                )
            except sqlite3.Error:
                self._connection.close()
                raise

    def get(self, key: str) -> bytes | None:
        """The answer under this key, or None.

        Raises:
            ServiceError: If the file, or the answer in it, is damaged.
        """
        with self._lock, self._told():
            row = self._connection.execute(
                "SELECT value FROM journal WHERE key = ?", (key,)
            ).fetchone()
            return zlib.decompress(row[0]) if row else None

    def put(self, key: str, value: bytes) -> None:
        """Keep an answer; the first one under a key stays.

        Raises:
            ServiceError: If it cannot be written, as on a full disk.
        """
        packed = zlib.compress(value, level=1)
        with self._lock, self._told():
            self._connection.execute(
                "INSERT OR IGNORE INTO journal VALUES (?, ?)", (key, packed)
            )

    def book(self, round: str, usd: float) -> None:
        """Remember what a model call of a round may cost, or cost less, in US dollars.

        Args:
            round: Id of the round.
            usd: To add; below 0 where a call cost less than was booked before it.

        Raises:
            ServiceError: If it cannot be written.
        """
        with self._lock, self._told():
            self._connection.execute("INSERT INTO spent VALUES (?, ?)", (round, usd))

    def spent_usd(self, round: str) -> float:
        """What the model calls of a round have cost in all its starts.

        Raises:
            ServiceError: If the file is damaged.
        """
        with self._lock, self._told():
            row = self._connection.execute(
                "SELECT total(usd) FROM spent WHERE round = ?", (round,)
            ).fetchone()
        return float(row[0])

    def __len__(self) -> int:
        """How many answers are kept."""
        with self._lock, self._told():
            row = self._connection.execute("SELECT count(*) FROM journal").fetchone()
        return int(row[0])

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say of what SQLite raises which file it is about, and what to do."""
        try:
            yield
        except sqlite3.ProgrammingError:  # a fault of ours
            raise
        except (sqlite3.Error, zlib.error, OSError) as error:
            broken = isinstance(error, zlib.error) or any(
                sign in str(error) for sign in ("malformed", "not a database")
            )
            remedy = (
                f"move the file away ({self._path}); answers are then asked for again"
                if broken
                else f"see that {self._path.parent} can be written and the disk is not "
                "full, then run the round again with its id"
            )
            raise ServiceError(
                self._path.name,
                seen=str(error),
                expected="the journal of this workspace",
                remedy=remedy,
            ) from error

    def close(self) -> None:
        """Close the file; the journal must not be used after that."""
        with self._lock:
            self._connection.close()


class Salted:
    """A journal whose answers hold only for one version of the code.

    Args:
        journal: Where they are kept.
        salt: Digest of the code.
    """

    def __init__(self, journal: Journal, salt: str) -> None:
        self._journal = journal
        self._salt = salt[:16]

    def get(self, key: str) -> bytes | None:
        """The answer under this key by this code, or None."""
        return self._journal.get(f"{self._salt}-{key}")

    def put(self, key: str, value: bytes) -> None:
        """Keep an answer; the first one under a key stays."""
        self._journal.put(f"{self._salt}-{key}", value)
