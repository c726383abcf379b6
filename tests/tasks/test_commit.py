import shutil
from pathlib import Path

import pytest

from skillbank.errors import BankError
from tasks.commit import commit
from tasks.setting import Setting
from tasks.workspace import Workspace
from tests.workspaces import differing, made


@pytest.fixture
def setting(finished: Workspace, tmp_path: Path) -> Setting:
    """The second of two rounds that ended; ours to change."""
    copy = shutil.copytree(finished.root, tmp_path / "ours", symlinks=True)
    return Setting(Workspace(copy), Workspace(copy).open_round("r0002"))


def test_committing_again_changes_nothing(setting: Setting):
    before = made(setting.workspace)

    commit.fn(setting)

    assert differing(before, made(setting.workspace)) == []


def test_a_head_that_was_moved_meanwhile_is_not_moved_back(setting: Setting):
    head = setting.workspace.bank.rollback(1)
    before = made(setting.workspace)

    with pytest.raises(BankError, match=rf"HEAD: bank {head}.*start a new round"):
        commit.fn(setting)

    assert setting.workspace.bank.head() == head
    assert differing(before, made(setting.workspace)) == []


def test_a_lost_head_table_and_replay_set_are_made_again(setting: Setting):
    before = made(setting.workspace)
    setting.workspace.bank.set_head(setting.opening.bank)  # killed before HEAD moved
    setting.workspace.golden.unlink()
    (setting.round_dir / "decisions.parquet").unlink()

    commit.fn(setting)

    assert differing(before, made(setting.workspace)) == []
