import shutil
import subprocess
import time
from pathlib import Path

import pytest
from dvc.repo import Repo

from skillbank.errors import ServiceError
from tasks.versions import code_hash, init_workspace, restore, snapshot


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def play(folder: Path, round_id: str, version: str) -> None:
    """What a round leaves behind."""
    write(folder / "data/bank/versions" / version / "manifest.json", version)
    write(folder / "data/bank/HEAD", f"{version}\n")
    write(folder / "data/replay/golden.parquet", f"golden after {round_id}")
    write(folder / "data/rounds" / round_id / "runs.parquet", f"runs of {round_id}")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ours"
    init_workspace(folder, {"params.yaml": "world: studio\n"})
    play(folder, "r0001", "0001")
    return folder


def test_a_new_workspace_is_committed_and_clean(workspace: Path):
    assert git(workspace, "status", "--porcelain") == ""
    assert "params.yaml" in git(workspace, "ls-files").split()


def test_a_workspace_that_is_begun_again_keeps_what_it_has(workspace: Path):
    commit = git(workspace, "rev-parse", "HEAD")

    init_workspace(workspace, {"params.yaml": "another: text\n"})

    assert git(workspace, "rev-parse", "HEAD") == commit
    assert (workspace / "params.yaml").read_text() == "world: studio\n"


def test_a_workspace_that_was_killed_before_its_first_commit_gets_it(tmp_path: Path):
    write(tmp_path / "params.yaml", "world: studio\n")
    git(tmp_path, "init", "--quiet")

    init_workspace(tmp_path)

    assert "params.yaml" in git(tmp_path, "ls-files").split()


def test_a_folder_with_a_history_gets_dvc_and_keeps_the_rest_for_its_owner(
    tmp_path: Path,
):
    git(tmp_path, "init", "--quiet")
    write(tmp_path / ".gitignore", "*.pyc")
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    git(tmp_path, "add", ".gitignore")
    git(tmp_path, *identity, "commit", "--quiet", "-m", "Mine")
    write(tmp_path / "notes.md", "mine, not yet committed")
    play(tmp_path, "r0001", "0001")

    init_workspace(tmp_path)
    snapshot(tmp_path, "r0001")

    assert git(tmp_path, "status", "--porcelain") == "?? notes.md"
    assert (tmp_path / ".gitignore").read_text().startswith("*.pyc\n/data/bank/")


def test_a_snapshot_is_a_commit_and_a_tag_of_pointers_alone(workspace: Path):
    snapshot(workspace, "r0001")

    changed = git(workspace, "show", "--name-only", "--format=", "round/r0001")
    assert changed.split() == [
        "data/bank/HEAD.dvc",
        "data/bank/versions.dvc",
        "data/replay.dvc",
        "data/rounds.dvc",
    ]
    assert git(workspace, "status", "--porcelain") == ""


def test_a_second_snapshot_of_the_same_round_adds_nothing(workspace: Path):
    first = snapshot(workspace, "r0001")
    second = snapshot(workspace, "r0001")

    assert second == first
    assert git(workspace, "rev-list", "--count", "HEAD") == "2"


def test_a_snapshot_killed_before_its_tag_is_finished_by_the_next(workspace: Path):
    commit = snapshot(workspace, "r0001")
    git(workspace, "tag", "-d", "round/r0001")

    assert snapshot(workspace, "r0001") == commit
    assert git(workspace, "rev-parse", "round/r0001") == commit


def test_an_early_round_snapped_again_keeps_its_tag(workspace: Path):
    first = snapshot(workspace, "r0001")
    play(workspace, "r0002", "0002")
    snapshot(workspace, "r0002")

    assert snapshot(workspace, "r0001") == first


def test_what_the_user_staged_stays_staged_and_out_of_our_commit(workspace: Path):
    snapshot(workspace, "r0001")
    write(workspace / "notes.md", "mine")
    git(workspace, "add", "notes.md")
    write(workspace / "params.yaml", "world: studio # edited\n")
    play(workspace, "r0002", "0002")

    snapshot(workspace, "r0002")

    state = git(workspace, "status", "--porcelain").splitlines()
    assert state == ["A  notes.md", " M params.yaml"]
    assert "notes.md" not in git(workspace, "ls-tree", "-r", "--name-only", "HEAD")


