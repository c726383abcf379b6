"""A folder of skills as the bank that a workspace begins with."""

from pathlib import Path

from skillbank.errors import SkillError
from skillbank.skills.importing import Found, scan
from skillbank.skills.skill import SKILL_FILE

_LISTED = 8  # files that an error names


def seed_skills(folder: Path, *, leave_out: bool) -> Found:
    """The skills below a folder; refused where one does not fit, unless told otherwise.

    Args:
        folder: Skill folders, or folders of them.
        leave_out: Take the others where one cannot be read or breaks a rule.

    Raises:
        SkillError: Naming each file that does not fit, or if none does.
    """
    found = scan(folder)
    odd = left_out(found)
    if odd and not leave_out:
        more = f"; and {len(odd) - _LISTED} more" if len(odd) > _LISTED else ""
        raise SkillError(
            str(folder),
            seen=f"{len(odd)} of {len(odd) + len(found.skills)} skills do not fit: "
            f"{'; '.join(odd[:_LISTED])}{more}",
            expected="skills that keep the rules of the format",
            remedy="mend these files, or pass --leave-out to begin without them",
        )
    if not found.skills:
        raise SkillError(
            str(folder),
            seen="no skill that fits",
            expected=f"a folder of folders with a {SKILL_FILE} each",
            remedy="name such a folder with --bank",
        )
    return found


def left_out(found: Found) -> tuple[str, ...]:
    """Each file that does not fit, with the first reason."""
    refused = [f"{error.place}: {error.seen}" for error in found.refused]
    odd = [f"{skill.name}/{SKILL_FILE}: {why[0]}" for skill, why in found.odd]
    return tuple(sorted((*refused, *odd)))
