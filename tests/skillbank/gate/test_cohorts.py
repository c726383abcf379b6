"""Fixed briefs by cohort: for the reader, with what chance alone would make of it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.codec import dump, load
from skillbank.gate.cohorts import CohortGain, PairedBrief, Trigger, by_cohort, holm
from skillbank.gate.intervals import sign_test_two_sided

SHARE = st.floats(0, 1, allow_nan=False)
BRIEFS = st.dictionaries(
    st.sampled_from("abcd"),
    st.lists(
        st.builds(PairedBrief, SHARE, SHARE, st.booleans(), st.booleans()), max_size=5
    ),
)


def compared(
    briefs: dict[str, list[PairedBrief]], seed: int = 1
) -> tuple[CohortGain, ...]:
    return by_cohort(briefs, confidence=0.95, seed=seed)


@given(BRIEFS)
def test_every_cohort_with_a_brief_is_told_by_name(
    briefs: dict[str, list[PairedBrief]],
):
    found = compared(briefs)

    assert [one.cohort for one in found] == sorted(
        n for n, some in briefs.items() if some
    )
    for one in found:
        mine = briefs[one.cohort]
        assert one.briefs == len(mine)
        assert one.current == sum(pair.current_met for pair in mine)
        assert one.wins + one.losses <= one.briefs
        assert one.p <= one.adjusted <= 1
        assert (one.low is None) == (one.briefs < 2)
        if one.low is not None and one.high is not None:
            assert one.low - 1e-9 <= one.mean <= one.high + 1e-9
        assert load(CohortGain, dump(one)) == one


def test_a_cohort_that_falls_while_the_other_rises_shows():
    briefs = {
        "rises": [PairedBrief(0.4, 0.6, False, True)] * 20,
        "falls": [PairedBrief(0.6, 0.4, True, False)] * 8,
    }

    falls, rises = compared(briefs)

    assert falls.mean == pytest.approx(-0.2)
    assert rises.mean == pytest.approx(0.2)
    assert falls.adjusted == float(sign_test_two_sided(0, 8)) < 0.01
    assert (falls.current, falls.candidate) == (8, 0)


def test_the_same_briefs_and_seed_give_the_same_interval():
    briefs = {"a": [PairedBrief(0.1 * n, 0.5, False, True) for n in range(8)]}

    assert compared(briefs) == compared(briefs)
    assert compared(briefs, seed=2)[0].low != compared(briefs)[0].low


@given(st.dictionaries(st.text(max_size=3), st.fractions(0, 1), max_size=6))
def test_holm_is_at_most_bonferroni_and_refuses_what_it_refuses(p: dict[str, Fraction]):
    adjusted = holm(p)

    assert adjusted.keys() == p.keys()
    for name, value in p.items():
        assert value <= adjusted[name] <= min(Fraction(1), len(p) * value)
    if p:
        least = min(p, key=lambda name: (p[name], name))
        assert adjusted[least] == min(Fraction(1), len(p) * p[least])


def test_a_skill_that_never_fires_has_no_precision():
    assert Trigger(fired=0, should=3, hit=0).precision is None
    assert Trigger(fired=0, should=3, hit=0).recall == 0
