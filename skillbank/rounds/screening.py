"""Step 6: which checks a world and its parameters ask of a proposal."""

from skillbank.params import Params
from skillbank.proposals.proposal import Proposal
from skillbank.skills.bank import Bank
from skillbank.skills.screen import Screening, screen
from skillbank.world import World


def screened(proposal: Proposal, bank: Bank, world: World, params: Params) -> Screening:
    """Check a proposal's form; what names a tool that agents must not use is refused.

    Args:
        proposal: The candidate change.
        bank: The bank that it would enter.
        world: Its tools, and those of them that are forbidden.
        params: Limits, and further forbidden tools.
    """
    forbidden = {*world.forbidden, *params.gate.forbidden_tools}
    return screen(proposal, bank, world.tools, params.screen, forbidden)
