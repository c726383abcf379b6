"""Step 7: each proposal before the gate, and the round's A/A controls."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from skillbank.agents.agent import Attempt, Context
from skillbank.agents.jobs import Job, do
from skillbank.briefs.brief import Brief
from skillbank.codec import digest
from skillbank.gate.controls import current_against_current
from skillbank.gate.declared import Declared, declare
from skillbank.gate.neighbours import Reach
from skillbank.gate.plan import Plan
from skillbank.gate.reliability import Reliability, reliability
from skillbank.gate.replay import (
    Arena,
    Pair,
    Place,
    Replay,
    Scene,
    replay,
    replay_all,
)
from skillbank.gate.trial import Trial
from skillbank.gate.verdict import Verdict
from skillbank.gate.votes import Arm
from skillbank.models.journal import Journal, JournalledJudge, journalled
from skillbank.rounds.arms import candidate_card
from skillbank.rounds.docket import Docket
from skillbank.rounds.staging import Staged, stage
from skillbank.skills.recall import BankShelf
from skillbank.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRecord:
    """What stands beside a proposal for good: plan, verdict, what goes with both."""

    plan: Plan
    verdict: Verdict
    declared: Declared | None = None
    """What the plan was to ship and refuse, said before the first replay."""
    passes: Reliability = field(default_factory=Reliability)
    """pass^k of both arms: told, never decided by."""
    reach: Reach | None = None
    """Where a new or changed trigger fires; None: there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A trial that is over: its record and every pair that was made for it."""

    record: GateRecord
    pairs: tuple[Pair, ...]
    in_bank: tuple[Pair, ...] = ()
    """A mint beside the whole bank, in both arms: reported, never counted."""


def hear(docket: Docket, world: World, journal: Journal) -> Heard:
    """Replay a proposal until its verdict is certain.

    Args:
        docket: What is tried.
        world: Agent, judge, contexts and verifiers; one that is unable to run its agent
            leaves everything undecided.
        journal: Attempts and votes that were made before are taken from it.

    Raises:
        BudgetError: If the next call may cost more than is left; what was answered
            so far is in the journal.
    """
    if world.unable:
        return _unheard(docket, world)
    court = _Court(docket, world, journal)
    plan, params = court.staged.plan, docket.params
    declared = declare(plan)
    heard = court.hear()
    passes = reliability(
        heard.pairs, success_at=params.benchmark.success, most=params.gate.contexts
    )
    return Heard(
        record=GateRecord(
            plan=plan,
            verdict=heard.verdict,
            declared=declared,
            passes=passes,
            reach=docket.reach,
        ),
        pairs=heard.pairs,
        in_bank=court.in_bank() if docket.proposal.kind == "mint" else (),
    )


def _unheard(docket: Docket, world: World) -> Heard:
    """Undecided at no cost: there is nobody to replay it with."""
    proposal, gate = docket.proposal, docket.params.gate
    plan = Plan(
        proposal=proposal.id,
        cases=(),
        band=gate.band,
        contexts=gate.contexts,
        required=gate.cases,
        risk=docket.risk,
        candidate=digest(proposal.text),
        tools=digest(world.tools),
        judge=world.judge.revision,
        policy=digest(gate),
    )
    verdict = Verdict(
        proposal=proposal.id,
        plan=plan.hash,
        decision="undecided",
        code="undecided:no_agent",
        reason=world.unable,
    )
    return Heard(
        record=GateRecord(plan=plan, verdict=verdict, reach=docket.reach), pairs=()
    )


def against_itself(
    docket: Docket, places: Sequence[Place], world: World, journal: Journal
) -> tuple[Pair, ...]:
    """A/A: the current cards in both arms, on contexts of this proposal's plan."""
    court = _Court(docket, world, journal)
    return replay_all(
        current_against_current(court.arena()),
        places,
        proposal=f"aa-{docket.proposal.id}",
        seed=docket.seed,
    )


