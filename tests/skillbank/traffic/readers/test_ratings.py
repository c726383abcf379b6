"""Which way a score is good is known by name, or not at all."""

import pytest

from skillbank.traffic.readers.ratings import direction, only_score
from skillbank.traffic.run import Rating


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("toxicity", False),
        ("Hallucination", False),
        ("answer_relevance", True),
        ("TaskReward", True),
        ("correctness", True),
        ("non-toxic", None),
        ("error_free", None),
        ("tone", None),
        ("", None),
        ("correctness error", None),
    ],
)
def test_a_direction_is_told_only_by_a_name_that_cannot_be_mistaken(
    name: str, better: bool | None
) -> None:
    assert direction(name) is better


def rating(value: float | None, better: bool | None = True) -> Rating:
    return Rating(name="x", value=value, provenance="human", higher_is_better=better)


def test_one_rating_that_is_good_when_high_is_the_score() -> None:
    assert only_score([rating(0.5)]) == (0.5, "human")


@pytest.mark.parametrize(
    "ratings",
    [
        [],
        [rating(0.5), rating(0.5)],
        [rating(0.5, better=False)],
        [rating(0.5, better=None)],
        [rating(4.0)],
        [rating(None)],
    ],
)
def test_anything_else_is_no_score(ratings: list[Rating]) -> None:
    assert only_score(ratings) == (None, "none")
