"""Rounds on what somebody else wrote: trace files, and briefs in plain words."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from skillbank.codec import load
from skillbank.summary import RoundSummary
from skillbank.tables import (
    COLLAPSED,
    EVENTS,
    GRADES,
    MISFITS,
    PROPOSALS,
    RUNS,
    SKIPPED,
    VARIANTS,
)
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace
from tests.workspaces import play_round, small_workspace

SMALLEST: dict[str, Any] = {"fixed": 4, "sealed": 2, "evolve": {"workers": 1}}
TEXTS = (
    'A poster for the harbour concert on 3 May. The headline says "Harbour Live".',
    'Banner for our winter sale, the button says "Shop now".',
    "An announcement of the book fair: date, place and a list of five authors.",
    "A card that thanks our volunteers; write to ada@example.org for the names.",
)


def line(number: int, **more: object) -> str:
    """A run of another host: its own words, its own score, no requirement of ours."""
    run = {
        "run_id": f"theirs-{number}",
        "brief": {"id": f"ticket-{number}", "text": TEXTS[number % len(TEXTS)]},
        "session": f"session-{number}",
        "user": f"person{number % 6}@example.org",
        "cohort": "print",
        "started": "2026-03-02T10:00:00Z",
        "steps": [{"subtask": "headline", "tool": "place_text"}],
        "recalls": [
            {
                "subtask": "headline",
                "skill": "main-headline",
                "version": 1,
                "relevance": 0.8,
                "reason": "words in common",
            }
        ],
        "uncovered": [{"name": "map", "phrase": "draw a map of the way there"}],
        "output": "done",
        "score": 0.2 if number % 3 else 0.9,
        "provenance": "human",
        "their_own_field": {"kept": "no"},
        **more,
    }
    return json.dumps(run)


def week(path: Path) -> Path:
    """A folder of two files, with a broken line, a duplicate and a retry."""
    path.mkdir()
    lines = [line(number) for number in range(12)]
    (path / "monday.jsonl").write_text("\n".join([*lines, lines[0], "{broken"]) + "\n")
    retry = line(20, retry_of="theirs-1", session="session-1")
    (path / "tuesday.jsonl").write_text(f"{line(12)}\n{retry}\n")
    return path


def rows(workspace: Workspace, round: str, table):
    return read_table(table_path(workspace.round_dir(round), table), table)


@pytest.fixture(scope="module")
def theirs(
    prefect_server: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Workspace, RoundSummary]:
    """A workspace with one round on traffic that somebody else wrote."""
    base = tmp_path_factory.mktemp("theirs")
    workspace = small_workspace(base / "ours", **SMALLEST)
    said = play_round(workspace, given="traffic", source=week(base / "week"))
    return workspace, said


def test_traffic_that_somebody_else_wrote_is_read_masked_and_counted_once(theirs):
    workspace, said = theirs

    runs = rows(workspace, "r0001", RUNS)
    assert {row.run.run_id for row in runs} >= {f"theirs-{n}" for n in range(12)} - {
        "theirs-1"
    }
    assert said.traffic == len(runs) == 13
    assert {one.run_id for one in rows(workspace, "r0001", COLLAPSED)} == {
        "theirs-0",
        "theirs-1",
    }
    assert said.quarantined == 1
    (misfit,) = [one for one in rows(workspace, "r0001", MISFITS) if not one.kept]
    assert misfit.source == "monday.jsonl:14"
    for path in workspace.data.glob("rounds/r0001/*"):
        assert b"@example.org" not in path.read_bytes(), path.name


def test_their_scores_keep_their_provenance_and_queue_the_card_that_failed(theirs):
    workspace, _ = theirs

    grades = {one.id: one for one in rows(workspace, "r0001", GRADES)}
    mine = [grades[row.run.run_id] for row in rows(workspace, "r0001", RUNS)]
    assert {grade.provenance for grade in mine} == {"human"}
    failures = [o for o in rows(workspace, "r0001", EVENTS) if o.kind == "failure"]
    assert {one.skill for one in failures} >= {"main-headline"}
    proposed = {one.skill for one in rows(workspace, "r0001", PROPOSALS)}
    # without a check of ours the offline writer may have no idea, and says so
    left = {one.subject for one in rows(workspace, "r0001", SKIPPED)}
    assert "main-headline" in proposed | left


def test_traffic_given_twice_counts_once(theirs, tmp_path: Path):
    workspace, first = theirs
    again = Workspace(shutil.copytree(workspace.root, tmp_path / "ours"))

    said = play_round(again, given="traffic", source=workspace.root.parent / "week")

    assert first.traffic == 13
    assert said.traffic == 0
    assert rows(again, "r0002", RUNS) == ()
    assert rows(again, "r0002", EVENTS) == ()
    assert {row.run_id for row in rows(again, "r0002", COLLAPSED)} == {
        f"theirs-{n}" for n in (*range(13), 20)
    }


@pytest.mark.usefixtures("prefect_server")
def test_a_round_on_briefs_ends_with_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    workspace = small_workspace(tmp_path / "ours", **SMALLEST)
    path = tmp_path / "briefs.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "text", "must_say"])
        for number, text in enumerate(TEXTS):
            table.writerow([f"b{number}", text, "Free entry|Sunday"])

    with pytest.raises(SystemExit) as ended:
        main(["round", "--briefs", str(path), "-w", str(workspace.root)])

    assert ended.value.code == 0
    told = capsys.readouterr()
    assert "r0001" in told.out
    assert "committed" in told.out
    assert "report.html written" in told.err
    assert told.err.count("note: ") == 1  # what the gate's numbers do not do
    runs = [row.run for row in rows(workspace, "r0001", RUNS)]
    assert len(runs) == len(TEXTS)
    for run in runs:
        assert run.ending == "ok"
        assert run.output
        assert len(run.brief.requirements) >= 3
        assert all(need.reason for need in run.brief.requirements)
        asked = [need.args.get("text") for need in run.brief.requirements]
        assert {"Free entry", "Sunday"} <= set(asked)
    page = (workspace.round_dir("r0001") / "report.html").read_text()
    assert "r0001" in page
    assert "ada@example.org" not in page


@pytest.mark.usefixtures("prefect_server")
def test_evolve_ends_the_round_that_was_begun_even_one_with_nothing_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    workspace = small_workspace(tmp_path / "quiet", **SMALLEST, vary={"share": 0.0})
    workspace.open_round(None, briefs=1)

    with pytest.raises(SystemExit) as ended:
        main(["evolve", "--rounds", "1", "--json", "-w", str(workspace.root)])

    assert ended.value.code == 0
    (said,) = load(tuple[RoundSummary, ...], capsys.readouterr().out)
    assert said.round == "r0001"
    assert workspace.round_ids() == ("r0001",)
    assert workspace.unfinished() == ()
    assert rows(workspace, "r0001", VARIANTS) == ()
    assert said.axis("deepening").proposed + said.axis("widening").proposed == 0
    assert said.runs_planned == said.control_runs == 0
    assert workspace.bank.head() == said.bank_after
    assert (workspace.round_dir("r0001") / "report.html").exists()
