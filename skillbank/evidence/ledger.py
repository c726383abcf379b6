"""Counts across all rounds: what fails, what is uncovered, what was tried before.

A ledger is a set of events. Adding what it holds already changes nothing, so the same
traffic never counts twice, and it is the same whatever order events come in. Only the
teach side counts towards a queue or a label; failures count by distinct root briefs in
distinct sessions, so that neither a variant nor a customer who tries again adds one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from skillbank.codec import digest
from skillbank.errors import SkillError
from skillbank.evidence.event import Event, Key
from skillbank.evidence.labels import Labels
from skillbank.params import ProposeParams
from skillbank.roundid import round_number
from skillbank.skills.skill import Skill

_PAID = ("refused", "dropped", "screened out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """A card whose version fails often enough to be revised."""

    skill: str
    version: int
    count: int
    """Distinct root briefs in distinct sessions (or users) that failed."""
    mean_score: float
    """Of its failures, in [0, 1]."""
    failures: tuple[Event, ...]
    """Worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A label that came up uncovered often enough."""

    label: str
    count: int
    """Distinct root briefs in distinct sessions (or users)."""
    sightings: tuple[Event, ...]
    """Oldest round first, then by run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All events so far; immutable, ordered by key whatever it is built from."""

    events: tuple[Event, ...] = ()
    labels: Labels = field(default_factory=Labels)
    _outcomes: dict[tuple[str, int | None], list[Event]] = field(
        init=False, repr=False, compare=False
    )
    _sightings: dict[str, list[Event]] = field(init=False, repr=False, compare=False)
    _decisions: list[Event] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Keep one event for each key, the earliest, and index what is kept."""
        kept: dict[Key, Event] = {}
        for event in sorted(self.events, key=Event.order):
            kept.setdefault(event.key, event)
        object.__setattr__(self, "events", tuple(kept.values()))
        outcomes: dict[tuple[str, int | None], list[Event]] = {}
        sightings: dict[str, list[Event]] = {}
        decisions: list[Event] = []
        for event in self.events:
            if event.kind in ("use", "failure"):
                outcomes.setdefault((event.skill, event.version), []).append(event)
            elif event.kind == "uncovered":
                label = self.labels.canonical(event.label)
                sightings.setdefault(label, []).append(event)
            else:
                decisions.append(event)
        object.__setattr__(self, "_outcomes", outcomes)
        object.__setattr__(self, "_sightings", sightings)
        object.__setattr__(self, "_decisions", decisions)

    def add(self, events: Iterable[Event]) -> "Ledger":
        """The ledger with more events; those it holds already change nothing."""
        return replace(self, events=(*self.events, *events))

    def with_labels(self, labels: Labels) -> "Ledger":
        """The ledger under other labels: merges apply to what was filed before."""
        return replace(self, labels=labels)

    def failures(self, skill: str, version: int) -> tuple[Event, ...]:
        """Failures of a card's version on the teach side, worst first."""
        found = [
            event
            for event in self._outcomes.get((skill, version), ())
            if event.kind == "failure" and event.side == "teach"
        ]
        return tuple(sorted(found, key=lambda event: (_score(event), event.run)))

    def sightings(self, label: str) -> tuple[Event, ...]:
        """Where a label came up uncovered on the teach side, oldest round first.

        Only since a card was last let in for it: what that card was made from says
        nothing about what it still leaves uncovered.
        """
        wanted = self.labels.canonical(label)
        served = max(map(round_number, self._served(wanted)), default=0)
        found = [
            event
            for event in self._sightings.get(wanted, ())
            if event.side == "teach" and round_number(event.round) > served
        ]
        return tuple(
            sorted(found, key=lambda event: (round_number(event.round), event.run))
        )

    def unseen(self, label: str) -> tuple[Event, ...]:
        """Where a label came up uncovered on the test side, oldest round first.

        As `sightings`, but by what its phrase is filed under today: the test side files
        none itself.
        """
        wanted = self.labels.canonical(label)
        served = max(map(round_number, self._served(wanted)), default=0)
        found = [
            event
            for event in self.events
            if event.kind == "uncovered"
            and event.side == "test"
            and self.labels.of(event.phrase) == wanted
            and round_number(event.round) > served
        ]
        return tuple(
            sorted(found, key=lambda event: (round_number(event.round), event.run))
        )

    def _served(self, label: str) -> Iterable[str]:
        """Rounds in which a mint or a rewrite was committed for a canonical label."""
        return (
            event.round
            for event in self._decisions
            if event.kind == "committed"
            and event.label
            and self.labels.canonical(event.label) == label
        )

    def queue(
        self, versions: Mapping[str, int], params: ProposeParams
    ) -> tuple[Queued, ...]:
        """The cards to revise, worst first.

        Args:
            versions: Current version by name: failures of older ones do not count.
            params: How many failures queue a card, and what makes them distinct.

        Returns:
            By lowest mean score of the failures, then more failures, then name.
        """
        queued = []
        for skill, version in versions.items():
            failures = self.failures(skill, version)
            count = distinct(failures, by_user=params.distinct_users)
            if count >= params.failures:
                # rounded, so that .1 and .3 tie with .2 and .2 in binary too
                mean = round(fsum(map(_score, failures)) / len(failures), 9)
                queued.append(
                    Queued(
                        skill=skill,
                        version=version,
                        count=count,
                        mean_score=mean,
                        failures=failures,
                    )
                )
        return tuple(
            sorted(queued, key=lambda one: (one.mean_score, -one.count, one.skill))
        )

    def due_labels(self, params: ProposeParams) -> tuple[Due, ...]:
        """The canonical labels seen often enough: most often first, then by name."""
        seen = self.open_labels(params)
        return tuple(one for one in seen if one.count >= params.recurrences)

    def open_labels(self, params: ProposeParams) -> tuple[Due, ...]:
        """Every canonical label seen since a card was last let in for it, likewise."""
        seen = []
        for label in self._sightings:
            if sightings := self.sightings(label):
                count = distinct(sightings, by_user=params.distinct_users)
                seen.append(Due(label=label, count=count, sightings=sightings))
        return tuple(sorted(seen, key=lambda one: (-one.count, one.label)))

    def refused(self, skill: str, version: int) -> int:
        """Edits of a version that the gate refused or the benchmark dropped."""
        return sum(
            event.kind in ("refused", "dropped")
            and event.change == "edit"
            and (event.skill, event.version) == (skill, version)
            for event in self._decisions
        )

    def seen_text(
        self, digest: str, *, skill: str, base: int | None, label: str = ""
    ) -> bool:
        """Whether a text was turned down before and nothing new speaks for it.

        Args:
            digest: Of the normalised text (`text_digest`).
            skill: The card that it would revise or be.
            base: The version that it revises; None for a mint.
            label: Label that it serves, if any.

        Returns:
            True if the same text under the same parent version was refused, dropped or
            screened out, and no failure of that version (no sighting of that label)
            is from a later round.
        """
        paid = [
            round_number(event.round)
            for event in self._decisions
            if event.kind in _PAID
            and (event.digest, event.version) == (digest, base)
            and event.skill == skill
        ]
        if not paid:
            return False
        news = [] if base is None else [*self.failures(skill, base)]
        news += self.sightings(label) if label else ()
        return all(round_number(event.round) <= max(paid) for event in news)

    def asked(self, digest: str, *, skill: str, base: int | None) -> int:
        """How often a text under this parent version was left undecided."""
        return sum(
            event.kind == "undecided"
            and (event.skill, event.version, event.digest) == (skill, base, digest)
            for event in self._decisions
        )

    def minted(self, label: str) -> tuple[str, ...]:
        """Names of the cards that were committed for a label, sorted."""
        wanted = self.labels.canonical(label)
        return tuple(
            sorted(
                {
                    event.skill
                    for event in self._decisions
                    if event.kind == "committed"
                    and event.change == "mint"
                    and event.label
                    and self.labels.canonical(event.label) == wanted
                }
            )
        )

    def successor(self, skill: str) -> str:
        """The card that superseded a card in merges, itself if none did."""
        merged = {
            drop: event.skill
            for event in sorted(
                self._decisions, key=lambda event: round_number(event.round)
            )
            if event.kind == "committed"
            for drop in event.drops
        }
        seen = [skill]
        while merged.get(seen[-1], seen[-1]) not in seen:
            seen.append(merged[seen[-1]])
        return seen[-1]

    def superseded(self, skill: str) -> tuple[str, ...]:
        """Names of the cards that a card superseded, directly or not, sorted."""
        names = {
            drop
            for event in self._decisions
            if event.kind == "committed"
            for drop in event.drops
        }
        return tuple(
            sorted(
                name
                for name in names
                if name != skill and self.successor(name) == skill
            )
        )


