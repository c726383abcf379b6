"""A round that would not fit into memory is refused before it begins."""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from skillbank.errors import TrafficError
from tasks.room import HELD, _of_container, check_room


def test_traffic_that_does_not_fit_is_refused_with_the_size_of_parts_that_do(
    tmp_path: Path,
):
    week = tmp_path / "week.jsonl"
    week.write_bytes(b"x" * 3_000_000)

    with pytest.raises(TrafficError) as refused:
        check_room([week], free=HELD * 2_000_000)

    assert "3 MB" in refused.value.seen
    assert "at most 2 MB" in refused.value.remedy
    check_room([week], free=HELD * 3_000_000)


def test_what_is_packed_counts_as_what_it_holds_whatever_its_name(tmp_path: Path):
    dataset, packed = tmp_path / "a", tmp_path / "week.jsonl"
    pq.write_table(pa.table({"text": ["same " * 1000] * 2000}), dataset)
    packed.write_bytes(gzip.compress(b"x" * 1_000_000))

    assert dataset.stat().st_size < 100_000
    for path in (packed, dataset):
        with pytest.raises(TrafficError):
            check_room([path], free=path.stat().st_size * HELD)


def test_what_cannot_be_looked_at_is_left_to_the_reader(tmp_path: Path):
    broken, week = tmp_path / "b.parquet", tmp_path / "week.jsonl"
    broken.write_bytes(b"PAR1, but no Parquet")
    week.write_bytes(b"x" * 3_000_000)

    with pytest.raises(TrafficError) as refused:
        check_room([broken, tmp_path / "gone.jsonl", week], free=1)

    assert refused.value.seen.startswith("3 MB")


@pytest.mark.skipif(
    not Path("/proc/meminfo").exists(), reason="the system tells no free memory"
)
def test_what_is_free_is_asked_of_the_system(tmp_path: Path):
    week = tmp_path / "week.jsonl"
    with week.open("wb") as file:
        file.truncate(2**40)  # a hole: it takes no room on the disk

    with pytest.raises(TrafficError, match="memory that are free"):
        check_room([week])


def test_a_container_has_what_is_left_of_its_limit(tmp_path: Path):
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("400\n")
    (tmp_path / "memory.stat").write_text("anon 300\ninactive_file 100\n")
    assert _of_container(tmp_path) == 700

    (tmp_path / "memory.max").write_text("max\n")
    assert _of_container(tmp_path) is None
    assert _of_container(tmp_path / "none") is None
