import pickle
import re

import pytest

import skillbank.errors
from skillbank.errors import BudgetError, ModelError, SkillbankError

KINDS = [
    kind
    for kind in vars(skillbank.errors).values()
    if isinstance(kind, type) and issubclass(kind, SkillbankError)
]


def an_error(kind: type[SkillbankError], seen: str = "a band of 3") -> SkillbankError:
    return kind("gate.band", seen=seen, expected="below 1/2", remedy="set it to 0.1")


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_says_where_what_was_seen_what_was_expected_and_what_to_do(kind):
    assert str(an_error(kind)) == (
        "gate.band: a band of 3; expected below 1/2. To mend: set it to 0.1"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_crosses_process_borders_whole(kind):
    error = pickle.loads(pickle.dumps(an_error(kind)))

    assert type(error) is kind
    assert str(error) == str(an_error(kind))


def test_a_whole_file_pasted_into_an_error_is_cut_and_counted():
    told = str(an_error(SkillbankError, seen="x" * 5000))

    assert len(told) < 600
    assert "… (5000 characters)" in told


def test_a_spent_budget_is_a_failure_of_the_model_too():
    assert issubclass(BudgetError, ModelError)


def test_the_tree_in_the_docstring_is_the_tree():
    drawn = re.findall(r"── (\w+)", skillbank.errors.__doc__ or "")

    assert sorted(["SkillbankError", *drawn]) == sorted(k.__name__ for k in KINDS)
