"""Where bank versions are kept: immutable numbered folders and the one in use.

    versions/0001/manifest.json                what the host knows, and every hash
    versions/0001/skills/<name>/SKILL.md       verified cards, a folder for any agent
    versions/0001/archive/<name>@<k>/SKILL.md  the rest, which no agent is given
    HEAD                                       one line, the number in use

A version appears whole or not at all: it is written beside its place and renamed.
Reading checks every byte against the manifest. Manifests hold no clock, host or path.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from skillbank.codec import Json
from skillbank.errors import BankError, SkillError
from skillbank.skills import folder as folders
from skillbank.skills import manifest
from skillbank.skills.bank import Bank, Change, Status
from skillbank.skills.skill import Skill, problems

_NUMBER = re.compile(r"\d{4,}")
_WRITING = ".writing"  # a version that is not whole yet; never read


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One version of a card as one bank version held it."""

    bank: int
    round: str
    version: int
    status: Status
    author: str
    trials: int
    passes: int
    reason: str
    provenance: str


class BankStore:
    """The bank versions below one folder; the only writer of that folder.

    Args:
        root: Folder of the bank; made at the first write.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._versions = root / "versions"

    def numbers(self) -> tuple[int, ...]:
        """Numbers of all whole versions, ascending."""
        if not self._versions.is_dir():
            return ()
        found = (path.name for path in self._versions.iterdir() if path.is_dir())
        return tuple(sorted(int(name) for name in found if _NUMBER.fullmatch(name)))

    @property
    def has_head(self) -> bool:
        """Some version was put in use."""
        return (self.root / "HEAD").exists()

    def head(self) -> int:
        """Number of the bank in use.

        Raises:
            BankError: If HEAD is missing, is no number, or names no version.
        """
        try:
            data = (self.root / "HEAD").read_bytes()
        except OSError as error:
            seen = "no such file"
            if not isinstance(error, FileNotFoundError):
                seen = error.strerror or type(error).__name__
            raise self._broken("HEAD", seen, "the number in use") from error
        line = data[:40].decode(errors="replace").strip()
        numbers = self.numbers()
        if not line.isdecimal() or int(line) not in numbers:
            raise self._broken("HEAD", repr(line), f"one of {_listed(numbers)}")
        return int(line)

    def folder(self, number: int) -> Path:
        """Folder of verified skills of a version, to be given to an agent."""
        return self._place(number) / "skills"

    def read(self, number: int) -> Bank:
        """The bank version of this number, checked byte for byte.

        Raises:
            BankError: If it is missing, or a file of it was changed, added or removed.
        """
        head = self._manifest(number)
        try:
            files = folders.read(self._place(number))
        except SkillError as error:
            place, seen, expected = error.place, error.seen, error.expected
            raise self._broken(place, seen, expected, number) from error
        files.pop(manifest.FILE, None)
        try:
            return manifest.bank(head, files)
        except manifest.Misfit as misfit:
            place = f"versions/{_name(number)}/{misfit.path}"
            raise self._broken(place, misfit.seen, misfit.expected, number) from misfit

    def current(self) -> Bank:
        """The bank in use.

        Raises:
            BankError: If there is none, or it is not sound.
        """
        return self.read(self.head())

    def write(self, bank: Bank) -> int:
        """Keep a bank as a new version and give its number; `HEAD` stays.

        A bank that was kept already, with the same parent, round and note, gets the
        number that it has: a round that is resumed ends in the same bytes.

        Raises:
            BankError: If its parent is no version of this store.
        """
        numbers = self.numbers()
        if bank.parent is not None and bank.parent not in numbers:
            seen = f"parent {bank.parent}"
            raise self._broken("bank", seen, f"one of {_listed(numbers)}")
        with self._alone():
            self._clean()
            numbers = self.numbers()
            for number in numbers:
                if self._holds(number, bank):
                    return number
            number = max(numbers, default=0) + 1
            self._keep(replace(bank, number=number))
        return number

    def set_head(self, number: int) -> None:
        """Put this version in use, by one atomic rename.

        Raises:
            BankError: If there is no such version.
        """
        numbers = self.numbers()
        if number not in numbers:
            raise self._broken("HEAD", str(number), f"one of {_listed(numbers)}")
        fresh = self.root / f"HEAD{_WRITING}"
        with self._alone():
            _put(fresh, f"{number}\n".encode())
            fresh.replace(self.root / "HEAD")
            _sync(self.root)

    def rollback(self, number: int) -> int:
        """Put the cards of an earlier version in use again, as a new version.

        The new version is one above the highest; its parent is the version that it
        restores, its note says which one was in use. Versions of cards that came later
        are kept, deprecated, so that no version of a card ever names two texts. If the
        same cards are in use already nothing happens.

        Args:
            number: The version to restore.

        Returns:
            The number now in use.

        Raises:
            BankError: If that version is missing or not sound.
        """
        bank = self.read(number)
        used = self._sound_head()
        # a lost or damaged head is what a rollback mends
        old = "unknown" if used is None else str(used.number)
        latest = used or self._latest_sound()
        restored = bank.with_later(latest.entries, f"rolled back from version {old}")
        if used is not None and used.digest == restored.digest:
            return used.number
        note = f"rolled back from version {old}"
        fresh = self.write(replace(restored, parent=number, round="", note=note))
        self.set_head(fresh)
        return fresh

    def _sound_head(self) -> Bank | None:
        try:
            return self.current()
        except BankError:
            return None

    def _latest_sound(self) -> Bank:
        """The highest version that can be read: it holds what all before it held."""
        for number in reversed(self.numbers()):
            try:
                return self.read(number)
            except BankError:
                continue
        return Bank()

    def history(self, name: str) -> tuple[Moment, ...]:
        """What became of a card, bank version by bank version, changes only.

        Raises:
            BankError: If no bank version ever held a card of this name.
        """
        moments: list[Moment] = []
        last: dict[tuple[int, str], Moment] = {}
        for number in self.numbers():
            head = self._manifest(number)
            for moment in _moments(head, name):
                key = (moment.version, moment.provenance)
                old = last.get(key)
                if old is None or replace(moment, bank=0) != replace(old, bank=0):
                    moments.append(moment)
                last[key] = moment
        if not moments:
            raise self._broken(name, "no such card", "a name that `bank list` shows")
        return tuple(moments)

    def seed(self, folder: Path, author: str) -> int:
        """Import the skills in a folder as version 1, verified by `author`, and use it.

        Raises:
            BankError: If the store holds something else already.
            SkillError: If a skill breaks the rules, or there is none.
        """
        bank = seed_bank(folder, author)
        numbers = self.numbers()
        if numbers and not self._holds(numbers[0], bank):
            raise self._broken("bank", f"{len(numbers)} versions", "an empty bank")
        number = self.write(bank)
        if not self.has_head:
            self.set_head(number)
        return number

    def _keep(self, bank: Bank) -> None:
        """Write beside the place, make it durable, then rename: whole or not at all."""
        fresh = self._versions / f"{_name(bank.number)}{_WRITING}"
        head, files = manifest.written(bank)
        (fresh / "skills").mkdir(parents=True)
        for path, data in files.items():
            target = fresh / path
            target.parent.mkdir(parents=True, exist_ok=True)
            _put(target, data)
        # The manifest is written last: without it a folder is no version.
        _put(fresh / manifest.FILE, head)
        for place in sorted({fresh, *(p for p in fresh.rglob("*") if p.is_dir())}):
            _sync(place)
        fresh.rename(self._place(bank.number))
        _sync(self._versions)

    def _clean(self) -> None:
        """Remove what a killed writer left; only the one who is alone may."""
        for path in self._versions.glob(f"*{_WRITING}"):
            shutil.rmtree(path)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the store's lock, which the system frees if the process is killed."""
        self._versions.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._versions, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _place(self, number: int) -> Path:
        return self._versions / _name(number)

    def _manifest(self, number: int) -> Mapping[str, Json]:
        place = f"versions/{_name(number)}/{manifest.FILE}"
        try:
            head = manifest.head((self._place(number) / manifest.FILE).read_bytes())
        except FileNotFoundError as error:
            known = f"one of {_listed(self.numbers())}"
            raise self._broken(place, "no such file", known, number) from error
        except manifest.Misfit as misfit:
            raise self._broken(place, misfit.seen, misfit.expected, number) from misfit
        if head["number"] != number:
            seen = f"the manifest of version {head['number']}"
            raise self._broken(place, seen, f"that of version {number}", number)
        return head

    def _holds(self, number: int, bank: Bank) -> bool:
        try:
            return manifest.same(self._manifest(number), bank)
        except BankError:  # a damaged version must not stop the one that replaces it
            return False

    def _broken(
        self, place: str, seen: str, expected: str, number: int | None = None
    ) -> BankError:
        others = [n for n in self.numbers() if n != number]
        earlier = [n for n in others if number is None or n < number]
        best = max(earlier or others, default=None)
        remedy = (
            f"skillbank bank rollback {best}" if best else "skillbank restore, or init"
        )
        return BankError(place, seen=seen, expected=expected, remedy=remedy)


