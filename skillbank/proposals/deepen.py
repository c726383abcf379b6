"""From the queue of failing cards to what a writer is shown of each.

The feedback view changes only what is shown: queue and cases are worked out from the
whole of it (`Contrast`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from skillbank.evidence.words import words
from skillbank.params import ProposeParams
from skillbank.proposals.pool import Pool
from skillbank.proposals.writer import Evidence, Revision
from skillbank.skills.shelf import Card

MERGE_LIMIT = 3  # neighbours offered to one revision: a card that ate four is a menu


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A card's failures and its successes on the most similar briefs."""

    failures: tuple[Evidence, ...]
    """Worst first, one a root brief before any root comes twice."""
    successes: tuple[Evidence, ...]
    """Most similar first."""


def contrast(
    card: Card, failures: Sequence[Evidence], pool: Pool, params: ProposeParams
) -> Contrast:
    """Choose the failures and the contrasting successes of a revision.

    Args:
        card: The card to revise.
        failures: Its failures that count, in any order.
        pool: Where its successes are.
        params: How many of each are shown.
    """
    chosen = worst_first(failures)[: params.shown_failures]
    similar = most_similar_first(card, failures, chosen, pool)
    return Contrast(failures=chosen, successes=similar[: params.shown_successes])


def worst_first(failures: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """By score, but each root's worst before any root's second worst."""
    turns: dict[str, int] = {}
    ranked = []
    for one in sorted(failures, key=lambda one: (one.rank, one.id)):
        turn = turns.get(one.brief.root, 0)
        turns[one.brief.root] = turn + 1
        ranked.append((turn, one.rank, one.id, one))
    return tuple(one for *_, one in sorted(ranked, key=lambda row: row[:3]))


def most_similar_first(
    card: Card, failures: Sequence[Evidence], near: Sequence[Evidence], pool: Pool
) -> tuple[Evidence, ...]:
    """A card's successes, of its current version first, most like `near` first.

    Args:
        card: The card.
        failures: Evidence that is none of its successes, whatever its score.
        near: Evidence whose briefs similarity is measured to.
        pool: Where the successes are.
    """
    failed = {one.id for one in failures}
    well = [one for one in pool.successes(card.name) if one.id not in failed]
    close = pool.closeness(well, near)
    ranked = [
        (_other_version(one, card), -close[one.brief.id], one.id, one) for one in well
    ]
    return tuple(one for *_, one in sorted(ranked, key=lambda row: row[:3]))


def revision(
    card: Card,
    shown: Contrast,
    neighbours: tuple[Card, ...],
    *,
    overhaul: bool,
    params: ProposeParams,
) -> Revision:
    """What the writer is shown of a card, under the feedback view."""
    return Revision(
        card=card,
        failures=() if params.feedback == "success_only" else shown.failures,
        successes=() if params.feedback == "fail_only" else shown.successes,
        overhaul=overhaul,
        neighbours=neighbours,
    )


def neighbours(card: Card, cards: Sequence[Card], at: float) -> tuple[Card, ...]:
    """The cards whose descriptions are near, nearest first, at most three.

    Near is the weighted share of words in both, a word weighing more the fewer
    descriptions have it: what every trigger says ("use when") tells nothing.

    Args:
        card: The card to be revised.
        cards: The bank's cards, itself among them or not.
        at: Similarity from which a card is a neighbour, in [0, 1].
    """
    texts = {one.name: words(one.skill.description) for one in (*cards, card)}
    held: dict[str, int] = {}
    for text in texts.values():
        for word in text:
            held[word] = held.get(word, 0) + 1
    weights = {word: log(1 + len(texts) / held[word]) for word in sorted(held)}
    near = []
    for other in cards:
        both = texts[card.name] & texts[other.name]
        either = texts[card.name] | texts[other.name]
        if other.name == card.name or not both:
            continue
        similarity = _weigh(both, weights) / _weigh(either, weights)
        if similarity >= at:
            near.append((-similarity, other.name, other))
    return tuple(one for *_, one in sorted(near, key=lambda row: row[:2]))[:MERGE_LIMIT]


def _other_version(one: Evidence, card: Card) -> bool:
    return all(
        (recall.skill, recall.version) != (card.name, card.version)
        for recall in one.recalls
    )


def _weigh(some: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weights[word] for word in sorted(some))
