"""A section of a SKILL.md's body gets more list items; every other line stays."""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt

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
        marks = [f"{n}. " if numbered else "- " for n in range(1, len(items) + 1)]
        while lines and not lines[-1].strip():
            lines.pop()
        head = ["", f"## {section}", ""]
        lines += [*head, *(m + text for m, text in zip(marks, items, strict=True))]
        return newline.join(lines) + newline
    start, end = found
    while end > start and not lines[end - 1].strip():
        end -= 1
    numbers = [int(n[1]) for line in lines[start:end] if (n := _NUMBERED.match(line))]
    first = numbers[-1] + 1 if numbers else 0
    marks = [f"{first + n}. " if numbers else "- " for n in range(len(items))]
    if end == start:
        lines.insert(end, "")
        end += 1
    lines[end:end] = [mark + text for mark, text in zip(marks, items, strict=True)]
    return newline.join(lines) + newline


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
