"""The two arms of a proposal on one brief, and its plan before any replay.

Knows nothing about how the arms are replayed or judged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skillbank.agents.agent import Context
from skillbank.briefs.brief import Brief
from skillbank.codec import digest, seed_of
from skillbank.errors import WorldError
from skillbank.gate.plan import Case, Plan
from skillbank.params import Params
from skillbank.proposals.proposal import CaseSeed, Proposal
from skillbank.skills.shelf import (
    Card,
    FixedShelf,
    Recall,
    Recalled,
    Shelf,
    Subtask,
)
from skillbank.skills.skill import Skill
from skillbank.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Arms:
    """What each arm recalls on one brief, and where they first differ."""

    current: FixedShelf
    candidate: FixedShelf
    before: str
    """Name of the first subtask whose cards differ: all before it is frozen."""


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


def candidate_card(proposal: Proposal, old: Card | None) -> Card:
    """The proposed card as it would be recalled; it inherits no success rate."""
    return Card(
        skill=Skill.parse(proposal.text, folder=proposal.skill),
        version=1 if proposal.base is None else proposal.base + 1,
        success_rate=old.success_rate if old else 0.5,
    )


def arms(
    proposal: Proposal,
    case: CaseSeed,
    plan: Sequence[Subtask],
    brief: Brief,
    bank: Shelf,
) -> Arms | None:
    """The arms of a proposal on a brief; None if the change would not show there.

    A rewrite is replayed with the recalled set frozen and the version swapped; a merge
    swaps its card in for every dropped one. A mint is forced in against nothing.

    Args:
        proposal: What is proposed.
        case: The brief's case.
        plan: The brief's subtasks in order.
        brief: The brief.
        bank: What is recalled under the current bank.
    """
    if proposal.kind == "mint":
        forced = _alone(case.subtask, proposal)
        return Arms(
            current=FixedShelf(),
            candidate=FixedShelf({case.subtask: forced}),
            before=case.subtask,
        )
    frozen = {subtask.name: bank.recall(subtask, brief.facts) for subtask in plan}
    names = {proposal.skill, *proposal.drops}
    swapped = {
        name: _swap(recalled, proposal, names) for name, recalled in frozen.items()
    }
    differ = [s.name for s in plan if swapped[s.name] is not frozen[s.name]]
    if not differ and proposal.label and case.subtask in frozen:
        # it absorbs a label: nothing was recalled there, so it is forced in like a mint
        swapped = {**frozen, case.subtask: _alone(case.subtask, proposal)}
        differ = [case.subtask]
    if not differ:
        return None
    return Arms(
        current=FixedShelf(frozen), candidate=FixedShelf(swapped), before=differ[0]
    )


def _swap(recalled: Recalled, proposal: Proposal, names: set[str]) -> Recalled:
    old = [card for card in recalled.cards if card.name in names]
    if not old:
        return recalled
    new = candidate_card(proposal, old[0])
    cards: list[Card] = []
    recalls: list[Recall] = []
    for card, recall in zip(recalled.cards, recalled.recalls, strict=True):
        if card.name not in names:
            cards.append(card)
            recalls.append(recall)
        elif new not in cards:
            cards.append(new)
            recalls.append(
                Recall(
                    subtask=recall.subtask,
                    skill=new.name,
                    version=new.version,
                    relevance=recall.relevance,
                    reason=f"in place of {card.ref}",
                )
            )
    return Recalled(
        cards=tuple(cards), recalls=tuple(recalls), covered=recalled.covered
    )


def _alone(subtask: str, proposal: Proposal) -> Recalled:
    card = candidate_card(proposal, None)
    forced = Recall(
        subtask=subtask,
        skill=card.name,
        version=card.version,
        relevance=1.0,
        reason="forced in by the gate",
    )
    return Recalled(cards=(card,), recalls=(forced,), covered=True)


def stage(
    proposal: Proposal,
    briefs: Mapping[str, Brief],
    world: World,
    bank: Shelf,
    params: Params,
    seed: int,
) -> Staged:
    """Draw up the plan of a proposal: cases where it shows, contexts, spares, hashes.

    Args:
        proposal: With more cases than needed where there are more; the first ones at
            which it shows are taken, as many for each card concerned as required.
        briefs: Every brief that a case may name.
        world: Whose contexts they are.
        bank: What is recalled under the current bank.
        params: The gate's numbers.
        seed: Seed of the contexts.
    """
    gate = params.gate
    chosen, shown = _choose(proposal, briefs, world, bank, gate.cases)
    contexts = {
        id: world.contexts(
            briefs[case.brief], gate.contexts + gate.spares, seed_of(seed, id)
        )
        for id, case in chosen.items()
    }
    cases = tuple(
        Case(
            id=id,
            brief=case.brief,
            revision=digest(briefs[case.brief]),
            origin=case.origin,
            card=case.card,
            contexts=tuple(context.id for context in contexts[id][: gate.contexts]),
            spares=tuple(context.id for context in contexts[id][gate.contexts :]),
        )
        for id, case in chosen.items()
    )
    plan = Plan(
        proposal=proposal.id,
        mode=gate.mode,
        cases=cases,
        band=gate.band,
        contexts=gate.contexts,
        required=gate.cases,
        candidate=digest(proposal.text),
        models=(params.models.model,) if params.models.judge == "anthropic" else (),
        tools=digest(world.tools),
        judge=world.judge.revision,
        policy=digest(gate),
    )
    by_id = {context.id: context for drawn in contexts.values() for context in drawn}
    return Staged(plan=plan, contexts=by_id, cases=chosen, arms=shown)


def _choose(
    proposal: Proposal,
    briefs: Mapping[str, Brief],
    world: World,
    bank: Shelf,
    required: int,
) -> tuple[dict[str, CaseSeed], dict[str, Arms]]:
    """The first cases at which a proposal shows, and their arms, by case id."""
    chosen: dict[str, CaseSeed] = {}
    shown: dict[str, Arms] = {}
    taken: dict[str, int] = {}
    for case in proposal.cases:
        brief = briefs[case.brief]
        if taken.get(case.card, 0) >= required:
            continue
        try:
            plan = world.plan(brief)
        except WorldError:  # a brief of somebody else's trace: nothing to replay
            continue
        found = arms(proposal, case, plan, brief, bank)
        if found is not None:
            taken[case.card] = taken.get(case.card, 0) + 1
            id = f"{proposal.id}-{len(chosen) + 1}"
            chosen[id], shown[id] = case, found
    return chosen, shown
