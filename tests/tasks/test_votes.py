"""Files of votes that somebody else wrote: scored, or refused in words."""

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillbank.errors import GateError
from skillbank.gate import Verdict, certify_votes, score_votes
from skillbank.gate.score import COLUMNS
from tasks.votes import read_votes

ROWS = [
    {"case": f"c{case}", "context": f"c{case}/{n}", "order": order, "vote": "candidate"}
    for case in range(4)
    for n in range(3)
    for order in ("candidate_first", "current_first")
]
TRIED = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def stated(path: Path) -> Verdict | None:
    """The verdict of a file under both rules, or None if it was refused in words."""
    try:
        verdict = score_votes(read_votes(path))
        certified = certify_votes(read_votes(path))
    except GateError as error:
        said = str(error)
    else:
        assert certified.decision in ("commit", "refuse", "undecided")
        return verdict
    assert "; expected " in said
    assert "To mend: " in said
    assert len(said) < 2000
    return None


def as_json(path: Path, rows: Any) -> Path:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def as_csv(path: Path, rows: list[dict[str, str]]) -> Path:
    lines = [",".join(COLUMNS), *(",".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def as_parquet(path: Path, table: pa.Table) -> Path:
    pq.write_table(table, path)
    return path


def test_all_three_formats_say_the_same(tmp_path: Path) -> None:
    plain = pa.Table.from_pylist(ROWS)
    coded = pa.table({name: plain[name].dictionary_encode() for name in COLUMNS})
    paths = (
        as_json(tmp_path / "votes.json", ROWS),
        as_csv(tmp_path / "votes.csv", ROWS),
        as_parquet(tmp_path / "votes.parquet", pa.Table.from_pylist(ROWS)),
        as_parquet(tmp_path / "coded.parquet", coded),
    )

    found = [stated(path) for path in paths]

    assert found[0] is not None
    assert found[0].decision == "commit"
    assert all(one == found[0] for one in found)


def test_further_columns_are_left_alone(tmp_path: Path) -> None:
    wide = pa.Table.from_pylist(ROWS).append_column(
        "seen", pa.array([{"a": [1, None]}] * len(ROWS))
    )

    found = stated(as_parquet(tmp_path / "votes.parquet", wide))

    assert found is not None
    assert found.decision == "commit"


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(["candidate", "current", "same", "invalid", "candidate_first"]),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)


@TRIED
@given(
    st.lists(
        st.one_of(
            st.sampled_from(ROWS),
            st.fixed_dictionaries({}, optional=dict.fromkeys(COLUMNS, ODD)),
            ODD,
        ),
        max_size=12,
    )
)
def test_json_of_any_shape_is_scored_or_refused(tmp_path: Path, rows: Any) -> None:
    stated(as_json(tmp_path / "votes.json", rows))


@TRIED
@given(st.binary(max_size=300), st.sampled_from([".json", ".csv", ".parquet", ""]))
def test_bytes_of_any_kind_are_refused_or_scored(
    tmp_path: Path, content: bytes, suffix: str
) -> None:
    path = tmp_path / f"votes{suffix}"
    path.write_bytes(content)

    stated(path)


@TRIED
@given(
    st.lists(st.sampled_from([*COLUMNS, "note"]), max_size=6),
    st.lists(
        st.lists(st.sampled_from(["c1", "candidate", "current_first", "", '"', "é"])),
        max_size=6,
    ),
)
def test_a_csv_of_any_columns_is_refused_or_scored(
    tmp_path: Path, header: list[str], cells: list[list[str]]
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(map(",".join, [header, *cells])), encoding="utf-8")

    stated(path)


@TRIED
@given(
    st.sampled_from(COLUMNS),
    st.sampled_from(
        [
            pa.array([math.nan] * len(ROWS)),
            pa.array([None] * len(ROWS), pa.string()),
            pa.array([b"\xff"] * len(ROWS)),
            pa.array([[1]] * len(ROWS)),
            pa.array([2**62] * len(ROWS), pa.timestamp("us")),
            pa.array([1] * len(ROWS), pa.duration("s")),
            pa.array([True] * len(ROWS)),
        ]
    ),
)
def test_a_parquet_column_of_another_type_is_refused(
    tmp_path: Path, column: str, values: pa.Array
) -> None:
    table = pa.Table.from_pylist(ROWS)
    table = table.set_column(table.column_names.index(column), column, values)

    assert stated(as_parquet(tmp_path / "votes.parquet", table)) is None


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_and_a_doubled_column_are_named(tmp_path: Path, column: str) -> None:
    table = pa.Table.from_pylist(ROWS)
    lacking = as_parquet(tmp_path / "lacking.parquet", table.drop_columns(column))
    doubled = tmp_path / "doubled.csv"
    doubled.write_text(f"{','.join(COLUMNS)},{column}\na,b,c,d,e\n", encoding="utf-8")

    for path in (lacking, doubled):
        with pytest.raises(GateError, match=f"column '{column}'"):
            read_votes(path)


def test_rows_that_unpack_from_next_to_nothing_are_not_unpacked(tmp_path: Path) -> None:
    n = 2_000_000
    same = pa.DictionaryArray.from_arrays(pa.nulls(n, pa.int32()).fill_null(0), ["c"])
    path = as_parquet(
        tmp_path / "votes.parquet", pa.table(dict.fromkeys(COLUMNS, same))
    )

    assert path.stat().st_size < 100_000
    with pytest.raises(GateError, match="2000000 rows"):
        read_votes(path)


def test_a_file_larger_than_votes_can_be_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "votes.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)

    with pytest.raises(GateError, match="100000000 bytes"):
        read_votes(path)


def test_more_contexts_than_a_proposal_has_are_refused_at_once() -> None:
    many = [{**row, "context": f"{n}"} for n in range(9000) for row in ROWS[:2]]
    # a context more of one case makes every other case lack one
    lopsided = [
        {**row, "case": f"{max(0, n - 2000)}", "context": f"{n}"}
        for n in range(4000)
        for row in ROWS[:2]
    ]

    for rows in (many, lopsided):
        for rule in (score_votes, certify_votes):
            with pytest.raises(GateError, match="5000 contexts"):
                rule(rows)


@TRIED
@given(
    st.permutations(range(len(ROWS))),
    st.integers(0, len(ROWS) - 1),
    st.sampled_from(["drop", "double", "order", "vote", "case"]),
)
def test_one_broken_row_anywhere_is_refused(
    order: list[int], place: int, how: str
) -> None:
    rows = [dict(ROWS[i]) for i in order]
    broken = rows[place]
    match how:
        case "drop":
            del rows[place]
        case "double":
            rows.append(broken)
        case "case":
            broken["case"] = "another"
        case _:
            broken[how] = "neither"

    with pytest.raises(GateError, match="row"):
        score_votes(rows)
