"""The weekly deployment that `skillbank serve` registers: its form, and a run of it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import FlowRun
from prefect.client.schemas.responses import DeploymentResponse

from tests.workspaces import small_workspace


def deployment(client: SyncPrefectClient, name: str) -> DeploymentResponse:
    """The deployment of this name of the weekly round."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found = client.read_deployments()
        mine = [one for one in found if one.entrypoint and name in one.entrypoint]
        if mine:
            return mine[0]
        time.sleep(0.1)
    raise TimeoutError(name)


def final(client: SyncPrefectClient, run: FlowRun) -> FlowRun:
    end = time.monotonic() + 200
    while time.monotonic() < end:
        run = client.read_flow_run(run.id)
        if run.state and run.state.is_final():
            return run
        time.sleep(0.2)
    return run


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("prefect_server")
def test_a_round_started_from_the_form_runs_to_its_end(tmp_path: Path):
    workspace = small_workspace(
        tmp_path / "served", fixed=3, sealed=2, evolve={"briefs": 2, "workers": 1}
    )
    command = [sys.executable, "-m", "flows.cli", "serve", "--json", "-w"]
    with (
        get_client(sync_client=True) as client,
        subprocess.Popen(
            [*command, str(workspace.root)], stdout=subprocess.PIPE, env=os.environ
        ) as process,
    ):
        assert process.stdout
        told = orjson.loads(process.stdout.readline())
        served = deployment(client, "weekly_round")

        run = client.create_flow_run_from_deployment(
            served.id, parameters={"form": {"workspace": str(workspace.root)}}
        )
        run = final(client, run)
        process.send_signal(signal.SIGINT)

    assert told["deployments"].endswith("/deployments")
    assert (run.state_name, run.name) == ("Completed", "served r0001")
    assert workspace.finished() == ("r0001",)
    assert workspace.unfinished() == ()
    schema = (served.parameter_openapi_schema or {})["definitions"]["RoundForm"]
    assert set(schema["properties"]) == {
        "workspace",
        "round",
        "given",
        "source",
        "briefs",
    }
    assert all(one.get("description") for one in schema["properties"].values())
    assert schema["properties"]["given"]["enum"] == ["simulated", "traffic", "briefs"]
    assert process.returncode == 0
