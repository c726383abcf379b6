"""A world: an agent, its briefs, its verifiers and its judge.

The round is written against this protocol; `studio` is the embedded world, and an
agent of your own is another.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from skillbank.agents.agent import Agent, Attempt, Context
from skillbank.briefs.brief import Brief, Check
from skillbank.codec import Json
from skillbank.judging.judge import Judge
from skillbank.proposals.writer import SkillWriter
from skillbank.skills.shelf import Shelf, Subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A brief that a writer made of another one."""

    brief: Brief
    note: str
    """What was changed, one sentence."""


class VariantWriter(Protocol):
    """Anything that writes variants of a brief."""

    def write(self, brief: Brief, n: int, seed: int) -> tuple[Variant, ...]:
        """At most `n` variants; each keeps the brief as its parent and its root.

        None of a brief that the world cannot set up.
        """
        ...


class Labeller(Protocol):
    """Anything that names a need that no skill serves."""

    def study(self, phrases: Sequence[str], filed: Mapping[str, str]) -> None:
        """Take in all that is about to be named, beside what was named before.

        Args:
            phrases: What `label` is asked next, sorted.
            filed: Phrase to the label that it was filed under.
        """
        ...

    def label(self, phrase: str, known: Sequence[str]) -> tuple[str, str]:
        """A canonical label for the phrase, one of `known` where it fits, and why."""
        ...


class World(Protocol):
    """What a round needs to know about the agent and its work."""

    name: str
    revision: str
    """Changes whenever the same call may give another result."""
    unable: str
    """Why nothing can be attempted or replayed, a clause such as `no agent configured:
    nothing can be replayed`; empty: the agent can be run."""
    judge: Judge
    variants: VariantWriter
    labeller: Labeller
    """Who names needs that no skill serves."""
    writer: SkillWriter
    """Who writes skills from evidence."""

    @property
    def agent(self) -> Agent:
        """Who is tested."""
        ...

    @property
    def tools(self) -> Mapping[str, Mapping[str, Json]]:
        """JSON schema of each tool's arguments by tool name."""
        ...

    @property
    def forbidden(self) -> Collection[str]:
        """Names of the tools that agents must not use, whatever a skill says."""
        ...

    def plan(self, brief: Brief) -> tuple[Subtask, ...]:
        """The parts of a brief in the order in which the agent does them.

        Raises:
            WorldError: If the brief is none that the world can set up, replay and
                check; traffic may bring such briefs.
        """
        ...

    def contexts(self, brief: Brief, n: int, seed: int) -> tuple[Context, ...]:
        """`n` contexts; any two differ in two or more of assets, upstream and kit."""
        ...

    def upstream(
        self, brief: Brief, context: Context, skills: Shelf, before: str
    ) -> Context:
        """The context with the work of every subtask before `before` done once.

        Drawn from the context's own upstream seed under the given skills.
        """
        ...

    def explore(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        """An attempt that deviates more than the agent would in production."""
        ...

    def verify(self, brief: Brief, output: str) -> tuple[Check, ...]:
        """One check for each requirement of the brief, with what was seen.

        Raises:
            WorldError: If the output or a requirement cannot be read.
        """
        ...

    def degrade(self, brief: Brief, attempt: Attempt) -> Attempt:
        """The attempt with a plainly worse output, to see that the judge sees it.

        Unchanged where this one cannot be made worse; never broken. For outputs that
        are prose `skillbank.agents.degraded.truncated` will do.

        Raises:
            WorldError: If the output cannot be read.
        """
        ...

    def picture(self, output: str, width: int) -> bytes:
        """The output as a PNG of at most `width` pixels, for people and models."""
        ...

    def understand(self, text: str, *, id: str, must_say: Sequence[str] = ()) -> Brief:
        """A brief from somebody's words: requirements inferred, each with its reason.

        Raises:
            BriefError: If there is nothing to understand.
        """
        ...

    def must_say(self, brief: Brief) -> Sequence[str]:
        """The strings of a brief that must appear: a variant keeps or renames them."""
        ...

    def week(
        self, number: int, n_briefs: int, skills: Shelf, seed: int
    ) -> Iterator[str]:
        """Simulated traffic: the lines of a trace file, duplicates and all."""
        ...
