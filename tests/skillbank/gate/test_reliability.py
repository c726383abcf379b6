"""pass^k out of the gate's own attempts."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.agents.agent import Attempt, Ending
from skillbank.codec import dump, load
from skillbank.gate import Pair, Votes
from skillbank.gate.reliability import CasePasses, Reliability, reliability

AT = 0.6


def attempt(ending: Ending = "ok") -> Attempt:
    return Attempt(brief="b", context="c", seed=1, ending=ending)


def pair(
    case: str, current: float | None, candidate: float | None, **more: object
) -> Pair:
    values: dict[str, object] = {
        "proposal": "p",
        "case": case,
        "context": "x",
        "votes": Votes("candidate", "candidate"),
        "outcome": "win",
        "first_arm": "current",
        "current": attempt(),
        "candidate": attempt(),
        "current_score": current,
        "candidate_score": candidate,
    }
    return Pair(**(values | more))  # type: ignore[arg-type]


def of(passes: int, n: int, case: str = "a") -> list[Pair]:
    return [pair(case, 0.0, 1.0 if i < passes else 0.0) for i in range(n)]


def test_eight_of_ten_passes_are_seven_of_fifteen_at_three_and_not_their_cube():
    found = reliability(of(8, 10), success_at=AT, most=3)

    assert found.cases == (CasePasses(case="a", n=10, current=0, candidate=8),)
    assert found.pooled[2].candidate == Fraction(7, 15)


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.integers(1, 7))
def test_pass_to_the_k_is_the_share_of_draws_of_k_that_all_passed(
    passed: list[bool], k: int
):
    rows = [pair("a", 0.0, 1.0 if one else 0.0) for one in passed]

    found = {one.k: one for one in reliability(rows, success_at=AT, most=7).pooled}

    if k > len(passed):
        assert k not in found
    else:
        draws = list(combinations(passed, k))
        assert found[k].candidate == Fraction(sum(map(all, draws)), len(draws))
        assert found[k].current == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=5))
def test_it_never_rises_with_k_where_every_case_counts(cases: list[tuple[int, int]]):
    rows = [
        row for i, (c, more) in enumerate(cases) for row in of(c, c + more, f"case {i}")
    ]
    least = min((c + more for c, more in cases if c + more), default=0)

    found = reliability(rows, success_at=AT, most=9)

    values = [one.candidate for one in found.pooled if one.k <= least]
    assert values == sorted(values, reverse=True)
    assert load(Reliability, dump(found)) == found


def test_cases_count_alike_and_those_with_too_few_contexts_drop_out():
    rows = [*of(1, 1, "short"), *of(1, 4, "long")]

    first, second = reliability(rows, success_at=AT, most=2).pooled

    assert (first.cases, first.candidate) == (2, Fraction(5, 8))
    assert (second.cases, second.candidate) == (1, Fraction(0))


@pytest.mark.parametrize(
    "lost",
    [
        pair("a", None, 1.0),
        pair("a", 1.0, None),
        pair("a", 1.0, 1.0, outcome="void", votes=Votes(void="judge: down")),
    ],
)
def test_what_was_not_measured_in_both_arms_counts_nowhere(lost: Pair):
    assert reliability([lost], success_at=AT, most=3) == Reliability()


def test_a_broken_attempt_does_not_pass_whatever_the_bar():
    broken = replace(pair("a", 1.0, 0.0), candidate=attempt("broken"))

    (found,) = reliability([broken], success_at=0.0, most=1).pooled

    assert found.current == 1
    assert found.candidate == 0
