"""Which tools runs call, in which order, and how often a call fails.

Names alone: no argument's value, output or message of a run passes through here, and a
name that is not shaped like one is left out.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skillbank.proposals.writer import Evidence

_TOOL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")
_ARGUMENTS = 6  # named of one tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool as some runs used it."""

    name: str
    runs: int
    """Runs that called it."""
    calls: int
    errors: int
    """Calls that failed."""
    place: float
    """Mean place of its first call among the different tools of a run, from 0."""
    arguments: tuple[str, ...]
    """Names that at least half of the calls gave, most often given first."""


def tools_of(runs: Sequence[Evidence]) -> Mapping[str, Tool]:
    """Every tool that the runs called, by name, in the order in which runs begin it."""
    users: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    places: Counter[str] = Counter()
    given: dict[str, Counter[str]] = {}
    for run in runs:
        steps = [step for step in run.steps if _TOOL.fullmatch(step.tool)]
        for place, name in enumerate(dict.fromkeys(step.tool for step in steps)):
            users[name] += 1
            places[name] += place
        for step in steps:
            calls[step.tool] += 1
            errors[step.tool] += bool(step.error)
            given.setdefault(step.tool, Counter()).update(
                name for name in step.arguments if _ARGUMENT.fullmatch(name)
            )
    found = [
        Tool(
            name=name,
            runs=users[name],
            calls=calls[name],
            errors=errors[name],
            place=places[name] / users[name],
            arguments=_common(given[name], calls[name]),
        )
        for name in users
    ]
    found.sort(key=lambda tool: (tool.place, -tool.runs, tool.name))
    return {tool.name: tool for tool in found}


def _common(given: Counter[str], calls: int) -> tuple[str, ...]:
    often = [(-n, name) for name, n in given.items() if 2 * n >= calls]
    return tuple(name for _, name in sorted(often)[:_ARGUMENTS])


def shared(tools: Mapping[str, Tool], runs: int, least: int) -> tuple[Tool, ...]:
    """The tools that at least half of the runs called, in their order.

    Args:
        tools: As `tools_of` gives them.
        runs: How many runs there are.
        least: Runs without which a tool is nobody's habit.
    """
    return tuple(
        tool for tool in tools.values() if 2 * tool.runs >= runs and tool.runs >= least
    )
