"""A section of a SKILL.md's body gets more list items; every other line stays."""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt

_ITEM = re.compile(r"\s{0,3}(?:[-*+]|\d{1,6}[.)])\s")
_NUMBERED = re.compile(r"\s{0,3}(\d{1,6})[.)]\s")


def with_items(body: str, section: str, items: Sequence[str], *, numbered: bool) -> str:
    """A body with items at the end of a section, which is made if it is not there.

    Args:
        body: Markdown.
        section: Heading of the section; its case does not matter.
        items: One line each.
        numbered: How a new section is listed; one that is there goes on as it is.
    """
    if not items:
        return body
    newline = "\r\n" if "\r\n" in body else "\n"
    lines = body.splitlines()
    found = _section(body, section)
    if found is None:
        while lines and not lines[-1].strip():
            lines.pop()
        lines += ["", f"## {section}", "", *_marked(items, 1 if numbered else 0)]
        return newline.join(lines) + newline
    start, end = found
    items_at = [at for at in range(start, end) if _ITEM.match(lines[at])]
    if not items_at:
        lines[start:start] = ["", *_marked(items, 1 if numbered else 0)]
        return newline.join(lines) + newline
    last = items_at[-1]
    number = _NUMBERED.match(lines[last])
    after = last + 1  # what is indented goes on with the item
    while after < end and lines[after][:1].isspace() and lines[after].strip():
        after += 1
    lines[after:after] = _marked(items, int(number[1]) + 1 if number else 0)
    return newline.join(lines) + newline


def _marked(items: Sequence[str], first: int) -> list[str]:
    """The items as lines of a list, numbered from `first`; 0: not numbered."""
    return [
        f"{first + n}. {text}" if first else f"- {text}" for n, text in enumerate(items)
    ]


def _section(body: str, section: str) -> tuple[int, int] | None:
    """First line after a section's heading, and the line that ends it."""
    tokens = MarkdownIt("commonmark").disable(["inline", "text_join"]).parse(body)
    start, level = None, 0
    for place, token in enumerate(tokens):
        if token.type != "heading_open" or token.level or token.map is None:
            continue
        depth = int(token.tag[1:])
        if start is not None and depth <= level:
            return start, token.map[0]
        title = tokens[place + 1].content.strip().strip(":*_ ").lower()
        if start is None and title == section.lower():
            start, level = token.map[1], depth
    return None if start is None else (start, len(body.splitlines()))
