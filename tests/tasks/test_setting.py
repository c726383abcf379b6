"""The secret behind pseudonyms is made once, whole, and for its owner only."""

from pathlib import Path

from tasks.setting import Setting
from tests.workspaces import small_workspace


def test_the_key_of_real_traffic_is_made_once_and_readable_by_its_owner_only(
    tmp_path: Path,
):
    workspace = small_workspace(tmp_path / "one")
    opening = workspace.open_round(None, briefs=3, given="traffic", source="x")

    keys = {Setting(workspace, opening).key for _ in range(3)}

    (key,) = keys
    assert len(key) == 32
    files = [path for path in workspace.state.rglob("*") if path.is_file()]
    assert [path.name for path in files] == ["pseudonyms.key"]
    assert files[0].stat().st_mode & 0o777 == 0o600
