"""Builders for tests of the studio's mind: shelves, briefs and attempts."""

from functools import lru_cache
from pathlib import Path

from skillbank.agents.agent import Attempt, Context
from skillbank.briefs.brief import Brief, completeness
from skillbank.codec import seed_of
from skillbank.params import Params
from skillbank.skills.calls import parse_call
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Card, FixedShelf, Recalled, Shelf
from skillbank.skills.skill import Skill
from studio.briefs import Wanted, generate
from studio.cardtext import composed
from studio.world import Studio

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT / "data/bank/seed"
HAND = ROOT / "tests/fixtures/hand_bank"
NOTHING = FixedShelf()


@lru_cache(maxsize=1)
def studio() -> Studio:
    """The world with default parameters."""
    return Studio(Params())


@lru_cache(maxsize=4)
def cards(folder: Path) -> tuple[Card, ...]:
    """Every card of a folder, all equally successful."""
    return tuple(
        Card(skill=Skill.read(each), version=1) for each in sorted(folder.iterdir())
    )


def shelf(*held: Card) -> BankShelf:
    """A shelf with these cards."""
    return BankShelf(held, Params().recall)


def brief(number: int = 0, seed: int = 3) -> Brief:
    """A brief of traffic."""
    return generate(Wanted(source="traffic", id=f"t{number}"), seed)


def context(one: Brief, seed: int = 0) -> Context:
    """A context of a brief."""
    return studio().contexts(one, 1, seed)[0]


def attempt(one: Brief, skills: Shelf = NOTHING, seed: int = 0) -> Attempt:
    """The agent on a brief."""
    return studio().agent.attempt(one, context(one), skills, seed)


def forced(label: str, *calls: str) -> FixedShelf:
    """A shelf on which one subtask finds a card with these calls, and no other any."""
    skill = composed(label, f"Use for {label}.", [parse_call(c) for c in calls], [], [])
    found = Recalled(cards=(Card(skill=skill, version=1),), covered=True)
    return FixedShelf({label: found})


def mean_completeness(skills: Shelf, n: int, seed: int) -> float:
    """Mean completeness over `n` fresh briefs; a broken attempt counts as 0."""
    found = []
    for number in range(n):
        one = brief(number, seed)
        made = attempt(one, skills, seed_of(seed, number))
        checks = studio().verify(one, made.output) if made.ending == "ok" else None
        found.append(completeness(one, checks) if checks else 0.0)
    return sum(found) / n
