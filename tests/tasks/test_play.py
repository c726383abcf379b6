"""A round plays its own week, whatever an earlier try left under its name."""

import shutil
from pathlib import Path

from skillbank.skills.bank import Bank
from tasks.play import play
from tasks.setting import Setting
from tasks.workspace import Workspace
from tests.workspaces import small_workspace


def played(workspace: Workspace, briefs: int) -> bytes:
    """The week of the next round, which is then given up as an error would advise."""
    setting = Setting(workspace, workspace.open_round(None, briefs=briefs))
    play.fn(setting)
    week = workspace.traffic(setting.opening.round).read_bytes()
    shutil.rmtree(setting.round_dir)
    return week


def test_a_round_that_was_given_up_leaves_no_week_to_the_next_of_its_id(
    tmp_path: Path,
):
    workspace = small_workspace(tmp_path / "one")

    small, large = played(workspace, 3), played(workspace, 6)

    assert small.count(b"run-w1") < large.count(b"run-w1")
    assert played(small_workspace(tmp_path / "two"), 6) == large


def test_a_week_is_played_again_under_another_bank_and_only_then(tmp_path: Path):
    workspace = small_workspace(tmp_path / "bank")
    first = played(workspace, 4)
    path = workspace.traffic("r0001")
    written = path.stat().st_mtime_ns

    assert played(workspace, 4) == first
    assert path.stat().st_mtime_ns == written

    store = workspace.bank
    store.set_head(store.write(Bank(parent=1, note="nothing is known")))
    assert played(workspace, 4) != first
