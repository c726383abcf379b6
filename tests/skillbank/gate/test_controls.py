from dataclasses import replace

import pytest

from skillbank.gate import (
    Place,
    Rule,
    Tally,
    Votes,
    choose_controls,
    control,
    n_controls,
    operating,
    tally,
)

PLACES = tuple(Place(f"c{i}", f"c{i}/0") for i in range(40))


@pytest.mark.parametrize(
    ("gate", "expected"), [(0, 12), (239, 12), (240, 12), (241, 13), (400, 20)]
)
def test_a_twentieth_of_the_gate_contexts_and_at_least_twelve(
    gate: int, expected: int
) -> None:
    assert n_controls(gate) == expected


def test_controls_are_drawn_by_seed_and_never_twice() -> None:
    drawn = choose_controls(PLACES, 12, seed=4)

    assert drawn == choose_controls(PLACES, 12, seed=4)
    assert drawn != choose_controls(PLACES, 12, seed=5)
    assert len(set(drawn)) == 12
    assert choose_controls(PLACES, 99, seed=4) == PLACES


def test_outcomes_are_tallied_and_rounds_pooled() -> None:
    one = tally(
        [
            Votes("candidate", "candidate"),
            Votes("current", "current"),
            Votes("candidate", "same"),
            Votes(void="judge: down"),
        ]
    )

    assert one == Tally(wins=1, ties=1, losses=1, voids=1, leaning=1)
    assert (one + one).valid == 6


def test_the_null_accept_rate_comes_with_an_interval() -> None:
    found = control(Tally(wins=37, ties=26, losses=37), Rule())

    assert found.harness_p == 1
    assert found.null_accept is not None
    assert found.null_accept.estimate == pytest.approx(operating(Rule(), 0.26))
    assert found.null_accept.low <= found.null_accept.estimate
    assert found.null_accept.estimate <= found.null_accept.high


def test_a_harness_that_favours_one_arm_is_seen() -> None:
    assert control(Tally(wins=30, losses=8, ties=10), Rule()).harness_p < 0.001


def test_no_valid_control_says_nothing() -> None:
    found = control(Tally(voids=12), Rule())

    assert found.null_accept is None
    assert found.tie_share is None
    assert found.tally.decided is None


def test_the_interval_covers_the_inner_maximum_of_the_rate() -> None:
    rule = replace(Rule(), cases=2, contexts=1)  # its worst no-op ties one in three

    found = control(Tally(wins=4, ties=3, losses=2), rule)

    assert found.null_accept is not None
    assert found.null_accept.high == pytest.approx(1 / 3, abs=1e-3)
