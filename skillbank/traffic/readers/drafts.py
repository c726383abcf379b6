"""A run while its trace is being read: what was said, called and given back so far.

Knows no format.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skillbank.agents.agent import Ending
from skillbank.codec import digest
from skillbank.traffic.readers.calls import Calls
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.skill_use import used
from skillbank.traffic.readers.values import (
    brief_of,
    each_once,
    recalls_of,
    seconds_between,
    skill_name,
)
from skillbank.traffic.run import SAMPLE, Misfit, Run, SkillUse, Spent, Use

MOST_CALLS = 100_000
"""Tool calls of one run that are kept; ours: a run of days has some thousands."""


@dataclass(slots=True, kw_only=True)
class Draft:
    """What a reader has gathered of one run."""

    asked: str = ""
    followups: list[str] = field(default_factory=list)
    calls: Calls = field(default_factory=Calls)
    skills: list[SkillUse] = field(default_factory=list)
    instructions: list[str] = field(default_factory=list)
    """What the agent was told by its program, which may offer skills."""
    output: str = ""
    ending: Ending = "ok"
    reason: str = ""
    started: str = ""
    ended: str = ""

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
        """Take a tool call; its result is given to `calls`."""
        if len(self.calls) < MOST_CALLS:
            self.calls.add(tool or "unnamed", arguments, call, started, agent)

    def use(self, skill: str, how: Use) -> None:
        """Take that a skill was offered, opened or applied, as the trace says."""
        name = skill_name(skill)
        if 0 < len(name) <= SAMPLE:
            self.skills.append(SkillUse(skill=name, how=how))

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
        steps = self.calls.steps()
        skills = each_once((*self.skills, *used(steps, self.instructions)))
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
