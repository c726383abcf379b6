"""A world without an agent: traffic of any kind is read and attributed, not replayed.

Needs are found in the words of what was asked, skills are distilled from the calls that
runs share, and nothing is let in: whatever would have to be tried stays undecided.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NoReturn

from skillbank.agents.agent import Agent, Attempt, Context
from skillbank.briefs.brief import Brief, Check
from skillbank.codec import Json, digest
from skillbank.errors import WorldError
from skillbank.evidence.labels import PHRASE_LIMIT
from skillbank.evidence.themes import ThemeLabeller
from skillbank.judging.judge import Judge, Preference
from skillbank.params import Params
from skillbank.proposals.mined import MinedWriter
from skillbank.proposals.writer import SkillWriter
from skillbank.skills.shelf import Shelf, Subtask
from skillbank.world import Labeller, Variant, VariantWriter

REVISION = "traces-1"
TASK = "task"
"""Name of the one subtask that a brief of unknown make is taken to have."""
NO_AGENT = "no agent configured: nothing can be replayed"


class Traces:
    """The world of traces; see `skillbank.world.World`.

    Args:
        params: Sections `attribute` and `evolve` are read.
    """

    name: str = "traces"
    unable: str = NO_AGENT

    def __init__(self, params: Params) -> None:
        near = params.attribute.near
        self.revision = f"{REVISION}-{digest(near)[:8]}"
        self.tools: Mapping[str, Mapping[str, Json]] = {}
        self.forbidden: Collection[str] = ()
        self.agent: Agent = _NoAgent()
        self.judge: Judge = _NoJudge()
        self.writer: SkillWriter = MinedWriter(params.attribute.fail_below)
        self.variants: VariantWriter = _NoVariants()
        self.labeller: Labeller = ThemeLabeller(near, seed=params.evolve.seed)

    def plan(self, brief: Brief) -> tuple[Subtask, ...]:
        """One subtask: all that the brief says, bounded."""
        phrase = " ".join(brief.text.split())[:PHRASE_LIMIT]
        return (Subtask(name=TASK, phrase=phrase),)

    def contexts(self, brief: Brief, n: int, seed: int) -> tuple[Context, ...]:
        """None can be made.

        Raises:
            WorldError: Always.
        """
        _unable("a context")

    def upstream(
        self, brief: Brief, context: Context, skills: Shelf, before: str
    ) -> Context:
        """The context as it is: nobody is there to work on it.

        Raises:
            WorldError: Always.
        """
        _unable("work before a subtask")

    def explore(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        """None can be made.

        Raises:
            WorldError: Always.
        """
        _unable("an attempt")

    def verify(self, brief: Brief, output: str) -> tuple[Check, ...]:
        """Nothing is known that an output could be held against.

        Raises:
            WorldError: Always.
        """
        _unable("a check of an output")

    def degrade(self, brief: Brief, attempt: Attempt) -> Attempt:
        """The attempt as it is."""
        return attempt

    def picture(self, output: str, width: int) -> bytes:
        """There is none of an output of unknown make.

        Raises:
            WorldError: Always.
        """
        _unable("a picture")

    def understand(self, text: str, *, id: str, must_say: Sequence[str] = ()) -> Brief:
        """The words as a brief that demands nothing that could be checked.

        Raises:
            BriefError: If there are no words.
        """
        return Brief(id=id, text=text)

    def must_say(self, brief: Brief) -> Sequence[str]:
        """Nothing is known to be demanded."""
        return ()

    def week(
        self, number: int, n_briefs: int, skills: Shelf, seed: int
    ) -> Iterator[str]:
        """No traffic can be made up.

        Raises:
            WorldError: Always.
        """
        _unable("simulated traffic")


class _NoAgent:
    def attempt(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        _unable("an attempt")


class _NoJudge:
    revision = "none"

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        _unable("a comparison of outputs")


class _NoVariants:
    def write(self, brief: Brief, n: int, seed: int) -> tuple[Variant, ...]:
        return ()


def _unable(wanted: str) -> NoReturn:
    raise WorldError(
        "world traces",
        seen=f"{wanted} was asked for, and no agent is configured",
        expected="a world that can run the agent",
        remedy="follow skillbank/world.py for your agent and name that world in "
        "params.yaml",
    )
