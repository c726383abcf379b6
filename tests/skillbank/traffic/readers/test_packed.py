import bz2
import gzip
import io
import json
import lzma
import sys
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from skillbank.traffic.files import parts, read, sources
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.lines import lines
from skillbank.traffic.readers.packed import longer, opened, packing
from skillbank.traffic.run import Misfit, Run

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": zstd.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


def native(*ids: str) -> bytes:
    lines = ({"run_id": id, "brief": {"id": "t", "text": f"Draw {id}"}} for id in ids)
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def session() -> bytes:
    said = {"role": "user", "content": "Fix the build"}
    held = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": said}
    return json.dumps(held).encode() + b"\n"


def rollout() -> bytes:
    records = [
        ("session_meta", {"id": "t1", "cwd": "/w"}),
        ("event_msg", {"type": "user_message", "message": "Fix the build"}),
    ]
    return b"".join(
        json.dumps(
            {"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload}
        ).encode()
        + b"\n"
        for kind, payload in records
    )


def document() -> bytes:
    steps = [{"step_id": 1, "source": "user", "message": "Fix the build"}]
    held = {"schema_version": "ATIF-v1.5", "session_id": "s1", "steps": steps}
    return json.dumps(
        {**held, "agent": {"name": "a", "version": "1"}}, indent=1
    ).encode()


CSV = b'id,ask\nr1,"Draw\na cat"\nr2,Draw a dog\n'
COLUMNS = {"run_id": "id", "brief": "ask"}


def values(path: Path, columns=None) -> list[Run | Misfit]:
    return list(read(path, columns=columns or {}))


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("native", native("r1", "r2")),
        ("claude-code", session()),
        ("codex", rollout()),
        ("atif", document()),
        ("mapped", CSV),
    ],
)
def test_a_packed_file_holds_the_runs_of_the_file(tmp_path, kind, format, data):
    (tmp_path / "plain").mkdir()
    (tmp_path / "packed").mkdir()
    (tmp_path / "plain" / "a").write_bytes(data)
    (tmp_path / "packed" / "a").write_bytes(PACK[kind](data))
    columns = COLUMNS if format == "mapped" else {}

    (found,) = sources(tmp_path / "packed", columns=columns)

    assert not isinstance(found, Misfit)
    assert found.format == format
    assert found.why.endswith(f"packed by {kind}")
    plain = values(tmp_path / "plain", columns)
    assert any(isinstance(value, Run) for value in plain)
    assert values(tmp_path / "packed", columns) == plain


