"""The studio as a world: its agent, briefs, verifiers, judge, writer and traffic."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from skillbank.agents.agent import Attempt, Context
from skillbank.briefs.brief import Brief, Check
from skillbank.codec import Json, digest
from skillbank.params import Params
from skillbank.skills.shelf import Shelf, Subtask
from studio import briefs, contexts, understand
from studio.agent import StudioAgent
from studio.canvas import Board
from studio.judge import StudioJudge
from studio.labeller import StudioLabeller
from studio.render import png
from studio.tools import TOOLS, schema
from studio.traffic import Studio as _Cast
from studio.traffic import week
from studio.variants import StudioVariants
from studio.verify import verify_all
from studio.writer import ContrastWriter

REVISION = "studio-1"


class Studio:
    """The embedded world; see `skillbank.world.World`.

    Cheap to build: a worker process makes its own.

    Args:
        params: Sections `studio` and `judge` are read.
    """

    name = "studio"

    def __init__(self, params: Params) -> None:
        studio = params.studio
        self.revision = f"{REVISION}-{digest(studio.model_dump(mode='json'))[:8]}"
        self.agent = StudioAgent(studio.deviation, studio.temptation)
        self._explorer = StudioAgent(studio.exploring, studio.temptation)
        self.judge = StudioJudge(params.judge, self.verify)
        self.writer = ContrastWriter(studio.wild)
        self.variants = StudioVariants()
        self.labeller = StudioLabeller()

    @property
    def tools(self) -> Mapping[str, Mapping[str, Json]]:
        """JSON schema of each tool's arguments by tool name."""
        return _schemas()

    def plan(self, brief: Brief) -> tuple[Subtask, ...]:
        """The parts of a brief in the order in which the agent does them."""
        return briefs.plan(brief)

    def contexts(self, brief: Brief, n: int, seed: int) -> tuple[Context, ...]:
        """`n` contexts that differ in pictures and upstream, and in kit within three."""
        return contexts.contexts(brief, n, seed)

    def upstream(
        self, brief: Brief, context: Context, skills: Shelf, before: str
    ) -> Context:
        """The context with the work of every subtask before `before` done once."""
        return self.agent.upstream(brief, context, skills, before)

    def explore(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        """An attempt that deviates more than the agent would in production."""
        return self._explorer.attempt(brief, context, skills, seed)

    def verify(self, brief: Brief, output: str) -> tuple[Check, ...]:
        """One check for each requirement of the brief, with what was seen.

        Raises:
            WorldError: If the output is no board.
        """
        return verify_all(Board.from_json(output), brief.requirements)

    def picture(self, output: str, width: int) -> bytes:
        """The output as a PNG of at most `width` pixels.

        Raises:
            WorldError: If the output is no board.
        """
        return png(output, width)

    def understand(self, text: str, *, id: str, must_say: Sequence[str] = ()) -> Brief:
        """A brief from somebody's words: requirements inferred, each with its reason.

        Raises:
            BriefError: If there is nothing to understand.
        """
        return understand.understand(text, id=id, must_say=must_say)

    def week(self, number: int, n_briefs: int, skills: Shelf, seed: int) -> Iterator[str]:
        """Simulated traffic: the lines of a trace file, duplicates and all."""
        return week(
            number, n_briefs, _Cast(agent=self.agent, skills=skills, seed=seed)
        )


@lru_cache(maxsize=1)
def _schemas() -> Mapping[str, Mapping[str, Json]]:
    return {name: schema(name) for name in TOOLS}
