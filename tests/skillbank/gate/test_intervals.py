from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skillbank.errors import GateError
from skillbank.gate.cohorts import Share, regressed_strata
from skillbank.gate.intervals import (
    Paired,
    bootstrap_mean,
    completeness_curve,
    mcnemar_mid_p,
    mid_p,
    newcombe_paired,
    pass_hat_k,
    sign_flip_p,
    sign_test,
    sign_test_two_sided,
    upper_bound,
    wilson,
)


def test_newcombes_own_example_comes_out() -> None:
    found = newcombe_paired(Paired(both=36, gained=12, lost=2, neither=0))

    assert found.estimate == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)


@given(*[st.integers(0, 60)] * 4)
def test_swapping_the_arms_mirrors_the_paired_interval(
    both: int, gained: int, lost: int, neither: int
) -> None:
    if not both + gained + lost + neither:
        return

    one = newcombe_paired(Paired(both, gained, lost, neither))
    other = newcombe_paired(Paired(both, lost, gained, neither))

    assert one.low <= one.estimate <= one.high
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-12)


@given(st.integers(0, 40), st.integers(0, 40))
def test_sign_tests_agree_with_scipy(wins: int, losses: int) -> None:
    if not wins + losses:
        assert sign_test(0, 0) == sign_test_two_sided(0, 0) == 1
        return
    one = stats.binomtest(wins, wins + losses, 0.5, alternative="greater").pvalue
    two = stats.binomtest(wins, wins + losses, 0.5).pvalue

    assert float(sign_test(wins, losses)) == pytest.approx(one)
    assert float(sign_test_two_sided(wins, losses)) == pytest.approx(two)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemars_mid_p_is_twice_the_one_sided_one(gained: int, lost: int) -> None:
    more, less = max(gained, lost), min(gained, lost)
    expected = 1.0 if not more else min(1.0, 2 * float(mid_p(more, less)))

    assert mcnemar_mid_p(gained, lost) <= 1
    if gained != lost:
        assert mcnemar_mid_p(gained, lost) == pytest.approx(expected)


def test_no_discordant_pair_is_no_finding() -> None:
    assert mcnemar_mid_p(0, 0) == 1


def test_a_bootstrap_interval_is_the_same_for_the_same_seed() -> None:
    values = np.random.default_rng(1).normal(0.1, 0.2, 80).tolist()

    one, two = (bootstrap_mean(values, seed=5) for _ in range(2))

    assert one == two
    assert one.low < one.estimate < one.high
    assert one.estimate == pytest.approx(np.mean(values))


def test_briefs_that_all_differ_alike_have_an_interval_of_no_width() -> None:
    found = bootstrap_mean([0.25] * 10, seed=1)

    assert found == (0.25, 0.25, 0.25)


@pytest.mark.parametrize("values", [[], [0.1], [0.1, float("nan")]])
def test_a_missing_score_is_an_error_not_a_zero(values: list[float]) -> None:
    with pytest.raises(GateError, match="missing"):
        bootstrap_mean(values, seed=1)


def test_a_missing_score_is_in_no_completeness_curve() -> None:
    with pytest.raises(GateError, match="missing"):
        completeness_curve([0.5, float("nan")], [0.3])


@given(st.lists(st.integers(-3, 3), max_size=8))
def test_the_sign_flip_p_is_a_share_of_flips(sums: list[int]) -> None:
    observed = sum(sums)
    flips = [
        sum(-v if bits >> i & 1 else v for i, v in enumerate(sums))
        for bits in range(2 ** len(sums))
    ]

    expected = Fraction(sum(total >= observed for total in flips), len(flips))

    assert sign_flip_p(sums) == expected


@pytest.mark.parametrize(("k", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_a_rate_over_nothing_is_an_error(k: int, n: int) -> None:
    for count in (wilson, upper_bound):
        with pytest.raises(GateError, match="at least one trial"):
            count(k, n)


def test_an_upper_bound_after_nothing_but_events_is_one() -> None:
    assert upper_bound(5, 5) == 1


@pytest.mark.parametrize("k", [0, 11])
def test_pass_k_needs_as_many_runs(k: int) -> None:
    with pytest.raises(GateError, match="pass"):
        pass_hat_k(8, 10, k)


def test_strata_that_were_not_measured_in_both_arms_are_an_error() -> None:
    with pytest.raises(GateError, match="same strata"):
        regressed_strata({"a": Share(1, 2)}, {"b": Share(1, 2)})
