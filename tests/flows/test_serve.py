import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import FlowRun
from prefect.client.schemas.schedules import CronSchedule

from flows.serve import serve
from skillbank.errors import ParamsError
from tests.flows.served import greetings

FLOWS = Path(__file__).resolve().parents[2] / "flows"


@pytest.fixture
def client(prefect_server: str) -> Iterator[SyncPrefectClient]:
    with get_client(sync_client=True) as opened:
        yield opened


def final(client: SyncPrefectClient, run: FlowRun) -> FlowRun:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        run = client.read_flow_run(run.id)
        if run.state and run.state.is_final():
            return run
        time.sleep(0.2)
    return run


def test_a_run_started_from_the_page_works_and_is_typed(
    client: SyncPrefectClient, tmp_path: Path
):
    with subprocess.Popen(
        [sys.executable, "-m", "tests.flows.served", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        page = process.stderr.readline()
        deployment = None
        while deployment is None and process.poll() is None:
            found = client.read_deployments()
            ours = [d for d in found if "greetings" in (d.entrypoint or "")]
            deployment = next(iter(ours), None)
            time.sleep(0.2)
        assert deployment is not None

        run = client.create_flow_run_from_deployment(
            deployment.id, parameters={"form": {"who": "cy"}, "times": 2}
        )
        run = final(client, run)
        process.send_signal(signal.SIGINT)

    assert run.state_name == "Completed"
    assert re.search(r"http://\S+/deployments", page)
    assert deployment.description == "Greet somebody a number of times."
    assert deployment.schedules[0].schedule == CronSchedule(cron="0 6 * * 1")
    schema = deployment.parameter_openapi_schema or {}
    form = schema["definitions"]["Greeting"]
    assert form["properties"]["how"]["enum"] == ["loudly", "softly"]
    assert process.returncode == 0


def test_a_schedule_that_is_none_is_an_error(tmp_path: Path):
    with pytest.raises(ParamsError, match="--cron"):
        serve(greetings, tmp_path, cron="every Monday")


def test_flow_files_do_not_postpone_annotations():
    """A served flow whose parameter is a model cannot be run then (Prefect 3.9)."""
    postponing = [
        path.name
        for path in FLOWS.glob("*.py")
        if "from __future__ import annotations" in path.read_text(encoding="utf-8")
    ]

    assert postponing == []