def test_a_hook_or_a_wish_to_sign_does_not_stop_a_snapshot(workspace: Path):
    for name in ("pre-commit", "commit-msg", "reference-transaction"):
        hook = workspace / ".git/hooks" / name
        write(hook, "#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)
    config = workspace / ".git/config"
    config.write_text(
        f"{config.read_text()}[commit]\ngpgsign = true\n[tag]\ngpgsign = 1\n"
    )

    snapshot(workspace, "r0001")

    assert git(workspace, "tag") == "round/r0001"


def test_the_user_is_the_author_where_git_knows_one(workspace: Path):
    git(workspace, "config", "user.name", "Ada")
    git(workspace, "config", "user.email", "ada@example.org")

    snapshot(workspace, "r0001")

    assert git(workspace, "log", "--format=%an", "-n2").split() == ["Ada", "skillbank"]


def test_an_earlier_round_is_brought_back_byte_for_byte(workspace: Path):
    snapshot(workspace, "r0001")
    play(workspace, "r0002", "0002")
    snapshot(workspace, "r0002")

    restore(workspace, "r0001")

    assert (workspace / "data/bank/HEAD").read_text() == "0001\n"
    assert [p.name for p in (workspace / "data/rounds").iterdir()] == ["r0001"]
    golden = (workspace / "data/replay/golden.parquet").read_text()
    assert golden == "golden after r0001"


def test_a_lost_cache_is_filled_from_the_store(workspace: Path):
    snapshot(workspace, "r0001")
    for lost in (".dvc/cache", "data/rounds"):
        shutil.rmtree(workspace / lost)

    restore(workspace, "r0001")

    assert (workspace / "data/rounds/r0001/runs.parquet").exists()


def test_work_that_no_snapshot_knows_is_not_overwritten(workspace: Path):
    snapshot(workspace, "r0001")
    play(workspace, "r0002", "0002")
    before = (workspace / "data/rounds.dvc").read_text()

    with pytest.raises(ServiceError):
        restore(workspace, "r0001")

    assert (workspace / "data/rounds/r0002/runs.parquet").exists()
    assert (workspace / "data/bank/HEAD").read_text() == "0002\n"
    assert (workspace / "data/rounds.dvc").read_text() == before


def test_an_unknown_round_is_named_with_those_that_are_there(workspace: Path):
    snapshot(workspace, "r0001")

    with pytest.raises(ServiceError, match="round/r0001"):
        restore(workspace, "r0009")


def test_a_folder_that_is_no_workspace_says_how_to_make_one(tmp_path: Path):
    write(tmp_path / "data/bank/HEAD", "0001")

    with pytest.raises(ServiceError, match="skillbank init"):
        snapshot(tmp_path, "r0001")


def test_a_busy_dvc_is_an_error_that_says_to_wait(workspace: Path):
    holder = Repo(str(workspace))

    with holder.lock, pytest.raises(ServiceError, match="wait until"):
        snapshot(workspace, "r0001")

    assert git(workspace, "tag") == ""


def test_a_busy_git_is_an_error_that_names_its_lock(workspace: Path):
    lock = workspace / ".git/index.lock"
    lock.touch()

    with pytest.raises(ServiceError, match=r"index\.lock.*round --id r0001"):
        snapshot(workspace, "r0001")

    lock.unlink()
    assert snapshot(workspace, "r0001") == git(workspace, "rev-parse", "HEAD")


def test_a_lock_that_a_killed_git_left_behind_is_named_with_what_to_do(workspace: Path):
    lock = workspace / ".git/refs/tags/round/r0001.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()

    with pytest.raises(ServiceError) as caught:
        snapshot(workspace, "r0001")

    assert str(lock) in caught.value.seen
    assert "delete that file" in caught.value.remedy
    lock.unlink()
    assert snapshot(workspace, "r0001") == git(workspace, "rev-parse", "HEAD")


def test_a_store_that_cannot_be_written_is_an_error_that_says_what_to_do(
    workspace: Path,
):
    (workspace / ".dvc/cache").write_text("in the way")

    with pytest.raises(ServiceError, match="round --id r0001"):
        snapshot(workspace, "r0001")

    assert git(workspace, "tag") == ""


def test_the_hash_of_code_tells_content_and_names_but_not_places(tmp_path: Path):
    for place in ("here", "there"):
        write(tmp_path / place / "lib/a.py", "a = 1\n")
        write(tmp_path / place / "lib/prompts/p.md", "Be brief.\n")
        write(tmp_path / place / "lib/__pycache__/a.pyc", str(time.time()))
    here, there = tmp_path / "here/lib", tmp_path / "there/lib"

    assert code_hash([here]) == code_hash([there])
    write(there / "prompts/p.md", "Be long.\n")
    assert code_hash([here]) != code_hash([there])
    assert code_hash([here / "a.py"]) == code_hash([there / "a.py"])
