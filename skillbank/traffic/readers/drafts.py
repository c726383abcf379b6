"""A run while its trace is being read: what was said, called and given back so far.

Knows no format. Calls and results are paired by the id of the call, and where there is
none by position: a result belongs to the first call that has none yet.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from skillbank.agents.agent import Ending
from skillbank.codec import digest
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.values import (
    bounded,
    brief_of,
    each_once,
    error_line,
    recalls_of,
    seconds_between,
    skill_name,
    skills_read,
)
from skillbank.traffic.run import SAMPLE, Misfit, Run, SkillUse, Spent, TracedStep

MOST_STEPS = 100_000
"""Tool calls of one run that are kept; ours: a run of days has some thousands."""
_SKILL_TOOLS = frozenset({"skill", "skills", "load_skill", "invoke_skill", "use_skill"})
_SKILL_ARGUMENTS = ("skill", "skill_name", "name", "command")
_WRITES = re.compile(r"write|edit|create|insert|replace|patch", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Draft:
    """What a reader has gathered of one run."""

    asked: str = ""
    followups: list[str] = field(default_factory=list)
    steps: list[TracedStep] = field(default_factory=list)
    skills: list[SkillUse] = field(default_factory=list)
    output: str = ""
    ending: Ending = "ok"
    reason: str = ""
    started: str = ""
    ended: str = ""
    _open: dict[str, int] = field(default_factory=dict)
    """Calls without a result, in order: their id, or `#` and their place, to their
    place among the steps."""

    def ask(self, text: str) -> None:
        """Take what the user said: first the brief, then what followed it."""
        if not text.strip():
            return
        if self.asked:
            self.followups.append(text)
        else:
            self.asked = text

    def at(self, time: str) -> None:
        """Take the time of something that happened; empty: it has none."""
        self.started = self.started or time
        self.ended = time or self.ended

    def call(
        self,
        tool: str,
        arguments: Mapping[str, str],
        *,
        call: str = "",
        started: str = "",
        agent: str = "",
    ) -> None:
        """Take a tool call."""
        if len(self.steps) >= MOST_STEPS:
            return
        self._open[call or f"#{len(self.steps)}"] = len(self.steps)
        step = TracedStep(
            subtask="",
            tool=tool or "unnamed",
            arguments=arguments,
            call=call,
            started=started,
            agent=agent,
        )
        self.steps.append(step)

    def answer(self, call: str, result: str, error: str = "") -> bool:
        """Take the result of a call.

        Args:
            call: Id of the call; empty: the first that has no result yet.
            result: What the tool gave back.
            error: What went wrong; only its first line is kept. Empty: nothing.

        Returns:
            Whether there is such a call without a result.
        """
        key = call or next(iter(self._open), "")
        place = self._open.pop(key, None)
        if place is None:
            return False
        self.steps[place] = replace(
            self.steps[place], result=bounded(result), error=error_line(error)
        )
        return True

    def use(
        self,
        skill: str,
        how: Literal["offered", "opened", "applied"],
        version: str = "",
        error: str = "",
    ) -> None:
        """Take that a skill was offered, opened or applied."""
        if named := skill_name(skill):
            use = SkillUse(skill=named, how=how, version=version, error=error)
            self.skills.append(use)

    def seconds(self) -> float | None:
        """Seconds between the first and the last time that the trace tells."""
        return seconds_between(self.started, self.ended)

    def run(
        self, source: str, *, run_id: str = "", brief_id: str = "", usage: Spent
    ) -> Run | Misfit:
        """The run, or that nothing was asked.

        Args:
            source: Where it lies.
            run_id: The trace's own id; empty or too long to be one: it is made of the
                content.
            brief_id: The task's id if it has one.
            usage: What it cost.
        """
        brief = brief_of(self.asked, brief_id if len(brief_id) <= SAMPLE else "")
        if brief is None:
            problem = "no message of a user; expected what was asked"
            return misfit(source, "no text", problem)
        steps = tuple(self.steps)
        skills = each_once([*self.skills, *_skills_of(steps)])
        if not 0 < len(run_id) <= SAMPLE:
            run_id = f"run-{digest(brief, steps, self.output, self.started)[:16]}"
        return Run(
            run_id=run_id,
            brief=brief,
            started=self.started,
            steps=steps,
            recalls=recalls_of(skills),
            output=self.output,
            ending=self.ending,
            reason=self.reason,
            usage=usage,
            source=source,
            followups=tuple(self.followups),
            skills=skills,
        )


def _skills_of(steps: tuple[TracedStep, ...]) -> list[SkillUse]:
    """Skills that tool calls name: by a tool made for it, or by reading a SKILL.md."""
    found = []
    for step in steps:
        if step.tool.casefold() in _SKILL_TOOLS:
            named = (step.arguments.get(key, "") for key in _SKILL_ARGUMENTS)
            name = skill_name(next(filter(None, named), ""))
            if 0 < len(name) <= SAMPLE:
                found.append(SkillUse(skill=name, how="applied", error=step.error))
        elif not _writes(step):
            names = dict.fromkeys(
                name for text in step.arguments.values() for name in skills_read(text)
            )
            found += [
                SkillUse(skill=name, how="opened", error=step.error) for name in names
            ]
    return found


def _writes(step: TracedStep) -> bool:
    """Whether a step changes files; editors have what to do as one word."""
    what = step.arguments.get("command", "")
    return bool(_WRITES.search(step.tool if " " in what else f"{step.tool} {what}"))
