"""Replays contexts under both arms and has the judge compare what came out.

Knows agent, judge and state only through the arena that it is given. Each arm starts
from the same scene with a seed of its own; which arm runs first alternates; the judge
sees each pair twice, in both orders.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from skillbank.agents.agent import Agent, Attempt, Context
from skillbank.briefs.brief import Brief
from skillbank.codec import seed_of
from skillbank.errors import BudgetError, GateError, ModelError
from skillbank.gate.plan import Plan
from skillbank.gate.trial import Trial
from skillbank.gate.verdict import Verdict
from skillbank.gate.votes import ARMS, UNREADABLE, Arm, Cost, Outcome, Vote, Votes
from skillbank.judging.judge import Judge, Preference
from skillbank.skills.shelf import Shelf

RETRIES = 2
"""Times that an unreadable answer is asked for again, in the same order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What both arms of one context start from."""

    brief: Brief
    context: Context
    """With its upstream state filled in, made once under the current bank."""
    current: Shelf
    candidate: Shelf

    def shelf(self, arm: Arm) -> Shelf:
        """The cards of that arm."""
        return self.candidate if arm == "candidate" else self.current


class MakeAttempt(Protocol):
    """Anything that makes (or finds in a journal) the attempt of one arm."""

    def __call__(self, arm: Arm, scene: Scene, seed: int) -> Attempt:
        """The attempt; an infrastructure fault is an ending, or a ModelError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """Where pairs are made: everything that a replay reaches of the world."""

    scene: Callable[[str], Scene]
    """The scene of a context id; a ModelError is a fault of the context."""
    attempt: MakeAttempt
    judge: Judge
    forbidden_tools: frozenset[str] = frozenset()
    """Tools whose every use counts as a forbidden action."""
    score: Callable[[Brief, Attempt], float | None] | None = None
    """Score of an attempt for the report, in [0, 1]; never seen by the verdict."""


class Place(NamedTuple):
    """A context of a case."""

    case: str
    context: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The two attempts on one context, made in one batch, and what the judge said."""

    proposal: str
    case: str
    context: str
    replica: int = 0
    current: Attempt | None = None
    """None: the context was void before this arm ran."""
    candidate: Attempt | None = None
    votes: Votes
    outcome: Outcome
    first_arm: Arm
    """The arm that ran first."""
    judge_calls: int = 0
    """Two, more after unreadable answers; none if an arm was broken."""
    current_score: float | None = None
    candidate_score: float | None = None

    @property
    def void(self) -> str | None:
        """Arm and cause if the context is void."""
        return self.votes.cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A finished trial: its verdict and every pair made for it, in order."""

    verdict: Verdict
    pairs: tuple[Pair, ...]


def cost_of(attempt: Attempt) -> Cost:
    """What an attempt spent; a 0 says that its agent did not tell."""
    return Cost(turns=attempt.usage.turns or None, usd=attempt.usage.usd or None)


def running(agent: Agent) -> MakeAttempt:
    """Attempts made by the agent itself, without a journal."""

    def attempt(arm: Arm, scene: Scene, seed: int) -> Attempt:
        return agent.attempt(scene.brief, scene.context, scene.shelf(arm), seed)

    return attempt


def replay(trial: Trial, arena: Arena, seed: int) -> Replay:
    """Drive a trial to its verdict, one context at a time.

    Args:
        trial: The proposal's trial; may have been told contexts before.
        arena: Where its pairs are made.
        seed: Root of every seed; the same arena and seed give the same pairs.

    Raises:
        GateError: If the trial can neither ask nor decide: a fault of the gate.
        BudgetError: If the next call may cost too much; what was told so far stands.
    """
    places = _places(trial.plan)
    pairs: list[Pair] = []
    while trial.verdict is None:
        asked = trial.ask(1)
        if not asked:
            raise GateError(
                f"trial of proposal {trial.plan.proposal!r}",
                seen="no verdict and nothing left to replay",
                expected="one or the other",
                remedy="report this with the plan: it is a fault of the gate",
            )
        place, order = places[asked[0]]
        maker = Maker(arena=arena, proposal=trial.plan.proposal, seed=seed)
        pair = maker.pair(place, order)
        trial.tell(place.context, pair.votes)
        pairs.append(pair)
    return Replay(verdict=trial.verdict, pairs=tuple(pairs))


