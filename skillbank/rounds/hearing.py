"""Step 7 in its order: real proposals and placebos heard, mixed, and then the controls.

The flow and rounds in memory both go through here, so that they hear the same; only who
makes the attempts differs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from skillbank.gate.replay import Pair
from skillbank.params import Params
from skillbank.proposals.proposal import Proposal
from skillbank.rounds.controls import (
    Controlled,
    Work,
    control_work,
    make_placebos,
    sorted_out,
)
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import Heard
from skillbank.rounds.summon import Files, dockets
from skillbank.rounds.turns import in_turn
from skillbank.skills.bank import Bank
from skillbank.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """What it takes to hear a round's proposals."""

    world: World
    params: Params
    seed: Callable[[str], int]
    """Name of a step to the round's seed for it."""
    hear: Callable[[Sequence[Docket]], Sequence[Heard]]
    """Hears dockets that do not depend on each other, in their order."""
    control: Callable[[Work], Sequence[Pair]]
    """Makes the pairs of the round's controls."""

    def of(
        self, passed: Sequence[Proposal], files: Files, bank: Bank
    ) -> tuple[tuple[Docket, ...], Controlled]:
        """Hear everything that passed the screen.

        Args:
            passed: Proposals, in the order in which verdicts are told.
            files: What the round knows.
            bank: The bank that the round began with.

        Returns:
            The real proposals' dockets as they were heard, and all that came of it.
        """
        world, params = self.world, self.params
        fakes = make_placebos(passed, files, bank, world, self.seed("placebos"), params)
        unmarked = [one.unmarked for one in fakes]
        made = dockets([*passed, *unmarked], files, world, params, self.seed("gate"))
        # placebos ask no more evidence of the real ones, and are asked for no more
        made = tuple(replace(one, proposals=len(passed)) for one in made)
        real, fake = made[: len(passed)], made[len(passed) :]
        tried = in_turn(real, fake, self.hear)
        real = tuple(tried[docket.proposal.id].docket for docket in real)
        mine = [tried[docket.proposal.id].heard for docket in real]
        records = [one.record for one in mine]
        where = self.seed("controls")
        pairs = self.control(control_work(real, records, params.gate, where))
        theirs = [(one, tried[one.proposal.id].heard) for one in fakes]
        return real, sorted_out(mine, theirs, pairs, params)
