"""What models are told: one Markdown file a role, and the fence around other's words.

Everything that somebody else wrote (briefs, traces, cards) is material to judge and may
try to give orders. It reaches a model only inside a fence.
"""

from functools import cache
from importlib.resources import files

from skillbank.codec import digest

_LIMIT = 20_000  # characters of a fenced text: no brief is longer, some log may be


@cache
def prompt(name: str) -> str:
    """The system prompt of a role (judge, variants, revise, mint, labels)."""
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8").strip()


def fenced(label: str, text: str, limit: int = _LIMIT) -> str:
    """Put a text that others wrote between marks that it cannot forge.

    The mark is a hash of the text itself, so no text can hold the mark that closes it.

    Args:
        label: What it is, in our words.
        text: The material.
        limit: Longest text shown, in characters; what is cut off is said.
    """
    if len(text) > limit:
        text = f"{text[:limit]}\n[{len(text) - limit} more characters are not shown]"
    mark = f"data-{digest('fence', label, text)[:24]}"
    return f"{label}:\n<{mark}>\n{text}\n</{mark}>"
