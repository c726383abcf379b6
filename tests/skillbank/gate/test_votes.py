from typing import Any

import pytest

from skillbank.codec import dump, load
from skillbank.errors import GateError
from skillbank.gate import Votes


@pytest.mark.parametrize("other", ["candidate", "current", "same"])
def test_a_vote_beside_same_is_a_tie_that_is_counted_apart(other: Any) -> None:
    votes = Votes(other, "same")

    assert votes.outcome == "tie"
    assert votes.leaning == (other != "same")


def test_a_broken_candidate_loses_and_is_never_void() -> None:
    votes = Votes("invalid", "invalid", broken=frozenset({"candidate"}))

    assert votes.outcome == "loss"
    assert votes.cause is None


def test_a_broken_current_arm_loses_too_and_both_broken_tie() -> None:
    assert Votes(broken=frozenset({"current"})).outcome == "win"
    assert Votes(broken=frozenset({"current", "candidate"})).outcome == "tie"


def test_an_outage_voids_whatever_was_voted_or_broken() -> None:
    votes = Votes(
        "candidate", "candidate", broken=frozenset({"current"}), void="current: outage"
    )

    assert votes.outcome == "void"
    assert votes.cause == "current: outage"


def test_an_unreadable_answer_voids_and_is_never_half_a_vote() -> None:
    votes = Votes("candidate", "invalid")

    assert votes.outcome == "void"
    assert "readable" in str(votes.cause)


def test_a_lone_vote_decides_nothing() -> None:
    assert not Votes("candidate").complete
    with pytest.raises(GateError, match="a vote in each order"):
        _ = Votes("candidate").outcome


@pytest.mark.parametrize(
    "wrong",
    [
        {"first": "first", "second": "same"},
        {"first": float("nan")},
        {"first": 1},
        {"broken": frozenset({"baseline"})},
        {"forbidden": {"candidate": -1}},
        {"forbidden": {"candidate": 0.5}},
        {"forbidden": {"candidate": True}},
        {"forbidden": {"baseline": 0}},
        {"void": ""},
    ],
)
def test_what_is_no_vote_is_an_error_that_says_what_was_seen(wrong: Any) -> None:
    with pytest.raises(GateError) as caught:
        Votes(**wrong)

    assert caught.value.seen
    assert caught.value.remedy


def test_votes_survive_json() -> None:
    votes = Votes(
        "candidate",
        "same",
        frozenset({"current"}),
        {"candidate": 2},
        "judge: no answer",
    )

    assert load(Votes, dump(votes)) == votes
