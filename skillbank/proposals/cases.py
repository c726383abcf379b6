"""Which briefs a proposal is replayed on.

A rewrite: half failures that it was written from, half golden cases of the card (its
successes if it has too few), then variants of the failing briefs, then its further
failures. A mint: its cluster, half of it set aside from the writer where there is
enough, then variants. A merge: as many for every card concerned. No brief comes twice;
where there are too few there are fewer cases, and the trial says undecided.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import GoldenCase
from skillbank.codec import seed_of
from skillbank.proposals.proposal import CaseSeed
from skillbank.proposals.widen import Gathered
from skillbank.proposals.writer import Evidence
from skillbank.skills.shelf import Subtask

Planner = Callable[[Brief], Sequence[Subtask]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A brief and the subtask in it that a card serves or would serve."""

    brief: str
    root: str
    subtask: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where the cases of one card may come from, each best first."""

    failures: tuple[Spot, ...] = ()
    golden: tuple[Spot, ...] = ()
    successes: tuple[Spot, ...] = ()
    variants: tuple[Spot, ...] = ()


def rewrite_cases(
    card: str,
    sources: Sources,
    n: int,
    *,
    shown: frozenset[str],
    used: frozenset[str] = frozenset(),
) -> tuple[CaseSeed, ...]:
    """The cases of a rewrite, or of one card of a merge.

    Args:
        card: Name of the card concerned.
        sources: Where cases may come from.
        n: Cases that the gate asks for.
        shown: Ids of the briefs that the writer was shown under the normal view.
        used: Briefs that are cases of this proposal already.

    Returns:
        At most `n`, failures first.
    """
    origin = _first(sources.failures, n // 2, used)
    golden = _first(
        sources.golden, n - len(origin), used | {spot.brief for spot in origin}
    )
    chosen = [*origin, *golden]
    taken = used | {spot.brief for spot in chosen}
    return (
        *_seeds(card, chosen, shown),
        *spare_cases(card, sources, n - len(chosen), shown=shown, used=taken),
    )


def spare_cases(
    card: str,
    sources: Sources,
    n: int,
    *,
    shown: frozenset[str],
    used: frozenset[str],
) -> tuple[CaseSeed, ...]:
    """Cases to fall back on where a change turns out not to show: at most `n`."""
    chosen: list[Spot] = []
    for source in (
        sources.golden,
        sources.successes,
        sources.variants,
        sources.failures,
    ):
        taken = used | {spot.brief for spot in chosen}
        chosen += _first(source, n - len(chosen), taken)
    return _seeds(card, chosen, shown)


def mint_cases(
    card: str, gathered: Gathered, variants: Sequence[Spot], n: int
) -> tuple[CaseSeed, ...]:
    """The cases of a mint: its cluster, then variants of the cluster's briefs.

    Args:
        card: Name of the new card.
        gathered: The cluster, shown and set aside.
        variants: Variants of the cluster's briefs.
        n: Cases that the gate asks for.
    """
    hidden = {one.brief.root for one in gathered.set_aside}
    seen = [*gathered.cluster.members, *gathered.set_aside]
    worst = {one.brief.id: one.rank for one in reversed(seen)}
    spots = sorted(
        (
            Spot(brief=event.brief, root=event.root, subtask=event.subtasks[0])
            for event in gathered.sightings
            if event.brief in worst
        ),
        key=lambda spot: (worst[spot.brief], spot.brief),
    )
    shown = [spot for spot in spots if spot.root not in hidden]
    aside = [spot for spot in spots if spot.root in hidden]
    chosen = _first(aside, n - n // 2, frozenset())
    for source in (shown, aside, variants):
        taken = frozenset(spot.brief for spot in chosen)
        chosen += _first(source, n - len(chosen), taken)
    return _seeds(card, chosen, frozenset(spot.brief for spot in shown))


def recalled_at(card: str, evidence: Iterable[Evidence]) -> tuple[Spot, ...]:
    """Where runs recalled a card: the first subtask of each that did."""
    return tuple(
        Spot(brief=one.brief.id, root=one.brief.root, subtask=subtasks[0])
        for one in evidence
        if (subtasks := [r.subtask for r in one.recalls if r.skill == card])
    )


def rotated(golden: Iterable[GoldenCase], seed: int) -> tuple[Spot, ...]:
    """Golden cases as spots, in an order drawn from the seed."""
    return tuple(
        Spot(brief=case.brief.id, root=case.brief.root, subtask=case.subtask)
        for case in sorted(golden, key=lambda case: seed_of(seed, case.key))
    )


def variants_of(
    spots: Iterable[Spot], variants: Mapping[str, Sequence[Brief]], plan: Planner
) -> tuple[Spot, ...]:
    """Variants of the spots' briefs in which the agent plans the same subtask.

    Args:
        spots: Where the card failed, or would have been needed.
        variants: Variants by the id of their root.
        plan: Parts of a brief; a variant may lack the part that matters.
    """
    found: dict[str, Spot] = {}
    for spot in spots:
        for variant in variants.get(spot.root, ()):
            if any(part.name == spot.subtask for part in plan(variant)):
                same = Spot(brief=variant.id, root=variant.root, subtask=spot.subtask)
                found.setdefault(variant.id, same)
    return tuple(found.values())


def _first(spots: Iterable[Spot], n: int, used: frozenset[str]) -> list[Spot]:
    """The first `n` of briefs not used, new roots before a root's second brief."""
    fresh: dict[str, Spot] = {}
    for spot in spots:
        if spot.brief not in used:
            fresh.setdefault(spot.brief, spot)
    roots: set[str] = set()
    first: list[Spot] = []
    again: list[Spot] = []
    for spot in fresh.values():
        (again if spot.root in roots else first).append(spot)
        roots.add(spot.root)
    return list(islice(chain(first, again), max(n, 0)))


def _seeds(
    card: str, spots: Iterable[Spot], shown: frozenset[str]
) -> tuple[CaseSeed, ...]:
    return tuple(
        CaseSeed(
            brief=spot.brief,
            subtask=spot.subtask,
            origin=spot.brief in shown,
            card=card,
        )
        for spot in spots
    )
