"""Every SKILL.md in the sample folder reads and writes back, or says what is wrong."""

import os
from pathlib import Path

import pytest

from skillbank.errors import SkillError
from skillbank.skills.skill import Skill, problems

pytestmark = pytest.mark.samples


@pytest.fixture(scope="module")
def files() -> list[Path]:
    named = os.environ.get("SKILLBANK_SAMPLES")
    if not named:
        pytest.skip("SKILLBANK_SAMPLES names no folder of samples")
    found = [
        path
        for folder in sorted(Path(named).glob("skills-*"))
        for path in sorted(folder.rglob("*"))
        if path.name.lower() == "skill.md" and path.is_file()
    ]
    if not found:
        pytest.skip("SKILLBANK_SAMPLES has no skills-*/**/SKILL.md")
    return found


def _read(files: list[Path]) -> tuple[list[tuple[Path, Skill]], list[SkillError]]:
    skills: list[tuple[Path, Skill]] = []
    errors: list[SkillError] = []
    for path in files:
        try:
            skill = Skill.parse(path.read_bytes(), folder=path.parent.name)
        except SkillError as error:
            errors.append(error)
        else:
            skills.append((path, skill))
    return skills, errors


def test_every_file_is_read_or_refused_with_a_reason(files, record_property):
    skills, errors = _read(files)

    odd = [skill for _, skill in skills if problems(skill)]
    record_property("read", len(skills))
    record_property("read with problems", len(odd))
    record_property("refused", len(errors))
    print(f"{len(skills)} read ({len(odd)} with problems), {len(errors)} refused")  # noqa: T201
    assert len(skills) + len(errors) == len(files)
    assert len(skills) > 9 * len(errors)
    assert all(error.remedy for error in errors)


def test_every_file_that_is_read_is_written_byte_for_byte(files, tmp_path):
    skills, _ = _read(files)

    for number, (path, skill) in enumerate(skills):
        folder = tmp_path / str(number)
        skill.write(folder)
        assert (folder / "SKILL.md").read_bytes() == path.read_bytes(), path


def test_a_new_description_leaves_every_other_value_as_it_was(files):
    skills, _ = _read(files)

    for path, skill in skills:
        for text in ("Use when: a # b", 'Use when\nthe "kit" is \u2028 new'):
            revised = skill.revise(description=text)
            assert revised.description == text, path
            assert revised.body == skill.body, path
            assert {**revised.front, "description": ""} == {
                **skill.front,
                "description": "",
            }, path


def test_a_new_body_leaves_the_front_matter_byte_for_byte(files):
    skills, _ = _read(files)

    for path, skill in skills:
        revised = skill.revise(body="## Steps\n- one\n")
        head = skill.text.removesuffix(skill.body)
        assert revised.text.rstrip() == (head + "## Steps\n- one\n").rstrip(), path


def test_whole_folders_are_read_with_their_other_files(files):
    for path in files:
        try:
            skill = Skill.read(path.parent)
        except SkillError:
            continue
        beside = [p for p in path.parent.rglob("*") if p.is_file() and p != path]
        assert len(skill.extra_files) == len(beside), path
