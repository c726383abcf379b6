"""The question that the gate asks of a judge."""

from typing import Literal, Protocol

from skillbank.briefs.brief import Brief

Preference = Literal["first", "second", "same", "invalid"]
"""`invalid`: the judge answered, but not in a shape that can be read."""


class Judge(Protocol):
    """Anything that compares two outputs for one brief."""

    revision: str
    """Changes whenever the judge may answer otherwise; stored beside each verdict."""

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        """Say which output better satisfies the brief, as presented.

        Args:
            brief: What was asked.
            first: The output shown first, as the world writes artefacts.
            second: The output shown second.
            batch: Name of the batch that the call belongs to.
            seed: Seed of this very call; the two orders of a pair differ in it.

        Raises:
            ModelError: If the judge could not be reached: a fault, not an answer.
        """
        ...
