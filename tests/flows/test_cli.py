"""The commands on a workspace with two rounds, for people and for machines."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from flows.cli import main
from skillbank.tables import PROPOSALS, SCREENINGS, VERDICTS
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace
from tests.workspaces import change_params, differing, made

Run = Callable[..., str]
Machine = Callable[..., Any]


@pytest.fixture
def workspace(finished: Workspace, tmp_path: Path) -> Workspace:
    """Two rounds that ended; ours to change."""
    copy = tmp_path / "ours"
    shutil.copytree(finished.root, copy, symlinks=True)
    return Workspace(copy)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """What a command prints."""

    def command(*arguments: str | Path) -> str:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        assert ended.value.code == 0
        return capsys.readouterr().out

    return command


@pytest.fixture
def machine(run: Run) -> Machine:
    """What a command prints for machines, read."""
    return lambda *arguments: orjson.loads(run(*arguments, "--json"))


def proposals(workspace: Workspace) -> list[str]:
    """Ids of all proposals of the second round that were heard."""
    folder = workspace.round_dir("r0002")
    screened = read_table(table_path(folder, SCREENINGS), SCREENINGS)
    return [one.proposal for one in screened if one.passed]


READING = (
    ["doctor"],
    ["rounds"],
    ["bank", "list"],
    ["bank", "show", "main-headline"],
    ["bank", "diff", "1", "2"],
    ["bank", "history", "main-headline"],
)


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_what_only_reads_prints_for_people_and_for_machines_and_writes_nothing(
    finished: Workspace, run: Run, machine: Machine, command: Sequence[str]
):
    before = made(finished)

    people = run(*command, "--workspace", finished.root)
    machines = machine(*command, "--workspace", finished.root)

    assert people.strip()
    assert machines
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(people)
    assert differing(before, made(finished)) == []


def test_rounds_are_listed_oldest_first_with_their_counts(
    finished: Workspace, run: Run, machine: Machine
):
    rows = machine("rounds", "-w", finished.root)

    assert [row["round"] for row in rows] == ["r0001", "r0002"]
    for row in rows:
        folder = finished.round_dir(row["round"])
        proposed = read_table(table_path(folder, PROPOSALS), PROPOSALS)
        told = row["deepening"]["proposed"] + row["widening"]["proposed"]
        assert told == len(proposed)
    people = run("rounds", "-w", finished.root)
    assert "r0001" in people
    assert "committed" in people


def test_the_bank_is_listed_and_shown_as_it_was_at_any_version(
    finished: Workspace, run: Run, machine: Machine
):
    listed = machine("bank", "list", "-v", "1", "-w", finished.root)

    seed = finished.bank.read(1)
    assert {row["skill"] for row in listed} == seed.names()
    name = min(seed.names())
    shown = machine("bank", "show", name, "-v", "1", "-w", finished.root)
    file = finished.bank.folder(1) / name / "SKILL.md"
    assert shown["text"].encode() == file.read_bytes()
    assert run("bank", "show", name, "-v", "1", "-w", finished.root).strip() == (
        shown["text"].strip()
    )


def test_a_rollback_brings_the_old_cards_back_as_a_new_version(
    workspace: Workspace, machine: Machine
):
    before = workspace.bank.numbers()

    told = machine("bank", "rollback", "1", "-w", workspace.root)

    assert told == {"head": max(before) + 1, "equals": 1}
    assert workspace.bank.head() == told["head"]
    prior = workspace.params.recall.prior_trials
    old, now = workspace.bank.read(1), workspace.bank.current()
    assert now.parent == 1
    assert now.cards(prior) == old.cards(prior)
    assert workspace.bank.numbers() == (*before, told["head"])


def test_a_report_that_is_written_again_is_the_same(
    workspace: Workspace, machine: Machine
):
    for round in ("r0001", "r0002"):
        path = workspace.round_dir(round) / "report.html"
        before = path.read_bytes()
        path.unlink()

        told = machine("report", round, "-w", workspace.root)

        assert told == {"report": str(path)}
        assert path.read_bytes() == before


def test_the_newest_report_is_the_default(workspace: Workspace, machine: Machine):
    told = machine("report", "-w", workspace.root)

    assert Path(told["report"]).parent.name == "r0002"


def test_a_proposal_is_replayed_again_with_fresh_seeds_and_its_verdict_stands(
    workspace: Workspace, machine: Machine
):
    before = made(workspace)
    change_params(workspace, evolve={"workers": 1})
    id = proposals(workspace)[0]

    told = machine("gate", "replay", id, "--times", "3", "-w", workspace.root)

    assert [row["proposal"] for row in told] == [id] * 3
    assert all(row["decision"] in {"commit", "refuse", "undecided"} for row in told)
    records = read_table(table_path(workspace.round_dir("r0002"), VERDICTS), VERDICTS)
    (plan,) = (one.plan for one in records if one.plan.proposal == id)
    bar = float(plan.limits.bar) if plan.limits else None
    assert [row["bar"] for row in told] == [bar] * 3
    assert differing(before, made(workspace)) == []


def test_the_benchmark_compares_a_bank_with_the_seed_and_with_no_skills(
    workspace: Workspace, machine: Machine
):
    change_params(workspace, evolve={"workers": 1})

    told = machine("benchmark", "--bank", "2", "-w", workspace.root)

    assert [row["skills"] for row in told] == ["bank 2", "seed", "none"]
    assert {row["briefs"] for row in told} == {16}
    bank, seed, none = told
    assert bank["gain over it"] is None
    for row in (seed, none):
        assert row["low"] <= row["gain over it"] <= row["high"]
        gain = bank["completeness"] - row["completeness"]
        assert row["gain over it"] == pytest.approx(gain)


VOTES = [
    {"case": case, "context": f"{case}{n}", "order": order, "vote": vote}
    for case, votes in (("a", ("candidate",) * 3), ("b", ("candidate", "same", "same")))
    for n, vote in enumerate(votes)
    for order in ("candidate_first", "current_first")
]


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_votes_made_elsewhere_are_scored_whatever_the_kind_of_file(
    tmp_path: Path, run: Run, machine: Machine, kind: str
):
    path = tmp_path / f"votes.{kind}"
    table = pa.Table.from_pylist(VOTES)
    match kind:
        case "json":
            path.write_text(json.dumps(VOTES))
        case "csv":
            pyarrow.csv.write_csv(table, path)
        case "parquet":
            pyarrow.parquet.write_table(table, path)

    told = machine("gate", "score", path, "--cases", "2")

    assert told["decision"] == "commit"
    counts = {case["case"]: (case["wins"], case["ties"]) for case in told["cases"]}
    assert counts == {"a": (3, 0), "b": (1, 2)}
    assert "commit" in run("gate", "score", path, "--cases", "2")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("votes.txt", "case", "'.txt'"),
        ("votes.json", "{}", "a dict"),
        ("votes.json", "[", "JSON"),
        ("votes.json", '[{"case": "a"}]', "row 1"),
        ("votes.csv", "case,context,order,vote\na,a1,first,candidate\n", "first"),
        ("votes.parquet", "no", "Parquet"),
        ("gone.csv", None, "No such file"),
    ],
)
def test_votes_that_cannot_be_read_say_where_and_why(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str | None,
    words: str,
):
    if text is not None:
        (tmp_path / name).write_text(text)

    with pytest.raises(SystemExit) as ended:
        main(["gate", "score", str(tmp_path / name)])

    assert ended.value.code == 2
    assert words in capsys.readouterr().err


def test_a_workspace_is_made_once_and_kept_when_made_again(
    tmp_path: Path, machine: Machine
):
    folder = tmp_path / "new" / "workspace"

    told = machine("init", folder)
    (folder / "params.yaml").write_text("world: studio\n")
    again = machine("init", folder)

    assert told == again == {"workspace": str(folder)}
    assert (folder / "params.yaml").read_text() == "world: studio\n"
    log = ["git", "-C", str(folder), "log", "--oneline"]
    assert subprocess.check_output(log).count(b"\n") == 1
    assert machine("doctor", "-w", folder)


def test_the_command_is_a_module_too_and_answers_without_the_vendors():
    script = (
        "import sys; from flows.cli import main\n"
        "try: main(['bank', '--help'])\n"
        "except SystemExit: print(sorted({'prefect', 'mlflow', 'dvc', 'anthropic'}"
        " & sys.modules.keys()))"
    )

    told = subprocess.check_output([sys.executable, "-c", script], text=True)
    module = subprocess.run(
        [sys.executable, "-m", "flows.cli", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.splitlines()[-1] == "[]"
    assert "evolve" in module.stdout


def test_a_command_that_is_none_is_a_usage_error():
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "evolv"], capture_output=True, check=False
    )

    assert done.returncode == 2
