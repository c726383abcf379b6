"""The studio as a world: its agent, briefs, verifiers, judge, writer and traffic."""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from skillbank.agents.agent import Agent, Attempt, Context
from skillbank.briefs.brief import Brief, Check, Requirement, score
from skillbank.codec import Json, digest
from skillbank.judging.judge import Judge
from skillbank.params import Params
from skillbank.proposals.writer import SkillWriter
from skillbank.skills.shelf import Shelf, Subtask
from skillbank.world import Labeller, VariantWriter
from studio import briefs, contexts, understand
from studio.agent import StudioAgent
from studio.degrade import degraded
from studio.fonts import check_fonts
from studio.judge import StudioJudge
from studio.labeller import StudioLabeller
from studio.reading import read_board
from studio.render import png
from studio.tools import FORBIDDEN, TOOLS, schema
from studio.traffic import Studio as _Cast
from studio.traffic import week
from studio.variants import StudioVariants
from studio.verify import check_requirements, verify_all
from studio.writer import ContrastWriter

REVISION = "studio-1"
_KEPT = 512  # drawings whose checks are remembered: the judge asks right after the gate
_Key = tuple[str, str, str]
_Checked = tuple[tuple[Requirement, ...], tuple[Check, ...]]


class Studio:
    """The embedded world; see `skillbank.world.World`.

    Cheap to build: a worker process makes its own.

    Args:
        params: Sections `studio` and `judge` are read.

    Raises:
        WorldError: If its font is not there.
    """

    name: str = "studio"
    unable: str = ""

    def __init__(self, params: Params) -> None:
        check_fonts()
        studio = params.studio
        self.revision = f"{REVISION}-{digest(studio.model_dump(mode='json'))[:8]}"
        self.tools: Mapping[str, Mapping[str, Json]] = _schemas()
        self.forbidden: Collection[str] = FORBIDDEN
        self._player = StudioAgent(studio.deviation, studio.temptation)
        self.agent: Agent = self._player
        self._explorer = StudioAgent(
            studio.deviation, studio.temptation, own_ideas=studio.exploring
        )
        self.judge: Judge = StudioJudge(params.judge, self.verify)
        self.writer: SkillWriter = ContrastWriter(studio.wild)
        self.variants: VariantWriter = StudioVariants()
        self._checks: OrderedDict[_Key, _Checked] = OrderedDict()
        self.labeller: Labeller = StudioLabeller()

    def plan(self, brief: Brief) -> tuple[Subtask, ...]:
        """The parts of a brief in the order in which the agent does them.

        Raises:
            WorldError: If the brief or a requirement of it cannot be read.
        """
        parts = briefs.plan(brief)
        check_requirements(brief.requirements)
        return parts

    def contexts(self, brief: Brief, n: int, seed: int) -> tuple[Context, ...]:
        """`n` contexts that differ in pictures, upstream and, within three, kit.

        Raises:
            WorldError: If the brief cannot be read.
        """
        return contexts.contexts(brief, n, seed)

    def upstream(
        self, brief: Brief, context: Context, skills: Shelf, before: str
    ) -> Context:
        """The context with the work of every subtask before `before` done once."""
        return self._player.upstream(brief, context, skills, before)

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
        key = (brief.id, brief.text, output)
        known = self._checks.get(key)
        # Two briefs may share id and words and still demand different things.
        if known is not None and known[0] == brief.requirements:
            return known[1]
        checks = verify_all(read_board(output), brief.requirements)
        self._checks[key] = (brief.requirements, checks)
        if len(self._checks) > _KEPT:
            self._checks.popitem(last=False)
        return checks

    def degrade(self, brief: Brief, attempt: Attempt) -> Attempt:
        """The attempt with elements or contrast taken from its drawing.

        Unchanged where the verifiers would not call the result much worse.

        Raises:
            WorldError: If the output is no board.
        """
        board = read_board(attempt.output)
        worse = degraded(
            board, lambda one: score(brief, verify_all(one, brief.requirements))
        )
        return attempt if worse is None else replace(attempt, output=worse.to_json())

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

    def must_say(self, brief: Brief) -> Sequence[str]:
        """The strings that the brief's requirements want to read."""
        return tuple(
            str(need.args["text"])
            for need in brief.requirements
            if need.kind == "text_present" and "text" in need.args
        )

    def week(
        self, number: int, n_briefs: int, skills: Shelf, seed: int
    ) -> Iterator[str]:
        """Simulated traffic: the lines of a trace file, duplicates and all."""
        return week(number, n_briefs, _Cast(agent=self.agent, skills=skills, seed=seed))


@lru_cache(maxsize=1)
def _schemas() -> Mapping[str, Mapping[str, Json]]:
    return {name: schema(name) for name in TOOLS}
