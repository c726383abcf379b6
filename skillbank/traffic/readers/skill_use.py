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

_TOOLS = frozenset(
    ("skill", "skills", "load_skill", "activate_skill", "use_skill", "invoke_skill")
)
_NAMES = ("skill", "skill_name", "name", "command")
_OFFER = re.compile(
    r"<skill>\s{0,20}<name>\s{0,20}([^<\s][^<]{0,99})</name>", re.IGNORECASE
)
_REFUSED = re.compile(
    r"\A\W{0,3}error\b|\bSKILL_NOT_FOUND\b|\A[^\n]{0,150}\bskill\b[^\n]{0,150}"
    r"\b(?:not found|does not exist|is required)\b",
    re.IGNORECASE,
)
_CHANGING = re.compile(r"writ|edit|patch|create|delete|replace", re.IGNORECASE)
_READING = re.compile(r"read|view|open|fetch|load|cat\b", re.IGNORECASE)
_SHELL_READS = re.compile(
    r"\b(?:cat|sed|head|tail|less|more|bat|nl|awk|type|Get-Content|gc)\b"
)
_VERSION = re.compile(
    r"""^[ \t]*(?:\d+[→\t:|][ \t]*)?version:[ \t]*["']?([\w.+-]{1,40})""", re.MULTILINE
)
_PLUGIN = re.compile(r"/plugins/cache/[^/\s]+/[^/\s]+/(\d[\w.+-]{0,39})/")
_LOOK = 2_000_000  # characters of instructions that are looked through
_FRONT = 8_000  # characters of a command or path, and of a file's front matter


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
    views = step.arguments.get("command") == "view"  # an editor that also shows files
    if views or not _CHANGING.search(step.tool[:100]):
        reads = views or bool(_READING.search(step.tool[:100]))
        for text in step.arguments.values():
            yield from _opened(step, text[:_FRONT], reads)


def _opened(step: TracedStep, text: str, reads: bool) -> Iterator[SkillUse]:
    """A use for each SKILL.md that a path or command reads; writing one is no use."""
    names = skills_read(text)
    if not names or not (reads or _SHELL_READS.search(text)):
        return
    shown = version_in(step.result) if len(names) == 1 else ""
    version = shown or version_of(text)
    for name in names:
        yield SkillUse(skill=name, how="opened", version=version, error=step.error)


def version_in(text: str) -> str:
    """The version that a SKILL.md's front matter tells; empty if it tells none."""
    _, fence, rest = text[:_FRONT].partition("---")
    front = rest.partition("\n---")[0] if fence else ""
    found = _VERSION.search(front)
    return found[1] if found else ""


def version_of(path: str) -> str:
    """The version of the plug-in whose cache a path leads into; empty if none."""
    found = _PLUGIN.search(path[:_FRONT])
    return found[1] if found else ""
