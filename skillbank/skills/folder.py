"""The files of a folder in and out: plain files only, and never outside the folder."""

import re
import stat
from collections.abc import Mapping
from pathlib import Path

from skillbank.errors import SkillError

_DRIVE = re.compile(r"[A-Za-z]:")
_LARGEST = 50_000_000  # bytes of one file: more is a data set, not part of a skill


def read(folder: Path) -> dict[str, bytes]:
    """Every file below the folder by relative path with forward slashes, sorted.

    Raises:
        SkillError: If the folder is missing, or it or anything in it is a symbolic
            link, a device or a pipe, or is too large.
    """
    if folder.is_symlink() or not folder.is_dir():
        seen = "a symbolic link" if folder.is_symlink() else "no such folder"
        raise _refused(folder.name, seen)
    files: dict[str, bytes] = {}
    open_folders = [folder]
    while open_folders:
        for entry in sorted(open_folders.pop().iterdir()):
            path = entry.relative_to(folder).as_posix()
            found = entry.lstat()
            if stat.S_ISDIR(found.st_mode):
                open_folders.append(entry)
            elif not stat.S_ISREG(found.st_mode):
                kind = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "no file"
                raise _refused(f"{folder.name}/{path}", kind)
            elif found.st_size > _LARGEST:
                raise _refused(f"{folder.name}/{path}", f"{found.st_size} bytes")
            else:
                files[path] = entry.read_bytes()
    return dict(sorted(files.items()))


def checked(files: Mapping[str, bytes], place: str) -> dict[str, bytes]:
    """The files, sorted by path, if every path stays inside its folder.

    Raises:
        SkillError: If a path is absolute, climbs, is not normal, or is SKILL.md itself.
    """
    for path in files:
        parts = path.split("/")
        bad = any(part in ("", ".", "..") for part in parts)
        if bad or "\\" in path or "\0" in path or _DRIVE.match(path):
            raise _refused(f"{place}: {path!r}", "a path that may leave the folder")
        if path.lower() == "skill.md":
            raise _refused(f"{place}: {path!r}", "a second SKILL.md")
    return dict(sorted(files.items()))


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files, whose paths have been checked, into the folder.

    Raises:
        SkillError: If a symbolic link or a folder stands where a file should go.
    """
    for path, data in files.items():
        target = folder / path
        for step in (target, *target.parents):
            if step == folder.parent:
                break
            if step.is_symlink():
                raise _refused(f"{folder.name}/{path}", "a symbolic link")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except (IsADirectoryError, NotADirectoryError, FileExistsError) as error:
            raise _refused(f"{folder.name}/{path}", "something in the way") from error


def _refused(place: str, seen: str) -> SkillError:
    return SkillError(
        place,
        seen=seen,
        expected="a folder of plain files",
        remedy="remove it, or put a plain file in its place",
    )
