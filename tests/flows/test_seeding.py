"""A bank of one's own to begin with: what does not fit is named, or left out."""

import json
from pathlib import Path

import pytest

from flows.cli import main
from flows.seeding import left_out, seed_skills
from skillbank.errors import SkillError
from tests.traced import bank


def odd(folder: Path) -> Path:
    """Two good skills, one that cannot be read, one that breaks a rule."""
    bank(folder)
    for name, text in (
        ("torn", "no front matter at all\n"),
        ("Loud", "---\nname: Loud\ndescription: Use it.\n---\n"),
    ):
        path = folder / name / "SKILL.md"
        path.parent.mkdir()
        path.write_text(text)
    return folder


def test_a_skill_that_does_not_fit_is_named_and_nothing_is_begun(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    skills, ours = odd(tmp_path / "skills"), tmp_path / "ours"

    with pytest.raises(SystemExit) as ended:
        main(["init", str(ours), "--world", "traces", "--bank", str(skills)])

    assert ended.value.code == 2
    told = " ".join(capsys.readouterr().err.split())
    for part in ("torn/SKILL.md", "Loud/SKILL.md", "--leave-out"):
        assert part in told
    assert not ours.exists()


def test_told_so_it_leaves_them_out_and_lists_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    skills, ours = odd(tmp_path / "skills"), tmp_path / "ours"
    asked = ["init", str(ours), "--world", "traces", "--bank", str(skills)]

    with pytest.raises(SystemExit) as ended:
        main([*asked, "--leave-out", "--json"])

    assert ended.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert told["skills"] == 2
    assert len(told["left_out"]) == 2
    assert sorted(path.name for path in (ours / "data/bank/seed").iterdir()) == [
        "commit-messages",
        "review-code",
    ]
    params = (ours / "params.yaml").read_text()
    assert "world: traces" in params
    assert not (ours / "data/benchmark").exists()
    assert (ours / ".dvc").is_dir()


def test_a_bank_needs_the_world_of_traces_and_it_a_bank(tmp_path: Path):
    for some in (["--world", "traces"], ["--bank", str(tmp_path)]):
        with pytest.raises(SystemExit) as ended:
            main(["init", str(tmp_path / "ours"), *some])
        assert ended.value.code == 2
    assert not (tmp_path / "ours").exists()


def test_a_workspace_of_another_world_is_left_alone(tmp_path: Path):
    skills = str(bank(tmp_path / "skills"))
    with pytest.raises(SystemExit):
        main(["init", str(tmp_path / "ours")])
    before = (tmp_path / "ours/params.yaml").read_text()

    with pytest.raises(SystemExit) as ended:
        main(["init", str(tmp_path / "ours"), "--world", "traces", "--bank", skills])

    assert ended.value.code == 2
    assert (tmp_path / "ours/params.yaml").read_text() == before


def test_a_folder_without_a_skill_is_refused(tmp_path: Path):
    with pytest.raises(SkillError):
        seed_skills(tmp_path, leave_out=True)


def test_what_fits_is_not_left_out(tmp_path: Path):
    found = seed_skills(bank(tmp_path), leave_out=False)

    assert (len(found.skills), left_out(found)) == (2, ())