def replay_all(
    arena: Arena, places: Sequence[Place], *, proposal: str, seed: int, replica: int = 0
) -> tuple[Pair, ...]:
    """Pairs on every place, without a verdict: controls, golden cases, comparisons.

    Void contexts stay void. `proposal` names the purpose and must be unique to it:
    it is part of every seed, so no attempt serves two purposes.
    """
    maker = Maker(arena=arena, proposal=proposal, seed=seed, replica=replica)
    return tuple(maker.pair(place, order) for order, place in enumerate(places))


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes the pairs of one proposal."""

    arena: Arena
    proposal: str
    seed: int
    replica: int = 0

    def pair(self, place: Place, order: int) -> Pair:
        """Both attempts on one context, and the votes about them.

        Args:
            place: The context.
            order: Its place in the plan: an odd one runs the candidate first.
        """
        arms = ARMS if order % 2 == 0 else ARMS[::-1]
        attempts: dict[Arm, Attempt] = {}
        try:
            scene = self.arena.scene(place.context)
        except ModelError as error:
            cause = _cause("upstream", error)
            return self._pair(place, arms[0], attempts, Votes(void=cause))
        for arm in arms:
            try:
                attempts[arm] = self.arena.attempt(
                    arm, scene, self.seed_for(place, arm)
                )
            except ModelError as error:
                fault = _cause(arm, error)
            else:
                attempt = attempts[arm]
                if attempt.ending != "fault":
                    continue
                fault = f"{arm}: {attempt.reason or 'fault'}"
            return self._pair(place, arms[0], attempts, Votes(void=fault))
        votes, calls = self._votes(scene.brief, place, attempts)
        pair = self._pair(place, arms[0], attempts, votes, calls)
        return self._scored(pair, scene.brief)

    def _votes(
        self, brief: Brief, place: Place, attempts: dict[Arm, Attempt]
    ) -> tuple[Votes, int]:
        forbidden = {arm: self._forbidden(attempts[arm]) for arm in ARMS}
        costs = {arm: cost_of(attempts[arm]) for arm in ARMS}
        broken = frozenset(arm for arm in ARMS if attempts[arm].ending == "broken")
        if broken:
            return Votes(broken=broken, forbidden=forbidden, costs=costs), 0
        calls = _Calls(self, brief, place, attempts)
        try:
            first = calls.vote(ARMS[::-1])
            second = None if first == "invalid" else calls.vote(ARMS)
        except ModelError as error:
            cause = _cause("judge", error)
            return Votes(forbidden=forbidden, void=cause, costs=costs), calls.made
        lost = UNREADABLE if "invalid" in (first, second) else None
        made = Votes(first, second, forbidden=forbidden, void=lost, costs=costs)
        return made, calls.made

    def _forbidden(self, attempt: Attempt) -> int:
        banned = self.arena.forbidden_tools
        return len(attempt.forbidden) + sum(s.tool in banned for s in attempt.steps)

    def seed_for(self, place: Place, *purpose: str | int) -> int:
        """A seed of this proposal, context and purpose alone."""
        return seed_of(self.seed, place.context, self.proposal, *purpose, self.replica)

    def _pair(
        self,
        place: Place,
        first_arm: Arm,
        attempts: dict[Arm, Attempt],
        votes: Votes,
        calls: int = 0,
    ) -> Pair:
        return Pair(
            proposal=self.proposal,
            case=place.case,
            context=place.context,
            replica=self.replica,
            current=attempts.get("current"),
            candidate=attempts.get("candidate"),
            votes=votes,
            outcome=votes.outcome,
            first_arm=first_arm,
            judge_calls=calls,
        )

    def _scored(self, pair: Pair, brief: Brief) -> Pair:
        score = self.arena.score
        if score is None or pair.current is None or pair.candidate is None:
            return pair
        return replace(
            pair,
            current_score=score(brief, pair.current),
            candidate_score=score(brief, pair.candidate),
        )


class _Calls:
    """The judge's calls about one pair, counted."""

    def __init__(
        self, maker: Maker, brief: Brief, place: Place, attempts: dict[Arm, Attempt]
    ) -> None:
        self._maker, self._brief, self._place = maker, brief, place
        self._attempts = attempts
        self.made = 0

    def vote(self, shown: tuple[Arm, Arm]) -> Vote:
        """The vote in one order, asked again with a new seed while it is unreadable."""
        outputs = [self._attempts[arm].output for arm in shown]
        for again in range(RETRIES + 1):
            self.made += 1
            preferred = self._maker.arena.judge.compare(
                self._brief,
                *outputs,
                batch=self._maker.proposal,
                seed=self._maker.seed_for(self._place, "judge", shown[0], again),
            )
            if preferred != "invalid":
                break
        return _as_vote(preferred, *shown)


def _cause(who: str, error: ModelError) -> str:
    """Who failed and how; a spent budget is no fault that a spare could mend."""
    if isinstance(error, BudgetError):
        raise error
    return f"{who}: {error.seen}"


def _as_vote(preferred: Preference, first: Arm, second: Arm) -> Vote:
    if preferred == "first":
        return first
    if preferred == "second":
        return second
    return preferred


def _places(plan: Plan) -> dict[str, tuple[Place, int]]:
    # counted along cases and contexts, so that the first arm alternates in both
    return {
        context: (Place(case.id, context), i + j)
        for i, case in enumerate(plan.cases)
        for j, context in enumerate((*case.contexts, *case.spares))
    }
