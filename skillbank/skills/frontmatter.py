"""The YAML between the first two `---` lines: what it says and where it says it.

Every value keeps its place in the text, so that one of them can be replaced and all
other bytes stay. YAML itself is ruamel's job; scalars are kept as written, so that
`1.10` stays 1.10 and `yes` stays yes. Text that is not YAML is read key by key, as
lenient agents do.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from skillbank.errors import SkillError

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_KEY = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:(?=[ \t\r\n]|\Z)")
_PREAMBLE = 20  # lines before the first fence; later ones belong to a body
# What ruamel lets slip on odd input, such as a directive `%YAML 9.9` or deep nesting.
_CRASHES = (LookupError, AttributeError, TypeError, AssertionError, RecursionError)
_INDICATORS = tuple("'\"|>&*!%@`#[{?-")
# What some reader takes for a number, a date or a boolean.
_TYPED = re.compile(
    r"[\d.+=<~-]|(?:yes|no|on|off|true|false|y|n|null)\Z", re.IGNORECASE
)
_DEEPEST = 50  # levels of maps and lists
_BRACKETS = 1000  # reading nested brackets takes time that grows with their square
_NULLS = ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value of the front matter, with its place in the text."""

    kind: Literal["text", "list", "map", "null"]
    text: str
    """A scalar's text as YAML reads it, untyped; for lists and maps their source."""
    start: int
    """Index of its first character in the whole text of the file."""
    end: int
    items: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """Where the front matter is, what it says, and what is odd about it."""

    start: int
    """Index of the first character after the first fence line."""
    end: int
    """Index of the closing fence line."""
    body: int
    """Index of the first character after the closing fence line."""
    values: Mapping[str, Value]
    """Value by key, in the order of the file; of a repeated key the last."""
    notes: tuple[str, ...]


def read(text: str, place: str) -> FrontMatter:
    """Find and read the front matter of a file's text.

    Args:
        text: The whole file, byte order mark and line ends included.
        place: What an error names.

    Raises:
        SkillError: If there is no front matter, it does not end, or holds no keys.
    """
    start, end, body, notes = _fences(text, place)
    problem = ""
    try:
        values, repeated = _values(text[start:end], start)
    except (YAMLError, ValueError) as error:
        problem = " ".join(str(getattr(error, "problem", None) or error).split())[:200]
        values, repeated = _recovered(text[start:end], start)
        notes.append(f"the front matter is no YAML ({problem}): read key by key")
    if not values:
        raise SkillError(
            place,
            seen=f"front matter without keys ({problem or 'empty'})",
            expected="`name:` and `description:` between two lines `---`",
            remedy="write the two keys, one a line",
        )
    notes.extend(f"the key {key!r} is there twice: the last counts" for key in repeated)
    return FrontMatter(
        start=start, end=end, body=body, values=values, notes=tuple(notes)
    )


def scalar(text: str) -> str:
    """Write a text as one line of YAML: plain where that is safe, else quoted."""
    if _is_plain(text):
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _is_plain(text: str) -> bool:
    """Whether every YAML reader takes the bare text for this very text."""
    if _TYPED.match(text) or not text.isprintable() or text[:1] in _INDICATORS:
        return False
    try:
        values, _ = _values(f"k: {text}\n", 0)
    except (YAMLError, ValueError):
        return False
    value = values.get("k")
    return value is not None and value.kind == "text" and value.text == text


def newline(text: str) -> str:
    """The line end that the text uses first, or a line feed."""
    found = re.search(r"\r\n|\r|\n", text)
    return found.group() if found else "\n"


def _fences(text: str, place: str) -> tuple[int, int, int, list[str]]:
    notes: list[str] = []
    begin = 0
    if text.startswith("\ufeff"):
        begin = 1
        notes.append("the file starts with a byte order mark")
    lines = _LINE.finditer(text, begin)
    for count, line in enumerate(lines):
        words = line.group().strip()
        if _is_fence(line.group()):
            break
        comment = words.startswith("<!--") and words.endswith("-->")
        known = not words or comment or words.startswith("```")
        if count >= _PREAMBLE or not known or line.end() == len(text):
            first = f"no front matter; the first line is {words[:60]!r}"
            raise SkillError(
                place,
                seen=first if words else "an empty file",
                expected="a first line `---`, then `name:` and `description:`",
                remedy="put the front matter at the top of the file",
            )
        notes.append("something stands before the first `---`")
    start = line.end()
    for line in lines:
        if _is_fence(line.group()):
            return start, line.start(), line.end(), sorted(set(notes))
    raise SkillError(
        place,
        seen="front matter that does not end",
        expected="a second line `---` after the keys",
        remedy="close the front matter with a line `---`",
    )


