"""One recorded proposal before the gate again, with fresh seeds."""

from dataclasses import replace

from skillbank.codec import seed_of
from skillbank.errors import GateError
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import Heard, hear
from skillbank.rounds.turns import as_heard
from skillbank.tables import PROPOSALS, VERDICTS
from tasks.replay import dockets_of
from tasks.setting import Setting
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace
from tasks.worlds import Site, no_workers_left, workers

Row = dict[str, str | float | None]


def replay_again(workspace: Workspace, proposal: str, times: int) -> list[Row]:
    """Replay a proposal under the bank of its round; nothing that is recorded changes.

    It is asked for as much evidence as the recorded verdict was heard under. Verdicts
    vary, as the report's false-accept rate says: that is what this shows.

    Args:
        workspace: Where the proposal was recorded.
        proposal: Its id, or the beginning of it.
        times: How often.

    Raises:
        GateError: If no finished round has such a proposal, or it never passed the
            screen.
    """
    docket = _docket(workspace, proposal)
    again = [
        replace(docket, seed=seed_of(docket.seed, "again", turn))
        for turn in range(times)
    ]
    with no_workers_left():
        site = workers(workspace.params, workspace.journal)
        return [_row(heard) for heard in site.map(_hear, again, chunk=1)]


def _docket(workspace: Workspace, proposal: str) -> Docket:
    for round_id in reversed(workspace.finished()):
        path = table_path(workspace.round_dir(round_id), PROPOSALS)
        if any(one.id.startswith(proposal) for one in read_table(path, PROPOSALS)):
            setting = Setting(workspace, workspace.open_round(round_id))
            for docket in dockets_of(setting):
                id = docket.proposal.id
                if id.startswith(proposal):
                    plans = (record.plan for record in setting.read(VERDICTS))
                    return as_heard(docket, next(p for p in plans if p.proposal == id))
    raise GateError(
        f"proposal {proposal!r}",
        seen="no such proposal that passed the screen in a finished round",
        expected="an id that a round's report shows",
        remedy="skillbank report",
    )


def _row(heard: Heard) -> Row:
    verdict, limits = heard.record.verdict, heard.record.plan.limits
    return {
        "proposal": verdict.proposal,
        "decision": verdict.decision,
        "reason": verdict.reason,
        "wins": sum(case.wins for case in verdict.cases),
        "ties": sum(case.ties for case in verdict.cases),
        "losses": sum(case.losses for case in verdict.cases),
        "contexts": verdict.spent,
        "bar": float(limits.bar) if limits else None,
    }


def _hear(site: Site, docket: Docket) -> Heard:
    return hear(docket, site.world, site.journal)
