"""What a placebo says: the same in other words, or something else, as long."""

from pathlib import Path

import pytest

from skillbank.proposals.rewording import beside_the_point, reworded
from skillbank.skills.skill import Skill

SEED = sorted((Path(__file__).resolve().parents[3] / "data/bank/seed").iterdir())


def card(folder: Path) -> Skill:
    return Skill.parse((folder / "SKILL.md").read_text(), folder=folder.name)


@pytest.mark.parametrize("folder", SEED, ids=lambda folder: folder.name)
def test_a_reworded_card_tells_an_agent_the_very_same_calls(folder: Path):
    old = card(folder)

    new = reworded(old)

    assert new is not None
    assert new.normalised != old.normalised
    assert (new.calls, new.front) == (old.calls, old.front)
    assert len(new.steps) == len(old.steps)
    assert len(new.checks) == len(old.checks)
    for was, now in zip(old.steps, new.steps, strict=True):
        assert was != now


def test_words_in_code_are_never_touched():
    code = "```python\n- not an item\n```\n\n~~~\n1. nor this\n~~~\n"
    body = f"\n## Steps\n\n1. Call it.\n\n{code}"
    old = Skill.compose("card", "Use when a card is needed.", body)

    new = reworded(old)

    assert new is not None
    assert "1. Mind this: Call it." in new.body
    assert "\n- not an item\n" in new.body
    assert "\n1. nor this\n" in new.body


def test_a_card_without_items_cannot_be_reworded():
    assert (
        reworded(Skill.compose("card", "Use when needed.", "\nOnly prose.\n")) is None
    )


@pytest.mark.parametrize("folder", SEED, ids=lambda folder: folder.name)
def test_an_irrelevant_card_is_as_long_and_says_nothing_of_the_task(folder: Path):
    old = card(folder)

    new = beside_the_point(old)

    assert new.front == old.front
    assert new.calls == ()
    assert len(new.steps) >= 2
    assert new.checks
    assert len(new.text) == pytest.approx(len(old.text), abs=max(70, len(old.text) / 4))
