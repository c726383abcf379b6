"""Drift is told from chance, and what nobody replays is counted."""

import pytest

from skillbank.evidence.drift import coverage, drift


def week(**counts: int) -> list[str]:
    return [f"{name} {n}" for name, times in counts.items() for n in range(times)]


def themed(*weeks: list[str]) -> dict[str, str]:
    return {text: text.split()[0] for texts in weeks for text in texts}


def test_the_same_shares_are_no_drift():
    one, other = week(a=40, b=40), week(a=41, b=39)

    found = drift(one, other, themed(one, other))

    assert found is not None
    assert found.distance < 0.02
    assert found.p > 0.5
    assert found.new == ()


def test_another_week_is_drift_and_says_what_is_new():
    one, other = week(a=60, b=40), week(a=30, b=40, c=30)

    found = drift(one, other, themed(one, other))

    assert found is not None
    assert found.distance > 3 * found.by_chance
    assert found.p == pytest.approx(0.001)
    assert [(need.theme, need.before, need.now) for need in found.new] == [("c", 0, 30)]
    assert found.new[0].example == "c 0"


def test_weeks_with_nothing_in_common_are_as_far_apart_as_can_be():
    one, other = week(a=10), week(b=10)

    found = drift(one, other, themed(one, other))

    assert found is not None
    assert found.distance == pytest.approx(1)


def test_chance_alone_seldom_looks_like_drift():
    import random

    rng = random.Random(3)
    alarms = 0
    for seed in range(100):
        both = week(a=60, b=40, c=20, d=10)
        rng.shuffle(both)
        one, other = both[:65], both[65:]
        found = drift(one, other, themed(both), seed=seed)
        alarms += found is not None and found.p <= 0.05
    assert alarms <= 12  # 5 expected; more than 12 happens once in 700 times


def test_an_empty_week_cannot_be_compared():
    assert drift([], week(a=1), {}) is None
    assert drift(week(a=1), [], {}) is None


def test_what_no_case_is_near_is_counted_by_cohort():
    found = coverage([0.9, 0.1, 0.2, 0.8], ["a", "a", "b", "b"], 0.5)

    assert [(one.cohort, one.runs, one.uncovered.estimate) for one in found] == [
        ("all", 4, 0.5),
        ("a", 2, 0.5),
        ("b", 2, 0.5),
    ]


def test_one_cohort_needs_no_total():
    (only,) = coverage([0.9], [""], 0.5)

    assert (only.cohort, only.uncovered.estimate) == ("", 0.0)
