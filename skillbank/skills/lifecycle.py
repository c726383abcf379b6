"""What happens to a card besides the gate: unused, set aside, due for reading.

Lifecycle takes cards out of recall and puts them back; it never changes a text. Knows
no clock: the rounds and the day are arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from skillbank.skills.bank import Bank, Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecalls:
    """Which cards a round's runs recalled."""

    round: str
    names: frozenset[str]


def unused(bank: Bank, rounds: Sequence[RoundRecalls], after: int) -> tuple[Entry, ...]:
    """Verified cards that nobody recalled in the last `after` rounds, by name.

    A version that entered within these rounds is spared: it has not had its time.

    Args:
        bank: The bank as it is now.
        rounds: Recalls of past rounds, oldest first.
        after: Rounds without a recall; at least 1. With fewer rounds on record
            nothing is unused.
    """
    last = rounds[-after:] if after > 0 else ()
    if not last or len(last) < after:
        return ()
    young = {each.round for each in last}
    recalled = frozenset().union(*(each.names for each in last))
    return tuple(
        entry
        for entry in bank.verified()
        if entry.name not in recalled and entry.round not in young
    )


def suspend_unused(bank: Bank, rounds: Sequence[RoundRecalls], after: int) -> Bank:
    """The bank with every unused card suspended: kept, and no longer recalled."""
    for entry in unused(bank, rounds, after):
        reason = f"nobody recalled it for {after} rounds"
        bank = bank.with_status(entry.name, "suspended", reason, entry.version)
    return bank


def suspended(bank: Bank) -> tuple[Entry, ...]:
    """The cards that could be reinstated, by name."""
    return tuple(entry for entry in bank.entries if entry.status == "suspended")


def reinstate(bank: Bank, name: str, reason: str) -> Bank:
    """The bank with a suspended card verified again.

    Raises:
        BankError: If there is no such card, or it is not suspended.
    """
    found = [entry for entry in suspended(bank) if entry.name == name]
    version = found[-1].version if found else None
    return bank.with_status(name, "verified", reason, version)


def dated(bank: Bank) -> tuple[Entry, ...]:
    """Verified cards that a person should read again on a day, the earliest first."""
    due = [entry for entry in bank.verified() if entry.review_by]
    return tuple(sorted(due, key=lambda entry: (entry.review_by, entry.name)))


def to_review(bank: Bank, today: date) -> tuple[Entry, ...]:
    """Verified cards whose review date has passed, the longest due first.

    Args:
        bank: The bank as it is now.
        today: The day; the date itself is due.
    """
    return tuple(
        entry for entry in dated(bank) if date.fromisoformat(entry.review_by) <= today
    )
