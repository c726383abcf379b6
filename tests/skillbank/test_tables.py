import pytest

import skillbank.tables
from skillbank.records import Measured
from skillbank.skills.screen import Screening
from skillbank.tables import MEASURED, SCREENINGS, Table

TABLES = [one for one in vars(skillbank.tables).values() if isinstance(one, Table)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_rows_are_ordered_by_columns_that_the_table_has(table: Table[object]):
    columns = table.model.to_schema().columns

    assert set(table.key) <= columns.keys()
    assert "json" in columns
    assert set(table.paths) <= columns.keys()


def test_no_two_tables_have_the_same_name():
    names = [table.name for table in TABLES]

    assert len(set(names)) == len(names)


def test_columns_are_read_off_the_value():
    row = Measured(
        set="sealed",
        arm="none",
        brief="b1",
        attempt="a1",
        score=None,
        completeness=0.5,
        success=False,
    )

    assert MEASURED.columns(row) == {
        "set": "sealed",
        "arm": "none",
        "brief": "b1",
        "score": None,
        "completeness": 0.5,
        "success": False,
    }


def test_a_column_that_the_value_lacks_is_an_error():
    table = Table(
        name="odd",
        kind=Screening,
        model=SCREENINGS.model,
        key=("proposal",),
        paths={"passed": "passed.by.whom"},
    )

    with pytest.raises(AttributeError):
        table.columns(Screening(proposal="p", passed=True))
