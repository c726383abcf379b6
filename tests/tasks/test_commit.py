import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from skillbank.errors import BankError
from skillbank.tables import BANK_TEST, DECISIONS
from tasks.benchmark import accepted
from tasks.commit import commit
from tasks.memory import golden
from tasks.setting import Setting
from tasks.tables import read_table, table_path, write_table
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


def test_a_bank_that_regressed_is_held_and_the_books_still_balance(setting: Setting):
    path = table_path(setting.round_dir, BANK_TEST)
    (test,) = read_table(path, BANK_TEST)
    write_table(path, BANK_TEST, [replace(test, standing="regressed", held=True)])
    setting.workspace.bank.set_head(setting.opening.bank)  # as before the commit
    let_in = accepted(setting)

    commit.fn(setting)

    held = [one for one in setting.read(DECISIONS) if one.proposal in let_in]
    assert held
    assert {one.fate for one in held} == {"dropped"}
    assert any("regressed on the benchmark" in one.reason for one in held)
    after = setting.workspace.bank.current()
    prior = setting.params.recall.prior_trials
    texts = [card.skill.text for card in after.cards(prior)]
    assert texts == [card.skill.text for card in setting.bank.cards(prior)]
    assert after.number > setting.bank.number
    assert not [case for case in golden(setting).cases if case.round == "r0002"]