def test_several_streams_and_their_padding_are_one_file(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(
        gzip.compress(native("r1"))
        + bytes(512)
        + gzip.compress(native("r2"))
        + bytes(9)
    )

    found = values(path)

    assert [run.run_id for run in found if isinstance(run, Run)] == ["r1", "r2"]
    assert [value.source for value in found] == ["a.jsonl.gz:1", "a.jsonl.gz:2"]


@pytest.mark.parametrize("kind", PACK)
def test_what_stands_before_a_break_is_kept_and_the_break_told_of_once(tmp_path, kind):
    ids = [f"r{n:03}" for n in range(300)]
    whole = PACK[kind](native(*ids))
    path = tmp_path / "a.jsonl"
    counts = set()
    for end in range(20, len(whole), max(1, len(whole) // 40)):
        path.write_bytes(whole[:end])

        *runs, last = read(path, "native")

        kept = [run.run_id for run in runs if isinstance(run, Run)]
        assert kept == ids[: len(runs)]
        assert isinstance(last, Misfit)
        assert (last.reason, last.source) == ("truncated", f"a.jsonl:{len(runs) + 1}")
        counts.add(len(runs))
    assert len(counts) > 1 or kind != "gzip"  # the others unpack by large blocks


def test_a_break_says_after_how_many_bytes_it_came(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(native("r1"))[:-8])

    run, stop = values(path)

    assert isinstance(run, Run)
    assert isinstance(stop, Misfit)
    assert f"gzip breaks off after {len(native('r1'))} bytes" in stop.problem


def test_damage_within_is_no_file_that_grows(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    damaged = bytearray(gzip.compress(native("r2")))
    damaged[-7] ^= 0xFF  # of the checksum
    path.write_bytes(gzip.compress(native("r1")) + damaged)

    run, stop = values(path)

    assert isinstance(run, Run)
    assert isinstance(stop, Misfit)
    assert stop.reason == "unreadable"


def test_a_row_of_csv_that_a_break_cuts_is_no_run(tmp_path):
    rows = b"id,ask\n" + b"".join(
        b"r%d,Draw a cat of %d cm\n" % (n, n) for n in range(99)
    )
    path = tmp_path / "a.csv.gz"
    packer = zlib.compressobj(wbits=31)
    head, tail = rows[:-8], rows[-8:]
    flushed = packer.compress(head) + packer.flush(zlib.Z_SYNC_FLUSH)
    path.write_bytes(flushed + (packer.compress(tail) + packer.flush())[:1])

    *runs, stop = values(path, COLUMNS)

    assert len(runs) == 98
    assert all(isinstance(run, Run) for run in runs)
    assert isinstance(stop, Misfit)
    assert (stop.source, stop.reason) == ("a.csv.gz:100", "truncated")
    assert stop.sample.startswith("r98,")


def test_a_document_that_a_break_cuts_is_told_of_once(tmp_path):
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(document())[:-20])

    (stop,) = values(path)

    assert isinstance(stop, Misfit)
    assert stop.reason == "truncated"


@pytest.mark.parametrize("kind", PACK)
def test_a_bomb_is_unpacked_no_further_than_its_size_allows(tmp_path, kind):
    path = tmp_path / "a"
    path.write_bytes(PACK[kind](b"\n" * 20_000_000))

    with opened(path, free=100_000, ratio=10) as file:
        n = sum(len(line) for line in file)

    assert n <= 100_000 + 10 * path.stat().st_size
    assert file.broken is not None
    assert file.broken.reason == "too long"
    assert f"{path.stat().st_size} packed" in file.broken.problem


def test_a_file_that_asks_for_gigabytes_of_memory_to_unpack_is_put_aside(tmp_path):
    whole = bytearray(lzma.compress(native("r1")))
    block = slice(12, 12 + (whole[12] + 1) * 4)
    header = whole[block][:-4]
    header[4] = 40  # a dictionary of 4 GB
    whole[block] = header + zlib.crc32(header).to_bytes(4, "little")
    path = tmp_path / "a.xz"
    path.write_bytes(whole)

    (stop,) = read(path, "native")

    assert isinstance(stop, Misfit)
    assert (stop.reason, "emory" in stop.problem) == ("unreadable", True)


def test_a_long_line_of_a_packed_file_costs_no_more_than_its_beginning(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"x" * 50_000_000 + b"\n" + native("r1")))

    first, second = lines(path, limit=1000)

    assert (first.end, len(first.data)) == ("too long", 1001)
    assert second.number == 2


def test_length_is_that_of_what_was_packed(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(bytes(5000)))

    assert longer(path, 4999)
    assert not longer(path, 5000)


def test_a_packed_file_is_one_part(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(native(*map(str, range(1000)))))
    (found,) = sources(path)

    assert not isinstance(found, Misfit)
    assert list(parts(found, 10, {})) == [found]


@pytest.mark.parametrize("text", [b"BZh9 is a column\n", b"", b"\x1f\x8b"])
def test_text_that_begins_like_a_packed_file_is_text(tmp_path, text):
    path = tmp_path / "a"
    path.write_bytes(text)

    assert packing(path) == ""


def test_a_tar_and_what_is_packed_twice_are_named(tmp_path):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        held = tarfile.TarInfo("a.jsonl")
        held.size = len(native("r1"))
        tar.addfile(held, io.BytesIO(native("r1")))
    tarred, twice = tmp_path / "a.tar.gz", tmp_path / "a.gz.gz"
    tarred.write_bytes(out.getvalue())
    twice.write_bytes(gzip.compress(gzip.compress(native("r1"))))

    assert recognise(tarred) == (
        "", "a tar, packed by gzip; expected its files by themselves",
    )  # fmt: skip
    assert recognise(twice)[0] == ""
    assert "packed once" in recognise(twice)[1]
