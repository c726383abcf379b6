"""What the body of a SKILL.md says: its steps, pitfalls, checks and calls.

Markdown is read by a CommonMark parser, so that a heading inside a code block is not
taken for a section. Knows nothing of the front matter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_SECTIONS = ("steps", "pitfalls", "checks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The parts of a body that skillbank reads."""

    steps: tuple[str, ...] = ()
    """List items under the heading Steps; nested items belong to their parent."""
    pitfalls: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    """Lines of the fenced blocks whose info string is `calls`, without blank ones."""


@lru_cache(maxsize=4096)
def outline(body: str) -> Outline:
    """Read the sections Steps, Pitfalls and Checks and the fenced `calls` blocks."""
    # Inline markup is kept as written: what a step says is shown to agents as text.
    tokens = MarkdownIt("commonmark").disable(["inline", "text_join"]).parse(body)
    found: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    for name, part in _parts(tokens):
        found[name].extend(_items(part))
    return Outline(
        steps=tuple(found["steps"]),
        pitfalls=tuple(found["pitfalls"]),
        checks=tuple(found["checks"]),
        calls=tuple(_calls(tokens)),
    )


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[str, Sequence[Token]]]:
    """Each section with its tokens, up to the next heading of its level or above."""
    name, level, start = "", 0, 0
    for place, token in enumerate(tokens):
        if token.type != "heading_open" or token.level:
            continue
        depth = int(token.tag[1:])
        if name and depth > level:
            continue
        if name:
            yield name, tokens[start:place]
        title = tokens[place + 1].content.strip().strip(":*_ ").lower()
        name, level, start = (title if title in _SECTIONS else ""), depth, place + 3
    if name:
        yield name, tokens[start:]


def _items(tokens: Sequence[Token]) -> Iterator[str]:
    depth = 0
    texts: list[str] = []
    for token in tokens:
        if token.type == "list_item_open":
            depth += 1
        elif token.type == "list_item_close":
            depth -= 1
            if not depth:
                yield " ".join(" ".join(texts).split())
                texts = []
        elif token.type == "inline" and depth:
            texts.append(token.content)


def _calls(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "fence" and token.info.split()[:1] == ["calls"]:
            lines = (line.strip() for line in token.content.splitlines())
            yield from (line for line in lines if line and not line.startswith("#"))
