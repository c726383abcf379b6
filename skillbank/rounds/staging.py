"""The plan of a proposal before any replay: its rule, cases, contexts, spares, hashes.

Knows nothing about how the arms are replayed or judged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from skillbank.agents.agent import Context
from skillbank.briefs.strata import within
from skillbank.codec import digest, seed_of
from skillbank.errors import WorldError
from skillbank.gate.guards import Guards
from skillbank.gate.plan import Case, Plan
from skillbank.gate.settle import Settled, settle
from skillbank.proposals.proposal import CaseSeed
from skillbank.rounds.arms import Arms, arms, bank_with, beside
from skillbank.rounds.docket import Docket
from skillbank.skills.shelf import Shelf, Subtask
from skillbank.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A plan with the contexts that it names and the arms of each case."""

    plan: Plan
    contexts: Mapping[str, Context]
    """By id, spares too, upstream not yet drawn."""
    cases: Mapping[str, CaseSeed]
    """By case id."""
    arms: Mapping[str, Arms]
    """By case id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A brief on which the proposal shows, and how it is replayed there."""

    case: CaseSeed
    arms: Arms
    contexts: int = 0
    neighbour: bool = False


def stage(docket: Docket, world: World, bank: Shelf) -> Staged:
    """Draw up the plan of a proposal, by the rule that its cases allow.

    Published: the first of its cases at which it shows, as many for each card concerned
    as required. Certified: held-out cases of each card, origin cases where they are to
    be screened on, and its neighbours.

    Args:
        docket: The proposal, with more cases than needed where there are more.
        world: Whose contexts they are.
        bank: What is recalled under the current bank.
    """
    stager = _Stager(docket, world, bank)
    settled, chosen = stager.settled()
    if settled.mode == "published":
        chosen = stager.published()
    return stager.staged(settled, chosen)


class _Stager:
    def __init__(self, docket: Docket, world: World, bank: Shelf) -> None:
        self._docket, self._world, self._bank = docket, world, bank
        self._gate = docket.params.gate

    def published(self) -> list[_Shown]:
        """The first cases at which it shows, as many for each card as required."""
        gate = self._gate
        return self._shows(self._docket.proposal.cases, gate.cases, gate.contexts)

    def settled(self) -> tuple[Settled, list[_Shown]]:
        """The rule, and the cases if it is the certified one."""
        gate, numbers = self._gate, self._gate.certified
        if gate.mode == "published":
            return settle("published", numbers, held_out={}, origin=0), []
        proposal = self._docket.proposal
        held_out = self._shows(self._docket.held_out, numbers.held_out)
        seen = [case for case in proposal.cases if case.origin]
        origin = self._shows(seen, numbers.screen_cases)
        counts = dict.fromkeys((proposal.skill, *proposal.drops), 0)
        for one in held_out:
            counts[one.case.card] += 1
        settled = settle(
            gate.mode,
            numbers,
            held_out=counts,
            origin=len(origin),
            proposals=self._docket.proposals,
            commits=self._docket.commits,
        )
        lacking = {name for name, n in counts.items() if n < numbers.least}
        if lacking:  # nothing is replayed: the plan says which card has too few
            held_out = [one for one in held_out if one.case.card in lacking]
            origin = [one for one in origin if one.case.card in lacking]
        elif settled.limits is None or not settled.limits.screen:
            origin = []
        return settled, [
            *_with(origin[: numbers.screen_cases], settled.contexts("origin")),
            *_with(held_out, settled.contexts("held-out")),
            *self._beside(settled.contexts("neighbour")),
        ]

    def staged(self, settled: Settled, chosen: Sequence[_Shown]) -> Staged:
        """The plan with its contexts."""
        docket, gate = self._docket, self._gate
        proposal, seed = docket.proposal, seed_of(docket.seed, "contexts")
        by_id = {f"{proposal.id}-{n}": one for n, one in enumerate(chosen, start=1)}
        drawn = {
            id: self._world.contexts(
                docket.briefs[one.case.brief],
                one.contexts + gate.spares,
                seed_of(seed, id),
            )
            for id, one in by_id.items()
        }
        narrow = docket.stratum if settled.mode == "certified" else ""
        plan = Plan(
            proposal=proposal.id,
            mode=settled.mode,
            cases=tuple(
                self._case(id, one, (narrow, drawn[id])) for id, one in by_id.items()
            ),
            band=gate.band,
            contexts=gate.contexts,
            required=gate.cases,
            limits=settled.limits,
            neighbours=tuple(id for id, one in by_id.items() if one.neighbour),
            stratum=narrow,
            uncertifiable=settled.uncertifiable,
            risk=docket.risk,
            candidate=digest(proposal.text),
            models=self._models(),
            tools=digest(self._world.tools),
            judge=self._world.judge.revision,
            policy=digest(gate),
            guards=Guards.of(gate),
        )
        return Staged(
            plan=plan,
            contexts={one.id: one for some in drawn.values() for one in some},
            cases={id: one.case for id, one in by_id.items()},
            arms={id: one.arms for id, one in by_id.items()},
        )

    def _case(self, id: str, one: _Shown, drawn: tuple[str, Sequence[Context]]) -> Case:
        narrow, contexts = drawn
        names = tuple(context.id for context in contexts)
        brief = self._docket.briefs[one.case.brief]
        return Case(
            id=id,
            brief=brief.id,
            revision=digest(brief),
            stratum=narrow if within(brief, narrow) else brief.cohort,
            origin=one.case.origin,
            card=one.case.card,
            contexts=names[: one.contexts],
            spares=names[one.contexts :],
        )

    def _models(self) -> tuple[str, ...]:
        models = self._docket.params.models
        return (models.model,) if models.judge == "anthropic" else ()

    def _shows(
        self, cases: Iterable[CaseSeed], most: int, contexts: int = 0
    ) -> list[_Shown]:
        """The first cases at which the proposal shows, at most so many a card."""
        chosen: list[_Shown] = []
        taken: dict[str, int] = {}
        for case in cases:
            plan = None if taken.get(case.card, 0) >= most else self._plan(case.brief)
            if plan is None:
                continue
            brief = self._docket.briefs[case.brief]
            found = arms(self._docket.proposal, case, plan, brief, self._bank)
            if found is not None:
                taken[case.card] = taken.get(case.card, 0) + 1
                chosen.append(_Shown(case=case, arms=found, contexts=contexts))
        return chosen

    def _beside(self, contexts: int) -> list[_Shown]:
        """Its neighbours, each with the whole bank in both arms."""
        docket = self._docket
        if not docket.neighbours or not contexts:
            return []
        after = bank_with(docket.proposal, docket.cards, docket.params.recall)
        chosen = []
        for id in docket.neighbours:
            plan = self._plan(id)
            found = plan and beside(plan, docket.briefs[id], self._bank, after)
            if found:
                case = CaseSeed(brief=id, subtask=found.before, origin=False)
                one = _Shown(case=case, arms=found, contexts=contexts, neighbour=True)
                chosen.append(one)
        return chosen

    def _plan(self, brief: str) -> tuple[Subtask, ...] | None:
        try:
            return self._world.plan(self._docket.briefs[brief])
        except WorldError:  # a brief of somebody else's trace: nothing to replay
            return None


def _with(shown: Iterable[_Shown], contexts: int) -> list[_Shown]:
    return [
        _Shown(case=one.case, arms=one.arms, contexts=max(contexts, 1)) for one in shown
    ]
