"""What an agent is given and what it gives back.

The agent is any object with `attempt`; it is never told whether it is being tested.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from skillbank.briefs.brief import Brief
from skillbank.codec import digest
from skillbank.skills.shelf import Recall, Shelf, Subtask

Ending = Literal["ok", "broken", "fault"]
"""ok: an output exists; broken: the agent failed; fault: we failed to run it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is frozen around an attempt; never the agent's own randomness."""

    id: str
    brief: str
    assets: tuple[str, ...] = ()
    """What retrieval put before the agent, in its order."""
    kit: str = ""
    """Which of the brief's kits (brand, environment, configuration) is in force."""
    upstream_seed: int = 0
    """Seed of the state that earlier work left."""
    artefact: str = ""
    """That state, as the world writes it; empty: nothing was done yet."""
    done: tuple[str, ...] = ()
    """Names of the subtasks whose work is in the artefact."""

    def starting_from(self, artefact: str, done: tuple[str, ...]) -> "Context":
        """The same context with its upstream state filled in."""
        return replace(self, artefact=artefact, done=done)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One tool call of an attempt."""

    subtask: str
    tool: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Argument name to the expression that was written, not its value."""
    skill: str = ""
    """`name@version` of the card that said so; empty: the agent's own idea."""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an attempt cost. Wall time is measured outside and never stored here."""

    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The agent on one brief, in one context, under one bank, with its own seed."""

    brief: str
    context: str
    seed: int
    ending: Ending
    reason: str = ""
    """Why it is broken, or which fault; empty if it ended well."""
    steps: tuple[Step, ...] = ()
    recalls: tuple[Recall, ...] = ()
    uncovered: tuple[Subtask, ...] = ()
    """Subtasks for which no verified skill above the threshold was found."""
    output: str = ""
    """The artefact, as the world writes it."""
    forbidden: tuple[str, ...] = ()
    """Forbidden actions taken, one entry each time."""
    usage: Usage = field(default_factory=Usage)

    @property
    def id(self) -> str:
        """Of brief, context and seed; the seed is made from arm and replica."""
        return digest("attempt", self.brief, self.context, self.seed)[:16]


class Agent(Protocol):
    """Anything that can attempt a brief."""

    def attempt(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        """Do what the brief asks, starting from the context's artefact.

        Never raises for a single attempt: an agent that crashes, times out or returns
        nothing gives `broken`; only a failure of the infrastructure gives `fault`.
        """
        ...
