"""Remembers bytes: the only file that runs DVC and git.

A workspace keeps its bank, replay set and rounds in DVC, with a store of its own in
`state/`; git holds DVC's pointer files, one commit and one tag `round/<id>` a round.
Nothing else of the user's work tree or index is touched, no branch is switched, nothing
is stashed, no hook is run and nothing is signed.

DVC is used in process: a call costs 0.3 s, its command line 1.1 s. Its calls never
overlap here, since one that finds another at work fails at once.
"""

import contextlib
import hashlib
import logging
import re
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from skillbank.errors import ServiceError

TRACKED = ("data/bank/versions", "data/bank/HEAD", "data/replay", "data/rounds")
"""What a snapshot remembers, where it is there; relative to the workspace."""
REMOTE = "state/dvc-remote"
IGNORED = (
    *(f"/{path}" for path in TRACKED),
    "/data/traffic",  # made anew from the seed
    "/data/journal",
    "/state",
)
_LOCKED = re.compile(r"Unable to create '(.+?\.lock)': File exists")
_IDENTITY = {"user.name": "skillbank", "user.email": "skillbank@localhost"}


def init_workspace(folder: Path, files: Mapping[str, str] | None = None) -> None:
    """Give a folder its own git and DVC if it lacks them; commit what it starts with.

    In a folder that has a history already, only DVC's own files are committed.

    Args:
        folder: The workspace; made if it is not there.
        files: Texts by relative path, written where no such file is yet.

    Raises:
        ServiceError: If git or DVC refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (files or {}).items():
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    _ignore(folder / ".gitignore")
    if not (folder / ".git").exists():
        _git(folder, "init", "--quiet", "--initial-branch=main")
    own = [] if (folder / ".dvc").exists() else _init_dvc(folder)
    if not _git(folder, "for-each-ref", "--count=1"):
        _git(folder, "add", "--", ".")
        _commit(folder, "Begin with the seed bank", ["."])
    elif own:
        _git(folder, "add", "--", *own)
        _commit(folder, "Keep bank, replay set and rounds in DVC", own)


def snapshot(folder: Path, round_id: str, paths: Sequence[str] = TRACKED) -> str:
    """Remember the workspace as it is after a round; again: no second commit.

    Args:
        folder: The workspace.
        round_id: Id of the round, for the tag `round/<id>`.
        paths: Files and folders to remember, relative; those missing are left out.

    Returns:
        The commit that the tag names.

    Raises:
        ServiceError: If the folder is no workspace, DVC is busy or git refuses.
    """
    folder = folder.resolve()
    present = [path for path in paths if (folder / path).exists()]
    with _dvc(folder, f"skillbank round --id {round_id}") as repo:
        repo.add([str(folder / path) for path in present])
        repo.push(targets=[f"{folder / path}.dvc" for path in present])
    pointers = [f"{path}.dvc" for path in present]
    _git(folder, "add", "--", *pointers)
    tag = f"round/{round_id}"
    if _git(folder, "status", "--porcelain", "--", *pointers):
        _commit(folder, f"Remember round {round_id}", pointers)
        _tag(folder, tag)
    elif not _git(folder, "tag", "--list", tag):
        _tag(folder, tag)  # it was killed between the commit and its tag
    return _git(folder, "rev-list", "-n1", tag)


def remembered(folder: Path) -> frozenset[str]:
    """The rounds that a snapshot remembers; none where there is no git yet."""
    if not (folder / ".git").exists():
        return frozenset()
    tags = _git(folder, "tag", "--list", "round/*").split()
    return frozenset(tag.removeprefix("round/") for tag in tags)


def restore(folder: Path, round_id: str, paths: Sequence[str] = TRACKED) -> None:
    """Bring bank, replay set and rounds back as they were after a round.

    What is there and not remembered in any snapshot is never overwritten.

    Args:
        folder: The workspace.
        round_id: A round that was remembered.
        paths: What to bring back, relative; those unknown to the snapshot are left.

    Raises:
        ServiceError: If there is no such snapshot, or work would be lost.
    """
    folder = folder.resolve()
    tag = f"round/{round_id}"
    if not _git(folder, "tag", "--list", tag):
        raise ServiceError(
            str(folder),
            seen=f"no snapshot of round {round_id!r}",
            expected=f"one of {_git(folder, 'tag', '--list', 'round/*').split()}",
            remedy="skillbank rounds",
        )
    wanted = [f"{path}.dvc" for path in paths]
    known = _git(folder, "ls-tree", "-r", "--name-only", tag, "--", *wanted)
    pointers = known.splitlines()
    before = {name: _bytes(folder / name) for name in pointers}
    _git(folder, "restore", f"--source={tag}", "--worktree", "--", *pointers)
    try:
        with _dvc(folder, f"skillbank restore {round_id}") as repo:
            repo.pull(targets=[str(folder / name) for name in pointers])
    except ServiceError:
        for name, content in before.items():
            if content is not None:
                (folder / name).write_bytes(content)
        raise


def code_hash(paths: Iterable[Path]) -> str:
    """SHA-256 over source files and folders of them: names and bytes, in order of name.

    Args:
        paths: Files and folders; a file is named relative to its argument's parent,
            so the hash does not depend on where the project lies.
    """
    files = {
        file.relative_to(path.parent).as_posix(): file
        for path in paths
        for file in ([path] if path.is_file() else path.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
    total = hashlib.sha256()
    for name in sorted(files):
        content = hashlib.sha256(files[name].read_bytes()).hexdigest()
        total.update(f"{content}  {name}\n".encode())
    return total.hexdigest()


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _ignore(path: Path) -> None:
    """Add what git must not see, unless it is there: else DVC writes files for it."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    missing = [line for line in IGNORED if line not in text.splitlines()]
    if missing:
        start = f"{text.rstrip()}\n" if text.strip() else ""
        path.write_text("\n".join([f"{start}{missing[0]}", *missing[1:], ""]), "utf-8")


