"""What tells two banks apart, for people: names, versions and texts."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from skillbank.skills.entry import CANDIDATES, Entry, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised:
    """A card that both banks recall, with another text or version."""

    name: str
    old: int
    new: int
    lines: tuple[str, ...]
    """Unified diff of the two SKILL.md, without line ends; empty if only the version
    differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """An entry that has another status in the second bank."""

    name: str
    version: int
    old: Status
    new: Status
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankDiff:
    """What happened between two banks; names are sorted."""

    added: tuple[str, ...]
    """Names that only the second bank recalls."""
    removed: tuple[str, ...]
    """Names that only the first bank recalls."""
    revised: tuple[Revised, ...]
    moved: tuple[Moved, ...]

    @property
    def is_empty(self) -> bool:
        """Whether an agent would notice nothing."""
        return not (self.added or self.removed or self.revised)


def diff(old: Sequence[Entry], new: Sequence[Entry]) -> BankDiff:
    """Compare the entries of two banks: what is recalled, and what became of each."""
    before = {entry.name: entry for entry in old if entry.status == "verified"}
    after = {entry.name: entry for entry in new if entry.status == "verified"}
    both = sorted(before.keys() & after.keys())
    return BankDiff(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        revised=tuple(
            Revised(
                name=name,
                old=before[name].version,
                new=after[name].version,
                lines=text_diff(before[name], after[name]),
            )
            for name in both
            if before[name].skill != after[name].skill
            or before[name].version != after[name].version
        ),
        moved=_moved(old, new),
    )


def text_diff(old: Entry, new: Entry) -> tuple[str, ...]:
    """Unified diff of two SKILL.md, one string a line without its line end."""
    lines = difflib.unified_diff(
        old.skill.text.splitlines(),
        new.skill.text.splitlines(),
        fromfile=old.ref,
        tofile=new.ref,
        lineterm="",
    )
    return tuple(lines)


def _moved(old: Sequence[Entry], new: Sequence[Entry]) -> tuple[Moved, ...]:
    before = {(e.name, e.version): e.status for e in old if e.status not in CANDIDATES}
    return tuple(
        Moved(
            name=entry.name,
            version=entry.version,
            old=before[entry.name, entry.version],
            new=entry.status,
            reason=entry.reason,
        )
        for entry in new
        if entry.status not in CANDIDATES
        and before.get((entry.name, entry.version), entry.status) != entry.status
    )
