"""`skillbank ingest` says what became of every file, to people and to machines."""

import json
from pathlib import Path

import pytest

from flows.cli import main
from skillbank.briefs.brief import Brief
from skillbank.traffic.readers.native import to_line
from skillbank.traffic.run import Run
from tasks.workspace import copy_shipped


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return copy_shipped(tmp_path / "ws").root


@pytest.fixture
def traffic(tmp_path: Path) -> Path:
    folder = tmp_path / "traffic"
    folder.mkdir()
    runs = [Run(run_id=f"r{n}", brief=Brief(id=f"b{n}", text="A card")) for n in "ab"]
    (folder / "good.jsonl").write_text("".join(f"{to_line(run)}\n" for run in runs))
    return folder


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(["ingest", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code, capsys.readouterr().out


def test_all_read_ends_with_status_0(
    workspace: Path, traffic: Path, capsys: pytest.CaptureFixture[str]
):
    code, out = said(
        capsys, traffic, "-w", workspace, "--out", workspace / "runs", "--json"
    )

    told = json.loads(out)
    assert code == 0
    assert (told["read"], told["quarantined"], told["totals"]["runs"]) == (2, 0, 2)
    (file,) = told["files"]
    assert (file["format"], file["kept"]) == ("native", 2)
    assert "line 1 has run_id and brief" in file["why"]


def test_some_put_aside_ends_with_status_3_and_names_each(
    workspace: Path, traffic: Path, capsys: pytest.CaptureFixture[str]
):
    (traffic / "odd.bin").write_bytes(b"\x00\x01")
    with (traffic / "good.jsonl").open("a") as file:
        file.write('{"run_id": "r9"}\n')

    code, out = said(capsys, traffic, "-w", workspace, "--out", workspace / "runs")

    assert code == 3
    assert "good.jsonl:3" in out
    assert "unknown format" in out
    assert (workspace / "runs.quarantine").is_dir()


def test_nothing_read_ends_with_status_2(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    odd = tmp_path / "odd.bin"
    odd.write_bytes(b"\x00\x01")

    code, out = said(
        capsys, odd, "-w", workspace, "--out", workspace / "runs", "--json"
    )

    assert code == 2
    assert json.loads(out)["error"]["seen"] == (
        "1 line(s) or file(s), none of them a run"
    )


def test_a_file_of_an_unknown_format_says_how_it_may_be_mapped(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    odd = tmp_path / "week.csv"
    odd.write_text("question,grade\nA card?,0.5\n")

    code, _ = said(capsys, odd, "-w", workspace, "--out", workspace / "one")
    params = workspace / "params.yaml"
    mapping = "columns: {brief: question, score: grade}"
    params.write_text(params.read_text().replace("columns: {}", mapping))
    mapped, _ = said(capsys, odd, "-w", workspace, "--out", workspace / "two")

    assert (code, mapped) == (2, 0)


def test_of_many_files_people_are_shown_the_formats(
    workspace: Path, traffic: Path, capsys: pytest.CaptureFixture[str]
):
    for n in range(30):
        (traffic / f"{n}.txt").write_text("notes")

    _, out = said(capsys, traffic, "-w", workspace, "--out", workspace / "runs")

    assert "31 files by format" in out
    (native,) = (line.split() for line in out.splitlines() if "native" in line)
    assert native == ["native", "1", "2", "2", "0", "0"]
    (none,) = (line.split() for line in out.splitlines() if "none  " in line)
    assert none == ["none", "30", "30", "0", "0", "30"]
