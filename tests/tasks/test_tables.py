from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from skillbank.errors import TableError
from skillbank.records import Measured
from skillbank.tables import MEASURED, RUNS, SUSPECTS
from tasks.tables import (
    Step,
    columns_of,
    each_of,
    read_table,
    stamp_of,
    table_path,
    write_table,
)


def row(brief: str, score: float | None = 0.5) -> Measured:
    return Measured(
        set="sealed",
        arm="none",
        brief=brief,
        attempt=f"a{brief}",
        score=score,
        completeness=score,
        success=False,
    )


def step(folder: Path, *inputs: Path, depends: Sequence[object] = ()) -> Step:
    return Step(round_dir=folder, inputs=inputs, depends=tuple(depends))


def test_a_table_gives_back_what_was_written_in_the_order_of_its_key(tmp_path: Path):
    path = tmp_path / "measured.parquet"

    write_table(path, MEASURED, [row("b"), row("a", None), row("c", 1.0)])

    assert read_table(path, MEASURED) == (row("a", None), row("b"), row("c", 1.0))


def test_the_order_of_writing_does_not_show_in_the_bytes(tmp_path: Path):
    rows = [row("b"), row("a"), row("c")]

    write_table(tmp_path / "one", MEASURED, rows)
    write_table(tmp_path / "two", MEASURED, rows[::-1])

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_table_without_rows_has_its_columns(tmp_path: Path):
    path = tmp_path / "suspects.parquet"

    write_table(path, SUSPECTS, [])

    assert read_table(path, SUSPECTS) == ()
    assert "dropped" in pq.read_schema(path).names


def test_a_value_out_of_range_is_refused_and_the_old_table_stays(tmp_path: Path):
    path = tmp_path / "measured.parquet"
    write_table(path, MEASURED, [row("a")])
    before = path.read_bytes()

    with pytest.raises(TableError, match=r"measured\.parquet: score: 1\.5"):
        write_table(path, MEASURED, [row("a", 1.5)])

    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["measured.parquet"]


def test_what_a_killed_writer_left_is_gone_after_the_next_write(tmp_path: Path):
    path = tmp_path / "measured.parquet"
    (tmp_path / ".measured.parquet.tmp").write_bytes(b"half a ta")

    write_table(path, MEASURED, [row("a")])

    assert [found.name for found in tmp_path.iterdir()] == ["measured.parquet"]


def test_a_missing_table_says_which_and_what_to_do(tmp_path: Path):
    with pytest.raises(TableError, match=r"runs\.parquet.*with its id"):
        read_table(table_path(tmp_path, RUNS), RUNS)


@pytest.mark.parametrize("data", [b"", b"PAR1 and no more", b"{}"])
def test_a_damaged_table_is_an_error_not_an_empty_one(tmp_path: Path, data: bytes):
    path = tmp_path / "measured.parquet"
    path.write_bytes(data)

    with pytest.raises(TableError, match=r"measured\.parquet"):
        read_table(path, MEASURED)
    assert stamp_of(path) is None


def test_a_table_of_another_kind_is_an_error(tmp_path: Path):
    path = tmp_path / "measured.parquet"
    pq.write_table(pa.table({"json": ['{"a": 1}']}), path)
    pq.write_table(pa.table({"other": [1]}), tmp_path / "other.parquet")

    with pytest.raises(TableError, match=r"measured\.parquet"):
        read_table(path, MEASURED)
    with pytest.raises(TableError, match=r"other\.parquet"):
        read_table(tmp_path / "other.parquet", MEASURED)


def test_some_rows_and_some_columns_are_read_without_the_others(tmp_path: Path):
    path = tmp_path / "measured.parquet"
    rows = [row(f"b{n:04}", n / 3000) for n in range(3000)]
    write_table(path, MEASURED, rows)

    some = list(each_of(path, MEASURED, ("brief", {"b0007", "b2999", "elsewhere"})))

    assert some == [rows[7], rows[2999]]
    told = columns_of(path, MEASURED, "score", "brief")
    assert told[:2] == [(0.0, "b0000"), (1 / 3000, "b0001")]
    assert len(told) == 3000
    with pytest.raises(TableError, match="no column 'colour'"):
        columns_of(path, MEASURED, "colour")


def test_a_table_that_is_written_says_how_many_rows_it_has(tmp_path: Path):
    made = step(tmp_path)

    assert made.write(MEASURED, lambda: [row("a"), row("b")]) == 2
    assert made.write(MEASURED, lambda: pytest.fail("it is there")) == 2


def test_a_file_that_is_written_again_is_hashed_again(tmp_path: Path):
    path = tmp_path / "input"
    path.write_text("one")
    before = step(tmp_path, path).stamp()

    path.write_text("two")

    assert step(tmp_path, path).stamp() != before


def test_a_step_that_is_done_is_not_done_again(tmp_path: Path):
    source = tmp_path / "source"
    source.write_text("1")
    made = []

    def make() -> list[Measured]:
        made.append(source.read_text())
        return [row("a")]

    first = step(tmp_path, source, depends=["p"]).table(MEASURED, make)
    again = step(tmp_path, source, depends=["p"]).table(MEASURED, make)

    assert first == again == (row("a"),)
    assert made == ["1"]


def test_a_step_is_done_again_when_its_input_or_its_parameters_change(tmp_path: Path):
    source = tmp_path / "source"
    source.write_text("1")
    made = []

    def table(*depends: object) -> None:
        def make() -> list[Measured]:
            made.append((source.read_text(), depends))
            return [row("a")]

        step(tmp_path, source, depends=depends).table(MEASURED, make)

    table("p")
    source.write_text("2")
    table("p")
    table("q")
    source.unlink()
    with pytest.raises(FileNotFoundError):
        table("q")

    assert made == [("1", ("p",)), ("2", ("p",)), ("2", ("q",))]


def test_where_files_lie_and_when_they_were_written_does_not_count(tmp_path: Path):
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "source").write_text("same")

    here, there = (
        step(tmp_path / place, tmp_path / place / "source")
        for place in ("here", "there")
    )

    assert here.stamp() == there.stamp()
    assert here.stamp() != step(tmp_path / "here", tmp_path / "gone").stamp()


def test_a_step_that_fails_leaves_no_table(tmp_path: Path):
    def make() -> list[Measured]:
        raise TableError("x", seen="a", expected="b", remedy="c")

    with pytest.raises(TableError):
        step(tmp_path).table(MEASURED, make)

    assert list(tmp_path.iterdir()) == []
