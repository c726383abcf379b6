"""A table of any shape becomes runs by a mapping of its columns."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillbank.errors import ParamsError
from skillbank.traffic.files import read
from skillbank.traffic.readers.mapped import Mapped
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives

COLUMNS = {
    "run_id": "id",
    "brief": "request.prompt",
    "user": "request.user",
    "session": "chat",
    "output": "answer",
    "started": "at",
    "score": "grade",
    "rating.toxicity": "tox",
    "skills": "used",
    "usd": "cost",
    "input_tokens": "tokens",
    "steps": "calls",
    "error": "failure",
}
ROW = {
    "id": "q1",
    "request": {"prompt": "Plan a trip", "user": "ann"},
    "chat": "c1",
    "answer": "Done.",
    "at": 1767603600,
    "grade": 0.5,
    "tox": 0.2,
    "used": ["kit:plan-trip@3", "maps"],
    "cost": 0.25,
    "tokens": 120,
    "calls": [{"tool": "search", "arguments": {"q": "trains"}, "result": "none"}],
    "failure": None,
    "else": "ignored",
}


def runs(path: Path) -> list[Run | Misfit]:
    return list(read(path, columns=COLUMNS))


def as_jsonl(folder: Path, *rows: object) -> Path:
    path = folder / "week.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("grade", "score"),
    [("True", 1.0), ("false", 0.0), ("0.5", 0.5), *((x, None) for x in ("", "NaN"))],
)
def test_a_truth_is_a_score_and_an_empty_cell_is_none(
    tmp_path: Path, grade: str, score: float | None
):
    path = tmp_path / "week.csv"
    path.write_text(f"task,passed\nPlan a trip,{grade}\n")

    (run,) = read(path, columns={"brief": "task", "score": "passed"})

    assert isinstance(run, Run)
    assert (run.score, run.provenance == "check") == (score, score is not None)


@pytest.mark.parametrize("grade", ["good", "1.5", [1]])
def test_a_score_that_cannot_be_read_is_named_and_not_lost(
    tmp_path: Path, grade: object
):
    (found,) = runs(as_jsonl(tmp_path, {**ROW, "grade": grade}))

    assert isinstance(found, Misfit)
    assert (found.reason, found.problem[:6]) == ("bad value", "score:")


def test_a_document_is_a_table_too(tmp_path: Path):
    one, several = tmp_path / "one.json", tmp_path / "several.json"
    one.write_text(json.dumps(ROW, indent=2))
    several.write_text(json.dumps([ROW, "no row", ROW], indent=2))

    found = runs(tmp_path)

    assert [value.source for value in found] == [
        "one.json",
        *(f"several.json#{number}" for number in (1, 2, 3)),
    ]
    assert [isinstance(value, Run) for value in found] == [True, True, False, True]


def test_a_row_of_json_is_read_by_its_columns(tmp_path: Path):
    (run,) = runs(as_jsonl(tmp_path, ROW))

    assert isinstance(run, Run)
    assert (run.run_id, run.brief.text, run.user, run.session) == (
        *("q1", "Plan a trip", "ann", "c1"),
    )
    assert (run.output, run.started, run.score) == (
        *("Done.", "2026-01-05T09:00:00Z", 0.5),
    )
    assert [(one.skill, one.version, one.how) for one in run.skills] == [
        ("plan-trip", "3", "applied"),
        ("maps", "", "applied"),
    ]
    assert [(one.skill, one.version) for one in run.recalls] == [
        ("plan-trip", 3),
        ("maps", 0),
    ]
    assert (run.usage.usd, run.usage.input_tokens, run.usage.output_tokens) == (
        *(0.25, 120, None),
    )
    assert [(one.name, one.value) for one in run.ratings] == [("toxicity", 0.2)]
    assert [(one.tool, one.arguments, one.result) for one in run.steps] == [
        ("search", {"q": "trains"}, "none")
    ]
    assert (run.ending, run.source) == ("ok", "week.jsonl:1")


def test_csv_and_parquet_of_the_same_rows_are_the_same_runs(tmp_path: Path):
    flat = {
        name: json.dumps(held) if isinstance(held, dict | list) else held
        for name, held in ROW.items()
    }
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    table = tmp_path / "a" / "week"
    pq.write_table(pa.Table.from_pylist([ROW]), table)
    text = tmp_path / "b" / "week"
    cells = ('"' + str(v or "").replace('"', '""') + '"' for v in flat.values())
    text.write_text(f"{','.join(flat)}\n{','.join(cells)}\n", encoding="utf-8")

    (from_json,) = runs(as_jsonl(tmp_path, ROW))
    (from_table,) = runs(table)
    (from_text,) = runs(text)

    def told(run: Run | Misfit) -> object:
        assert isinstance(run, Run)
        return {
            name: getattr(run, name)
            for name in run.__dataclass_fields__
            if name != "source"
        }

    assert told(from_table) == told(from_json) == told(from_text)


def test_a_row_without_a_brief_is_put_aside_and_the_rest_goes_on(tmp_path: Path):
    empty = {**ROW, "request": {"user": "ann"}}

    first, second = runs(as_jsonl(tmp_path, empty, ROW))

    assert isinstance(first, Misfit)
    assert (first.reason, first.source) == ("no text", "week.jsonl:1")
    assert isinstance(second, Run)


def test_a_score_out_of_range_is_put_aside_not_cut_to_fit(tmp_path: Path):
    (found,) = runs(as_jsonl(tmp_path, {**ROW, "grade": 4}))

    assert isinstance(found, Misfit)
    assert "score: 4; expected 0 to 1" in found.problem


def test_what_is_no_number_is_not_told(tmp_path: Path):
    odd = {**ROW, "cost": "n/a", "tokens": -3, "grade": "n/a", "at": "soon"}

    (run,) = runs(as_jsonl(tmp_path, odd))

    assert isinstance(run, Run)
    assert (run.usage.usd, run.usage.input_tokens, run.score, run.started) == (
        *(None, None, None, ""),
    )


def test_a_failure_that_is_told_makes_a_broken_run(tmp_path: Path):
    (run,) = runs(as_jsonl(tmp_path, {**ROW, "failure": "timed out\nat line 3"}))

    assert isinstance(run, Run)
    assert (run.ending, run.reason) == ("broken", "timed out")


def test_a_row_of_csv_with_too_few_values_is_put_aside(tmp_path: Path):
    path = tmp_path / "week.csv"
    path.write_text("id,request.prompt\nq1,One\nq2\nq3,Three\n", encoding="utf-8")

    kinds = [type(one).__name__ for one in runs(path)]

    assert kinds == ["Run", "Misfit", "Run"]


@pytest.mark.parametrize(
    ("columns", "word"),
    [({"brief": "q", "mood": "m"}, "'mood'"), ({"user": "u"}, "no column for `brief`")],
)
def test_a_mapping_that_makes_no_run_says_what_may_be_mapped(
    columns: dict[str, str], word: str
):
    with pytest.raises(ParamsError, match=r"ingest\.columns") as caught:
        Mapped(columns)

    assert word in caught.value.seen


@given(data=st.binary(max_size=400), head=st.sampled_from([b"", b"{", b"PAR1", b"id,"]))
@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_bytes_at_all_break_it(tmp_path: Path, data: bytes, head: bytes):
    path = tmp_path / "any"
    path.write_bytes(head + data)

    for one in Mapped(COLUMNS).read(path):
        assert isinstance(one, Run | Misfit)


def test_times_decimals_and_ids_of_parquet_count_like_those_of_json(tmp_path: Path):
    table = pa.table(
        {
            "id": [UUID(int=7).bytes],
            "request": [{"prompt": "Plan a trip"}],
            "at": [datetime(2026, 1, 5, 9, tzinfo=UTC)],
            "cost": [Decimal("0.25")],
            "grade": [Decimal("0.5")],
            "answer": [b"Done."],
        }
    )
    table = table.set_column(0, "id", table["id"].cast(pa.binary(16)).cast(pa.uuid()))
    path = tmp_path / "week"
    pq.write_table(table, path)

    (run,) = runs(path)

    assert isinstance(run, Run)
    assert (run.run_id, run.started) == (str(UUID(int=7)), "2026-01-05T09:00:00+00:00")
    assert (run.usage.usd, run.score, run.output) == (0.25, 0.5, "Done.")


@pytest.mark.parametrize(
    "odd",
    [
        pa.array([2**62, 10**15], pa.timestamp("us")),
        pa.Array.from_buffers(
            pa.string(),
            2,
            [
                None,
                pa.py_buffer(b"\0\0\0\0\2\0\0\0\3\0\0\0"),
                pa.py_buffer(b"\xff\xfea"),
            ],
        ),
    ],
    ids=["after the year 9999", "no text"],
)
def test_a_value_of_parquet_that_cannot_be_had_costs_its_row_alone(
    tmp_path: Path, odd: pa.Array
):
    path = tmp_path / "week"
    pq.write_table(pa.table({"request.prompt": ["Plan a trip"] * 2, "at": odd}), path)

    bad, good = runs(path)

    assert isinstance(bad, Misfit)
    assert (bad.reason, bad.source) == ("bad value", "week:1")
    assert isinstance(good, Run)


def test_a_quote_of_csv_that_is_never_closed_costs_its_own_line_alone(tmp_path: Path):
    path = tmp_path / "week"
    lines = ["id,request.prompt", 'q1,"two', 'lines"', 'q2,"open', "q3,a", "q4,b"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    found = runs(path)

    assert [one.source for one in found] == ["week:2", "week:4", "week:5", "week:6"]
    assert [one.run_id for one in found if isinstance(one, Run)] == ["q1", "q3", "q4"]


def test_a_quote_of_csv_left_open_on_every_line_takes_no_longer(tmp_path: Path):
    path = tmp_path / "week"
    path.write_text("id,request.prompt\n" + 'q,"open\n' * 50_000, encoding="utf-8")

    found = runs(path)

    assert len(found) == 50_000
    assert not any(isinstance(one, Run) for one in found)


def test_whatever_is_damaged_costs_no_more_than_its_row(tmp_path: Path):
    rows = [
        {"task": f"Card {n}", "reward": n % 2, "calls": [{"tool": "draw"}, {}]}
        for n in range(8)
    ]
    lines, whole, table = (tmp_path / f"a.{end}" for end in ("jsonl", "json", "csv"))
    lines.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    whole.write_text(json.dumps(rows))
    table.write_text("task,reward\r" + "".join(f"{n},1\r\n" for n in range(8)))
    columns = {"brief": "task", "score": "reward", "steps": "calls"}
    folder = tmp_path / "damaged"
    folder.mkdir()

    seen = assert_survives(
        "mapped", [lines, whole, table], folder, n=300, seed=1, columns=columns
    )

    assert seen["run"] > 300
    assert seen["not JSON"] + seen["bad value"] > 30
