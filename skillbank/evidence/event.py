"""One thing that happened and counts: a row of the ledger."""

from dataclasses import dataclass
from typing import Literal

from skillbank.codec import encode
from skillbank.proposals.proposal import Kind, Proposal
from skillbank.records import Fate, Side
from skillbank.roundid import round_number

Happening = Literal[
    "use",
    "failure",
    "uncovered",
    "screened out",
    "refused",
    "undecided",
    "dropped",
    "committed",
]
"""use, failure: a card was recalled; uncovered: none was; the rest: fates."""

Key = tuple[str, str, str, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in a round."""

    kind: Happening
    run: str
    """Id of the run, the attempt or the proposal."""
    round: str
    root: str = ""
    """Root of the brief: a variant's is its parent's."""
    brief: str = ""
    session: str = ""
    user: str = ""
    side: Side = "teach"
    skill: str = ""
    """The card recalled or proposed; empty for an uncovered subtask."""
    version: int | None = None
    """Version recalled, or revised by the proposal; None for a mint."""
    label: str = ""
    """Canonical label, as it was when the event was filed."""
    subtasks: tuple[str, ...] = ()
    """Names of the subtasks concerned, in the order of the plan."""
    phrase: str = ""
    """Words of the uncovered subtask."""
    score: float | None = None
    """Of the run, in [0, 1]."""
    change: Kind | None = None
    """Kind of the proposal."""
    digest: str = ""
    """Of the proposal's normalised text."""
    drops: tuple[str, ...] = ()
    """Cards that the proposal supersedes."""

    @property
    def key(self) -> Key:
        """What is counted once: a run has one outcome for a card, however graded."""
        family = "outcome" if self.kind in ("use", "failure") else self.kind
        version = -1 if self.version is None else self.version
        return family, self.run, self.skill, version, self.label

    def order(self) -> tuple[Key, int, bytes]:
        """Sort key: by what is counted, then the earlier round, then the bytes."""
        return self.key, round_number(self.round), encode(self)


def decided(proposal: Proposal, fate: Fate, digest: str) -> Event:
    """That a proposal came to its fate in its round.

    Args:
        proposal: The proposal; a placebo is no event: do not record one.
        fate: What became of it.
        digest: Of its normalised text (`text_digest`).
    """
    return Event(
        kind=fate,
        run=proposal.id,
        round=proposal.round,
        skill=proposal.skill,
        version=proposal.base,
        label=proposal.label,
        change=proposal.kind,
        digest=digest,
        drops=proposal.drops,
    )
