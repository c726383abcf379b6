"""Bad input: said before anything is started, with place, seen, expected and remedy."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson
import pytest
from pydantic import ValidationError

from flows.cli import main
from flows.forms import RoundForm
from flows.server import HOST
from tasks.workspace import Workspace
from tests.workspaces import change_params, differing, small_workspace

Refused = Callable[..., str]


@pytest.fixture
def workspace(finished: Workspace, tmp_path: Path) -> Workspace:
    """Two rounds that ended; ours to break."""
    copy = tmp_path / "ours"
    shutil.copytree(finished.root, copy, symlinks=True)
    return Workspace(copy)


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """Run a command that must be refused and must change nothing; what it said."""

    def run(workspace: Workspace, *arguments: str) -> str:
        before = files(workspace)
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--workspace", str(workspace.root)])
        said = capsys.readouterr()
        assert ended.value.code == 2
        assert said.out == ""
        assert said.err.startswith("skillbank: ")
        assert said.err.count("\n") == 1
        assert "; expected " in said.err
        assert "To mend: " in said.err
        assert differing(before, files(workspace)) == []
        return said.err

    return run


def files(workspace: Workspace) -> dict[str, bytes]:
    """Everything in a workspace but git's own and DVC's own."""
    return {
        path.relative_to(workspace.root).as_posix(): path.read_bytes()
        for path in sorted(workspace.root.rglob("*"))
        if path.is_file() and not {".git", ".dvc"} & set(path.parts)
    }


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gate: {min_gian: 0.1}", ["params.yaml: gate.min_gian", "band", "cases"]),
        ("gate: {cases: many}", ["params.yaml: gate.cases", "'many'", "integer"]),
        ("evolve: {briefs: 0}", ["params.yaml: evolve.briefs", "0"]),
        ("planet: mars", ["params.yaml: planet", "world"]),
        ("world: mars", ["params.yaml: world", "'mars'", "studio"]),
        ("gate: [4, 3]", ["params.yaml: gate"]),
        ("gate: {cases: 4", ["params.yaml", "YAML", "line 1"]),
        ("- gate", ["params.yaml", "mapping"]),
        ("gate: {cases: 4}\ngate: {cases: 5}", ["params.yaml", "duplicate key"]),
    ],
)
def test_parameters_that_make_no_sense_name_the_key(
    workspace: Workspace, refused: Refused, text: str, words: Sequence[str]
):
    write(workspace.root / "params.yaml", text)

    said = refused(workspace, "round")

    for word in words:
        assert word in said


def test_parameters_that_are_not_text_are_named(workspace: Workspace, refused: Refused):
    (workspace.root / "params.yaml").write_bytes(b"\xff\xfe\x00gate")

    assert "params.yaml" in refused(workspace, "evolve", "--rounds", "1")


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"cases": 0}, "gate.cases"),
        ({"contexts": 0}, "gate.contexts"),
        ({"band": 0.5}, "gate.band"),
        ({"band": "-1/10"}, "gate.band"),
        ({"band": "wide"}, "gate.band"),
        ({"cases": 60}, "lower gate.cases to"),
        ({"contexts": 10_000}, "lower gate.contexts"),
        (
            {"mode": "certified", "certified": {"held_out": 5}},
            "gate.certified.held_out",
        ),
        ({"mode": "auto", "certified": {"horizon": 3}}, "gate.certified.horizon"),
    ],
)
def test_a_gate_that_cannot_pass_or_cannot_fail_is_refused(
    workspace: Workspace, refused: Refused, values: dict[str, object], word: str
):
    change_params(workspace, gate=values)

    assert word in refused(workspace, "round")


def test_a_lock_that_a_killed_git_left_stops_a_round_before_it_begins(
    workspace: Workspace, refused: Refused
):
    lock = workspace.root / ".git/index.lock"
    lock.touch()

    said = refused(workspace, "round")

    assert str(lock) in said
    assert "delete that file" in said


@pytest.mark.parametrize(
    ("id", "fits"),
    [("r0001", True), ("r10000", True), ("r00001", False), ("r1", False), ("x", False)],
)
def test_the_form_takes_every_id_that_a_round_can_have(id: str, fits: bool):
    if fits:
        assert RoundForm(round=id).round == id
    else:
        with pytest.raises(ValidationError):
            RoundForm(round=id)


def test_a_skill_of_the_bank_that_was_edited_by_hand_is_named(
    workspace: Workspace, refused: Refused
):
    folder = workspace.bank.folder(workspace.bank.head())
    card = sorted(folder.glob("*/SKILL.md"))[0]
    card.write_text("---\nname: [\n")

    for command in (["round"], ["bank", "list"], ["benchmark"]):
        said = refused(workspace, *command)
        assert card.relative_to(workspace.data / "bank").as_posix() in said
        assert "skillbank bank rollback" in said


def test_a_seed_skill_that_is_broken_is_named(tmp_path: Path, refused: Refused):
    workspace = small_workspace(tmp_path / "fresh")
    write(workspace.data / "bank/seed/qr/SKILL.md", "---\nname: other\n---\nNo.\n")

    assert "SKILL.md" in refused(workspace, "round")


def test_a_head_that_names_no_version_is_named(workspace: Workspace, refused: Refused):
    write(workspace.data / "bank/HEAD", "77\n")

    said = refused(workspace, "round")

    assert "HEAD: '77'" in said
    assert "skillbank bank rollback" in said


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "nothing of that name"),
        (lambda path: path.mkdir(), "without a file"),
        (lambda path: write(path / "notes.md", "no trace"), "none of them"),
        (lambda path: write(path, '{"run_id": "a", "brief": {}}\n'), "brief.id"),
        (lambda path: write(path, ""), "none of them"),
    ],
    ids=["missing", "empty folder", "no traces", "no run", "empty file"],
)
def test_traffic_without_a_run_is_refused(
    workspace: Workspace,
    refused: Refused,
    tmp_path: Path,
    make: Callable[[Path], object],
    words: str,
):
    path = tmp_path / "week"
    make(path)

    said = refused(workspace, "round", "--traffic", str(path))

    assert str(path) in said
    assert words in said
    assert "--traffic" in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_traffic_folder_that_may_not_be_read_is_refused(
    workspace: Workspace, refused: Refused, tmp_path: Path
):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0)

    assert "may not be read" in refused(workspace, "round", "--traffic", str(folder))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("missing.txt", None, "no such file"),
        ("none.txt", "\n\n", "no brief with a text"),
        ("none.csv", "id,text\n1,\n2,  \n", "no brief with a text"),
        ("odd.csv", "id,colour\n1,red\n", "none is a brief's text"),
        ("none.json", '[{"id": "a"}]', "no brief with a text"),
        ("page.pdf", "%PDF", "kind '.pdf'"),
    ],
)
def test_briefs_without_text_are_refused(
    workspace: Workspace,
    refused: Refused,
    tmp_path: Path,
    name: str,
    text: str | None,
    words: str,
):
    path = tmp_path / name
    if text is not None:
        write(path, text)

    said = refused(workspace, "round", "--briefs", str(path))

    assert str(path) in said
    assert words in said
    assert "skillbank round --briefs FILE" in said


@pytest.mark.parametrize("id", ["r0004", "r0000", "../x", "", "3"])
def test_a_round_that_there_cannot_be_is_refused(
    workspace: Workspace, refused: Refused, id: str
):
    said = refused(workspace, "round", "--id", id)

    assert "r0003" in said


def test_a_round_begins_only_when_the_one_before_has_ended(
    workspace: Workspace, refused: Refused
):
    workspace.open_round(None, briefs=20)

    said = refused(workspace, "round")

    assert "round r0003 was begun and has not ended" in said
    assert "skillbank round --id r0003" in said


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("benchmark", None),
        ("sealed", None),
        ("benchmark", ""),
        ("benchmark", "not JSON\n"),
        ("sealed", '{"id": "a", "text": "b"}\n'),
    ],
)
def test_fixed_briefs_that_are_missing_or_malformed_are_named(
    workspace: Workspace, refused: Refused, name: str, text: str | None
):
    path = workspace.benchmark(name)
    path.unlink()
    if text is not None:
        write(path, text)

    assert f"{name}.jsonl" in refused(workspace, "round")


@pytest.mark.parametrize("lacking", [".git", ".dvc"])
def test_a_workspace_without_git_or_dvc_says_how_to_get_them(
    workspace: Workspace, refused: Refused, lacking: str
):
    shutil.rmtree(workspace.root / lacking)

    said = refused(workspace, "round")

    assert lacking in said
    assert f"skillbank init {workspace.root}" in said


@pytest.mark.parametrize(
    "command",
    [
        ["round"],
        ["evolve"],
        ["rounds"],
        ["report"],
        ["benchmark"],
        ["serve"],
        ["bank", "list"],
        ["bank", "show", "qr"],
        ["bank", "diff", "1", "2"],
        ["bank", "history", "qr"],
        ["bank", "rollback", "1"],
        ["gate", "replay", "p"],
    ],
    ids=" ".join,
)
def test_a_folder_that_is_no_workspace_is_refused_by_every_command(
    refused: Refused, tmp_path: Path, command: Sequence[str]
):
    assert "skillbank init" in refused(Workspace(tmp_path), *command)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["bank", "show", "no-such"], "skillbank bank list"),
        (["bank", "list", "--version", "99"], "versions/0099"),
        (["bank", "diff", "1", "99"], "versions/0099"),
        (["bank", "history", "no-such"], "no such card"),
        (["bank", "rollback", "99"], "versions/0099"),
        (["benchmark", "--bank", "99"], "versions/0099"),
        (["gate", "replay", "no-such"], "skillbank report"),
        (["report", "r0009"], "r0001, r0002"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_there_is_not_is_refused(
    workspace: Workspace, refused: Refused, command: Sequence[str], words: str
):
    assert words in refused(workspace, *command)


def test_a_round_on_briefs_and_traffic_at_once_is_refused(workspace: Workspace):
    given = ["--briefs", "a.txt", "--traffic", "b"]

    with pytest.raises(SystemExit) as ended:
        main(["round", "--workspace", str(workspace.root), *given])

    assert ended.value.code == 2


@pytest.fixture
def unnamed() -> Iterator[None]:
    """No `PREFECT_API_URL`: a server of our own would be started."""
    named = os.environ.pop("PREFECT_API_URL")
    yield
    os.environ["PREFECT_API_URL"] = named


@pytest.mark.usefixtures("unnamed")
def test_a_port_that_is_taken_is_named(workspace: Workspace, refused: Refused):
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]

        said = refused(workspace, "serve", "--port", str(port))

    assert f"port {port} on {HOST}" in said
    assert "--port" in said


def test_a_schedule_that_is_none_is_named(workspace: Workspace, refused: Refused):
    assert "--cron" in refused(workspace, "serve", "--cron", "every Monday")


def test_a_font_that_is_missing_is_named(workspace: Workspace, tmp_path: Path):
    write(tmp_path / "lib/matplotlib/__init__.py", "")  # as an install without fonts
    before = files(workspace)

    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "round", "-w", str(workspace.root)],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "lib")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "font DejaVuSans.ttf" in done.stderr
    assert "make setup" in done.stderr
    assert differing(before, files(workspace)) == []


def test_doctor_says_what_is_wrong_and_how_to_mend_it(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    change_params(workspace, gate={"cases": 0})
    workspace.benchmark("sealed").unlink()

    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--json", "--workspace", str(workspace.root)])

    assert ended.value.code == 1
    findings = orjson.loads(capsys.readouterr().out)
    wrong = {found["what"]: found for found in findings if not found["ok"]}
    assert {"params.yaml", "benchmark"} <= wrong.keys()
    assert "gate.cases" in wrong["params.yaml"]["seen"]
    assert all(found["remedy"] for found in wrong.values())