def distinct(events: Sequence[Event], *, by_user: bool = False) -> int:
    """How many of the events are of distinct root briefs in distinct sessions.

    The most events of which no two share a root and no two share a session: a maximum
    matching of roots and sessions.

    Args:
        events: Failures of one card, or sightings of one label.
        by_user: Count users instead of sessions; an unknown user is its session.
    """
    pairs = {
        (event.root, (event.user or event.session) if by_user else event.session)
        for event in events
    }
    roots = {root: row for row, root in enumerate(sorted({pair[0] for pair in pairs}))}
    askers = {who: column for column, who in enumerate(sorted({p[1] for p in pairs}))}
    if min(len(roots), len(askers)) < 2:
        return min(len(roots), len(askers))
    rows = [roots[root] for root, _ in sorted(pairs)]
    columns = [askers[who] for _, who in sorted(pairs)]
    graph = csr_array(
        (np.ones(len(rows), dtype=np.int8), (rows, columns)),
        shape=(len(roots), len(askers)),
    )
    matched = maximum_bipartite_matching(graph, perm_type="column")
    return int((np.asarray(matched) >= 0).sum())


def text_digest(text: str) -> str:
    """Digest of a SKILL.md's normalised text: the same idea has the same digest."""
    try:
        normal = Skill.parse(text).normalised
    except SkillError:
        normal = " ".join(text.split())
    return digest("text", normal)


def _score(event: Event) -> float:
    return 0.0 if event.score is None else event.score
