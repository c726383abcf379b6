"""The manifest of a bank version: what the host owns, and the hash of every file.

Bytes in, values out, and back; equal banks have equal bytes. Touches no disk.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from skillbank.codec import Json, digest
from skillbank.errors import SkillbankError
from skillbank.skills.bank import Bank, Entry, Risk, Status
from skillbank.skills.entry import CANDIDATES
from skillbank.skills.skill import SKILL_FILE, Skill

FILE = "manifest.json"
_FORMAT = 1
_FACTS = tuple(name for name in Entry.__dataclass_fields__ if name != "skill")


class Misfit(Exception):
    """Raised when files and manifest differ; the store says what to do about it."""

    def __init__(self, path: str, seen: str, expected: str) -> None:
        super().__init__(path, seen, expected)
        self.path = path
        self.seen = seen
        self.expected = expected


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    version: int
    status: Status
    author: str
    risk: Risk
    provenance: str
    round: str
    trials: int
    passes: int
    parent: int | None
    reason: str
    applies: dict[str, Any]
    review_by: str
    path: str
    files: dict[str, str]


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    format: int
    number: int
    parent: int | None
    round: str
    note: str
    digest: str
    seal: str
    entries: list[_Row]


def written(bank: Bank) -> tuple[bytes, dict[str, bytes]]:
    """The manifest's bytes, and every other file of the version by its path."""
    files: dict[str, bytes] = {}
    rows: list[Json] = []
    for entry in bank.entries:
        path = _path(entry)
        own = {SKILL_FILE: entry.skill.to_bytes(), **entry.skill.extra_files}
        files.update({f"{path}/{name}": data for name, data in own.items()})
        row = {key: getattr(entry, key) for key in _FACTS}
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in own.items()}
        rows.append({**row, "name": entry.name, "path": path, "files": hashes})
    head: dict[str, Json] = {
        "format": _FORMAT,
        "number": bank.number,
        "parent": bank.parent,
        "round": bank.round,
        "note": bank.note,
        "digest": bank.digest,
        "entries": rows,
    }
    head["seal"] = digest("manifest", head)
    options = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(head, option=options), files


def head(data: bytes) -> Mapping[str, Json]:
    """The manifest as a mapping that fits its schema.

    Raises:
        Misfit: If it is no such manifest.
    """
    try:
        found = _Manifest.model_validate_json(data).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        seen = f"{where}: {first['msg']}".strip(": ")
        raise Misfit(FILE, seen, f"a manifest of format {_FORMAT}") from error
    rest = {key: value for key, value in found.items() if key != "seal"}
    if digest("manifest", rest) != found["seal"]:
        raise Misfit(FILE, "a manifest that was edited", "it as it was written")
    return found


def same(head: Mapping[str, Json], bank: Bank) -> bool:
    """Whether the version holds this bank, of the same parent, round and note."""
    ours = (bank.parent, bank.round, bank.note)
    theirs = (head["parent"], head["round"], head["note"])
    return ours == theirs and bool(head["digest"] == bank.digest)


def bank(head: Mapping[str, Json], files: Mapping[str, bytes]) -> Bank:
    """The bank of a manifest and the files beside it.

    Raises:
        Misfit: If a file is missing, was changed, or is not the manifest's.
    """
    named: set[str] = set()
    entries: list[Entry] = []
    for row in head["entries"]:
        own = {name: _checked(row, name, files) for name in row["files"]}
        named.update(f"{row['path']}/{name}" for name in own)
        entries.append(_entry(row, own))
    strange = sorted(files.keys() - named)
    if strange:
        raise Misfit(strange[0], "a file that the manifest does not name", "no file")
    try:
        found = Bank(
            number=head["number"],
            parent=head["parent"],
            round=head["round"],
            note=head["note"],
            entries=tuple(entries),
        )
    except SkillbankError as error:
        raise Misfit(FILE, error.seen, error.expected) from error
    if found.digest != head["digest"]:
        seen = f"entries of digest {found.digest[:12]}"
        raise Misfit(FILE, seen, f"{head['digest'][:12]}, of the same release")
    return found


def _checked(row: Mapping[str, Json], name: str, files: Mapping[str, bytes]) -> bytes:
    path = f"{row['path']}/{name}"
    data = files.get(path)
    if data is None:
        raise Misfit(path, "no such file", f"SHA-256 {row['files'][name][:12]}")
    seen = hashlib.sha256(data).hexdigest()
    if seen != row["files"][name]:
        raise Misfit(path, f"SHA-256 {seen[:12]}", row["files"][name][:12])
    return data


def _entry(row: Mapping[str, Json], own: dict[str, bytes]) -> Entry:
    try:
        skill = Skill.parse(own.pop(SKILL_FILE, b""), folder=row["name"], files=own)
        return Entry(skill=skill, **{key: row[key] for key in _FACTS})
    except SkillbankError as error:
        raise Misfit(row["path"], error.seen, error.expected) from error


def _path(entry: Entry) -> str:
    if entry.status == "verified":
        return f"skills/{entry.name}"
    if entry.status in CANDIDATES:
        return f"archive/{entry.ref}.{entry.skill.digest[:12]}"
    return f"archive/{entry.ref}"
