import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.errors import BudgetError, ModelError
from skillbank.models.budget import Budget


def test_a_spent_budget_names_the_parameter_that_raises_it():
    budget = Budget(1.0, spent_usd=0.9)

    with pytest.raises(ModelError) as caught:
        budget.reserve(0.2)

    assert caught.type is BudgetError
    assert caught.value.place == "params.yaml: models.max_usd"
    assert "0.1000 of 1.00 USD left" in caught.value.seen


def test_what_is_held_cannot_be_held_twice():
    budget = Budget(1.0)
    held = budget.reserve(0.6)

    with pytest.raises(BudgetError):
        budget.reserve(0.6)

    budget.settle(held, 0.1)
    assert budget.reserve(0.6) == 0.6
    assert budget.spent_usd == 0.1


def test_a_budget_of_nothing_allows_nothing_that_costs():
    with pytest.raises(BudgetError):
        Budget(0.0).reserve(1e-9)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=50))
def test_calls_that_cost_at_most_their_reservation_never_pass_the_limit(calls):
    budget = Budget(2.0)

    for most, share in calls:
        try:
            held = budget.reserve(most)
        except BudgetError:
            continue
        budget.settle(held, most * share)

    assert budget.spent_usd <= 2.0 + 1e-12
    assert budget.left_usd == pytest.approx(max(0.0, 2.0 - budget.spent_usd))


def test_a_call_that_was_in_flight_when_the_round_died_counts_at_its_most():
    booked: list[float] = []
    budget = Budget(1.0, book=booked.append)

    settled, _ = budget.reserve(0.5), budget.reserve(0.25)
    budget.settle(settled, 0.125)

    assert sum(booked) == 0.125 + 0.25
    assert Budget(1.0, spent_usd=sum(booked)).left_usd == 0.625


def test_a_reservation_that_cannot_be_remembered_is_not_held():
    def full(usd: float) -> None:
        raise OSError("no room left")

    budget = Budget(1.0, book=full)

    with pytest.raises(OSError, match="no room"):
        budget.reserve(0.5)

    assert budget.left_usd == 1.0
