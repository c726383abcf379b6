"""From a round's proposals to dockets: what each is replayed on besides its own cases.

In certified and auto mode the held-out briefs are those of the test side, of all
rounds and variants too, on which the card shows; of a mint those of its label, with the
part of its cluster that was set aside from the writer. Golden cases are not held out:
their briefs taught. A change that names a kind of briefs is held against those, and is
not to harm the others. Where a new or changed trigger fires is looked up in every mode;
in certified and auto mode what it reaches is replayed too.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from skillbank.briefs.brief import Brief
from skillbank.briefs.strata import within
from skillbank.codec import seed_of
from skillbank.errors import WorldError
from skillbank.evidence.event import Event
from skillbank.evidence.ledger import Due, Ledger
from skillbank.evidence.nearness import Nearness
from skillbank.gate.neighbours import FIRING, Reach, dry_run
from skillbank.params import Params
from skillbank.proposals.proposal import CaseSeed, Proposal
from skillbank.proposals.widen import aside_roots
from skillbank.records import Side
from skillbank.rounds.arms import bank_with
from skillbank.rounds.docket import Docket
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Card, Shelf, Subtask
from skillbank.skills.skill import Skill
from skillbank.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Everything that a round knows when its proposals come before the gate."""

    briefs: Mapping[str, Brief]
    """Every brief that a case may name, by id."""
    sides: Mapping[str, Side]
    """Side of each brief of traffic, variants too, by id."""
    golden: Collection[str]
    """Ids of the golden cases' briefs: what cards were let in on is not held out."""
    ledger: Ledger
    cards: tuple[Card, ...]
    """The current bank's verified cards."""
    bank: str
    """Digest of the current bank."""


_HeldOut: TypeAlias = tuple[str, tuple[CaseSeed, ...], tuple[str, ...]]
"""A stratum, held-out cases of it, and ids of the other briefs that they might be."""
_NOTHING: _HeldOut = ("", (), ())


def dockets(
    passed: Sequence[Proposal], files: Files, world: World, params: Params, seed: int
) -> tuple[Docket, ...]:
    """The dockets of a round's proposals; the same in memory and in the flow.

    Args:
        passed: Those that passed the screen.
        files: What the round knows.
        world: Plans the briefs.
        params: The gate's mode, and the numbers of the round.
        seed: Root of the gate's seeds.
    """
    clerk = _Clerk(files, world, params, seed)
    certifying = params.gate.mode != "published"
    made = []
    for proposal in passed:
        narrow, held_out, others = clerk.held_out(proposal) if certifying else _NOTHING
        reach = clerk.reach(proposal, held_out)
        near = (*reach.firing, *others) if reach and certifying else others
        near = tuple(dict.fromkeys(near))[:FIRING]
        named = [case.brief for case in (*proposal.cases, *held_out)]
        made.append(
            Docket(
                proposal=proposal,
                briefs={id: files.briefs[id] for id in (*named, *near)},
                cards=files.cards,
                bank=files.bank,
                params=params,
                seed=seed,
                held_out=held_out,
                neighbours=near,
                stratum=narrow,
                reach=reach,
                proposals=len(passed),
            )
        )
    return tuple(made)


