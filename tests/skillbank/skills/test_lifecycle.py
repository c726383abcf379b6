"""What nobody needs is set aside; what is due is read; neither touches a text."""

from datetime import date

import pytest

from skillbank.errors import BankError
from skillbank.skills.bank import Bank, Change
from skillbank.skills.lifecycle import (
    RoundRecalls,
    reinstate,
    suspend_unused,
    suspended,
    to_review,
    unused,
)
from skillbank.skills.skill import Skill


def mint(name: str, **more) -> Change:
    return Change(
        kind="mint", skill=Skill.compose(name, f"Use when {name}", "x"), **more
    )


def bank(*names: str) -> Bank:
    return Bank().with_commits([mint(name) for name in names], "r0001")


def rounds(*recalled: str) -> list[RoundRecalls]:
    return [
        RoundRecalls(round=f"r{number:04d}", names=frozenset(names.split()))
        for number, names in enumerate(recalled, start=2)
    ]


def test_a_card_that_nobody_recalled_for_some_rounds_is_suspended():
    after = suspend_unused(bank("a", "b"), rounds("a", "a", "a"), after=3)

    assert after.names() == {"a"}
    entry = after.find("b", 1)
    assert entry is not None
    assert entry.status == "suspended"
    assert entry.reason == "nobody recalled it for 3 rounds"
    assert [e.name for e in suspended(after)] == ["b"]


def test_one_recall_within_the_rounds_is_enough_to_stay():
    assert unused(bank("a", "b"), rounds("a", "b", "a"), after=3) == ()
    assert [e.name for e in unused(bank("a", "b"), rounds("b", "a", "a"), after=2)] == [
        "b"
    ]


def test_a_card_that_is_too_young_is_spared():
    young = bank("a").with_commits([mint("b")], "r0003")

    assert unused(young, rounds("a", "a", "a"), after=3) == ()
    assert [e.name for e in unused(young, rounds("a", "a", "a", "a"), after=2)] == ["b"]


def test_with_too_few_rounds_on_record_nothing_is_unused():
    assert unused(bank("a"), rounds("", ""), after=3) == ()
    assert unused(bank("a"), [], after=1) == ()


def test_a_suspended_card_can_be_reinstated_and_nothing_else_can():
    after = suspend_unused(bank("a", "b"), rounds("a"), after=1)

    again = reinstate(after, "b", "asked for again")

    assert again.names() == {"a", "b"}
    assert again.card("b").version == 1
    with pytest.raises(BankError):
        reinstate(after, "a", "it is verified already")
    with pytest.raises(BankError):
        reinstate(after, "nobody", "x")


def test_a_card_is_listed_for_reading_from_its_review_date_on():
    made = Bank().with_commits(
        [
            mint("late", review_by="2026-01-31"),
            mint("later", review_by="2026-01-01"),
            mint("never"),
            mint("soon", review_by="2026-03-01"),
        ],
        "r0001",
    )

    assert [e.name for e in to_review(made, date(2026, 1, 31))] == ["later", "late"]
    assert to_review(made, date(2025, 12, 31)) == ()
