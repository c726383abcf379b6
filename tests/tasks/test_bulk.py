"""Traffic of any size becomes a dataset that adds up, however it is cut."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from fsspec import register_implementation
from fsspec.implementations.memory import MemoryFileSystem

from skillbank.briefs.brief import Brief
from skillbank.errors import ServiceError, TrafficError
from skillbank.params import IngestParams
from skillbank.traffic.columns import runs_of
from skillbank.traffic.intake import ingest
from skillbank.traffic.readers.native import to_line
from skillbank.traffic.run import Run, Spent
from tasks.bulk import Intake, intake, quarantine_of
from tasks.bulk_part import Reading
from tasks.locks import held
from tasks.remote import fetched, placed

KEY = b"k" * 32
PARAMS = IngestParams()
LATEST = datetime(2026, 2, 1, tzinfo=UTC)
N = 120


def run(n: int) -> Run:
    return Run(
        run_id=f"r{n:03d}",
        brief=Brief(id=f"b{n}", text=f"Card {n} for ann{n}@example.org"),
        session=f"s{n // 2}",
        user=f"u{n % 7}",
        started=f"2026-01-{1 + n % 28:02d}T09:00:00Z",
        usage=Spent(input_tokens=10, usd=0.5 if n % 2 else None),
    )


def week(path: Path, *more: str) -> Path:
    lines = [to_line(run(n)) for n in range(N)]
    path.write_text("\n".join([*lines, *more]) + "\n", encoding="utf-8")
    return path


def read_back(out: Path) -> list[Run]:
    table = ds.dataset(out, partitioning="hive").to_table()
    return sorted(runs_of(table), key=lambda run: run.run_id)


def made(paths: list[Path], out: Path, *, workers: int = 1, part: int = 4096) -> Intake:
    reading = Reading(params=PARAMS, key=KEY, latest=LATEST)
    return intake(paths, out, reading, workers=workers, part=part)


def test_in_many_parts_it_is_what_it_is_in_one_piece(tmp_path: Path):
    path = week(tmp_path / "w.jsonl", to_line(run(5)), "oops", "{}")

    found = made([path], tmp_path / "runs")

    whole = ingest([path], PARAMS, KEY)
    assert read_back(tmp_path / "runs") == list(whole.runs)
    (file,) = found.files
    assert (file.read, file.kept, file.merged) == (N + 3, N, 1)
    assert dict(file.quarantined) == {"not JSON": 1, "missing field": 1}
    assert found.merged == {"copy": 1}


def test_processes_change_nothing_but_the_time(tmp_path: Path):
    path = week(tmp_path / "w.jsonl", to_line(run(5)))

    one = made([path], tmp_path / "one")
    two = made([path], tmp_path / "two", workers=2)

    assert one == two
    root = tmp_path / "one"
    files = sorted(path.relative_to(root) for path in root.rglob("*"))
    assert len(files) > 10
    for file in files:
        if (root / file).is_file():
            again = (tmp_path / "two" / file).read_bytes()
            assert (root / file).read_bytes() == again


def test_the_same_file_given_twice_changes_nothing(tmp_path: Path):
    path = week(tmp_path / "w.jsonl")
    again = tmp_path / "copy.jsonl"
    again.write_bytes(path.read_bytes())

    found = made([path, again], tmp_path / "runs")

    assert [one.run_id for one in read_back(tmp_path / "runs")] == [
        run(n).run_id for n in range(N)
    ]
    assert found.merged == {"copy": N}
    assert found.totals["runs"] == N


def test_copies_under_one_name_in_three_folders_count_once_and_each_by_its_file(
    tmp_path: Path,
):
    for name in "abc":
        (tmp_path / name).mkdir()
        week(tmp_path / name / "w.jsonl")

    found = made([tmp_path / name for name in "abc"], tmp_path / "runs")

    assert found.totals["runs"] == N
    assert [(one.read, one.merged) for one in found.files] == [(N, 0), (N, N), (N, N)]


def test_a_run_that_lost_its_id_and_was_then_tried_again_counts_by_its_file(
    tmp_path: Path,
):
    once = Run(run_id="r1", brief=Brief(id="b1", text="Draw a card"))
    odd = replace(once, output="another", started="2026-01-06T09:00:00Z", session="s")
    again = replace(odd, run_id="r2", started="2026-01-07T09:00:00Z")
    path = tmp_path / "week.jsonl"
    path.write_text("\n".join(map(to_line, (once, odd, again))), encoding="utf-8")

    told = made([path], tmp_path / "out")

    assert [one.run_id for one in read_back(tmp_path / "out")] == ["r1", "r2"]
    assert (told.files[0].kept, told.files[0].merged, told.merged) == (
        2,
        1,
        {"retry": 1},
    )


def test_a_file_whose_name_is_no_text_is_read_and_its_name_shown(tmp_path: Path):
    folder = tmp_path / "traffic"
    folder.mkdir()
    week(folder / os.fsdecode(b"\xff.jsonl"))
    (folder / os.fsdecode(b"\xfe.bin")).write_bytes(b"?")

    found = made([folder], tmp_path / "runs")

    assert found.totals["runs"] == N
    assert [Path(one.file).name for one in found.files] == ["\\xfe.bin", "\\xff.jsonl"]
    assert {one.source for one in found.examples} == {"\\xfe.bin"}


def test_a_sub_agent_whose_parent_is_nowhere_is_kept_with_a_note(tmp_path: Path):
    orphan = to_line(replace(run(500), parent="nowhere"))

    found = made([week(tmp_path / "w.jsonl", orphan)], tmp_path / "runs")

    assert found.totals["runs"] == N + 1
    assert found.notes == 1
    assert [one.reason for one in found.examples] == ["no parent"]


def test_a_clock_that_was_ahead_is_named_and_the_run_counts(tmp_path: Path):
    ahead = to_line(replace(run(500), started="2031-05-01T09:00:00Z"))

    found = made([week(tmp_path / "w.jsonl", ahead)], tmp_path / "runs")

    (note,) = found.examples
    assert found.totals["runs"] == N + 1
    assert note.kept
    assert "started 2031-05-01T09:00:00Z, after it was read" in note.problem
    assert note.source == f"w.jsonl:{N + 1}"


def test_sums_say_how_many_runs_tell_them(tmp_path: Path):
    found = made([week(tmp_path / "w.jsonl")], tmp_path / "runs")

    assert found.totals["input_tokens"] == 10 * N
    assert found.totals["usd"] == 0.5 * N / 2
    assert found.totals["usd told"] == N / 2
    assert found.totals["output_tokens told"] == 0


def test_weeks_are_folders_that_readers_of_parquet_know(tmp_path: Path):
    made([week(tmp_path / "w.jsonl")], tmp_path / "runs")

    weeks = {path.name for path in (tmp_path / "runs").iterdir()}
    assert weeks == {f"week=2026-W{n:02d}" for n in range(1, 6)}
    table = pq.read_table(tmp_path / "runs", filters=[("week", "=", "2026-W02")])
    assert 0 < table.num_rows < N


def test_nothing_private_is_written_anywhere(tmp_path: Path):
    secret = "sk-ant-api03-abcDEF123456abcDEF123456"
    path = week(tmp_path / "w.jsonl", f"not json but {secret}")

    found = made([path], tmp_path / "runs")

    everything = json.dumps(
        [
            *(row for row in ds.dataset(tmp_path / "runs").to_table().to_pylist()),
            *ds.dataset(quarantine_of(tmp_path / "runs")).to_table().to_pylist(),
        ],
        default=str,
    )
    assert found.quarantined == 1
    assert secret not in everything
    assert "@example.org" not in everything


def test_a_private_name_of_a_file_is_masked_wherever_it_is_told(tmp_path: Path):
    folder = tmp_path / "week"
    folder.mkdir()
    week(folder / "ann@example.org.jsonl", "oops")
    (folder / "bob@example.org.bin").write_bytes(b"\x00\x01")

    found = made([folder], tmp_path / "runs")

    aside = pq.read_table(quarantine_of(tmp_path / "runs")).to_pylist()
    assert len(aside) == found.quarantined == 2
    assert "@example.org" not in str([*aside, *read_back(tmp_path / "runs")])
    assert {Path(one.file).name for one in found.files} == {
        "ann@example.org.jsonl",
        "bob@example.org.bin",
    }


def test_a_dataset_is_there_whole_or_not_at_all(tmp_path: Path):
    with pytest.raises(TrafficError):
        made([tmp_path / "nothing"], tmp_path / "runs")

    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_never_written_over(tmp_path: Path):
    path = week(tmp_path / "w.jsonl")
    made([path], tmp_path / "runs")

    with pytest.raises(TrafficError, match="give another name"):
        made([path], tmp_path / "runs")


@pytest.fixture
def store() -> Iterator[str]:
    """A store that fsspec knows, in memory, empty afterwards."""
    yield "memory://bucket"
    MemoryFileSystem().rm("/bucket", recursive=True)


def test_traffic_comes_from_a_store_and_a_dataset_goes_into_one(
    tmp_path: Path, store: str
):
    from fsspec.core import url_to_fs

    local = week(tmp_path / "w.jsonl")
    memory, path = url_to_fs(f"{store}/traffic/w.jsonl")
    memory.pipe(path, local.read_bytes())

    with fetched([f"{store}/traffic"]) as paths, placed(f"{store}/runs") as out:
        found = made(paths, out)

    assert found.totals["runs"] == N
    assert memory.glob("/bucket/runs/week=2026-W02/*.parquet")
    assert memory.isdir("/bucket/runs.quarantine") or not found.quarantined


def test_what_is_in_a_store_is_never_written_over(tmp_path: Path, store: str):
    from fsspec.core import url_to_fs

    memory, path = url_to_fs(f"{store}/runs.quarantine/mine.txt")
    memory.pipe(path, b"notes")

    with (
        pytest.raises(TrafficError, match="a dataset is written whole"),
        placed(f"{store}/runs") as out,
    ):
        made([week(tmp_path / "w.jsonl")], out)

    assert memory.cat(path) == b"notes"
    assert not memory.exists("/bucket/runs")


class StoreLost(Exception):
    """What a store's own package may raise: no OSError."""


