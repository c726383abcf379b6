"""A proposal with everything that its trial needs; crosses process borders."""

from collections.abc import Mapping
from dataclasses import dataclass

from skillbank.briefs.brief import Brief
from skillbank.gate.neighbours import Reach
from skillbank.params import Params
from skillbank.proposals.proposal import CaseSeed, Proposal
from skillbank.skills.entry import RISKS
from skillbank.skills.shelf import Card, Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Docket:
    """What is tried, on which briefs, beside which cards, and by which numbers."""

    proposal: Proposal
    briefs: Mapping[str, Brief]
    """The briefs that its cases name, held-out ones and neighbours too."""
    cards: tuple[Card, ...]
    """The current bank's verified cards."""
    bank: str
    """Digest of the current bank."""
    params: Params
    seed: int
    curtail: bool = True
    """False replays every context; for benchmarks: the votes decide the same."""
    held_out: tuple[CaseSeed, ...] = ()
    """Where it shows and its writer never saw it, in the order in which they are drawn;
    none in published mode."""
    neighbours: tuple[str, ...] = ()
    """Ids of briefs that it is not meant for and shows on, nearest first; likewise."""
    stratum: str = ""
    """The kind of briefs that all held-out ones are of; empty: all of its card's."""
    reach: Reach | None = None
    """Where its trigger fires, looked up without a replay; None: that is unchanged."""
    proposals: int = 1
    """Proposals that the gate hears in this round: more ask for more evidence."""
    commits: int = 0
    """How many of them passed before this one, where e-LOND asks."""

    @property
    def risk(self) -> Risk:
        """The highest of the cards that the proposal changes or drops."""
        names = {self.proposal.skill, *self.proposal.drops}
        risks = [card.risk for card in self.cards if card.name in names]
        return max(risks, key=RISKS.index, default="low")
