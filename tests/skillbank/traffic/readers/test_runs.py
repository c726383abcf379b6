"""A dataset of runs is traffic again, whoever touched it in between."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from skillbank.briefs.brief import Brief
from skillbank.codec import dump
from skillbank.traffic.columns import batch_of
from skillbank.traffic.readers import Reader, mapped, recognise, runs
from skillbank.traffic.run import Misfit, Run, Spent, TracedStep

RUNS = tuple(
    Run(
        run_id=f"r{n}",
        brief=Brief(id=f"b{n}", text=f"write to <email:1a2b3c4d> {n}"),
        user="<user:0123456789abcdef>",
        steps=(TracedStep(subtask="", tool="Read", arguments={"a": "1"}, call="c"),),
        usage=Spent(turns=2, usd=0.5),
        score=0.5 if n else None,
        source="theirs.jsonl:1",
    )
    for n in range(3)
)


def dataset(path: Path, *texts: str | None) -> Path:
    """Three runs as ingest writes them, or with other texts in their place."""
    table = pa.Table.from_batches([batch_of(RUNS)])
    if texts:
        kept = table.slice(0, len(texts))
        place = kept.schema.get_field_index("json")
        table = kept.set_column(place, "json", pa.array(texts, pa.string()))
    pq.write_table(table, path, compression="zstd")
    return path


def test_what_was_written_is_read_as_it_was(tmp_path: Path):
    path = dataset(tmp_path / "part-0.parquet")

    found = list(runs.read(path))

    assert [one.source for one in found] == [f"part-0.parquet:{n}" for n in (1, 2, 3)]
    for one, run in zip(found, RUNS, strict=True):
        assert isinstance(one, Run)
        assert dump(one).replace(one.source, run.source) == dump(run)


def test_a_dataset_is_known_by_its_columns_and_no_other_table_is(tmp_path: Path):
    ours, other = dataset(tmp_path / "a"), tmp_path / "b"
    pq.write_table(pa.table({"json": ["{}"], "name": ["run_id"]}), other)

    assert recognise(ours)[0] == "runs"
    assert recognise(other)[0] == ""


def test_a_large_dataset_is_known_too(tmp_path: Path):
    many = [
        Run(run_id=f"r{n}", brief=Brief(id=f"b{n}", text=f"{n * 7919:x} " * 40))
        for n in range(4000)
    ]
    path = tmp_path / "large.parquet"
    pq.write_table(pa.Table.from_batches([batch_of(many)]), path)

    assert path.stat().st_size > 2**17
    assert recognise(path)[0] == "runs"


def test_a_mapping_of_columns_does_not_take_a_dataset_away(tmp_path: Path):
    path = dataset(tmp_path / "a")

    readers: dict[str, Reader] = {
        "runs": runs,
        "mapped": mapped.Mapped({"brief": "text"}),
    }

    assert recognise(path, readers)[0] == "runs"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{broken", "not JSON"),
        ('{"run_id": "x"}', "missing field"),
        ('{"run_id": "x", "brief": {"id": "b", "text": " "}}', "no text"),
        ("[]", "bad value"),
        (None, "bad value"),
    ],
)
def test_a_row_that_is_no_run_is_put_aside(
    tmp_path: Path, text: str | None, reason: str
):
    path = dataset(tmp_path / "a", dump(RUNS[0]), text)

    first, second = runs.read(path)

    assert isinstance(first, Run)
    assert isinstance(second, Misfit)
    assert (second.reason, second.source) == (reason, "a:2")


def test_a_file_that_was_cut_is_one_misfit(tmp_path: Path):
    path = dataset(tmp_path / "a")
    path.write_bytes(path.read_bytes()[:-20])

    (found,) = runs.read(path)

    assert isinstance(found, Misfit)
    assert found.reason == "unreadable"