class Breaking(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
    """A store that is lost after the first file."""

    protocol = "breaking"
    puts = 0

    def put_file(self, *args: object, **kwargs: object) -> None:
        Breaking.puts += 1
        if Breaking.puts > 1:
            raise StoreLost("connection reset")
        super().put_file(*args, **kwargs)


def test_a_store_that_is_lost_on_the_way_is_named_with_what_may_be_left(tmp_path: Path):
    register_implementation("breaking", Breaking, clobber=True)

    with (
        pytest.raises(ServiceError, match="StoreLost: connection reset; a part of"),
        placed("breaking://lost/runs") as out,
    ):
        made([week(tmp_path / "w.jsonl")], out)

    assert Breaking.puts == 2


def test_a_store_without_the_place_is_an_error_that_names_it(store: str):
    with pytest.raises(ServiceError) as caught, fetched([f"{store}/none"]):
        pass

    assert caught.value.place == f"{store}/none"
    from fsspec.implementations.memory import MemoryFileSystem

    MemoryFileSystem().pipe("/bucket/x", b"")


def test_small_files_go_together_and_each_keeps_its_own_account(tmp_path: Path):
    folder = tmp_path / "traffic"
    folder.mkdir()
    for n in range(N):
        lines = [to_line(run(n)), *(["oops"] if n % 10 == 0 else [])]
        (folder / f"{n:03d}.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "again.jsonl").write_text(to_line(run(7)) + "\n")

    found = made([folder], tmp_path / "runs", part=10**6)

    assert [one.run_id for one in read_back(tmp_path / "runs")] == [
        run(n).run_id for n in range(N)
    ]
    weeks = list((tmp_path / "runs").iterdir())
    # one from the part, one of what was collapsed
    assert sum(len(list(week.iterdir())) for week in weeks) <= len(weeks) + 1
    by_name = {Path(one.file).name: one for one in found.files}
    assert len(by_name) == N + 1
    assert by_name["010.jsonl"].quarantined == {"not JSON": 1}
    assert by_name["again.jsonl"].merged == 1
    assert all(one.kept == 1 for one in found.files if one.file[-7:] != "n.jsonl")


def test_small_files_in_any_parts_make_the_same_dataset(tmp_path: Path):
    folder = tmp_path / "traffic"
    folder.mkdir()
    for n in range(N):
        (folder / f"{n:03d}.jsonl").write_text(to_line(run(n)) + "\n")
    week(folder / "large.jsonl")

    few = made([folder], tmp_path / "few", part=10**6)
    many = made([folder], tmp_path / "many", part=1000, workers=2)

    assert few == replace(many, files=few.files)
    assert few.merged == {"copy": N}
    assert read_back(tmp_path / "few") == read_back(tmp_path / "many")


def test_a_quarantine_that_is_there_is_never_thrown_away(tmp_path: Path):
    path = week(tmp_path / "w.jsonl")
    mine = quarantine_of(tmp_path / "runs") / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("notes")

    with pytest.raises(TrafficError, match=r"remove the old dataset: runs and runs\.q"):
        made([path], tmp_path / "runs")

    assert mine.read_text() == "notes"
    assert not (tmp_path / "runs").exists()


def test_two_at_once_do_not_write_one_dataset(tmp_path: Path):
    path = week(tmp_path / "w.jsonl")
    left = tmp_path / ".runs.making"
    left.mkdir()
    (left / "kept").write_text("what a killed one left")

    with held(
        tmp_path / ".runs.lock", TrafficError("", seen="", expected="", remedy="")
    ):
        with pytest.raises(TrafficError, match="another process is writing it"):
            made([path], tmp_path / "runs")
        assert (left / "kept").exists()

    assert made([path], tmp_path / "runs").totals["runs"] == N
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "runs",
        "runs.quarantine",
        "w.jsonl",
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_disk_that_is_full_is_named_and_leaves_nothing(tmp_path: Path, workers: int):
    path = week(tmp_path / "w.jsonl")
    code = f"""
import resource, signal
from tests.tasks.test_bulk import made, Path
from skillbank.errors import ServiceError
if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    try:
        made([Path({str(path)!r})], Path({str(tmp_path / "runs")!r}), workers={workers})
    except ServiceError as error:
        print(error)
"""
    script = tmp_path / "script.py"
    script.write_text(code)

    said = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.getcwd(), "PYTHONDONTWRITEBYTECODE": "1"},
    )

    assert "nothing was written" in said.stdout, said.stderr
    assert "File too large" in said.stdout
    assert "To mend: make room" in said.stdout
    assert sorted(one.name for one in tmp_path.iterdir()) == ["script.py", "w.jsonl"]


def test_a_process_that_is_killed_is_named(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("tasks.bulk.read_part", _killed)

    with pytest.raises(ServiceError, match="a process that read was killed"):
        made([week(tmp_path / "w.jsonl")], tmp_path / "runs", workers=2)

    assert [one.name for one in tmp_path.iterdir()] == ["w.jsonl"]


def _killed(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
