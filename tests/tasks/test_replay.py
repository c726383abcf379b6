"""A judge that cannot be reached: nothing is decided, and every void is logged."""

import shutil
from pathlib import Path

import pytest

from tasks.replay import dockets_of, replay_proposal
from tasks.setting import Setting
from tasks.workspace import Workspace
from tasks.worlds import no_workers_left
from tests.workspaces import change_params


def test_a_void_is_logged_with_its_cause_and_its_context(
    finished: Workspace,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    shutil.copytree(finished.root, tmp_path / "ours", symlinks=True)
    workspace = Workspace(tmp_path / "ours")
    nobody = {"judge": "anthropic", "base_url": "http://127.0.0.1:9", "retries": 0}
    change_params(workspace, models=nobody)
    setting = Setting(workspace, workspace.open_round("r0002"))
    docket = dockets_of(setting)[0]

    with caplog.at_level("INFO", "skillbank"), no_workers_left():
        heard = replay_proposal.fn(setting, docket)

    void = [pair for pair in heard.pairs if pair.outcome == "void"]
    assert heard.record.verdict.code == "undecided:inconclusive"
    assert len(void) == len(heard.pairs) > 0
    lines = [one for one in caplog.messages if "void, judge: no connection" in one]
    assert lines
    assert all(any(pair.context in line for line in lines) for pair in void)
