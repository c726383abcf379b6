"""Which skills a run was offered, opened and applied, as its tool calls tell.

Agents that have a tool for skills name the skill as an argument of it: that applies
the skill. Others read the file SKILL.md with any tool: that opens it. A list of skills
within the instructions offers them.
"""

import re
from collections.abc import Iterable, Iterator

from skillbank.traffic.readers.values import (
    RESULT_LIMIT,
    each_once,
    error_line,
    skill_name,
    skills_read,
)
from skillbank.traffic.run import SkillUse, TracedStep

_TOOLS = frozenset(("skill", "skills", "load_skill", "activate_skill", "use_skill"))
_NAMES = ("skill", "skill_name", "name", "command")
_OFFER = re.compile(
    r"<skill>\s{0,20}<name>\s{0,20}([^<\s][^<]{0,99})</name>", re.IGNORECASE
)
_REFUSED = re.compile(
    r"\A\W{0,3}error\b|\bSKILL_NOT_FOUND\b|\A[^\n]{0,150}\bskill\b[^\n]{0,150}"
    r"\b(?:not found|does not exist|is required)\b",
    re.IGNORECASE,
)
_LOOK = 2_000_000  # characters of instructions that are looked through


def used(
    steps: Iterable[TracedStep], instructions: Iterable[str] = ()
) -> tuple[SkillUse, ...]:
    """The skills that were offered by instructions, and opened or applied by steps.

    A skill that was refused has an error; a call that names none is no use.
    """
    offered = [
        SkillUse(skill=name, how="offered")
        for text in instructions
        for found in _OFFER.findall(text[:_LOOK])
        if (name := skill_name(found))
    ]
    return each_once((*offered, *(use for step in steps for use in _of(step))))


def _of(step: TracedStep) -> Iterator[SkillUse]:
    if step.tool.rpartition("__")[2].lower() in _TOOLS:
        told = (step.arguments.get(key, "") for key in _NAMES)
        if name := skill_name(next((text for text in told if text), "")):
            error = step.error
            if not error and _REFUSED.search(step.result[:RESULT_LIMIT]):
                error = error_line(step.result)
            yield SkillUse(skill=name, how="applied", error=error)
        return
    for text in step.arguments.values():
        for name in skills_read(text):
            yield SkillUse(skill=name, how="opened", error=step.error)
