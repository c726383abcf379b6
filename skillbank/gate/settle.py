"""Which rule a proposal is gated by, and what has to be drawn for it.

Certified where there are held-out prompts enough; `auto` falls back to the published
rule and says so, `certified` does not fall back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from skillbank.gate.limits import Limits
from skillbank.gate.neighbours import CONTEXTS
from skillbank.gate.plan import Mode, Role
from skillbank.gate_params import CertifiedParams

Asked = Literal["published", "certified", "auto"]
"""What params.yaml may ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The rule of one proposal: what goes into its plan."""

    mode: Mode
    limits: Limits | None
    uncertifiable: bool
    """Asked for auto, gated as published."""
    held_out: int = 0
    """Held-out cases to draw, at most."""

    def contexts(self, role: Role) -> int:
        """Contexts to draw for a case in certified mode, its spares not among them.

        Drawing is cheap: what is never asked for is never replayed.
        """
        if self.limits is None:
            return 0
        if role == "neighbour":
            return CONTEXTS
        if role == "origin":
            return self.limits.screen + self.limits.guard
        return self.limits.rounds(self.held_out) + self.limits.guard


def settle(
    asked: Asked,
    params: CertifiedParams,
    *,
    held_out: Mapping[str, int],
    origin: int,
    proposals: int = 1,
    commits: int = 0,
) -> Settled:
    """Settle the rule of a proposal.

    Args:
        asked: The configured mode.
        params: Section gate.certified.
        held_out: Held-out prompts of each card concerned; one card unless it merges.
        origin: Cases that the writer saw; the first `screen_cases` are a screen's.
        proposals: Proposals of the round.
        commits: How many of them passed already; for e-LOND.
    """
    if asked == "published":
        return Settled(mode="published", limits=None, uncertifiable=False)
    drawn = min(sum(held_out.values()), params.held_out * max(len(held_out), 1))
    limits = Limits.of(
        params,
        held_out=drawn,
        origin=min(origin, params.screen_cases),
        proposals=proposals,
        commits=commits,
    )
    fewest = min(held_out.values(), default=0)
    able = fewest >= limits.least and limits.reachable(limits.contexts(drawn))
    if asked == "auto" and not able:
        return Settled(mode="published", limits=None, uncertifiable=True)
    return Settled(mode="certified", limits=limits, uncertifiable=False, held_out=drawn)