def control_places(records: Sequence[GateRecord]) -> tuple[Place, ...]:
    """Every planned context of a round's trials: what controls are drawn from."""
    return tuple(
        Place(case.id, context)
        for record in records
        for case in record.plan.cases
        for context in case.contexts
    )


class _Court:
    """One trial's arena: scenes made once, attempts and votes journalled."""

    def __init__(self, docket: Docket, world: World, journal: Journal) -> None:
        self._docket, self._world, self._journal = docket, world, journal
        self._shelf = BankShelf(docket.cards, docket.params.recall)
        self._scenes: dict[str, Scene] = {}
        self._scores: dict[str, float | None] = {}
        self.staged: Staged = stage(docket, world, self._shelf)
        self._case_of = {
            context: case.id
            for case in self.staged.plan.cases
            for context in (*case.contexts, *case.spares)
        }

    def hear(self) -> Replay:
        trial = Trial(self.staged.plan, curtail=self._docket.curtail)
        return replay(trial, self.arena(), self._docket.seed)

    def arena(self) -> Arena:
        return Arena(
            scene=self._scene,
            attempt=self._attempt,
            judge=JournalledJudge(self._world.judge, self._journal),
            forbidden_tools=frozenset(self._docket.params.gate.forbidden_tools),
            score=self._score,
        )

    def in_bank(self) -> tuple[Pair, ...]:
        """The whole bank against the whole bank with the card, on a few contexts."""
        n = self._docket.params.gate.bank_contexts
        plan = self.staged.plan
        places = [
            Place(case.id, case.contexts[turn])
            for turn in range(plan.contexts)
            for case in plan.cases
            if turn < len(case.contexts) and plan.role(case) != "neighbour"
        ][:n]
        new = candidate_card(self._docket.proposal, None)
        wider = BankShelf((*self._docket.cards, new), self._docket.params.recall)

        def scene(context: str) -> Scene:
            found = self._scene(context)
            return Scene(
                brief=found.brief,
                context=found.context,
                current=self._shelf,
                candidate=wider,
            )

        arena = Arena(
            scene=scene,
            attempt=self._attempt,
            judge=JournalledJudge(self._world.judge, self._journal),
            forbidden_tools=frozenset(self._docket.params.gate.forbidden_tools),
            score=self._score,
        )
        name = f"bank-{self._docket.proposal.id}"
        return replay_all(arena, places, proposal=name, seed=self._docket.seed)

    def _scene(self, context: str) -> Scene:
        """Both arms start from copies of one upstream, made under the current bank."""
        if context not in self._scenes:
            case = self._case_of[context]
            brief = self._docket.briefs[self.staged.cases[case].brief]
            arms = self.staged.arms[case]
            self._scenes[context] = Scene(
                brief=brief,
                context=self._upstream(brief, context, arms.before),
                current=arms.current,
                candidate=arms.candidate,
            )
        return self._scenes[context]

    def _upstream(self, brief: Brief, id: str, before: str) -> Context:
        """The context with its upstream drawn, once: it is work of the agent too."""
        bare = self.staged.contexts[id]
        world, bank = self._world, self._docket.bank
        return journalled(
            self._journal,
            digest("upstream", world.revision, brief, bare, bank, before),
            Context,
            lambda: world.upstream(brief, bare, self._shelf, before),
        )

    def _attempt(self, arm: Arm, scene: Scene, seed: int) -> Attempt:
        job = Job(
            brief=scene.brief,
            context=scene.context,
            skills=scene.shelf(arm),
            # the seed is this proposal's, context's and arm's alone: so are the cards
            under=digest(arm, self._docket.bank, self._docket.proposal.id),
            seed=seed,
        )
        made = do(job, self._world, self._journal)
        self._scores[made.attempt.id] = made.score
        return made.attempt

    def _score(self, brief: Brief, attempt: Attempt) -> float | None:
        """What `_attempt` measured: an output is verified once."""
        return self._scores[attempt.id]
