"""Rows of the page about a week's traffic."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortRow:
    """The week's runs of one cohort."""

    cohort: str
    runs: int
    ended: int
    """Runs that ended with an output."""
    broken: int
    fault: int
    score: float | None
    """Mean of the measured, in [0, 1]."""
    completeness: float | None
    measured: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissRow:
    """How often one kind of requirement was met in the week's runs."""

    kind: str
    example: str
    """One of these demands, in words."""
    met: int
    partly: int
    missed: int

    @property
    def asked(self) -> int:
        """Checks of this kind."""
        return self.met + self.partly + self.missed


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedRow:
    """A skill that the week's runs recalled."""

    skill: str
    runs: int
    measured: int
    """Runs that have a score."""
    score: float | None
    """Mean of these, in [0, 1]."""
    failed: int
    """Of these, those below the bar: failures of this skill."""
    example: str
    """What was asked in one that failed; empty: none did."""
    in_bank: bool
