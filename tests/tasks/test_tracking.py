import json
from pathlib import Path

import pytest
from mlflow.tracking import MlflowClient

from skillbank.errors import ServiceError
from tasks.tracking import Cell, RoundRecord, record_round, recorded, store_uri


def a_round(name: str = "r0001", gain: float = 0.25) -> RoundRecord:
    return RoundRecord(
        round=name,
        params={"gate.k": 4, "gate.mode": "published"},
        metrics={"gain": gain, "latency_s": None},
        tags={"bank": "2"},
        step=int(name[1:]),
    )


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for the module: making it costs 2 s."""
    return tmp_path_factory.mktemp("ours")


def test_a_round_is_one_run_with_its_numbers_table_and_report(workspace: Path):
    report = workspace / "report.html"
    report.write_text("<p>why</p>")
    rows: list[dict[str, Cell]] = [
        {"proposal": "p1", "verdict": "commit"},
        {"proposal": "p2", "verdict": None},
    ]

    run_id = record_round(workspace, a_round(), {"proposals": rows}, report)

    client = MlflowClient(store_uri(workspace))
    run = client.get_run(run_id)
    assert run.info.status == "FINISHED"
    assert run.data.params == {"gate.k": "4", "gate.mode": "published"}
    assert run.data.tags["round"] == "r0001"
    assert {file.path for file in client.list_artifacts(run_id)} == {
        "proposals.json",
        "report.html",
    }
    table = json.loads(
        Path(client.download_artifacts(run_id, "proposals.json")).read_text()
    )
    assert table == {
        "columns": ["proposal", "verdict"],
        "data": [["p1", "commit"], ["p2", None]],
    }


def test_a_missing_metric_is_left_out_and_not_recorded_as_zero(workspace: Path):
    record_round(workspace, a_round("r0002"))

    assert recorded(workspace)["r0002"] == {"gain": 0.25}


def test_a_round_recorded_again_is_still_one_run(workspace: Path):
    record_round(workspace, a_round("r0003", gain=0.1))
    record_round(workspace, a_round("r0003", gain=0.2))

    client = MlflowClient(store_uri(workspace))
    experiment = client.get_experiment_by_name(workspace.name)
    found = client.search_runs([experiment.experiment_id], "tags.round = 'r0003'")
    assert [run.data.metrics["gain"] for run in found] == [0.2]


def test_the_experiment_is_named_like_the_workspace(workspace: Path):
    record_round(workspace, a_round("r0004"))

    names = [e.name for e in MlflowClient(store_uri(workspace)).search_experiments()]
    assert workspace.name in names


def test_a_store_that_is_no_database_is_an_error_with_a_remedy(tmp_path: Path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state/mlflow.db").write_text("not a database, but long enough " * 99)

    with pytest.raises(ServiceError, match=r"mlflow\.db.*move it away"):
        record_round(tmp_path, a_round())
