"""A bank: every card with its versions, and what the host knows of each.

Values only: a change gives a new bank. Status, risk, author, provenance and trials are
the host's; what a SKILL.md says of itself is never read. Where banks are kept is
`store`'s business.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from skillbank.codec import Json, digest
from skillbank.errors import BankError, SkillError
from skillbank.params import RecallParams
from skillbank.proposals.proposal import Proposal
from skillbank.skills.compare import BankDiff, diff
from skillbank.skills.entry import (
    AGENT,
    CANDIDATES,
    RISKS,
    Change,
    Entry,
    Outcome,
    Status,
)
from skillbank.skills.shelf import Card, Risk
from skillbank.skills.skill import Skill

__all__ = [
    "AGENT",
    "CANDIDATES",
    "Bank",
    "Change",
    "Entry",
    "Outcome",
    "Risk",
    "Status",
]

_PRIOR = RecallParams().prior_trials
_NEXT: Mapping[Status, frozenset[Status]] = {
    "proposed": frozenset(
        {"quarantined", "shadow", "canary", "verified", "deprecated"}
    ),
    "quarantined": frozenset({"proposed", "deprecated"}),
    "shadow": frozenset(
        {"quarantined", "canary", "verified", "suspended", "deprecated"}
    ),
    "canary": frozenset(
        {"quarantined", "shadow", "verified", "suspended", "deprecated"}
    ),
    "verified": frozenset({"quarantined", "suspended", "deprecated"}),
    "suspended": frozenset({"verified", "deprecated"}),
    "deprecated": frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """An immutable set of cards; every method gives a new one."""

    number: int = 0
    """Its version in a store; 0: not written yet."""
    parent: int | None = None
    """The version in the store that it was made from."""
    round: str = ""
    """Round that made it."""
    note: str = ""
    """Why it was made, if not by a round: an import, a rollback."""
    entries: tuple[Entry, ...] = ()
    """Ordered by name, version and text."""

    def __post_init__(self) -> None:
        """Order the entries, and refuse two that would be one."""
        object.__setattr__(self, "entries", tuple(sorted(self.entries, key=_key)))
        keys = Counter(_key(entry) for entry in self.entries)
        keys.update((entry.name, 0, "verified") for entry in self.verified())
        for (name, version, _), count in keys.items():
            if count > 1:
                what = (
                    f"{count} of version {version}" if version else f"{count} verified"
                )
                raise _refused(name, what, "one of each version, one verified")

    @property
    def digest(self) -> str:
        """SHA-256 of all cards and all that the host knows of them."""
        return digest("bank", [_facts(entry) for entry in self.entries])

    def verified(self) -> tuple[Entry, ...]:
        """The entries that are recalled, by name."""
        return tuple(entry for entry in self.entries if entry.status == "verified")

    def versions(self) -> tuple[Entry, ...]:
        """Every version of every card that was ever let in, whatever its status."""
        return tuple(e for e in self.entries if e.status not in CANDIDATES)

    def names(self) -> frozenset[str]:
        """Names with a verified version: what the bank's size counts."""
        return frozenset(entry.name for entry in self.verified())

    def taken(self) -> frozenset[str]:
        """Names that a mint may not use: of every card that was ever let in."""
        return frozenset(entry.name for entry in self.versions())

    def find(self, name: str, version: int | None = None) -> Entry | None:
        """The entry of this name: this version, or without one the verified one.

        Proposed and quarantined entries are not found: they are no versions yet.
        """
        for entry in self.entries:
            if entry.name != name or entry.status in CANDIDATES:
                continue
            if version is None and entry.status == "verified":
                return entry
            if entry.version == version:
                return entry
        return None

    def mean_success(self) -> float:
        """Success rate over all trials of verified cards, in [0, 1]; 0.5 if none."""
        verified = self.verified()
        trials = sum(entry.trials for entry in verified)
        return sum(entry.passes for entry in verified) / trials if trials else 0.5

    def cards(self, prior_trials: float = _PRIOR) -> tuple[Card, ...]:
        """The verified cards by name, as agents are shown them.

        Args:
            prior_trials: Weight of the bank's mean in a card's own rate, in trials.
        """
        mean = self.mean_success()
        return tuple(_card(entry, mean, prior_trials) for entry in self.verified())

    def card(self, name: str, prior_trials: float = _PRIOR) -> Card:
        """The verified card of this name.

        Raises:
            BankError: If there is none.
        """
        entry = self.find(name)
        if entry is None:
            raise _refused(name, "no verified card", f"one of {_some(self.names())}")
        return _card(entry, self.mean_success(), prior_trials)

    def with_commits(self, changes: Sequence[Change], round: str) -> "Bank":
        """The bank after the accepted changes of a round, all of them together.

        A revised card becomes version k + 1, verified, and version k is kept,
        deprecated. What a merge drops is retired: deprecated, and no longer a name. A
        new version is at least as risky as what it replaces, and due for reading when
        its base was: neither is a writer's to change.

        Raises:
            BankError: If a change does not fit: two for one card, a base that is not
                the verified version, a mint of a name in use, a drop of no card.
        """
        _check(self, changes)
        retired: dict[str, str] = {}
        fresh: list[Entry] = []
        for change in changes:
            name = change.skill.name
            entry = self._entered(change, round)
            retired[name] = f"superseded by {entry.ref}"
            retired.update(dict.fromkeys(change.drops, f"superseded by {name}"))
            fresh.append(entry)
        texts = {(entry.name, entry.skill.digest) for entry in fresh}
        kept = [
            replace(entry, status="deprecated", reason=retired[entry.name])
            if entry.status in ("verified", "suspended") and entry.name in retired
            else entry
            for entry in self.entries
            if entry.status not in CANDIDATES
            or (entry.name, entry.skill.digest) not in texts
        ]
        return self._next((*kept, *fresh), round)

    def with_import(self, skill: Skill, *, author: str, verified: bool) -> "Bank":
        """The bank with a skill from elsewhere: proposed, or verified by its author.

        Raises:
            BankError: If its name breaks the rules.
        """
        if verified:
            old = self.find(skill.name)
            change = Change(
                kind="overhaul" if old else "mint",
                skill=skill,
                base=old.version if old else None,
                author=author,
                provenance="import",
                reason=f"verified by {author}",
            )
            return self.with_commits([change], round="")
        return self._with_candidate(
            Entry(
                skill=skill,
                version=self.next_version(skill.name),
                status="proposed",
                author=author,
                provenance="import",
                reason="imported, not yet replayed",
            )
        )

    def with_kept(
        self,
        proposal: Proposal,
        status: Literal["proposed", "quarantined"],
        reason: str,
    ) -> "Bank":
        """The bank with a proposal that was not accepted: a record, never recalled.

        A text that is no skill, or whose name is no plain folder, changes nothing: the
        round's tables keep it.
        """
        try:
            entry = Entry(
                skill=Skill.parse(proposal.text, folder=proposal.skill),
                version=self.next_version(proposal.skill),
                status=status,
                provenance=f"proposal {proposal.id}",
                round=proposal.round,
                parent=proposal.base,
                reason=reason,
            )
        except (SkillError, BankError):
            return self
        return self._with_candidate(entry)

    def with_status(
        self, name: str, status: Status, reason: str, version: int | None = None
    ) -> "Bank":
        """The bank with one entry in another status.

        Args:
            name: The card's name.
            status: The status it is to have.
            reason: Why, one sentence.
            version: Which version; without it the verified one, else the latest.

        Raises:
            BankError: If there is no such entry, or the step is not allowed.
        """
        entry = self._latest(name, version)
        if status not in _NEXT[entry.status]:
            allowed = _some(_NEXT[entry.status]) or "none: roll the bank back instead"
            raise _refused(
                entry.ref, f"a step from {entry.status} to {status}", f"to {allowed}"
            )
        moved = replace(entry, status=status, reason=reason)
        return self._next(
            tuple(moved if e is entry else e for e in self.entries), self.round
        )

    def with_later(self, later: Iterable[Entry], reason: str) -> "Bank":
        """The bank with versions that came after it, deprecated: a rollback's.

        Args:
            later: Entries of a later bank; those that are candidates, or that this bank
                holds too, change nothing.
            reason: Why they are not in use.
        """
        held = {(entry.name, entry.version) for entry in self.versions()}
        more = (
            entry
            if entry.status == "deprecated"
            else replace(entry, status="deprecated", reason=reason)
            for entry in later
            if entry.status not in CANDIDATES
            and (entry.name, entry.version) not in held
        )
        return self._next((*self.entries, *more), self.round)

    def record(self, outcomes: Iterable[Outcome]) -> "Bank":
        """The bank with more trials of its cards.

        An outcome of a version that this bank does not hold, rolled back since or from
        elsewhere, changes nothing.
        """
        more: dict[tuple[str, int], tuple[int, int]] = defaultdict(lambda: (0, 0))
        for outcome in outcomes:
            trials, passes = more[outcome.skill, outcome.version]
            key = (outcome.skill, outcome.version)
            more[key] = (trials + outcome.trials, passes + outcome.passes)
        entries = tuple(
            replace(e, trials=e.trials + more[key][0], passes=e.passes + more[key][1])
            if (key := (e.name, e.version)) in more and e.status not in CANDIDATES
            else e
            for e in self.entries
        )
        return self._next(entries, self.round)

    def diff(self, other: "Bank") -> BankDiff:
        """What happened from this bank to another one."""
        return diff(self.entries, other.entries)

    def next_version(self, name: str) -> int:
        """The version that the next accepted change of this card becomes."""
        versions = (e.version for e in self.versions() if e.name == name)
        return max(versions, default=0) + 1

    def _entered(self, change: Change, round: str) -> Entry:
        old = self.find(change.skill.name) if change.base is not None else None
        merged = (self.find(name) for name in change.drops)
        risks = [entry.risk for entry in (old, *merged) if entry is not None]
        return Entry(
            skill=change.skill,
            version=self.next_version(change.skill.name),
            status="verified",
            author=change.author,
            risk=max((change.risk, *risks), key=RISKS.index),
            provenance=change.provenance,
            round=round,
            trials=change.trials,
            passes=change.passes,
            parent=change.base,
            reason=change.reason,
            applies=change.applies or (old.applies if old else {}),
            review_by=change.review_by or (old.review_by if old else ""),
        )

    def _with_candidate(self, entry: Entry) -> "Bank":
        others = tuple(e for e in self.entries if _key(e) != _key(entry))
        return self._next((*others, entry), self.round)

    def _latest(self, name: str, version: int | None) -> Entry:
        found = [e for e in self.entries if e.name == name]
        if version is not None:
            found = [e for e in found if e.version == version]
        if not found:
            raise _refused(name, "no such card", f"one of {_some(self.taken())}")
        return max(
            found,
            key=lambda e: (e.status == "verified", e.status not in CANDIDATES, _key(e)),
        )

    def _next(self, entries: tuple[Entry, ...], round: str) -> "Bank":
        return Bank(parent=self.number or self.parent, round=round, entries=entries)