def seed_bank(folder: Path, author: str) -> Bank:
    """The bank of a folder of skills, all verified by `author`, not written anywhere.

    Raises:
        SkillError: If a skill breaks the rules, or there is none.
    """
    changes = [
        Change(
            kind="mint",
            skill=skill,
            author=author,
            provenance="seed",
            reason=f"verified by {author}",
        )
        for skill in _ruly(folder)
    ]
    return replace(Bank().with_commits(changes, round=""), note="seed")


def _moments(head: Mapping[str, Json], name: str) -> Iterator[Moment]:
    for row in head["entries"]:
        if row["name"] == name:
            fields = {
                key: row[key] for key in Moment.__dataclass_fields__ if key != "bank"
            }
            yield Moment(bank=head["number"], **fields)


def _ruly(folder: Path) -> list[Skill]:
    skills: list[Skill] = []
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    for path in paths:
        if not path.is_dir():
            continue
        skill = Skill.read(path)
        found = problems(skill)
        if found:
            raise SkillError(
                f"{path.name}/SKILL.md",
                seen="; ".join(found),
                expected="a skill that keeps the rules of the format",
                remedy="mend the file, then seed the bank again",
            )
        skills.append(skill)
    if not skills:
        raise SkillError(
            folder.name,
            seen="no skills",
            expected="folders with a SKILL.md",
            remedy="name the folder that holds the seed skills",
        )
    return skills


def _name(number: int) -> str:
    return f"{number:04d}"


def _listed(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return "no version yet"
    return ", ".join(map(str, numbers[-8:]))


def _put(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
