"""Changes of a card's calls, and what the evidence says each of them is worth."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from skillbank.skills.calls import Call
from studio.mining import Feature, Mine

Numbered = tuple[str, Call]
"""A call with its tool name, numbered from the second use on."""

_FIXED = frozenset({"role", "text", "items", "data", "label", "other", "roles"})
"""Arguments that say what is drawn, not how."""
_MOST_VALUES = 24  # expressions weighed for one argument
_LEAST_SEEN = 2  # times that a value or call was tried under the label
_ADDS, _DROPS = "add", "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One argument changed, or one call added or dropped."""

    slot: tuple[str, str]
    """Numbered tool and argument; the argument is empty for a whole call."""
    new: str
    """The new expression; empty: the argument or call is dropped."""
    gain: float
    """What the evidence says it is worth, in shares of a brief's score."""
    lesson: str
    """One sentence for the card."""
    added: Call | None = None

    @property
    def key(self) -> tuple[tuple[str, str], str]:
        """Tells changes of equal gain apart."""
        return self.slot, self.new

    def apply(self, calls: Sequence[Numbered]) -> list[Numbered]:
        """The calls with this change made."""
        tool, argument = self.slot
        if self.added is not None:
            return [*calls, (tool, self.added)]
        if not argument:
            return [pair for pair in calls if pair[0] != tool]
        changed = []
        for name, call in calls:
            if name == tool:
                arguments = {**call.arguments, argument: self.new}
                kept = {key: text for key, text in arguments.items() if text}
                call = Call(tool=call.tool, arguments=kept)
            changed.append((name, call))
        return changed


def renumbered(calls: Sequence[Call]) -> list[Numbered]:
    """Each call with its numbered tool name."""
    seen: Counter[str] = Counter()
    named = []
    for call in calls:
        seen[call.tool] += 1
        count = seen[call.tool]
        named.append((call.tool if count == 1 else f"{call.tool}#{count}", call))
    return named


def changes(
    mine: Mine, label: str, calls: Sequence[Numbered], focus: Mapping[str, float]
) -> Iterator[Change]:
    """Every change that was ever tried somewhere, with its worth under the label."""
    for tool, call in calls:
        yield from _arguments(mine, label, (tool, call), focus)
    if len(calls) > 1:
        for tool, call in calls[1:]:
            worth = mine.worth(label, Feature(tool, "", ""), focus)
            yield Change(
                slot=(tool, ""),
                new="",
                gain=-worth,
                lesson=f"`{call.tool}` did more harm than good here; it is left out.",
            )
    yield from _additions(mine, label, calls, focus)


def _arguments(
    mine: Mine, label: str, pair: Numbered, focus: Mapping[str, float]
) -> Iterator[Change]:
    tool, call = pair
    names = dict.fromkeys((*call.arguments, *mine.arguments(call.tool)))
    for name in names:
        if name in _FIXED:
            continue
        old = call.arguments.get(name, "")
        base = mine.worth(label, Feature(tool, name, old), focus)
        values = mine.values(tool, name)[:_MOST_VALUES]
        for text in (*values, *([""] if mine.optional(tool, name) else [])):
            feature = Feature(tool, name, text)
            if text == old or mine.support(label, feature) < _LEAST_SEEN:
                continue
            gain = mine.worth(label, feature, focus) - base
            was = f"`{name}={old}`" if old else f"no `{name}`"
            now = f"`{name}={text}`" if text else f"no `{name}`"
            yield Change(
                slot=(tool, name),
                new=text,
                gain=gain,
                lesson=f"{now} met more checks of {label} than {was}.",
            )


def _additions(
    mine: Mine, label: str, calls: Sequence[Numbered], focus: Mapping[str, float]
) -> Iterator[Change]:
    present = {tool for tool, _ in calls}
    for tool, example in mine.calls_of(label):
        if tool in present:
            continue
        feature = Feature(tool, "", "")
        if mine.support(label, feature) < _LEAST_SEEN:
            continue
        added = improved(mine, label, [(tool, example)], None)[0][1]
        yield Change(
            slot=(tool, ""),
            new=str(added),
            gain=mine.worth(label, feature, focus),
            lesson=f"`{added.tool}` went with more checks of {label} being met.",
            added=added,
        )


def improved(
    mine: Mine, label: str, calls: Sequence[Numbered], rng: Random | None
) -> list[Numbered]:
    """The calls with the best known expression for every argument.

    Args:
        mine: What is known.
        label: Whose card it is to be.
        calls: Where to start from.
        rng: Weighs the evidence a little differently each time; None: as it is.
    """
    better = []
    for tool, call in calls:
        arguments = dict(call.arguments)
        for name, old in call.arguments.items():
            if name in _FIXED:
                continue
            best, most = old, mine.worth(label, Feature(tool, name, old), {})
            for text in mine.values(tool, name)[:_MOST_VALUES]:
                feature = Feature(tool, name, text)
                if not mine.support(label, feature):
                    continue
                worth = mine.worth(label, feature, {})
                if rng is not None:
                    worth *= math.exp(rng.gauss(0, 0.3))
                if worth > most + 1e-9:
                    best, most = text, worth
            arguments[name] = best
        better.append((tool, Call(tool=call.tool, arguments=arguments)))
    return better
