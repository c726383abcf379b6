"""Serves a flow: a Prefect server with its weekly deployment, until interrupted.

Somebody who opens the server's page sees the deployment, its schedule and a form made
from the type of the flow's parameter; a run started there is run by this process.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flows.server import server
from skillbank.errors import ParamsError

WEEKLY = "0 6 * * 1"
"""Mondays at six, UTC."""


def serve(
    flow: Any,
    workspace: Path,
    *,
    port: int | None = 4200,
    cron: str = WEEKLY,
    parameters: Mapping[str, Any] | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Run a server and the flow's deployment; returns when interrupted.

    Rounds never overlap: a run that is due while another goes on waits for it.

    Args:
        flow: The flow, from a module that can be imported.
        workspace: Whose `state/` the server's database lives in.
        port: Port of the server on loopback; None takes a free one. A server that
            `PREFECT_API_URL` names is used instead.
        cron: When the deployment runs by itself, in UTC.
        parameters: What a scheduled run is started with, and the form shows first.
        ready: Told the address of the deployments' page; None prints it.

    Raises:
        ServiceError: If the port is taken.
        ParamsError: If `cron` is no schedule.
    """
    _check_cron(cron)
    with server(workspace / "state" / "prefect", port=port) as url:
        (ready or _say)(f"{url.removesuffix('/api')}/deployments")
        flow.serve(
            name="weekly",
            cron=cron,
            parameters=dict(parameters or {}),
            description=flow.description,
            tags=["skillbank"],
            limit=1,
            print_starting_message=False,
        )


def _say(page: str) -> None:
    sys.stderr.write(f"Deployment `weekly` is at {page}; Ctrl-C ends it.\n")


def _check_cron(cron: str) -> None:
    from prefect.client.schemas.schedules import CronSchedule
    from pydantic import ValidationError

    try:
        CronSchedule(cron=cron)
    except ValidationError as error:
        raise ParamsError(
            "--cron",
            seen=f"{cron!r}: {error.errors()[0]['msg']}",
            expected=f"minute, hour, day, month and weekday, such as {WEEKLY}",
            remedy=f"skillbank serve --cron '{WEEKLY}'",
        ) from error
