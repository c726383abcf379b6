"""A round that is killed in the middle of each step ends as if it never had been."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from mlflow.tracking import MlflowClient

from tasks.journal import SqliteJournal
from tasks.tracking import store_uri
from tasks.workspace import Workspace
from tests.workspaces import differing, made, small_workspace

SAID = (
    "traffic is there",
    "runs kept",
    "variants written",
    "attempts made",
    "graded",
    "failures of skills",
    "changes proposed",
    "screened out",
    "gate:",
    "candidate bank",
    "benchmark:",
    "HEAD is bank",
    "summary written",
    "report.html written",
    "recorded in MLflow",
)
"""What each step says when it is done, in their order."""


class Forker:
    """Starts the round of a workspace, again and again."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin
        assert process.stdout
        self._orders, self._lines = process.stdin, process.stdout

    def start(self) -> int:
        self._orders.write("go\n")
        self._orders.flush()
        return int(self.line().removeprefix("pid "))

    def line(self) -> str:
        line = self._lines.readline().strip()
        assert line, "the forker is gone"
        return line

    def until(self, words: str) -> list[str]:
        """Read on until the round says this; what it said before that."""
        before: list[str] = []
        while words not in (line := self.line()):
            assert not line.startswith("exit"), f"{line} before {words!r}"
            before.append(line)
        return before


@contextmanager
def forker(workspace: Workspace) -> Iterator[Forker]:
    command = [sys.executable, "-m", "tests.flows.forker", str(workspace.root)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        yield Forker(process)


def watched(folder: Path) -> Workspace:
    """A workspace whose journal counts what is written under a key it has already."""
    workspace = small_workspace(folder)
    SqliteJournal(workspace.journal).close()
    with closing(sqlite3.connect(workspace.journal)) as journal:
        journal.executescript(
            "CREATE TABLE repeated (key TEXT);"
            "CREATE TRIGGER again BEFORE INSERT ON journal"
            " WHEN EXISTS (SELECT 1 FROM journal WHERE key = NEW.key)"
            " BEGIN INSERT INTO repeated VALUES (NEW.key); END;"
        )
    return workspace


def journalled(workspace: Workspace) -> tuple[set[str], int]:
    """The journal's keys, and how often one was written again."""
    with closing(sqlite3.connect(workspace.journal)) as journal:
        keys = {key for (key,) in journal.execute("SELECT key FROM journal")}
        (repeated,) = journal.execute("SELECT count(*) FROM repeated").fetchone()
    return keys, repeated


def uninterrupted(workspace: Workspace) -> list[float]:
    """Run the round; how long each step took, in seconds."""
    with forker(workspace) as starting:
        starting.start()
        times = [time.monotonic()]
        for words in SAID:
            starting.until(words)
            times.append(time.monotonic())
        starting.until("exit 0")
    return [b - a for a, b in pairwise(times)]


def kill(starting: Forker, process: int) -> list[str]:
    """Kill the round, and see that its workers end; what it had said by then."""
    os.kill(process, signal.SIGKILL)
    said = starting.until("exit -9")
    assert gone(process), "the workers go on"
    return said


def gone(group: int) -> bool:
    """No process of a group is left; waited for, since workers end by themselves."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.timeout(400)
@pytest.mark.usefixtures("prefect_server")
def test_a_round_killed_in_the_middle_of_each_step_ends_in_the_same_bytes(
    tmp_path: Path,
):
    whole = watched(tmp_path / "whole")
    killed = watched(tmp_path / "killed")
    took, in_time = uninterrupted(whole), 0

    with forker(killed) as starting:
        for number, seconds in enumerate(took[:-1]):
            process = starting.start()
            if number:
                starting.until(SAID[number - 1])
            time.sleep(seconds / 3)
            said = kill(starting, process)
            in_time += not any(SAID[number] in line for line in said)
            if killed.bank.numbers():
                killed.bank.current()
        for place in ("state/mlflow.new", "data/rounds.dvc"):  # both in the last step
            process = starting.start()
            while not (killed.root / place).exists():
                time.sleep(0.001)
            kill(starting, process)
        starting.start()
        starting.until("exit 0")

    assert in_time >= len(took) - 4  # a step of 30 ms may be over by then
    assert differing(made(whole), made(killed)) == []
    keys, repeated = journalled(killed)
    assert repeated == 0
    assert keys == journalled(whole)[0]
    for workspace in (whole, killed):
        client = MlflowClient(store_uri(workspace.root))
        ids = [one.experiment_id for one in client.search_experiments()]
        assert [run.info.run_name for run in client.search_runs(ids)] == ["r0001"]
        git = ["git", "-C", str(workspace.root)]
        status = subprocess.check_output([*git, "status", "--porcelain"])
        assert status == b""
        assert subprocess.check_output([*git, "tag"]) == b"round/r0001\n"
