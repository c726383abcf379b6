"""Finds the cases of a proposal in what is known: evidence, golden cases, variants."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import ReplaySet
from skillbank.codec import seed_of
from skillbank.evidence.ledger import Ledger
from skillbank.proposals.cases import (
    Planner,
    Sources,
    Spot,
    mint_cases,
    recalled_at,
    rewrite_cases,
    rotated,
    spare_cases,
    variants_of,
)
from skillbank.proposals.deepen import most_similar_first, worst_first
from skillbank.proposals.pool import Pool
from skillbank.proposals.proposal import CaseSeed
from skillbank.proposals.widen import Gathered
from skillbank.proposals.writer import Evidence
from skillbank.skills.shelf import Card


class Finder:
    """Looks cases up; the same whatever the writer was shown of the evidence.

    Args:
        ledger: Failures, sightings and merges.
        pool: Evidence of the teach side.
        golden: Golden cases.
        variants: Variants of the teach side.
        plan: The world's plan of a brief.
        seed: Seed of the choice among golden cases.
    """

    def __init__(
        self,
        ledger: Ledger,
        pool: Pool,
        golden: ReplaySet,
        variants: Iterable[Brief],
        plan: Planner,
        seed: int,
    ) -> None:
        self._ledger = ledger
        self._pool = pool
        self._golden = golden
        self._variants: defaultdict[str, list[Brief]] = defaultdict(list)
        for variant in sorted(variants, key=lambda brief: brief.id):
            self._variants[variant.root].append(variant)
        self._plan = plan
        self._seed = seed

    def failures(self, card: Card) -> tuple[Evidence, ...]:
        """The evidence of a card's failures that is still held."""
        events = self._ledger.failures(card.name, card.version)
        return self._pool.known(event.run for event in events)

    def sighted(self, label: str) -> tuple[Evidence, ...]:
        """The evidence of a label's sightings that is still held."""
        return self._pool.known(event.run for event in self._ledger.sightings(label))

    def rewrite(
        self,
        cards: Sequence[Card],
        n: int,
        *,
        shown: Iterable[Evidence],
        label: str = "",
    ) -> tuple[CaseSeed, ...]:
        """The cases of a rewrite, `n` for each card concerned, then as many spares.

        Args:
            cards: The card revised, then those that the change drops.
            n: Cases that the gate asks for, of each card.
            shown: What the writer may have seen.
            label: Label that the first card absorbs, whose cluster then stands for
                its failures.

        Returns:
            The first `n` of a card are its cases. A spare serves where the change does
            not show on one of them, because something else is recalled there by now.
        """
        seen = frozenset(one.brief.id for one in shown)
        sources = {
            card.name: self._sources(card, label if card is cards[0] else "")
            for card in cards
        }
        cases: tuple[CaseSeed, ...] = ()
        for choose in (rewrite_cases, spare_cases):
            for name, mine in sources.items():
                used = frozenset(case.brief for case in cases)
                cases += choose(name, mine, n, shown=seen, used=used)
        return cases

    def mint(self, card: str, gathered: Gathered, n: int) -> tuple[CaseSeed, ...]:
        """The cases of a new card: at most `n` of its cluster and its variants."""
        spots = self._spots(gathered.cluster.label)
        variants = variants_of(spots, self._variants, self._plan)
        return mint_cases(card, gathered, variants, n)

    def _sources(self, card: Card, label: str) -> Sources:
        names = (card.name, *self._ledger.superseded(card.name))
        failed = worst_first(self._failures_or(label, card))
        failures = self._spots(label) if label else recalled_at(card.name, failed)
        successes = most_similar_first(card, failed, failed, self._pool)
        return Sources(
            failures=failures,
            golden=rotated(
                self._golden.of(*names), seed_of(self._seed, "golden", card.name)
            ),
            successes=recalled_at(
                card.name, (one for one in successes if not one.exploring)
            ),
            variants=variants_of(failures, self._variants, self._plan),
        )

    def _failures_or(self, label: str, card: Card) -> tuple[Evidence, ...]:
        return self.sighted(label) if label else self.failures(card)

    def _spots(self, label: str) -> tuple[Spot, ...]:
        """Where a label was sighted, worst first, as long as the evidence is held."""
        at = {event.run: event.subtasks[0] for event in self._ledger.sightings(label)}
        return tuple(
            Spot(brief=one.brief.id, root=one.brief.root, subtask=at[one.id])
            for one in worst_first(self.sighted(label))
        )
