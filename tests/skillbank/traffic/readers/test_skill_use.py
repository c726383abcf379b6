"""A skill counts as opened if its text was read, not if its file was named."""

import pytest

from skillbank.traffic.readers.skill_use import used, version_of
from skillbank.traffic.run import SkillUse, TracedStep

PLACE = "/home/me/.claude/skills/pdf/SKILL.md"


def uses(tool: str, result: str = "", **arguments: str) -> list[SkillUse]:
    step = TracedStep(subtask="", tool=tool, arguments=arguments, result=result)
    return list(used([step]))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Read", {"file_path": PLACE}),
        ("exec_command", {"cmd": f"sed -n '1,50p' {PLACE}"}),
        ("str_replace_editor", {"command": "view", "path": PLACE}),
        ("shell", {"command": f'["bash","-lc","cat {PLACE}"]'}),
    ],
)
def test_reading_a_skill_file_opens_the_skill(tool: str, arguments: dict[str, str]):
    assert uses(tool, **arguments) == [SkillUse(skill="pdf", how="opened")]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": PLACE}),
        ("str_replace_editor", {"command": "create", "path": PLACE}),
        ("Bash", {"command": f"rm {PLACE}"}),
        ("Glob", {"pattern": "**/SKILL.md"}),
    ],
)
def test_naming_or_writing_a_skill_file_opens_nothing(
    tool: str, arguments: dict[str, str]
):
    assert uses(tool, **arguments) == []


def test_the_version_is_the_one_that_was_read_or_else_that_of_its_plug_in():
    shown = "     1→---\n     2→name: pdf\n     3→version: '2.1'\n     4→---\n"
    cache = "/p/plugins/cache/market/kit/4.0.3/skills/pdf/SKILL.md"

    assert uses("Read", shown, path=PLACE)[0].version == "2.1"
    assert uses("Read", "no front matter", path=cache)[0].version == "4.0.3"
    assert version_of(PLACE) == ""
