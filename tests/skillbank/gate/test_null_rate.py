"""How often the certified rule lets nothing in, as a round's own plans have it."""

import pytest

from skillbank.gate.intervals import Interval, wilson
from skillbank.gate.limits import Limits
from skillbank.gate.null_rate import certified_null
from skillbank.gate.plan import Case, Plan
from skillbank.params import Params

TIES = wilson(30, 100)


def plan(held_out: int = 16, proposals: int = 1) -> Plan:
    limits = Limits.of(
        Params().gate.certified, held_out=held_out, origin=4, proposals=proposals
    )
    cases = tuple(
        Case(id=f"c{n}", brief=f"b{n}", origin=n < 4, contexts=(f"c{n}/1",))
        for n in range(4 + held_out)
    )
    return Plan(proposal="p", mode="certified", cases=cases, limits=limits)


def test_it_lies_below_what_the_bar_of_the_evidence_allows():
    found = certified_null([plan()], TIES)

    assert found is not None
    assert 0 < found.low < found.estimate < found.high < 1 / 42 + 0.01


def test_it_is_the_same_each_time_and_the_mean_over_the_plans():
    scarce, ample = plan(6), plan(16)

    both = certified_null([scarce, ample, ample], TIES)

    ends = [certified_null([one], TIES) for one in (scarce, ample)]
    assert both == certified_null([scarce, ample, ample], TIES)
    assert both is not None
    low, high = sorted(one.estimate for one in ends if one)
    assert low <= both.estimate <= high


def test_more_proposals_of_a_round_ask_for_more_evidence():
    few, many = (
        certified_null([plan()], TIES),
        certified_null([plan(proposals=400)], TIES),
    )

    assert few is not None
    assert many is not None
    assert many.estimate < few.estimate


def test_nothing_is_said_where_nothing_was_certified():
    published = Plan(proposal="p", cases=())

    assert certified_null([], TIES) is None
    assert certified_null([published], TIES) is None
    assert certified_null([plan(5)], TIES) is None  # too few: nothing is replayed


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_judge_that_never_ties_or_always_does_is_no_error(share: float):
    found = certified_null([plan()], Interval(share, share, share))

    assert found is not None
    assert 0 <= found.low <= found.high <= 1
