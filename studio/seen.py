"""What all verifiers share: the value they return, grading, and who is to blame."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from skillbank.briefs.brief import Outcome
from skillbank.codec import Json
from studio.canvas import Element
from studio.look import Look

Args = Mapping[str, Json]
"""Arguments of a requirement, complete and checked by `studio.verify`."""
ALL = "*"
"""The role that stands for every element of the content."""


class Seen(NamedTuple):
    """What a verifier says."""

    outcome: Outcome
    why: str
    """What it saw, in numbers."""
    subtasks: tuple[str, ...]
    """Whose work it saw; when not met, who may be blamed."""


class Missing(Exception):
    """Raised when there is no element of a role."""

    def __init__(self, role: str) -> None:
        super().__init__(role)
        self.role = role


def verdict(met: bool, partly: bool) -> Outcome:
    """The outcome of a demand that is met, nearly met, or neither."""
    return "met" if met else "partly" if partly else "not"


def at_least(seen: float, wanted: float, slack: float) -> Outcome:
    """Met from `wanted` on, partly from `slack * wanted` on; slack below 1."""
    return verdict(seen >= wanted - 1e-6, seen >= wanted * slack)


def at_most(seen: float, wanted: float, slack: float) -> Outcome:
    """Met up to `wanted`, partly up to `slack * wanted`; slack above 1."""
    return verdict(seen <= wanted + 1e-6, seen <= wanted * slack)


def by(*subtasks: str) -> tuple[str, ...]:
    """The subtasks, each once, in order, without the nameless."""
    return tuple(dict.fromkeys(name for name in subtasks if name))


def later(one: Element, other: Element) -> tuple[str, ...]:
    """The subtask of the element that was placed later: it met what was there."""
    return by(one.placer if one.placed >= other.placed else other.placer)


def pair(outcome: Outcome, one: Element, other: Element) -> tuple[str, ...]:
    """Whose work a demand on two elements saw; when not met, the later of the two."""
    return by(one.placer, other.placer) if outcome == "met" else later(one, other)


def parts_of(look: Look, role: str) -> list[Element]:
    """The element or parts of a role; at least one.

    Raises:
        Missing: If there is none.
    """
    parts = look.board.parts(role)
    if not parts:
        raise Missing(role)
    return parts


def texts_of(look: Look, role: str) -> list[Element]:
    """The parts of a role that are text; at least one.

    Raises:
        Missing: If there is none.
    """
    texts = [part for part in look.board.parts(role) if part.kind == "text"]
    if not texts:
        raise Missing(role)
    return texts


def each(
    look: Look,
    args: Args,
    check: Callable[[Look, Element], Seen],
    concerns: Callable[[Element], bool] = lambda part: True,
) -> Seen:
    """Check every part of a role, or of all content, and put the answers together.

    A role is as good as its worst part. All content is met if every element is,
    and partly if two thirds of them are.
    """
    role = args["role"]
    pool = look.content if role == ALL else parts_of(look, role)
    parts = [part for part in pool if concerns(part)]
    if not parts:
        raise Missing("content" if role == ALL else role)
    answers = [check(look, part) for part in parts]
    if len(answers) == 1:
        return answers[0]
    bad = [answer for answer in answers if answer.outcome != "met"]
    if not bad:
        subtasks = by(*(name for answer in answers for name in answer.subtasks))
        return Seen("met", f"all {len(answers)} parts: {answers[0].why}", subtasks)
    subtasks = by(*(name for answer in bad for name in answer.subtasks))
    why = f"{len(bad)} of {len(answers)} parts fail: {bad[0].why}"
    if role == ALL:
        return Seen(verdict(False, 3 * len(bad) <= len(answers)), why, subtasks)
    worst = "not" if any(answer.outcome == "not" for answer in bad) else "partly"
    return Seen(verdict(False, worst == "partly"), why, subtasks)
