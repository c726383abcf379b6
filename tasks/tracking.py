"""Remembers numbers: the only file that imports MLflow.

One MLflow run a round, in one experiment a workspace, on sqlite under `state/`. It
knows nothing about rounds: names and values are given. MLflow is imported when the
first round is recorded, since that takes 1 to 3 s.
"""

import contextlib
import logging
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skillbank.errors import ServiceError

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """What is remembered of one round."""

    round: str
    """Id of the round; a second record of the same id replaces the first."""
    params: Mapping[str, Cell] = field(default_factory=dict)
    """What the round was run with."""
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    """What it came to; a missing value (None, NaN) is left out, never recorded as 0."""
    tags: Mapping[str, str] = field(default_factory=dict)
    step: int = 0
    """Number of the round: the x axis of a chart over rounds."""


def record_round(
    workspace: Path,
    record: RoundRecord,
    tables: Mapping[str, Sequence[Mapping[str, Cell]]] | None = None,
    report: Path | None = None,
) -> str:
    """Record a round in the workspace's MLflow store, as one MLflow run.

    Args:
        workspace: Folder of the workspace; its name is the experiment's.
        record: Parameters, metrics and tags.
        tables: Rows by name of the table, each row with the same keys.
        report: A file to keep beside the numbers, if there is one.

    Returns:
        The id of the MLflow run.

    Raises:
        ServiceError: If the store cannot be opened or written.
    """
    with _client(workspace) as client:
        experiment = _experiment(client, workspace)
        earlier = _runs(client, experiment, record.round)
        run = client.create_run(
            experiment,
            run_name=record.round,
            tags={"round": record.round, **record.tags},
        )
        run_id: str = run.info.run_id
        _log_batch(client, run_id, record)
        for name, rows in (tables or {}).items():
            if rows:
                columns = {key: [row[key] for row in rows] for key in rows[0]}
                client.log_table(run_id, columns, f"{name}.json")
        if report is not None:
            client.log_artifact(run_id, str(report))
        client.set_terminated(run_id)
        for old in earlier:
            client.delete_run(old)
    return run_id


def recorded(workspace: Path) -> dict[str, dict[str, float]]:
    """The metrics of every recorded round, by round id, in order of id.

    Raises:
        ServiceError: If the store cannot be opened.
    """
    with _client(workspace) as client:
        found = client.search_runs([_experiment(client, workspace)], max_results=5000)
    rounds = {run.data.tags["round"]: dict(run.data.metrics) for run in found}
    return dict(sorted(rounds.items()))


def store_uri(workspace: Path) -> str:
    """Address of the workspace's store, for `mlflow server --backend-store-uri`."""
    return f"sqlite:///{(workspace / 'state' / 'mlflow.db').resolve()}"


def _log_batch(client: Any, run_id: str, record: RoundRecord) -> None:
    from mlflow.entities import Metric, Param

    now = int(time.time() * 1000)
    metrics = [
        Metric(name, float(value), now, record.step)
        for name, value in record.metrics.items()
        if value is not None and not math.isnan(value)
    ]
    params = [Param(name, str(value)) for name, value in record.params.items()]
    client.log_batch(run_id, metrics=metrics, params=params)


def _experiment(client: Any, workspace: Path) -> str:
    name = workspace.resolve().name
    found = client.get_experiment_by_name(name)
    if found is not None:
        return str(found.experiment_id)
    artifacts = (workspace / "state" / "mlartifacts").resolve()
    return str(client.create_experiment(name, artifact_location=artifacts.as_uri()))


def _runs(client: Any, experiment: str, round_id: str) -> list[str]:
    found = client.search_runs([experiment], f"tags.round = '{round_id}'")
    return [run.info.run_id for run in found]


@contextlib.contextmanager
def _client(workspace: Path) -> Iterator[Any]:
    from mlflow.exceptions import MlflowException
    from mlflow.tracking import MlflowClient
    from sqlalchemy.exc import SQLAlchemyError

    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)  # not a line per migration
    (workspace / "state").mkdir(exist_ok=True)
    try:
        store = workspace / "state" / "mlflow.db"
        if not store.exists():  # whole or not at all: half a store is never mended
            fresh = store.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            MlflowClient(f"sqlite:///{fresh.resolve()}").search_experiments()
            fresh.replace(store)
        yield MlflowClient(tracking_uri=store_uri(workspace))
    except (MlflowException, SQLAlchemyError, OSError) as error:
        raise ServiceError(
            str(workspace / "state" / "mlflow.db"),
            seen=f"{type(error).__name__}: {str(error).splitlines()[0]}",
            expected="a store that MLflow can write",
            remedy="see that no program locks it and the disk is not full; if it is "
            "broken, move it away: the rounds themselves are not in it",
        ) from error
