import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skillbank.agents.jobs import Job
from skillbank.models.journal import NoJournal
from skillbank.params import Params
from skillbank.rounds.attempt import variant_jobs
from skillbank.skills.shelf import FixedShelf
from tasks.journal import SqliteJournal
from tasks.worlds import Site, Workers, build, no_workers_left, workers
from tests.skillbank.rounds.played import params, rounds, world

PLAYED = params()
ALONE = PLAYED.model_copy(
    update={"evolve": PLAYED.evolve.model_copy(update={"workers": 1})}
)


def jobs() -> tuple[Job, ...]:
    state = rounds(1)[0].state
    return variant_jobs(
        state.variants, world(), (FixedShelf(), "nothing"), PLAYED.attempt, 11
    )


def where(site: Site, number: int) -> tuple[int, int]:
    """Process, and the number again."""
    return os.getpid(), number


def fail(site: Site, number: int) -> int:
    raise ValueError(f"no {number}")


@pytest.mark.parametrize("given", [PLAYED, ALONE], ids=["processes", "threads"])
def test_workers_make_what_one_process_makes_in_the_order_of_the_jobs(
    given: Params, tmp_path: Path
):
    with no_workers_left():
        made = workers(given, tmp_path / "journal.sqlite").do(jobs())

    alone = build(given, NoJournal())
    assert [one.brief for one in made] == [job.brief for job in jobs()]
    for job, one in zip(jobs(), made, strict=True):
        make = alone.explore if job.exploring else alone.agent.attempt
        assert one.attempt == make(job.brief, job.context, job.skills, job.seed)
        assert one.checks == alone.verify(job.brief, one.attempt.output)


def test_what_was_made_is_in_the_journal_and_is_not_made_again(tmp_path: Path):
    path = tmp_path / "journal.sqlite"
    with no_workers_left():
        first = workers(ALONE, path).do(jobs())
    kept = len(SqliteJournal(path))

    with no_workers_left():
        again = workers(ALONE, path).do(jobs())

    assert again == first
    assert kept == len(jobs()) == len(SqliteJournal(path))


def test_work_is_done_elsewhere_and_comes_back_in_order(tmp_path: Path):
    with no_workers_left():
        made = list(workers(PLAYED, tmp_path / "j").map(where, range(40)))

    assert [number for _, number in made] == list(range(40))
    assert os.getpid() not in {process for process, _ in made}


def test_workers_are_started_once_for_a_workspace(tmp_path: Path):
    with no_workers_left():
        assert workers(ALONE, tmp_path / "a") is workers(ALONE, tmp_path / "a")
        assert workers(ALONE, tmp_path / "a") is not workers(ALONE, tmp_path / "b")


@pytest.mark.parametrize("given", [PLAYED, ALONE], ids=["processes", "threads"])
def test_what_goes_wrong_in_a_worker_is_raised_here(given: Params, tmp_path: Path):
    with no_workers_left(), pytest.raises(ValueError, match="no 0"):
        list(workers(given, tmp_path / "j").map(fail, range(3)))


def test_no_worker_outlives_the_one_who_started_it(tmp_path: Path):
    script = (
        "import sys, time; from pathlib import Path\n"
        "from tests.tasks.test_worlds import PLAYED, where\n"
        "from tasks.worlds import workers\n"
        "if __name__ == '__main__':\n"
        "    mine = workers(PLAYED, Path(sys.argv[1]))\n"
        "    print(list(mine.map(where, [1])), flush=True)\n"
        "    time.sleep(60)\n"
    )
    path = tmp_path / "script.py"
    path.write_text(script)
    with subprocess.Popen(
        [sys.executable, str(path), str(tmp_path / "j")],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        start_new_session=True,
    ) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait()

        end = time.monotonic() + 20
        while alive(process.pid) and time.monotonic() < end:
            time.sleep(0.05)
        assert not alive(process.pid)


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_that_were_never_used_are_none(tmp_path: Path):
    with no_workers_left():
        pass

    made = Workers(ALONE, tmp_path / "j")
    made.close()
    with pytest.raises(RuntimeError):
        list(made.map(where, [1]))
