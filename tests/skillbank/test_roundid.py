import pytest

from skillbank.errors import TableError
from skillbank.roundid import round_id, round_number


def test_round_ids_are_ordered_by_number_beyond_four_digits():
    assert round_id(1) == "r0001"
    assert round_number(round_id(10000)) > round_number("r9999")


@pytest.mark.parametrize("id", ["", "r1", "0001", "r0001x", "R0001"])
def test_what_is_no_round_id_is_an_error(id: str):
    with pytest.raises(TableError, match="r0001"):
        round_number(id)
