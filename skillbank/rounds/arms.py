"""The two arms of a proposal on one brief.

Knows nothing about how the arms are replayed or judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from skillbank.briefs.brief import Brief
from skillbank.params import RecallParams
from skillbank.proposals.proposal import CaseSeed, Proposal
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import (
    Card,
    FixedShelf,
    Recall,
    Recalled,
    Shelf,
    Subtask,
)
from skillbank.skills.skill import Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Arms:
    """What each arm recalls on one brief, and where they first differ."""

    current: Shelf
    candidate: Shelf
    before: str
    """Name of the first subtask whose cards differ: all before it is frozen."""


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


def bank_with(
    proposal: Proposal, cards: Sequence[Card], params: RecallParams
) -> BankShelf:
    """The whole bank as it would be with the change, whatever is recalled then.

    Args:
        proposal: What is proposed.
        cards: The current bank's verified cards.
        params: How cards are recalled.
    """
    gone = {proposal.skill, *proposal.drops}
    old = next((card for card in cards if card.name == proposal.skill), None)
    new = candidate_card(proposal, old)
    if old is not None:
        new = replace(new, applies=old.applies, risk=old.risk)
    kept = (card for card in cards if card.name not in gone)
    return BankShelf((*kept, new), params)


def beside(
    plan: Sequence[Subtask], brief: Brief, current: Shelf, candidate: Shelf
) -> Arms | None:
    """A whole bank against another on a brief; None if both recall the same there."""
    for subtask in plan:
        old = current.recall(subtask, brief.facts).cards
        if old != candidate.recall(subtask, brief.facts).cards:
            return Arms(current=current, candidate=candidate, before=subtask.name)
    return None
