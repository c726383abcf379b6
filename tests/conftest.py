"""What all tests share: switches, a Prefect server, rounds, real files, a browser."""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tasks  # noqa: F401  sets the vendors' switches before a vendor is imported
from flows.server import START_S, drain, server
from tasks.workspace import Workspace
from tests.workspaces import play_round, small_workspace

ROUNDS_S = 400.0  # two small rounds took 95 s on a machine that did four things at once

# tests never reach a server, or sign with a name, that belongs to whoever runs them
for name in ("PREFECT_API_URL", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
    os.environ.pop(name, None)
os.environ["GIT_CONFIG_GLOBAL"] = os.devnull


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of real files."""
    folder = os.environ.get("SKILLBANK_SAMPLES")
    if not folder or not Path(folder).is_dir():
        pytest.skip("SKILLBANK_SAMPLES names no folder of samples")
    return Path(folder)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The command of a Chromium that Playwright can drive."""
    names = ("chromium", "chromium-browser", "google-chrome")
    for found in map(shutil.which, names):
        if found:
            return found
    pytest.skip(f"no browser found: none of {', '.join(names)}")


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a Prefect server that all workers of this session share.

    The worker that comes first starts it, and ends it when the others are done with it.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    users = shared / "prefect-users"
    users.mkdir(exist_ok=True)
    mine = users / str(os.getpid())
    mine.touch()
    address = shared / "prefect-url"
    try:
        (shared / "prefect-owner").touch(exist_ok=False)
    except FileExistsError:
        os.environ["PREFECT_API_URL"] = _written(address)
        with server(shared / "prefect") as url:
            yield url
        mine.unlink()
        return
    with server(shared / "prefect") as url:
        beside = address.with_suffix(".new")
        beside.write_text(url)
        beside.replace(address)
        yield url
        mine.unlink()
        while any(users.iterdir()):
            time.sleep(0.1)
        address.unlink()
        (shared / "prefect-owner").unlink()


@pytest.fixture(scope="session")
def finished(
    prefect_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Workspace:
    """A workspace with two rounds that ended, for all workers: copy it to change it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, ready = shared / "finished", shared / "finished-rounds"
    try:
        (shared / "finished-owner").touch(exist_ok=False)
    except FileExistsError:
        _written(ready, ROUNDS_S)
        return Workspace(folder)
    workspace = small_workspace(folder)
    for _ in range(2):
        play_round(workspace)
    drain()
    ready.touch()
    return workspace


def _written(path: Path, limit_s: float = START_S) -> str:
    end = time.monotonic() + limit_s
    while not path.exists():
        if time.monotonic() > end:
            raise TimeoutError(f"no other worker made {path.name} within {limit_s} s")
        time.sleep(0.1)
    return path.read_text()
