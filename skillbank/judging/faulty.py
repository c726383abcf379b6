"""Judges with one plain fault each: what the bars of a round must stop."""

from random import Random

from skillbank.briefs.brief import Brief
from skillbank.codec import seed_of
from skillbank.judging.judge import Judge, Preference


class CoinJudge:
    """Tosses a coin for every call."""

    revision = "coin"

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        """First or second, whatever they are."""
        return "first" if Random(seed_of("coin", seed)).random() < 0.5 else "second"


class FirstJudge:
    """Always prefers what it is shown first."""

    revision = "first"

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        """First."""
        return "first"


class ContraryJudge:
    """Prefers what another judge likes less.

    Args:
        judge: The other one.
    """

    def __init__(self, judge: Judge) -> None:
        self.revision = f"contrary-{judge.revision}"
        self._judge = judge

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        """The opposite of what the other says; what it cannot tell stays so."""
        said = self._judge.compare(brief, first, second, batch=batch, seed=seed)
        opposite: dict[Preference, Preference] = {"first": "second", "second": "first"}
        return opposite.get(said, said)