def _init_dvc(folder: Path) -> list[str]:
    from dvc.config_schema import RelPath
    from dvc.repo import Repo

    with _told(folder, "skillbank init"):
        repo = Repo.init(str(folder))
        with repo.config.edit() as config:
            config["core"].update(
                analytics=False, check_update=False, autostage=True, remote="local"
            )
            # written relative to .dvc/, so that the workspace can be moved
            config["remote"]["local"] = {"url": RelPath(folder.resolve() / REMOTE)}
        repo.close()
    (folder / ".dvcignore").write_text("__pycache__/\n", encoding="utf-8")
    return [".dvc/config", ".dvc/.gitignore", ".dvcignore", ".gitignore"]


@contextlib.contextmanager
def _dvc(folder: Path, again: str) -> Iterator[Any]:
    from dvc.repo import Repo

    with _told(folder, again), Repo(str(folder)) as repo:
        yield repo


@contextlib.contextmanager
def _told(folder: Path, again: str) -> Iterator[None]:
    """Turn what DVC raises into an error that says what to do."""
    from dulwich.file import FileLocked
    from dvc.exceptions import DvcException, NotDvcRepoError
    from dvc.lock import LockError
    from scmrepo.exceptions import SCMError

    logging.getLogger("dvc").setLevel(logging.WARNING)  # no hints, no progress bars
    try:
        yield
    except LockError as error:
        raise ServiceError(
            str(folder),
            seen=f"DVC is busy: {error}",
            expected="no other DVC command at work here",
            remedy=f"wait until the other one has ended, then run `{again}`",
        ) from error
    except NotDvcRepoError as error:
        raise ServiceError(
            str(folder),
            seen=str(error),
            expected="a workspace with its own git and DVC",
            remedy="skillbank init FOLDER",
        ) from error
    except FileLocked as error:
        raise ServiceError(
            str(folder),
            seen=f"git is busy: {error.args[-1]!s} is there",
            expected="no other git command at work here",
            remedy="wait until the other one has ended (or, if there is none, delete "
            f"that file), then run `{again}`",
        ) from error
    except (DvcException, SCMError, OSError, sqlite3.Error) as error:
        raise ServiceError(
            str(folder),
            seen=f"{type(error).__name__}: {error}",
            expected="DVC to do its part",
            remedy=f"run `dvc status` there, mend what it names, then `{again}`",
        ) from error


def _tag(folder: Path, tag: str) -> None:
    _git(folder, "-c", "tag.gpgsign=false", "tag", "--force", tag)


def _commit(folder: Path, message: str, paths: Sequence[str]) -> None:
    """Commit these paths alone: what else is staged stays staged."""
    settings = ["commit.gpgsign=false"]
    settings += [
        f"{key}={value}"
        for key, value in _IDENTITY.items()
        if not _git(folder, "config", "--default", "", "--get", key)
    ]
    options = [part for setting in settings for part in ("-c", setting)]
    _git(folder, *options, "commit", "--quiet", "-m", message, "--", *paths)


def locked(folder: Path, lock: str) -> ServiceError:
    """That git is at work, or was killed at work: it leaves its lock behind then."""
    return ServiceError(
        str(folder),
        seen=f"git is busy: {lock} is there",
        expected="no other git command at work here",
        remedy="wait until the other one has ended, or delete that file if there is "
        "none (one that was killed leaves it), then run the command again",
    )


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-c", "core.hooksPath=/dev/null", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
    except FileNotFoundError as error:
        raise ServiceError(
            "git", seen="no such command", expected="git", remedy="install git"
        ) from error
    except subprocess.CalledProcessError as error:
        if lock := _LOCKED.search(error.stderr or ""):
            raise locked(folder, lock[1]) from error
        raise ServiceError(
            f"git {' '.join(arguments[:4])}",
            seen=(error.stderr or error.stdout).strip() or f"exit {error.returncode}",
            expected="git to do its part",
            remedy=f"mend what git names in {folder}, then run the command again",
        ) from error
    return done.stdout.strip()
