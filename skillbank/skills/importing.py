"""Skills from elsewhere: a folder of folders, some of them odd.

One bad file never takes the others down, and a name that comes twice is told.
"""

from dataclasses import dataclass
from pathlib import Path

from skillbank.errors import SkillError
from skillbank.skills.skill import SKILL_FILE, Skill, problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a folder of skills holds."""

    skills: tuple[Skill, ...]
    """Those that keep every rule, ordered by name."""
    odd: tuple[tuple[Skill, tuple[str, ...]], ...]
    """Those that could be read, with the rules that they break."""
    refused: tuple[SkillError, ...]
    """What could not be read at all."""


def scan(root: Path) -> Found:
    """Read every folder with a SKILL.md at or below `root`, never through links.

    Raises:
        SkillError: If there is no such folder.
    """
    if not root.is_dir():
        raise SkillError(
            root.name,
            seen="no such folder",
            expected="a folder with a SKILL.md, or a folder of such folders",
            remedy="name the folder to import",
        )
    good: dict[str, Skill] = {}
    odd: list[tuple[Skill, tuple[str, ...]]] = []
    refused: list[SkillError] = []
    for folder in _skill_folders(root):
        try:
            skill = Skill.read(folder)
        except SkillError as error:
            refused.append(error)
            continue
        found = problems(skill)
        if skill.name in good:
            found = (*found, f"another folder has the name {skill.name!r} already")
        if found:
            odd.append((skill, found))
        else:
            good[skill.name] = skill
    return Found(
        skills=tuple(skill for _, skill in sorted(good.items())),
        odd=tuple(odd),
        refused=tuple(refused),
    )


def _skill_folders(folder: Path) -> list[Path]:
    inside = sorted(folder.iterdir())
    if any(path.name.lower() == SKILL_FILE.lower() for path in inside):
        return [folder]
    return [
        deeper
        for path in inside
        if path.is_dir() and not path.is_symlink()
        for deeper in _skill_folders(path)
    ]
