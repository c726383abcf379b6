"""A skill: a folder with a SKILL.md in the Agent Skills format, without loss.

The bytes are the skill; every field is read from them. Reading is lenient, because
files in the wild are: `problems` tells what is odd, and what cannot be read at all is
a `SkillError`. Knows nothing of banks: status, risk, author and trials are the host's.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from skillbank.codec import digest
from skillbank.errors import SkillError
from skillbank.skills import folder as folders
from skillbank.skills import frontmatter
from skillbank.skills.frontmatter import FrontMatter, Value
from skillbank.skills.outline import outline

NAME_LIMIT = 64
DESCRIPTION_LIMIT = 1024
SKILL_FILE = "SKILL.md"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
TOOL_KEYS = ("allowed-tools", "allowed_tools", "allowedTools", "tools")
_TOOL = re.compile(r"(?:[^\s,()]|\([^()]*\))+")
_NO_FILES: Mapping[str, bytes] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One SKILL.md and the files beside it. Made by `parse`, `read` or `compose`."""

    data: bytes = field(repr=False)
    """SKILL.md as it was read; UTF-8."""
    name: str
    description: str
    """When to use the skill: a trigger condition. Empty if the file has none."""
    license: str = ""
    compatibility: str = ""
    allowed_tools: tuple[str, ...] = ()
    """Under any spelling of the key that agents are known to honour."""
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    front: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)
    """Every key of the front matter with its text, untyped, in the file's order."""
    body: str = field(default="", repr=False)
    """All after the front matter, line ends as they are."""
    extra_files: Mapping[str, bytes] = field(
        default_factory=dict, hash=False, repr=False
    )
    """Every other file of the folder by its relative path with forward slashes."""
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """What was odd about the file; part of `problems`."""

    @staticmethod
    def parse(
        data: bytes | str,
        *,
        folder: str | None = None,
        files: Mapping[str, bytes] = _NO_FILES,
    ) -> "Skill":
        """Read a SKILL.md.

        Args:
            data: The file. Text is taken as it is, with its line ends.
            folder: Name of its folder, which the skill's name should equal.
            files: The other files of the folder by relative path.

        Raises:
            SkillError: If it is not UTF-8, has no front matter or an unclosed one, has
                no name at all, or a file's path leaves the folder.
        """
        place = f"{folder}/{SKILL_FILE}" if folder else SKILL_FILE
        if isinstance(data, str):
            try:
                data = data.encode("utf-8")
            except UnicodeEncodeError as error:
                raise _not_utf8(place, error) from error
        skill = _parsed(data, folder, place)
        if not files:
            return skill
        return replace(skill, extra_files=folders.checked(files, place))

    @staticmethod
    def read(folder: Path) -> "Skill":
        """Read a skill's folder: its SKILL.md, whatever its case, and all other files.

        Raises:
            SkillError: If there is no SKILL.md, it cannot be read, or anything in the
                folder is a symbolic link or no plain file.
        """
        files = folders.read(folder)
        names = [path for path in files if path.lower() == SKILL_FILE.lower()]
        if len(names) != 1:
            raise SkillError(
                folder.name,
                seen=f"{len(names)} files called {SKILL_FILE}",
                expected="one",
                remedy=f"keep one {SKILL_FILE} in the folder, or remove the folder",
            )
        data = files.pop(names[0])
        skill = Skill.parse(data, folder=folder.name, files=files)
        if names[0] == SKILL_FILE:
            return skill
        note = f"the file is called {names[0]}, not {SKILL_FILE}"
        return replace(skill, notes=(*skill.notes, note))

    @staticmethod
    def compose(name: str, description: str, body: str) -> "Skill":
        """A new skill of these three parts.

        Raises:
            SkillError: If the name is empty or a part is no text that UTF-8 can hold.
        """
        head = f"name: {frontmatter.scalar(name)}\n"
        head += f"description: {frontmatter.scalar(description)}\n"
        return Skill.parse(f"---\n{head}---\n{body}")

    @property
    def text(self) -> str:
        """The whole SKILL.md; its UTF-8 is `to_bytes()`."""
        return self.data.decode("utf-8")

    @property
    def steps(self) -> tuple[str, ...]:
        """List items of the section Steps."""
        return outline(self.body).steps

    @property
    def pitfalls(self) -> tuple[str, ...]:
        """List items of the section Pitfalls."""
        return outline(self.body).pitfalls

    @property
    def checks(self) -> tuple[str, ...]:
        """List items of the section Checks: how success is verified."""
        return outline(self.body).checks

    @property
    def calls(self) -> tuple[str, ...]:
        """Lines of the fenced `calls` blocks, one tool call each."""
        return outline(self.body).calls

    @property
    def digest(self) -> str:
        """SHA-256 over the bytes of all files, as 64 hexadecimal digits."""
        files = {
            path: hashlib.sha256(data).hexdigest()
            for path, data in self.extra_files.items()
        }
        return digest("skill", hashlib.sha256(self.data).hexdigest(), files)

    @property
    def normalised(self) -> str:
        """The text with blanks and Unicode forms made equal, to tell the same idea."""
        return " ".join(
            unicodedata.normalize("NFC", self.text).lstrip("\ufeff").split()
        )

    def to_bytes(self) -> bytes:
        """SKILL.md, byte for byte what was parsed."""
        return self.data

    def write(self, folder: Path) -> None:
        """Write SKILL.md and the other files into a folder, made if it is missing.

        Raises:
            SkillError: If something else is in the way.
        """
        folders.write(folder, {SKILL_FILE: self.data, **self.extra_files})

    def revise(
        self, description: str | None = None, body: str | None = None
    ) -> "Skill":
        """The skill with another description or body; every other byte is kept.

        Raises:
            SkillError: If the front matter is such that only the description cannot be
                changed, as with an alias.
        """
        text = self.text
        front = frontmatter.read(text, self.name)
        if body is not None and body != self.body:
            head = text[: front.body]
            if not head.endswith(("\n", "\r")):
                head += frontmatter.newline(text)
            text = head + body
        if description is not None and description != self.description:
            text = _described(text, front, description)
        if text == self.text:
            return self
        revised = Skill.parse(text, folder=self.name, files=self.extra_files)
        _same_but(self, revised, description, body)
        return revised


