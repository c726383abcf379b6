import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from httpx import ConnectError
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker

from flows.server import HOST, STOP_S, server
from skillbank.errors import ServiceError
from tests.flows.served import Greeting, greetings

N_TASKS = 150


@pytest.fixture
def unnamed() -> Iterator[None]:
    """No `PREFECT_API_URL`, as on a machine that has no server yet."""
    named = os.environ.pop("PREFECT_API_URL", None)
    # what other tests of this process sent went to the server that was named
    EventsWorker.drain_all(timeout=STOP_S, at_exit=False)
    APILogWorker.drain_all(timeout=STOP_S, at_exit=False)
    yield
    if named:
        os.environ["PREFECT_API_URL"] = named


def answers(url: str) -> bool:
    port = int(url.rsplit(":", 1)[1].removesuffix("/api"))
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


@pytest.mark.usefixtures("unnamed")
def test_a_server_records_every_task_run_and_is_gone_afterwards(tmp_path: Path):
    ready: list[str] = []

    with server(tmp_path, meanwhile=lambda: ready.append("workspace")) as url:
        assert ready == ["workspace"]
        assert os.environ["PREFECT_API_URL"] == url
        greetings(Greeting(who="ada"), times=N_TASKS)

    assert not answers(url)
    assert "PREFECT_API_URL" not in os.environ
    with closing(sqlite3.connect(tmp_path / "prefect.db")) as records:
        rows = records.execute(
            "select task_run.state_name, count(*), flow_run.state_name"
            " from task_run join flow_run on flow_run.id = task_run.flow_run_id"
            " group by 1, 3"
        ).fetchall()
        others = records.execute(
            "select count(*) from task_run where flow_run_id is null"
        ).fetchone()
    assert rows == [("Completed", N_TASKS, "Completed")]
    assert others == (0,)


@pytest.mark.usefixtures("unnamed")
def test_a_block_that_fails_still_leaves_its_records(tmp_path: Path):
    def fail() -> None:
        greetings(Greeting(who="di"), times=5)
        raise ValueError("after the flow")

    with pytest.raises(ValueError, match="after the flow"), server(tmp_path):
        fail()

    with closing(sqlite3.connect(tmp_path / "prefect.db")) as records:
        rows = records.execute("select state_name, count(*) from task_run group by 1")
        assert rows.fetchall() == [("Completed", 5)]


@pytest.mark.usefixtures("unnamed")
def test_a_server_does_not_outlive_a_process_that_was_killed(tmp_path: Path):
    script = (
        "import sys, time; from pathlib import Path; from flows.server import server\n"
        "with server(Path(sys.argv[1])) as url: print(url, flush=True); time.sleep(99)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert answers(url)

        process.send_signal(signal.SIGKILL)

    end = time.monotonic() + 20
    while answers(url) and time.monotonic() < end:
        time.sleep(0.1)
    assert not answers(url)


@pytest.mark.usefixtures("prefect_server")
@pytest.mark.parametrize("told", ["All connection attempts failed", "two\nlines", ""])
def test_a_server_that_is_lost_on_the_way_is_an_error_that_says_to_go_on(
    tmp_path: Path, told: str
):
    with (
        pytest.raises(ServiceError, match=r"ConnectError.*goes on where it stood"),
        server(tmp_path),
    ):
        raise ConnectError(told)


@pytest.mark.usefixtures("unnamed")
def test_a_taken_port_is_an_error_that_names_it(tmp_path: Path):
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]

        with (
            pytest.raises(ServiceError, match=f"port {port}"),
            server(tmp_path, port=port),
        ):
            pytest.fail("it should not have started")


@pytest.mark.usefixtures("unnamed")
def test_a_mistake_made_meanwhile_ends_the_server_too(tmp_path: Path):
    def mistake() -> None:
        raise ServiceError("params.yaml", seen="x", expected="y", remedy="z")

    with (
        pytest.raises(ServiceError, match=r"params\.yaml"),
        server(tmp_path, meanwhile=mistake),
    ):
        pytest.fail("it should not have started")


def test_a_server_that_is_named_is_used_and_left_running(
    prefect_server: str, tmp_path: Path
):
    with server(tmp_path / "unused") as url:
        greetings(Greeting(who="bo"), times=1)

    assert url == prefect_server
    assert answers(prefect_server)
    assert not (tmp_path / "unused").exists()


def test_a_named_server_that_is_not_there_is_an_error(
    prefect_server: str, tmp_path: Path
):
    os.environ["PREFECT_API_URL"] = f"http://{HOST}:9/api"
    try:
        with (
            pytest.raises(ServiceError, match="unset PREFECT_API_URL"),
            server(tmp_path),
        ):
            pytest.fail("nothing answers there")
    finally:
        os.environ["PREFECT_API_URL"] = prefect_server


def test_a_failing_flow_is_recorded_as_failed(prefect_server: str):
    state = greetings(Greeting(), times="many", return_state=True)

    with get_client(sync_client=True) as client:
        kept = client.read_flow_runs(
            flow_run_filter=FlowRunFilter(
                id=FlowRunFilterId(any_=[state.state_details.flow_run_id])
            )
        )
    assert [run.state_name for run in kept] == ["Failed"]
