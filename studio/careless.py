"""What a hurried writer does to a card: changes without looking at the evidence."""

import re
from collections.abc import Sequence
from random import Random

from skillbank.skills.calls import Call
from studio.cardtext import without_section
from studio.mining import Mine
from studio.plans import Numbered

_NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+(?![\w.])")
_FACTORS = (0.4, 0.6, 1.5, 1.8, 2.5)
_FIXED = frozenset({"role", "text", "items", "data", "label", "other", "roles"})


def careless(calls: Sequence[Numbered], mine: Mine, rng: Random) -> list[Numbered]:
    """The calls after one to three changes by guess; at least one call is left."""
    changed = list(calls)
    for _ in range(rng.choice((1, 2, 3))):
        place = rng.randrange(len(changed))
        tool, call = changed[place]
        if len(changed) > 1 and rng.random() < 0.15:
            del changed[place]
            continue
        names = [name for name in call.arguments if name not in _FIXED]
        if not names:
            continue
        name = rng.choice(names)
        text = _guessed(call.arguments[name], mine.values(tool, name), rng)
        arguments = {**call.arguments, name: text}
        changed[place] = (tool, Call(tool=call.tool, arguments=arguments))
    return changed


def _guessed(text: str, values: Sequence[str], rng: Random) -> str:
    if _NUMBER.search(text) and "'" not in text and rng.random() < 0.5:
        factor = rng.choice(_FACTORS)
        return _NUMBER.sub(
            lambda found: f"{float(found[0]) * factor:.3g}", text, count=1
        )
    others = [value for value in values if value != text]
    return rng.choice(others) if others else text


def spoiled(body: str, rng: Random) -> str:
    """A body whose form is broken as well: no checks, or a tool that nobody has."""
    if rng.random() < 0.5:
        return without_section(body, "Checks")
    return re.sub(r"\nplace_(\w+)\(", r"\ndraw_\1(", body, count=1)
