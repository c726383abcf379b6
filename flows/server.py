"""A Prefect server of our own on loopback: started, waited for, drained and ended.

Prefect's ephemeral mode would do without one, but it ends with its queue still full and
loses the records of most task runs (docs/decisions/0001-prefect-server.md). Prefect is
imported late, so that the address of the server is set before it reads its settings.

Run as a program it is the server itself, or makes the database that new servers start
from: `python -m flows.server template`.
"""

import http.client
import logging
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from uuid import UUID

from skillbank.errors import ServiceError

HOST = "127.0.0.1"
START_S = 120.0  # a new database on a busy machine took 23 s
DRAIN_S = 90.0  # 1000 task runs take 10 s to record
STOP_S = 20.0

logger = logging.getLogger("skillbank")


@contextmanager
def server(
    home: Path, *, port: int | None = None, meanwhile: Callable[[], None] | None = None
) -> Iterator[str]:
    """Have a Prefect server for as long as the block lasts.

    In the block `PREFECT_API_URL` and `PREFECT_HOME` are set, in the environment and in
    Prefect's settings. A server that `PREFECT_API_URL` already names is used as it is,
    and neither drained nor ended.

    Args:
        home: Folder of the server's database and log; made if it is not there.
        port: Port on loopback; None takes a free one.
        meanwhile: Called while the server boots (3 s, a new database 10 s).

    Yields:
        The address of the API, such as `http://127.0.0.1:4200/api`.

    Raises:
        ServiceError: If the port is taken, no server answers in time, or it no longer
            records what it is sent.
    """
    if named := os.environ.get("PREFECT_API_URL"):
        if meanwhile:
            meanwhile()
        with _settings({"PREFECT_API_URL": named}):
            _check(named)
            with _recording("the log of that server"):
                yield named
        return
    home.mkdir(parents=True, exist_ok=True)
    port = _free_port() if port is None else _still_free(port)
    process = _start(home, port)
    try:
        if meanwhile:
            meanwhile()
        _wait_until_healthy(process, port, home)
        url = f"http://{HOST}:{port}/api"
        with _settings({"PREFECT_API_URL": url, "PREFECT_HOME": str(home)}):
            _let_go()  # of a server that this process used before
            with _recording(str(home / "server.log")):
                try:
                    yield url
                finally:
                    if process.poll() is None:
                        drain()
    finally:
        _stop(process)


@contextmanager
def _recording(log: str) -> Iterator[None]:
    """Say so if the server is gone, or fails as on a full disk."""
    from httpx import TransportError
    from prefect.exceptions import PrefectHTTPStatusError

    try:
        yield
    except (TransportError, PrefectHTTPStatusError) as error:
        raise ServiceError(
            "Prefect's server",
            seen=f"{type(error).__name__}: {' '.join(str(error).split())}",
            expected="a server that records what it is sent",
            remedy=f"see that its disk is not full, read {log}, and run the command "
            "again: a round goes on where it stood",
        ) from error


def drain(timeout_s: float = DRAIN_S) -> bool:
    """Wait until the server has recorded every task run of this process.

    Task runs reach the server as events, through queues that keep their order. A last
    one is sent behind them: once it is recorded, so are all before it.

    Args:
        timeout_s: How long to wait, in seconds.

    Returns:
        Whether the last one arrived in time; if not, a warning is logged.
    """
    from prefect import task
    from prefect.cache_policies import NO_CACHE
    from prefect.settings import temporary_settings

    @task(name="end of records", cache_policy=NO_CACHE, persist_result=False)
    def last() -> None: ...

    with temporary_settings({"logging.to_api.when_missing_flow": "ignore"}):
        last_id = last(return_state=True).state_details.task_run_id
    assert last_id is not None  # every state of a task run names it
    arrived = _arrived(last_id, time.monotonic() + timeout_s)
    if not arrived:
        logger.warning("Prefect did not record all task runs within %.0f s", timeout_s)
    _let_go()
    return arrived