def name_problem(name: str) -> str:
    """Why the name breaks the rules; empty if it keeps them.

    Source: Agent Skills specification, field `name`.
    """
    if len(name) > NAME_LIMIT:
        return f"the name has {len(name)} characters, at most {NAME_LIMIT} are allowed"
    if not _NAME.fullmatch(name):
        return f"the name {name!r} is not lower-case letters, digits and single hyphens"
    return ""


def problems(skill: Skill, folder: str | None = None) -> tuple[str, ...]:
    """Every rule of the format that the skill breaks, one sentence each.

    Args:
        skill: The skill.
        folder: Name of its folder, if it was not given to `parse` already.
    """
    found = list(skill.notes)
    found.append(name_problem(skill.name))
    if folder is not None and folder != skill.name:
        found.append(_other_folder(skill.name, folder))
    length = len(skill.description)
    if not skill.description.strip():
        found.append("there is no description")
    if length > DESCRIPTION_LIMIT:
        limit = f"at most {DESCRIPTION_LIMIT} are allowed"
        found.append(f"the description has {length} characters, {limit}")
    if not skill.body.strip():
        found.append("the body is empty")
    return tuple(dict.fromkeys(text for text in found if text))


@lru_cache(maxsize=4096)
def _parsed(data: bytes, folder: str | None, place: str) -> Skill:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(place, error) from error
    if "\0" in text:
        raise SkillError(
            place,
            seen="a NUL character: this is no text file",
            expected="Markdown",
            remedy="restore the file, or remove the skill's folder",
        )
    front = frontmatter.read(text, place)
    values = front.values
    notes = list(front.notes)
    name = _text(values, "name", notes) or (folder or "")
    if not _text(values, "name", []):
        notes.append("there is no name: the folder's stands in")
    elif folder is not None and folder != name:
        notes.append(_other_folder(name, folder))
    if not name:
        raise SkillError(
            place,
            seen="no name",
            expected="`name:` in the front matter",
            remedy="write `name:` with the name of the skill's folder",
        )
    description = _text(values, "description", notes)
    return Skill(
        data=data,
        name=name,
        description=description,
        license=_text(values, "license", notes),
        compatibility=_text(values, "compatibility", notes),
        allowed_tools=_tools(values),
        metadata=_metadata(values, notes),
        front={key: value.text for key, value in values.items()},
        body=text[front.body :],
        notes=tuple(notes),
    )


def _text(values: Mapping[str, Value], key: str, notes: list[str]) -> str:
    value = values.get(key)
    if value is None:
        return ""
    if value.kind in ("list", "map"):
        notes.append(f"{key} is a {value.kind}, not a text")
    return value.text


def _tools(values: Mapping[str, Value]) -> tuple[str, ...]:
    found: list[str] = []
    for key in TOOL_KEYS:
        value = values.get(key)
        if value is None:
            continue
        if value.kind == "list":
            found.extend(item.strip() for item in value.items)
        elif value.kind == "map":
            found.extend(name for name, _ in value.pairs)
        else:
            found.extend(_TOOL.findall(value.text))
    return tuple(dict.fromkeys(tool for tool in found if tool))


def _metadata(values: Mapping[str, Value], notes: list[str]) -> dict[str, str]:
    value = values.get("metadata")
    if value is None or value.kind == "null":
        return {}
    if value.kind != "map":
        notes.append(f"metadata is a {value.kind}, not a map of texts")
    return dict(value.pairs)


def _described(text: str, front: FrontMatter, description: str) -> str:
    written = frontmatter.scalar(description)
    value = front.values.get("description")
    if value is None:
        line = f"description: {written}{frontmatter.newline(text)}"
        return text[: front.end] + line + text[front.end :]
    blank = "" if text[value.start - 1].isspace() else " "
    return text[: value.start] + blank + written + text[value.end :]


def _same_but(
    old: Skill, new: Skill, description: str | None, body: str | None
) -> None:
    """Refuse a textual change that changed more than it was meant to."""
    wanted = dict(old.front)
    if description is not None:
        wanted["description"] = description
    wanted_body = old.body if body is None else body
    if new.front != wanted or new.body != wanted_body:
        raise SkillError(
            f"{old.name}/{SKILL_FILE}",
            seen="front matter in which one value depends on another",
            expected="a description of its own",
            remedy="write the description as a plain text without anchors",
        )


def _other_folder(name: str, folder: str) -> str:
    return f"the name {name!r} differs from the folder {folder!r}"


def _not_utf8(place: str, error: UnicodeError) -> SkillError:
    return SkillError(
        place,
        seen=f"bytes that are not UTF-8 ({error})",
        expected="UTF-8 text",
        remedy="save the file as UTF-8",
    )
