"""Which skills a run opened, where its harness has no event of its own for that.

Knows no format: a skill was opened if a tool read its SKILL.md.
"""

import re
from collections.abc import Iterable, Iterator

from skillbank.traffic.readers.values import skills_read
from skillbank.traffic.run import SkillUse, TracedStep

_LOOKED_AT = 8_000  # characters of a command or path, and of a file's front matter
_READING = re.compile(r"read|view|open|fetch|load|cat\b", re.IGNORECASE)
_CHANGING = re.compile(r"writ|edit|patch|create|delete|replace", re.IGNORECASE)
_SHELL_READS = re.compile(
    r"\b(?:cat|sed|head|tail|less|more|bat|nl|awk|type|Get-Content|gc)\b"
)
_VERSION = re.compile(
    r"""^[ \t]*(?:\d+[→\t:|][ \t]*)?version:[ \t]*["']?([\w.+-]{1,40})""", re.MULTILINE
)
_PLUGIN = re.compile(r"/plugins/cache/[^/\s]+/[^/\s]+/(\d[\w.+-]{0,39})/")


def opened(steps: Iterable[TracedStep]) -> Iterator[SkillUse]:
    """A use for each SKILL.md that a step read, with the version that it showed."""
    for step in steps:
        if _CHANGING.search(step.tool[:100]):
            continue
        for text in step.arguments.values():
            text = text[:_LOOKED_AT]
            names = skills_read(text)
            if names and (
                _READING.search(step.tool[:100]) or _SHELL_READS.search(text)
            ):
                for name in names:
                    version = version_in(step.result) if len(names) == 1 else ""
                    yield SkillUse(
                        skill=name,
                        how="opened",
                        version=version or version_of(text),
                        error=step.error,
                    )


def version_in(text: str) -> str:
    """The version that a SKILL.md's front matter tells; empty if it tells none."""
    _, fence, rest = text[:_LOOKED_AT].partition("---")
    front = rest.partition("\n---")[0] if fence else ""
    found = _VERSION.search(front)
    return found[1] if found else ""


def version_of(path: str) -> str:
    """The version of the plug-in whose cache a path leads into; empty if none."""
    found = _PLUGIN.search(path[:_LOOKED_AT])
    return found[1] if found else ""