def _is_fence(line: str) -> bool:
    return line.startswith("---") and not line[3:].strip(" \t\r\n")


def _values(source: str, offset: int) -> tuple[dict[str, Value], list[str]]:
    """Values by key and the repeated keys.

    Raises:
        YAMLError: If the source is not YAML.
        ValueError: If it is YAML but no mapping.
    """
    node = _composed(source)
    if node is None:
        return {}, []
    if not isinstance(node, MappingNode):
        raise ValueError("not a mapping")
    values: dict[str, Value] = {}
    repeated: list[str] = []
    for key, value in node.value:
        if isinstance(key, ScalarNode):
            if key.value in values:
                repeated.append(key.value)
            found = _value(value, source, offset)
            if found.start == found.end:  # nothing written: its place is the colon's
                colon = offset + source.index(":", key.end_mark.index) + 1
                found = replace(found, start=colon, end=colon)
            values[key.value] = found
    return values, repeated


def _composed(source: str) -> Node | None:
    if source.count("[") + source.count("{") > _BRACKETS:
        raise YAMLError(f"more than {_BRACKETS} brackets")
    yaml = YAML(typ="base", pure=True, plug_ins=[])
    yaml.composer.warn_double_anchors = False
    yaml.max_depth = _DEEPEST
    try:
        node: Node | None = yaml.compose(source)
    except _CRASHES as error:
        raise YAMLError(f"{type(error).__name__} while reading YAML") from error
    return node


def _value(node: Node, source: str, offset: int) -> Value:
    written = _written(node, source)
    start = offset + node.start_mark.index
    end = start + len(written)
    if isinstance(node, SequenceNode):
        items = tuple(_text(item, source) for item in node.value)
        return Value(kind="list", text=written, start=start, end=end, items=items)
    if isinstance(node, MappingNode):
        pairs = tuple((_text(k, source), _text(v, source)) for k, v in node.value)
        return Value(kind="map", text=written, start=start, end=end, pairs=pairs)
    if not isinstance(node, ScalarNode):
        raise ValueError(f"{type(node).__name__} is no value")
    if node.style is None and node.value in _NULLS:
        return Value(kind="null", text="", start=start, end=end)
    return Value(kind="text", text=str(node.value), start=start, end=end)


def _written(node: Node, source: str) -> str:
    # A block scalar ends after its last line break, which belongs to the file.
    written = source[node.start_mark.index : node.end_mark.index]
    return written.rstrip(" \t\r\n")


def _text(node: Node, source: str) -> str:
    if isinstance(node, ScalarNode):
        return str(node.value)
    return _written(node, source)


def _recovered(source: str, offset: int) -> tuple[dict[str, Value], list[str]]:
    values: dict[str, Value] = {}
    repeated: list[str] = []
    for key, begin, start, end in _chunks(source):
        try:
            alone, _ = _values(source[begin:end], offset + begin)
            value = alone[key]
        except (YAMLError, ValueError, KeyError):
            value = _raw(source[start:end], offset + start)
        if key in values:
            repeated.append(key)
        values[key] = value
    return values, repeated


def _chunks(source: str) -> Iterator[tuple[str, int, int, int]]:
    """Each key at the left margin: name, its start, its value's start, its end."""
    open_key: tuple[str, int, int] | None = None
    for line in _LINE.finditer(source):
        if line.group()[:1] in ("", " ", "\t", "-", "\r", "\n"):
            continue  # it goes on
        if open_key:
            yield *open_key, line.start()
        found = _KEY.match(source, line.start(), line.end())
        open_key = (found.group(1), found.start(), found.end()) if found else None
    if open_key:
        yield *open_key, len(source)


def _raw(written: str, offset: int) -> Value:
    lines = written.strip(" \t\r\n").splitlines()
    start = offset + len(written) - len(written.lstrip(" \t\r\n"))
    end = offset + len(written.rstrip(" \t\r\n"))
    if lines and re.fullmatch(r"[|>][-+0-9]*", lines[0].strip()):
        lines = lines[1:]
    text = " ".join(" ".join(lines).split())
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    kind: Literal["text", "null"] = "text" if text else "null"
    return Value(kind=kind, text=text, start=min(start, end), end=end)


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    if character == "\n":
        return "\\n"
    if character == "\t" or code < 0x20 or 0x7F <= code < 0xA0:
        return f"\\x{code:02x}"
    if code in (0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF):
        return f"\\u{code:04x}"
    return character