class _Clerk:
    """Looks up the briefs of one proposal after the other."""

    def __init__(self, files: Files, world: World, params: Params, seed: int) -> None:
        self._files, self._world, self._params = files, world, params
        self._seed = seed
        self._shelf = BankShelf(files.cards, params.recall)
        self._plans: dict[str, tuple[Subtask, ...]] = {}

    def held_out(self, proposal: Proposal) -> _HeldOut:
        """Candidates for held-out cases, in an order drawn from the seed.

        Of each card concerned as many as may be drawn; new roots before a root's second
        brief. Of a narrow change those of its stratum, where there are enough to
        certify; then the stratum is told first, and last the ids of the others.
        """
        found = [
            CaseSeed(
                brief=event.brief,
                subtask=event.subtasks[0],
                origin=False,
                card=proposal.skill,
            )
            for event in self._sighted(proposal)
        ]
        if proposal.kind != "mint":
            found = [*self._fired(proposal), *found]
        briefs, narrow = self._files.briefs, proposal.stratum
        inside = [case for case in found if within(briefs[case.brief], narrow)]
        cards = (proposal.skill, *proposal.drops)
        n = {card: len({c.brief for c in inside if c.card == card}) for card in cards}
        if min(n.values()) < self._params.gate.certified.least:
            return "", self._drawn(proposal, found), ()
        others = [case for case in found if not within(briefs[case.brief], narrow)]
        beside = tuple(case.brief for case in self._drawn(proposal, others))
        return narrow, self._drawn(proposal, inside), beside

    def reach(self, proposal: Proposal, held_out: Iterable[CaseSeed]) -> Reach | None:
        """Where it would fire; None where the trigger stays as it is."""
        old = next((c for c in self._files.cards if c.name == proposal.skill), None)
        new = Skill.parse(proposal.text, folder=proposal.skill)
        if old is not None and old.skill.description == new.description:
            return None
        after = bank_with(proposal, self._files.cards, self._params.recall)
        near = self._nearness.to(case.brief for case in proposal.cases)

        def fires(brief: Brief) -> bool:
            return bool(self._firing(brief, {proposal.skill}, after))

        found = dry_run(
            self._files.briefs.values(),
            cluster=self._cluster(proposal, held_out),
            nearness=lambda brief: near[brief.id],
            fires=fires,
        )
        briefs = self._files.briefs
        needed = sorted({e.brief for e in self._sighted(proposal)} & briefs.keys())
        return Reach(
            looked=found.looked,
            firing=found.firing,
            needed=tuple(id for id in needed if self._plan(briefs[id])),
            met=tuple(id for id in needed if fires(briefs[id])),
        )

    @cached_property
    def _nearness(self) -> Nearness:
        return Nearness(self._files.briefs.values())

    @cached_property
    def _unseen(self) -> tuple[Brief, ...]:
        """Briefs of the test side, of which no relative ever taught; by id."""
        briefs, sides = self._files.briefs, self._files.sides
        taught = {
            briefs[id].root
            for id, side in sides.items()
            if side == "teach" and id in briefs
        }
        return tuple(
            briefs[id]
            for id in sorted(sides)
            if id in briefs and sides[id] == "test" and briefs[id].root not in taught
        )

    def _cluster(
        self, proposal: Proposal, held_out: Iterable[CaseSeed]
    ) -> frozenset[str]:
        """Roots of what the card is meant for: its cases, its label, where it fired."""
        briefs, ledger = self._files.briefs, self._files.ledger
        names = {proposal.skill, *proposal.drops}
        roots = {briefs[case.brief].root for case in (*proposal.cases, *held_out)}
        if proposal.label:
            roots |= {event.root for event in ledger.sightings(proposal.label)}
            roots |= {event.root for event in ledger.unseen(proposal.label)}
        if proposal.kind != "mint":
            roots |= {
                brief.root
                for brief in briefs.values()
                if self._firing(brief, names, self._shelf)
            }
        return frozenset(roots)

    def _sighted(self, proposal: Proposal) -> tuple[Event, ...]:
        """Where its label came up and the writer did not see it."""
        if not proposal.label:
            return ()
        ledger, unseen = self._files.ledger, {brief.id for brief in self._unseen}
        tested = [e for e in ledger.unseen(proposal.label) if e.brief in unseen]
        if proposal.kind != "mint":
            return tuple(tested)
        sightings = ledger.sightings(proposal.label)
        due = Due(label=proposal.label, count=len(sightings), sightings=sightings)
        aside = aside_roots(due, self._params.propose.set_aside)
        known = self._files.briefs
        hidden = [
            event
            for event in sightings
            if event.root in aside
            and event.brief in known
            and event.brief not in self._files.golden
        ]
        return (*tested, *hidden)

    def _fired(self, proposal: Proposal) -> list[CaseSeed]:
        """Where a card concerned is recalled; where several are, each in its turn."""
        names = (proposal.skill, *proposal.drops)
        found: list[CaseSeed] = []
        times = dict.fromkeys(names, 0)
        for brief in self._unseen:
            at = self._firing(brief, names, self._shelf)
            if at:
                name = min(at, key=lambda name: (times[name], names.index(name)))
                times[name] += 1
                found.append(
                    CaseSeed(brief=brief.id, subtask=at[name], origin=False, card=name)
                )
        return found

    def _firing(
        self, brief: Brief, names: Collection[str], shelf: Shelf
    ) -> dict[str, str]:
        """Which of these cards are recalled on a brief, each with its first subtask."""
        at: dict[str, str] = {}
        for subtask in self._plan(brief):
            for card in shelf.recall(subtask, brief.facts).cards:
                if card.name in names:
                    at.setdefault(card.name, subtask.name)
        return at

    def _plan(self, brief: Brief) -> tuple[Subtask, ...]:
        if brief.id not in self._plans:
            try:
                self._plans[brief.id] = tuple(self._world.plan(brief))
            except WorldError:  # a brief of somebody else's trace: nothing to replay
                self._plans[brief.id] = ()
        return self._plans[brief.id]

    def _drawn(
        self, proposal: Proposal, found: Iterable[CaseSeed]
    ) -> tuple[CaseSeed, ...]:
        each: dict[str, CaseSeed] = {}
        for case in found:
            each.setdefault(case.brief, case)
        chance = {id: seed_of(self._seed, "held out", proposal.id, id) for id in each}
        roots: set[str] = set()
        first: list[CaseSeed] = []
        again: list[CaseSeed] = []
        for case in sorted(each.values(), key=lambda case: chance[case.brief]):
            root = self._files.briefs[case.brief].root
            (again if root in roots else first).append(case)
            roots.add(root)
        taken: dict[str, int] = {}
        drawn = []
        for case in (*first, *again):
            taken[case.card] = taken.get(case.card, 0) + 1
            if taken[case.card] <= self._params.gate.certified.held_out:
                drawn.append(case)
        return tuple(drawn)
