"""What a world or its user forbids, no card may name."""

from dataclasses import replace

from skillbank.proposals.proposal import Proposal
from skillbank.rounds.screening import screened
from skillbank.skills.bank import Bank
from skillbank.skills.store import seed_bank
from studio.tools import FORBIDDEN, TOOLS
from tests.skillbank.rounds.played import ROOT, params, rounds, world


def rewrite() -> tuple[Proposal, Bank]:
    """A recorded proposal of the first round, and the bank that it revises."""
    bank = replace(seed_bank(ROOT / "data/bank/seed", "operator"), number=1)
    dockets = (one.proposal for one in rounds(1)[0].dockets)
    return next(one for one in dockets if one.base is not None), bank


def calling(proposal: Proposal, tool: str) -> Proposal:
    """The same card with one more call."""
    lines = proposal.text.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("```"))
    return replace(
        proposal, text="".join([*lines[: at + 1], f"{tool}()\n", *lines[at + 1 :]])
    )


def test_a_card_that_names_a_tool_which_agents_must_not_use_is_a_security_event():
    proposal, bank = rewrite()
    (tool,) = FORBIDDEN

    found = screened(calling(proposal, tool), bank, world(), params())

    assert tool in TOOLS  # it exists: that alone would let it pass
    assert screened(proposal, bank, world(), params()).passed
    assert found.security
    assert f"it names forbidden tools: {tool}" in found.reasons


def test_a_tool_that_params_forbid_is_forbidden_too():
    proposal, bank = rewrite()
    gate = params().gate.model_copy(update={"forbidden_tools": ("shrink_all",)})
    strict = params().model_copy(update={"gate": gate})
    asking = calling(proposal, "shrink_all")

    assert not screened(asking, bank, world(), params()).security
    assert screened(asking, bank, world(), strict).security
