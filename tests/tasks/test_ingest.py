"""What may teach: never what is measured."""

from pathlib import Path

from skillbank.briefs.benchmark import read_benchmark
from skillbank.briefs.brief import Brief
from skillbank.tables import RUNS
from skillbank.traffic.readers.native import to_line
from skillbank.traffic.run import Run
from tasks.ingest import ingest
from tasks.setting import Setting
from tests.workspaces import small_workspace


def test_traffic_that_repeats_a_fixed_brief_only_tests(tmp_path: Path):
    workspace = small_workspace(tmp_path / "leak", ingest={"teach_share": 1.0})
    texts = {
        name: read_benchmark(workspace.benchmark(name))[0].text
        for name in ("benchmark", "sealed")
    }
    texts["own"] = "A poster for the regatta, with the date and a large picture"
    file = tmp_path / "runs.jsonl"
    runs = [
        Run(run_id=name, brief=Brief(id=name, text=text), session=name)
        for name, text in texts.items()
    ]
    file.write_text("".join(f"{to_line(run)}\n" for run in runs))
    opening = workspace.open_round(None, briefs=1, given="traffic", source=str(file))
    setting = Setting(workspace, opening)

    ingest.fn(setting)

    sides = {row.run.run_id: row.side for row in setting.read(RUNS)}
    assert sides == {"benchmark": "test", "sealed": "test", "own": "teach"}