def _check(bank: Bank, changes: Sequence[Change]) -> None:
    touched: set[str] = set()
    for change in changes:
        name = change.skill.name
        for concerned in (name, *change.drops):
            if concerned in touched:
                raise _refused(concerned, "two changes of one card", "one a round")
            touched.add(concerned)
        old = bank.find(name)
        if change.kind == "mint" and (old or change.base is not None):
            raise _refused(name, "a mint of a name in use", "a name that is free")
        if change.kind != "mint" and (old is None or old.version != change.base):
            seen = f"version {old.version}" if old else "no verified version"
            raise _refused(name, seen, f"version {change.base}, which it revises")
        lost = [drop for drop in change.drops if bank.find(drop) is None]
        if lost:
            raise _refused(name, f"a drop of {_some(lost)}", "names of verified cards")


def _card(entry: Entry, mean: float, prior_trials: float) -> Card:
    weight = entry.trials + prior_trials
    rate = (entry.passes + prior_trials * mean) / weight if weight else mean
    return Card(
        skill=entry.skill,
        version=entry.version,
        success_rate=min(1.0, max(0.0, rate)),
        applies=entry.applies,
        risk=entry.risk,
    )


def _key(entry: Entry) -> tuple[str, int, str]:
    """What there is one of: a version, or a candidate's text for it."""
    candidate = entry.status in CANDIDATES
    return (entry.name, entry.version, entry.skill.digest if candidate else "")


def _facts(entry: Entry) -> dict[str, Json]:
    """All that the host knows of an entry, and its skill's digest, as JSON."""
    names = (name for name in Entry.__dataclass_fields__ if name != "skill")
    facts: dict[str, Json] = {name: getattr(entry, name) for name in names}
    return {**facts, "name": entry.name, "digest": entry.skill.digest}


def _some(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - 5} more" if len(ordered) > 5 else ""
    return ", ".join(ordered[:5]) + more


def _refused(place: str, seen: str, expected: str) -> BankError:
    return BankError(
        place,
        seen=seen,
        expected=expected,
        remedy="look at the bank with `skillbank bank list` and change it as it is now",
    )
