"""Rounds in a row, and one round by hand: what the command line runs."""

import logging
from pathlib import Path

from flows.forms import RoundForm
from flows.server import server
from skillbank.summary import RoundSummary
from tasks.workspace import Given, Workspace


def run_evolve(
    workspace: Workspace, *, rounds: int | None, briefs: int | None
) -> tuple[RoundSummary, ...]:
    """Run rounds on simulated traffic; one that was killed is finished first.

    Args:
        workspace: Where; earlier rounds are continued.
        rounds: How many; None: as params.yaml says.
        briefs: Briefs of traffic a round; None: as params.yaml says.
    """
    wanted = rounds or workspace.params.evolve.rounds
    ids: list[str | None] = [*workspace.unfinished(), *[None] * wanted][:wanted]
    forms = [
        RoundForm(workspace=str(workspace.root), round=id, briefs=briefs) for id in ids
    ]
    return _run(workspace, forms)


def run_round(
    workspace: Workspace,
    id: str | None,
    given: Given,
    source: Path | None,
) -> tuple[RoundSummary, ...]:
    """Run one round, or resume the one of this id."""
    if id is not None:
        workspace.check_round(id)
    form = RoundForm(
        workspace=str(workspace.root),
        round=id,
        given=given,
        source=str(source.resolve()) if source else "",
    )
    return _run(workspace, [form])


def _run(workspace: Workspace, forms: list[RoundForm]) -> tuple[RoundSummary, ...]:
    for note in forms[0].check():  # before a server is started
        logging.getLogger("skillbank").info("note: %s", note)
    with server(workspace.state / "prefect"):
        # Prefect reads the address of its server when it is imported
        from flows.weekly_round import weekly_round

        return tuple(weekly_round(form) for form in forms)
