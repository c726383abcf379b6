"""Two texts that should gain nothing: a card in other words, and one beside the point.

The first keeps front matter, code and headings byte for byte, so that an agent that
follows a card's calls is told the very same. The second keeps the front matter alone.
"""

import re
from itertools import cycle

from skillbank.skills.skill import Skill

_ITEM = re.compile(r"(?P<mark>\s*(?:\d+[.)]|[-*+])\s+)(?P<said>\S.*?)(?P<end>\s*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TURNED = (
    re.compile(r"(?P<main>[A-Z][a-z].*?) (?P<aside>with `[^`]+`)\."),
    re.compile(r"(?P<main>[A-Z][a-z].*?) (?P<aside>so that [^`.:]+)\."),
    re.compile(r"(?P<main>[A-Z][a-z].*?) (?P<aside>before [^`.:]+)\."),
)
"""An aside that may as well stand first."""
_FRAME = "Mind this: "
_BESIDE = (
    "Warm the water until it is as warm as a hand.",
    "Stir the flour in and wait for a quarter of an hour.",
    "Fold the dough four times and let it rest under a cloth.",
    "Shape the loaf and dust it with rye.",
    "Cut the crust once along its length.",
    "Bake it on a hot stone with a cup of steam.",
    "Turn it halfway and lower the heat a little.",
    "Let it cool on a rack before anybody slices it.",
)
"""Of another trade than any agent's that keeps a bank of skills about its own."""


def reworded(skill: Skill) -> Skill | None:
    """The card in other words: each list item turned round or framed, nothing else.

    Returns:
        None if there is no list item to reword.
    """
    lines, code = [], False
    for line in skill.body.splitlines(keepends=True):
        if _FENCE.match(line):
            code = not code
        lines.append(line if code else _in_other_words(line))
    body = "".join(lines)
    return None if body == skill.body else skill.revise(body=body)


def _in_other_words(line: str) -> str:
    item = _ITEM.fullmatch(line)
    if item is None:
        return line
    said = item["said"]
    for pattern in _TURNED:
        if turned := pattern.fullmatch(said):
            main, aside = turned["main"], turned["aside"]
            said = f"{aside[0].upper()}{aside[1:]}, {main[0].lower()}{main[1:]}."
            break
    else:
        said = _FRAME + said
    return f"{item['mark']}{said}{item['end']}"


def beside_the_point(skill: Skill) -> Skill:
    """A card of the same front matter and about the same length, about baking bread.

    It has steps and a check, as every card must, and no calls.
    """
    title = skill.name.replace("-", " ").capitalize()
    checks = "## Checks\n\n- The loaf sounds hollow when it is knocked on.\n"
    head = f"\n# {title}\n\n## Steps\n\n"
    left = len(skill.body) - len(head) - len(checks)
    steps: list[str] = []
    for text in cycle(_BESIDE):
        step = f"{len(steps) + 1}. {text}\n"
        left -= len(step)
        if left < 0 and len(steps) >= len(_BESIDE) // 2:
            break
        steps.append(step)
    return skill.revise(body=f"{head}{''.join(steps)}\n{checks}")
