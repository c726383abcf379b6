"""Does a change harm where it was not meant to act?

A retrieval dry run, which costs no agent run, finds the nearest prompts outside the
cluster on which the card would fire; these are replayed with and without it until harm
is shown or its evidence is gone. Knows nothing about shelves or agents: what fires and
what is near is asked of the caller.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeVar

from skillbank.gate.case import Count
from skillbank.gate.cohorts import Trigger
from skillbank.gate.evalues import e_value
from skillbank.gate.limits import HARM, Limits
from skillbank.gate.phases import Planned, Step, lost, next_in_turn
from skillbank.gate.published import Ruling

NEAREST = 20
"""Prompts that the dry run looks at. Source: the gate study, 3.3."""
FIRING = 8
"""Of them, those replayed at most."""
CONTEXTS = 6
"""Contexts of each at most."""


class _Rooted(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def root(self) -> str: ...


Prompt = TypeVar("Prompt", bound=_Rooted)


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """What a retrieval dry run found, nearest first."""

    looked: tuple[str, ...]
    """Ids of the prompts that were looked at."""
    firing: tuple[str, ...]
    """Those on which the card fires."""

    @property
    def replayed(self) -> tuple[str, ...]:
        """Those to be replayed; none: nothing can be harmed, the guard passes."""
        return self.firing[:FIRING]

    def trigger(self, needed: Collection[str]) -> Trigger:
        """How right the firings are, where the prompts that need it are known."""
        wanted = set(needed) & set(self.looked)
        return Trigger(
            fired=len(self.firing),
            should=len(wanted),
            hit=len(wanted & set(self.firing)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where a new or changed trigger fires: no agent was run for it."""

    looked: tuple[str, ...] = ()
    """Ids of the nearest briefs that it is not meant for."""
    firing: tuple[str, ...] = ()
    """Those of them on which it fires."""
    needed: tuple[str, ...] = ()
    """Ids of the briefs whose label says that they need it and that its writer never
    saw; none where there are no labels."""
    met: tuple[str, ...] = ()
    """Those of them on which it fires."""

    @property
    def trigger(self) -> Trigger | None:
        """How right its firings are over all of these; None without labels.

        What it is not meant for are the nearest briefs only, where it errs most.
        """
        if not self.needed:
            return None
        hit = len(self.met)
        return Trigger(fired=hit + len(self.firing), should=len(self.needed), hit=hit)


def dry_run(
    prompts: Iterable[Prompt],
    *,
    cluster: Collection[str],
    nearness: Callable[[Prompt], float],
    fires: Callable[[Prompt], bool],
    nearest: int = NEAREST,
) -> DryRun:
    """Look which of the nearest prompts outside the cluster the card fires on.

    Args:
        prompts: Briefs that may be replayed.
        cluster: Root ids of the briefs that the card is meant for, and that wrote it.
        nearness: How near a prompt is to the cluster, higher is nearer.
        fires: Whether the card would be recalled there under the candidate bank.
        nearest: How many to look at; one of each root, ties by id.
    """
    outside = {
        prompt.root: prompt
        for prompt in sorted(prompts, key=lambda one: one.id, reverse=True)
        if prompt.root not in cluster
    }
    near = sorted(outside.values(), key=lambda one: (-nearness(one), one.id))[:nearest]
    return DryRun(
        looked=tuple(one.id for one in near),
        firing=tuple(one.id for one in near if fires(one)),
    )


@dataclass(slots=True)
class Neighbours:
    """Weighs harm on neighbours until it is shown, or its evidence is gone.

    Source:
        The gate study, 3.3: a loss times 7/5, a win times 3/5.
    """

    planned: Planned
    limits: Limits
    contexts: int = CONTEXTS
    harm: Fraction = Fraction(1)
    """The evidence so far."""

    def rule_on(self, counts: Sequence[Count]) -> Step:
        """Refuse at the bar; pass at the floor, or when there is nothing left to ask.

        Where a third of the contexts was lost, nothing is clear: undecided.
        """
        mine = [counts[i] for i in self.planned]
        wins = sum(count.wins for count in mine)
        losses = sum(count.losses for count in mine)
        valid = sum(count.valid for count in mine)
        void = sum(lost(n, counts[i]) for i, n in self.planned.items())
        left = self._total - valid - void
        self.harm = e_value(losses, wins, HARM)
        if self.harm >= self.limits.harm_bar:
            reason = (
                f"it harms its neighbours: {losses} losses, {wins} wins where it "
                "was not meant to act"
            )
            return Ruling("refuse", "refuse:neighbours", reason)
        if left > 0 and self.harm > self.limits.harm_floor:
            return None
        if 2 * void <= valid:
            return "passed"
        if left > 0:
            return None
        reason = f"{void} contexts of its neighbours are void, {valid} valid"
        return Ruling("undecided", "undecided:inconclusive", reason)

    def choose(self, counts: Sequence[Count], free: Sequence[int]) -> int | None:
        """In rounds over the neighbours."""
        return next_in_turn(self._caps, self.planned, free, self._total)

    @property
    def _caps(self) -> Planned:
        return {i: min(n, self.contexts) for i, n in self.planned.items()}

    @property
    def _total(self) -> int:
        return sum(self._caps.values())
