"""Errors of the command line: for people and for machines, whatever went wrong."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.cli import main
from flows.printing import plain
from tests.workspaces import small_workspace

Told = Callable[..., Any]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """What a failing command tells machines; people are told as well."""

    def run(*arguments: str | Path, code: int = 2) -> Any:
        with pytest.raises(SystemExit) as ended:
            main([*(str(argument) for argument in arguments), "--json"])
        assert ended.value.code == code
        said = capsys.readouterr()
        assert said.err
        return orjson.loads(said.out)["error"]

    return run


def test_a_refused_command_tells_machines_an_object(told: Told, tmp_path: Path):
    error = told("rounds", "--workspace", tmp_path)

    assert error["kind"] == "ServiceError"
    assert error["place"] == str(tmp_path)
    assert "skillbank init" in error["remedy"]
    assert error["seen"]
    assert error["expected"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("no-such-command", "no-such-command"),
        ("rounds --no-such-option", "--no-such-option"),
        ("bank diff one two", "'old'"),
        ("gate score", "file"),
        ("gate score votes.csv --band wide", "--band"),
        ("gate score votes.csv --mode none", "--mode"),
        ("gate plan --proposals 0", "--proposals"),
        ("gate plan --proposals 100000000", "--proposals"),
        ("gate plan --ties 1", "--ties"),
        ("gate plan --prices -1 0", "--prices"),
        ("evolve --rounds 0", "--rounds"),
        ("round --briefs a.txt --traffic b", "--traffic"),
        ("init ours --world traces", "--bank"),
        ("serve --port x", "--port"),
    ],
)
def test_a_misused_command_tells_machines_which_option_it_was(
    told: Told,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    named: str,
):
    monkeypatch.chdir(small_workspace(tmp_path / "ours").root)

    error = told(*arguments.split())

    command = "skillbank gate" if "gate" in arguments else "skillbank"
    assert error["place"].startswith(command)
    assert named in error["seen"].lower()
    assert error["remedy"] == f"{error['place']} --help"


def test_a_clone_without_its_bytes_is_not_begun_anew(told: Told, tmp_path: Path):
    workspace = small_workspace(tmp_path / "ours")
    (workspace.root / "data/bank/HEAD.dvc").write_text("outs: []\n")

    error = told("round", "--workspace", workspace.root)

    assert "data/bank/HEAD" in error["seen"]
    assert "dvc pull" in error["remedy"]
    assert workspace.round_ids() == ()
    assert workspace.bank.numbers() == ()


@pytest.mark.parametrize(
    "sections", [{"gate": {"spares": 900}}, {"attempt": {"per_variant": 900}}]
)
def test_more_contexts_than_the_world_has_are_refused_before_the_round(
    told: Told, tmp_path: Path, sections: dict[str, Any]
):
    workspace = small_workspace(tmp_path / "ours", **sections)

    error = told("round", "--workspace", workspace.root)

    assert "differ in their pictures" in error["seen"]
    assert "params.yaml" in error["remedy"]
    assert workspace.round_ids() == ()


def test_briefs_without_a_word_are_refused_before_the_round(told: Told, tmp_path: Path):
    workspace = small_workspace(tmp_path / "ours")
    briefs = tmp_path / "briefs.txt"
    briefs.write_text("?!\n\n...\n")

    error = told("round", "--briefs", briefs, "--workspace", workspace.root)

    assert "no words" in error["seen"]
    assert workspace.round_ids() == ()


def test_a_place_that_the_system_refuses_is_named_without_a_traceback(
    told: Told, tmp_path: Path
):
    (tmp_path / "file").write_text("in the way")

    error = told("init", tmp_path / "file" / "ours")

    assert str(tmp_path / "file") in error["place"]
    assert "irectory" in error["seen"]


def test_a_name_that_is_not_utf8_can_be_told_to_machines(told: Told, tmp_path: Path):
    error = told("rounds", "--workspace", tmp_path / os.fsdecode(b"\xff"))

    assert "\\udcff" in error["place"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("red \x1b[31m", "red \\x1b[31m"),
        ("title \x1b]0;x\x07", "title \\x1b]0;x\\x07"),
        ("back\x08\r", "back\\x08\\r"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("c1 \x9b2J", "c1 \\x9b2J"),
        ("a\tb\nc", "a\tb\nc"),
        ("Ärger 名前 🙂 [red]", "Ärger 名前 🙂 [red]"),
    ],
)
def test_what_would_steer_a_terminal_is_spelt_out(given: str, shown: str):
    assert plain(given) == shown


def test_no_table_carries_what_would_steer_a_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    votes = tmp_path / "votes.csv"
    rows = [f"\x1b[31mred,x{n},{o}_first,candidate\n"
            for n in range(3) for o in ("candidate", "current")]  # fmt: skip
    votes.write_text("case,context,order,vote\n" + "".join(rows))

    with pytest.raises(SystemExit):
        main(["gate", "score", str(votes)])

    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\\x1b[31mred" in said
