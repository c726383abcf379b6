"""From labels that keep coming up uncovered to clusters that a card is distilled from.

First it is asked whether a card should absorb the label: the card that was minted for
it before, or one whose description says much the same. That is a deepening. A label
whose card is in the bank is never minted again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, fsum

from skillbank.codec import seed_of
from skillbank.evidence.event import Event
from skillbank.evidence.ledger import Due, Ledger
from skillbank.proposals.pool import Pool
from skillbank.proposals.writer import Cluster, Evidence
from skillbank.roundid import round_number
from skillbank.skills.recall import relevance
from skillbank.skills.shelf import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The cluster of a label: what the writer sees of it, and what it never sees."""

    cluster: Cluster
    set_aside: tuple[Evidence, ...]
    """Never shown: for cases that the card was not written from. By id."""
    sightings: tuple[Event, ...]
    """Of both parts, oldest round first."""


def absorber(due: Due, cards: Sequence[Card], ledger: Ledger, at: float) -> Card | None:
    """The card that should absorb a label, if there is one.

    Args:
        due: The label with its sightings.
        cards: The bank's cards.
        ledger: Knows which cards were minted for the label and what superseded them.
        at: Similarity of a description to the label's phrases, in [0, 1], from which
            its card absorbs the label.
    """
    by_name = {card.name: card for card in cards}
    for name in ledger.minted(due.label):
        minted = by_name.get(name) or by_name.get(ledger.successor(name))
        if minted is not None:
            return minted
    phrases = {event.phrase for event in due.sightings}
    likest = max(
        ((said(card, phrases), card) for card in sorted(cards, key=_name)),
        key=lambda pair: pair[0],
        default=(0.0, None),
    )
    return likest[1] if likest[0] >= at else None


def said(card: Card, phrases: Iterable[str]) -> float:
    """How much of the phrases a card's description says: its mean relevance."""
    shares = [relevance(card.skill.description, one) for one in sorted(set(phrases))]
    return fsum(shares) / len(shares) if shares else 0.0


def gather(
    due: Due, pool: Pool, taken: frozenset[str], *, set_aside: float
) -> Gathered:
    """The cluster of a label, part of it set aside.

    A root brief is shown or set aside with all of its evidence, variants and exploring
    attempts included. The choice is by chance within a round and never changes later:
    new roots are appended, and what was shown once is not evidence unseen.

    Args:
        due: The label with its sightings.
        pool: Evidence of the teach side.
        taken: Names that are in the bank.
        set_aside: Share of the roots that is never shown, in [0, 1).
    """
    hidden = aside_roots(due, set_aside)
    briefs = dict.fromkeys(event.brief for event in due.sightings)
    members = [one for brief in briefs for one in pool.on(brief)]
    members.sort(key=lambda one: one.id)
    shown = [event for event in due.sightings if event.root not in hidden]
    return Gathered(
        cluster=Cluster(
            label=due.label,
            phrases=tuple(sorted({event.phrase for event in shown})),
            members=tuple(one for one in members if one.brief.root not in hidden),
            taken=taken,
        ),
        set_aside=tuple(one for one in members if one.brief.root in hidden),
        sightings=due.sightings,
    )


def aside_roots(due: Due, share: float) -> frozenset[str]:
    """The root briefs of a label that are set aside: of one none, of two the later."""
    first: dict[str, int] = {}
    for event in due.sightings:
        number = round_number(event.round)
        first[event.root] = min(number, first.get(event.root, number))
    order = sorted(
        first, key=lambda root: (first[root], seed_of("aside", due.label, root))
    )
    return frozenset(
        root
        for place, root in enumerate(order)
        if place > 0 and floor((place + 1) * share) > floor(place * share)
    )


def _name(card: Card) -> str:
    return card.name