def _let_go() -> None:
    """End Prefect's threads, which hold connections to one server; new ones start."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker

    EventsWorker.drain_all(timeout=STOP_S, at_exit=False)
    APILogWorker.drain_all(timeout=STOP_S, at_exit=False)


def _arrived(task_run: UUID, end: float) -> bool:
    from prefect.client.orchestration import get_client
    from prefect.exceptions import ObjectNotFound

    with get_client(sync_client=True) as client:
        while time.monotonic() < end:
            with suppress(ObjectNotFound):
                state = client.read_task_run(task_run).state
                if state and state.is_completed():
                    client.delete_task_run(task_run)
                    return True
            time.sleep(0.1)
    return False


def make_template() -> Path:
    """Make the empty, migrated database that new servers start from; `make setup` does.

    Migrating a new database takes 7 s of each first start, a copy none.

    Raises:
        ServiceError: If Prefect could not make it.
    """
    path = template()
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-m", "prefect", "server", "database", "upgrade", "-y"],
            env={**os.environ, "PREFECT_HOME": home},
            capture_output=True,
            text=True,
            check=False,
        )
        made = Path(home, "prefect.db")
        if done.returncode or not made.exists():
            raise ServiceError(
                "prefect server database upgrade",
                seen=(done.stderr or done.stdout).strip()[-300:],
                expected="an empty database",
                remedy="make setup",
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        _copy(made, path)
    return path


def template() -> Path:
    """Where the empty database of this environment's Prefect lies, made or not."""
    return Path(sys.prefix, "share", "skillbank", f"prefect-{version('prefect')}.db")


def _copy(source: Path, target: Path) -> None:
    beside = target.with_suffix(f".{os.getpid()}")
    shutil.copyfile(source, beside)
    beside.replace(target)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _still_free(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise ServiceError(
                f"port {port} on {HOST}",
                seen=str(error),
                expected="a free port",
                remedy="name another one with --port, or end the program that has it",
            ) from error
    return port


def _start(home: Path, port: int) -> subprocess.Popen[bytes]:
    database = home / "prefect.db"
    if not database.exists() and template().exists():
        _copy(template(), database)
    with (home / "server.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "flows.server", "run", str(port)],
            env={
                **os.environ,
                "PREFECT_HOME": str(home),
                # its page asks port 4200 otherwise, whatever port it is on
                "PREFECT_SERVER_UI_API_URL": f"http://{HOST}:{port}/api",
            },
            stdin=subprocess.PIPE,  # held open: its end is the sign that we are gone
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C ends us first; then we drain and end it
        )


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()


def _wait_until_healthy(
    process: subprocess.Popen[bytes], port: int, home: Path
) -> None:
    end = time.monotonic() + START_S
    while not _healthy(port):
        if process.poll() is not None or time.monotonic() > end:
            raise ServiceError(
                "prefect server start",
                seen=f"no server on port {port}; its log ends: {_tail(home)}",
                expected=f"a healthy server within {START_S:.0f} s",
                remedy=f"read {home / 'server.log'}, then run the command again",
            )
        time.sleep(0.05)


def _tail(home: Path) -> str:
    return (home / "server.log").read_text(errors="replace").strip()[-200:]


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin:
        process.stdin.close()


@contextmanager
def _settings(values: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    no_proxy = ",".join(filter(None, (before.get("NO_PROXY"), HOST)))
    os.environ.update({**values, "NO_PROXY": no_proxy})
    try:
        from prefect.settings import temporary_settings

        # Prefect may have been imported, and have read the environment, before
        names = {"PREFECT_API_URL": "api.url", "PREFECT_HOME": "home"}
        with temporary_settings({names[name]: v for name, v in values.items()}):
            yield
    finally:
        for name in (*values, "NO_PROXY"):
            os.environ.pop(name, None)
            if name in before:
                os.environ[name] = before[name]


def _check(url: str) -> None:
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        problem = client.api_healthcheck()
    if problem:
        raise ServiceError(
            f"PREFECT_API_URL={url}",
            seen=f"{type(problem).__name__}: {problem}",
            expected="a Prefect server that answers",
            remedy="start that server, or unset PREFECT_API_URL to get one of our own",
        )


def _run(port: str) -> None:
    """Be the server, until a signal or until the process that started us is gone."""

    def end_with_parent() -> None:
        while os.read(0, 1):  # stdin is its pipe; nothing is ever written to it
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_with_parent, daemon=True).start()
    sys.argv = ["prefect", "server", "start", "--host", HOST, "--port", port]
    runpy.run_module("prefect", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    if sys.argv[1] == "template":
        make_template()
    else:
        _run(sys.argv[2])
