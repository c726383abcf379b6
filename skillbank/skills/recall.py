"""Which cards a subtask recalls, ranked, capped and explained.

Relevance is word overlap between a card's trigger condition and the subtask's phrase,
weighed so that words that are rare within the bank count more. Deterministic; every
answer of a shelf is remembered, since agents ask the same things again and again.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from skillbank.codec import Json, dump
from skillbank.params import RecallParams
from skillbank.skills.shelf import Card, Recall, Recalled, Subtask
from skillbank.skills.words import terms

_VERBOSITY: Final = 0.1
"""Weight of description words that the phrase lacks: a description that lists every
word must not win every subtask. Ours."""
_REMEMBERED: Final = 65536  # answers; then forgotten, so that a long run stays bounded
_NO_WEIGHTS: Mapping[str, float] = {}


def relevance(
    description: str, phrase: str, weights: Mapping[str, float] = _NO_WEIGHTS
) -> float:
    """How well a trigger condition fits a phrase, in [0, 1].

    Args:
        description: When to use a card.
        phrase: What is to be done.
        weights: Weight of a word, above 0; a word that is not there weighs 1.
    Source:
        Tversky 1977, "Features of Similarity", with weights 1 and 0.1.
    """
    wanted, offered = terms(phrase), set(terms(description))
    shared = math.fsum(weights.get(word, 1.0) for word in wanted if word in offered)
    total = math.fsum(weights.get(word, 1.0) for word in wanted)
    said = math.fsum(weights.get(word, 1.0) for word in terms(description))
    return _similarity(shared, total, said)


def applies(predicates: Mapping[str, Json], facts: Mapping[str, Json]) -> bool:
    """Whether a card applies: every predicate's fact is there and has an allowed value.

    Args:
        predicates: Fact to its value, or to a list of allowed values.
        facts: What the host supplies, never a model.
    """
    return all(
        name in facts and _allowed(wanted, facts[name])
        for name, wanted in predicates.items()
    )


class BankShelf:
    """The verified cards of one bank.

    Args:
        cards: The cards; those of any other status are not on a shelf.
        params: Cap and threshold.
    """

    def __init__(self, cards: tuple[Card, ...], params: RecallParams) -> None:
        self.cards = tuple(sorted(cards, key=lambda card: (card.name, card.version)))
        self._params = params
        self._weights, self._unknown = _weights(self.cards)
        self._said = tuple(
            math.fsum(self._weights[word] for word in terms(card.skill.description))
            for card in self.cards
        )
        self._holders: dict[str, list[int]] = defaultdict(list)
        for place, card in enumerate(self.cards):
            for word in terms(card.skill.description):
                self._holders[word].append(place)
        self._asked = tuple(
            sorted({name for card in self.cards for name in card.applies})
        )
        self._memory: dict[tuple[Subtask, tuple[str, ...]], Recalled] = {}

    def recall(self, subtask: Subtask, facts: Mapping[str, Json]) -> Recalled:
        """The most relevant cards that apply, best first, each with its reason.

        Ranked by relevance x (0.5 + 0.5 x success rate), then by name. A card that lost
        only to the cap still covers the subtask; one that does not apply does not.
        """
        key = (subtask, self._key(facts))
        found = self._memory.get(key)
        if found is None:
            if len(self._memory) >= _REMEMBERED:
                self._memory.clear()
            found = self._memory[key] = self._recalled(subtask, facts)
        return found

    def _key(self, facts: Mapping[str, Json]) -> tuple[str, ...]:
        return tuple(dump(facts[name]) if name in facts else "" for name in self._asked)

    def _recalled(self, subtask: Subtask, facts: Mapping[str, Json]) -> Recalled:
        fit = [
            (value, card)
            for value, card in self._relevant(subtask.phrase)
            if applies(card.applies, facts)
        ]
        fit.sort(key=lambda found: _rank(*found))
        best = fit[: self._params.limit]
        phrase = set(terms(subtask.phrase))
        return Recalled(
            cards=tuple(card for _, card in best),
            recalls=tuple(
                Recall(
                    subtask=subtask.name,
                    skill=card.name,
                    version=card.version,
                    relevance=value,
                    reason=_reason(card, phrase, value, place, len(fit)),
                )
                for place, (value, card) in enumerate(best, start=1)
            ),
            covered=bool(fit),
        )

    def _relevant(self, phrase: str) -> Iterable[tuple[float, Card]]:
        for at, value in self._scores(phrase):
            if value >= self._params.threshold:
                yield value, self.cards[at]

    def _scores(self, phrase: str) -> Sequence[tuple[int, float]]:
        wanted = terms(phrase)
        total = math.fsum(self._weights.get(word, self._unknown) for word in wanted)
        shared: dict[int, float] = defaultdict(float)
        for word in wanted:
            for at in self._holders.get(word, ()):
                shared[at] += self._weights[word]
        return [
            (at, _similarity(value, total, self._said[at]))
            for at, value in sorted(shared.items())
        ]


def _weights(cards: Sequence[Card]) -> tuple[dict[str, float], float]:
    """Weight of each word that a description has, and that of any other word.

    A word weighs 1 if every card has it, and more the fewer do; one that no card has
    weighs like one that a single card has: what is asked for and lacking counts most.
    """
    counts = Counter(word for card in cards for word in terms(card.skill.description))
    n = len(cards)
    weights = {word: 1 + math.log((n + 1) / (k + 1)) for word, k in counts.items()}
    return weights, 1 + math.log((n + 1) / 2) if n else 1.0


def _rank(value: float, card: Card) -> tuple[float, str, int]:
    return (-value * (0.5 + 0.5 * card.success_rate), card.name, card.version)


def _similarity(shared: float, wanted: float, said: float) -> float:
    if shared <= 0:
        return 0.0
    missing = max(0.0, wanted - shared)
    beside = max(0.0, said - shared)
    return min(1.0, shared / (shared + missing + _VERBOSITY * beside))


def _allowed(wanted: Json, fact: Json) -> bool:
    values = wanted if isinstance(wanted, list | tuple) else [wanted]
    return any(_equal(value, fact) for value in values)


def _equal(value: Json, fact: Json) -> bool:
    # In Python True == 1; in JSON it is not.
    return isinstance(value, bool) == isinstance(fact, bool) and bool(value == fact)


def _reason(card: Card, phrase: set[str], value: float, place: int, of: int) -> str:
    shared = [word for word in terms(card.skill.description) if word in phrase]
    more = ", ..." if len(shared) > 5 else ""
    return (
        f"its description shares {', '.join(shared[:5])}{more} with the subtask "
        f"(relevance {value:.2f}, success {card.success_rate:.2f}); "
        f"number {place} of {of} that fit"
    )
