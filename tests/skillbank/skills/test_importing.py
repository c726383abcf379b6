"""One bad folder never takes the others down."""

from pathlib import Path

import pytest

from skillbank.errors import SkillError
from skillbank.skills.importing import scan
from skillbank.skills.skill import Skill


def put(folder: Path, name: str = "", body: str = "text") -> None:
    name = name or folder.name
    Skill.compose(name, f"Use when {name}", body).write(folder)


def test_good_odd_and_unreadable_folders_are_told_apart(tmp_path):
    put(tmp_path / "good")
    put(tmp_path / "deep" / "er" / "nested")
    put(tmp_path / "other-folder", "same")
    put(tmp_path / "same")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "SKILL.md").write_bytes(b"\xff\xfe")
    (tmp_path / "link").symlink_to(tmp_path / "good")
    (tmp_path / "README.md").write_text("no skill")

    found = scan(tmp_path)

    assert [s.name for s in found.skills] == ["good", "nested", "same"]
    assert [s.name for s, _ in found.odd] == ["same"]
    assert [e.place for e in found.refused] == ["broken/SKILL.md"]


def test_two_folders_of_one_name_are_told(tmp_path):
    put(tmp_path / "a" / "twin")
    put(tmp_path / "b" / "twin", body="other")

    found = scan(tmp_path)

    assert [s.body for s in found.skills] == ["text"]
    assert "another folder" in found.odd[0][1][-1]


def test_a_skill_folder_itself_can_be_scanned(tmp_path):
    put(tmp_path / "one")

    assert [s.name for s in scan(tmp_path / "one").skills] == ["one"]
    with pytest.raises(SkillError, match="no such folder"):
        scan(tmp_path / "nowhere")
