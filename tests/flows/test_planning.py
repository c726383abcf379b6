import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tasks.workspace import copy_shipped


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_shipped(tmp_path_factory.mktemp("planned")).root


def planned(workspace: Path, *options: str):
    done = CliRunner().invoke(
        app, ["gate", "plan", "-w", str(workspace), "--json", *options]
    )
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def chance(outlay, kind: str) -> float:
    return float(
        next(f["ships"]["estimate"] for f in outlay["forecasts"] if f["kind"] == kind)
    )


def test_the_plan_says_how_often_the_published_rule_ships_a_no_op(workspace: Path):
    outlay = planned(workspace, "--mode", "published")

    assert chance(outlay, "no-op") == pytest.approx(0.134, abs=0.002)
    assert chance(outlay, "+1") == pytest.approx(0.652, abs=0.01)
    assert any("gate.band" in text for text in outlay["warnings"])


def test_the_plan_of_the_certified_rule_ships_fewer_no_ops(workspace: Path):
    outlay = planned(workspace, "--mode", "certified")

    assert chance(outlay, "no-op") < 0.02
    assert chance(outlay, "+1") > 0.7


def test_the_plan_of_auto_is_that_of_both_rules(workspace: Path):
    both = planned(workspace, "--mode", "auto")
    alone = [planned(workspace, "--mode", mode) for mode in ("certified", "published")]

    assert both == alone


def test_the_plan_of_auto_says_when_each_rule_decides(workspace: Path):
    done = CliRunner().invoke(
        app, ["gate", "plan", "-w", str(workspace), "--mode", "auto"]
    )

    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "certified (with 6 held-out prompts)" in said
    assert "published (below 6 held-out prompts)" in said


def test_the_plan_asks_for_the_configured_mode_where_none_is_given(tmp_path: Path):
    made = copy_shipped(tmp_path).root / "params.yaml"
    text = made.read_text(encoding="utf-8")
    made.write_text(text.replace("mode: auto", "mode: certified"), "utf-8")

    assert planned(tmp_path)["mode"] == "certified"


def test_a_measured_tie_share_changes_the_plan(workspace: Path):
    few, many = (planned(workspace, "--ties", share) for share in ("0.1", "0.6"))

    for under_few, under_many in zip(few, many, strict=True):  # of each rule
        assert chance(under_few, "+1") > chance(under_many, "+1")


def test_votes_scored_as_certified_are_held_to_the_certified_rule(tmp_path: Path):
    rows = [
        {"case": f"c{case}", "context": f"c{case}-{k}", "order": order, "vote": vote}
        for case in range(4)
        for k in range(3)
        for order, vote in (
            ("candidate_first", "candidate"),
            ("current_first", "candidate"),
        )
    ]
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(rows), encoding="utf-8")

    said = {
        mode: json.loads(
            CliRunner()
            .invoke(app, ["gate", "score", str(path), "--mode", mode, "--json"])
            .stdout
        )
        for mode in ("published", "certified", "auto")
    }

    assert said["published"]["decision"] == "commit"
    assert said["certified"]["decision"] != "commit"  # four cases certify nothing
    auto = said["auto"]
    assert (auto["mode"], auto["uncertifiable"]) == ("published", True)


def scored(path: Path, *options: str):
    done = CliRunner().invoke(app, ["gate", "score", str(path), "--json", *options])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def one_case(folder: Path) -> Path:
    path = folder / "votes.csv"
    rows = [
        f"a,{n},{order}_first,candidate"
        for n in range(3)
        for order in ("candidate", "current")
    ]
    path.write_text("\n".join(["case,context,order,vote", *rows]), encoding="utf-8")
    return path


def test_votes_are_scored_by_the_workspace_s_numbers_and_it_says_which(
    workspace: Path, tmp_path: Path
):
    votes = one_case(tmp_path)

    said = scored(votes, "-w", str(workspace))

    assert said["code"] == "undecided:too_few_cases"
    assert said["params"] == str(workspace / "params.yaml")
    assert (said["asked"], said["mode"]) == ("auto", "published")
    assert said["numbers"]["cases"] == 4
    assert scored(votes, "-w", str(workspace), "--cases", "1")["decision"] == "commit"


def test_another_number_of_cases_in_params_yaml_is_asked_for(tmp_path: Path):
    made = copy_shipped(tmp_path / "ours").root / "params.yaml"
    text = made.read_text(encoding="utf-8")
    made.write_text(text.replace("cases: 4", "cases: 1"), "utf-8")

    assert scored(one_case(tmp_path), "-w", str(made.parent))["decision"] == "commit"


def test_without_a_workspace_votes_are_scored_by_the_shipped_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)

    said = scored(one_case(tmp_path))

    assert said["code"] == "undecided:too_few_cases"
    assert said["params"].startswith("as shipped")


def test_numbers_of_a_rule_that_is_not_asked_for_are_refused(tmp_path: Path):
    done = CliRunner().invoke(
        app,
        ["gate", "score", str(one_case(tmp_path)), "--mode=certified", "--cases=1"],
    )

    assert done.exit_code == 2
    assert "--cases" in done.output


@pytest.mark.parametrize("suffix", ["json", "csv", "parquet"])
def test_votes_in_any_format_are_scored_as_certified(tmp_path: Path, suffix: str):
    rows = pa.Table.from_pylist(
        [
            {
                "case": f"c{i}",
                "context": f"c{i}/{k}",
                "order": order,
                "vote": "candidate",
            }
            for i in range(8)
            for k in range(3)
            for order in ("candidate_first", "current_first")
        ]
    )
    path = tmp_path / f"votes.{suffix}"
    match suffix:
        case "json":
            path.write_text(json.dumps(rows.to_pylist()), encoding="utf-8")
        case "csv":
            csv.write_csv(rows, path)
        case _:
            pq.write_table(rows, path)

    done = CliRunner().invoke(
        app, ["gate", "score", str(path), "--mode", "certified", "--json"]
    )

    said = json.loads(done.stdout)
    assert (said["mode"], said["decision"]) == ("certified", "commit")
    assert said["evidence"]["losses"] == 0


def test_the_plan_for_machines_has_runs_calls_and_dollars(workspace: Path):
    outlays = planned(workspace, "--prices", "0.05", "0.01")

    for one in (forecast for outlay in outlays for forecast in outlay["forecasts"]):
        assert one["runs"] == one["calls"] == 2 * one["contexts"]
        assert one["usd"] == pytest.approx(0.12 * one["contexts"])
