"""The books of a round: what was proposed, what became of it, and the bank's size.

Two identities hold every round, whatever happened: by axis, proposed = screened out +
refused + undecided + dropped by the benchmark + committed; and names with a verified
version after = before + mints - retired - suspended + reinstated.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skillbank.errors import AccountingError
from skillbank.proposals.proposal import Axis, Proposal
from skillbank.records import Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """One axis of one round, in proposals; placebos are not among them."""

    axis: Axis
    proposed: int
    screened_out: int = 0
    """Security events among them."""
    refused: int = 0
    undecided: int = 0
    dropped: int = 0
    """Committed by the gate, dropped again by the benchmark."""
    committed: int = 0

    def check(self) -> None:
        """Hold the identity.

        Raises:
            AccountingError: If the fates do not add up to what was proposed.
        """
        fates = (
            self.screened_out,
            self.refused,
            self.undecided,
            self.dropped,
            self.committed,
        )
        if sum(fates) != self.proposed or min(fates) < 0:
            raise AccountingError(
                f"{self.axis} proposals",
                seen=f"{self.proposed} proposed, but {self.screened_out} screened out"
                f" + {self.refused} refused + {self.undecided} undecided"
                f" + {self.dropped} dropped + {self.committed} committed"
                f" = {sum(fates)}",
                expected="one fate for each proposal",
                remedy="compare the round's tables of proposals and decisions; a step"
                " lost or repeated one",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class BankChange:
    """A round's effect on the bank, in names with a verified version."""

    before: int
    mints: int = 0
    retired: int = 0
    """Dropped by a merge."""
    suspended: int = 0
    """By lifecycle: nobody recalled them."""
    reinstated: int = 0
    after: int

    def check(self) -> None:
        """Hold the identity.

        Raises:
            AccountingError: If the bank's size is not what the changes make it.
        """
        due = self.before + self.mints - self.retired - self.suspended + self.reinstated
        if due != self.after:
            raise AccountingError(
                "bank size",
                seen=f"{self.after} after, but {self.before} before"
                f" + {self.mints} mints - {self.retired} retired"
                f" - {self.suspended} suspended + {self.reinstated} reinstated = {due}",
                expected="the two to be equal",
                remedy="`skillbank bank diff` of the two versions shows which name is"
                " too many or missing",
            )


def tally(
    proposals: Iterable[Proposal], fates: Mapping[str, Fate]
) -> tuple[Tally, Tally]:
    """Count a round by axis and hold the identity.

    Args:
        proposals: All of the round; placebos are left out.
        fates: What became of each, by proposal id.

    Returns:
        Deepening, widening.

    Raises:
        AccountingError: If a proposal has no fate or is there twice, or there is a fate
            of no proposal.
    """
    counted = [one for one in proposals if not one.placebo]
    ids = Counter(one.id for one in counted)
    odd = sorted(ids.keys() ^ fates.keys()) + sorted(
        id for id, times in ids.items() if times > 1
    )
    if odd:
        raise AccountingError(
            f"proposal {odd[0]}",
            seen=f"{len(odd)} proposal(s) without a fate, twice, or unknown",
            expected="one fate for each proposal",
            remedy="compare the round's tables of proposals and decisions",
        )
    deepening, widening = (_of_axis(axis, counted, fates) for axis in _AXES)
    return deepening, widening


_AXES: tuple[Axis, Axis] = ("deepening", "widening")


def _of_axis(
    axis: Axis, proposals: Iterable[Proposal], fates: Mapping[str, Fate]
) -> Tally:
    counts = Counter(fates[one.id] for one in proposals if one.axis == axis)
    made = Tally(
        axis=axis,
        proposed=counts.total(),
        screened_out=counts["screened out"],
        refused=counts["refused"],
        undecided=counts["undecided"],
        dropped=counts["dropped"],
        committed=counts["committed"],
    )
    made.check()
    return made
