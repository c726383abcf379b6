"""Files become runs that count once, and everything read is accounted for."""

import os
import random
from pathlib import Path

import pytest

from skillbank.briefs.brief import Brief
from skillbank.errors import TrafficError
from skillbank.params import IngestParams
from skillbank.traffic import Misfit, Run, ingest, read
from skillbank.traffic.quarantine import Ingested, summary
from skillbank.traffic.readers import READERS, recognise
from skillbank.traffic.readers.native import to_line

KEY = b"0123456789abcdef"
PARAMS = IngestParams()


def line(n: int, **changes: object) -> str:
    held = {"session": f"s{n}", "user": f"user-{n % 4}", "output": "ann@example.org"}
    brief = Brief(id=f"b{n}", text=f"Poster {n}")
    return to_line(Run(run_id=f"r{n}", brief=brief, **{**held, **changes}))  # type: ignore[arg-type]


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    return path


def test_what_was_read_is_kept_merged_or_quarantined(tmp_path: Path):
    write(tmp_path / "a.jsonl", line(1), "oops", line(2), line(2), "{}", "oops")

    got = ingest([tmp_path], PARAMS, KEY)

    assert (got.read, got.kept, got.merged, got.quarantined) == (6, 2, 1, 3)
    assert dict(got.by_reason) == {"not JSON": 2, "missing field": 1}


def test_runs_are_masked_before_they_are_handed_on(tmp_path: Path):
    write(tmp_path / "a.jsonl", line(1))

    (run,) = ingest([tmp_path], PARAMS, KEY).runs

    assert run.output.startswith("<email:")
    assert run.user.startswith("<user:")


def test_the_same_file_given_twice_changes_nothing(tmp_path: Path):
    path = write(tmp_path / "a.jsonl", line(1), line(2))

    once, twice = ingest([path], PARAMS, KEY), ingest([path, tmp_path], PARAMS, KEY)

    assert twice.runs == once.runs
    assert twice.merged == 2


def test_the_order_of_the_lines_changes_no_run_but_where_it_stood(tmp_path: Path):
    lines = [line(n) for n in range(30)] + [line(n) for n in range(0, 30, 3)]
    one = write(tmp_path / "1" / "a.jsonl", *lines)
    random.Random(1).shuffle(lines)
    other = write(tmp_path / "2" / "a.jsonl", *lines)

    runs = [ingest([path], PARAMS, KEY).runs for path in (one, other)]

    assert [r.run_id for r in runs[0]] == [r.run_id for r in runs[1]]


def test_traffic_never_counts_twice_over_rounds(tmp_path: Path):
    path = write(tmp_path / "a.jsonl", line(1), line(2), line(3, retry_of="r2"))
    first = ingest([path], PARAMS, KEY)
    write(path, line(1), line(2), line(3, retry_of="r2"), line(4))

    second = ingest([path], PARAMS, KEY, first.seen_ids)

    assert [run.run_id for run in second.runs] == ["r4"]
    assert second.known == 3


def test_a_duplicate_id_is_a_note_and_not_a_loss(tmp_path: Path):
    write(tmp_path / "a.jsonl", line(1), line(1, output="another", session="s9"))

    got = ingest([tmp_path], PARAMS, KEY)

    assert (got.read, got.kept, got.quarantined) == (2, 2, 0)
    assert [(row.reason, row.count, row.note) for row in summary(got.misfits, 3)] == [
        ("duplicate id", 1, True)
    ]


def test_a_summary_shows_a_few_examples_of_each_reason(tmp_path: Path):
    write(tmp_path / "a.jsonl", line(1), "{}", *["oops"] * 5)

    rows = summary(ingest([tmp_path], PARAMS, KEY).misfits, 2)

    assert [(row.reason, row.count, len(row.examples)) for row in rows] == [
        ("not JSON", 5, 2),
        ("missing field", 1, 1),
    ]
    assert rows[0].examples[0].source == "a.jsonl:3"


def test_numbers_that_do_not_add_up_are_an_error():
    with pytest.raises(TrafficError, match="read = kept"):
        Ingested(runs=(), misfits=(), merges=(), read=1)


def test_a_short_key_is_refused(tmp_path: Path):
    path = write(tmp_path / "a.jsonl", line(1))

    with pytest.raises(TrafficError, match="16 random bytes"):
        ingest([path], PARAMS, b"short")


def test_files_are_read_by_their_sorted_path_with_folders_below(tmp_path: Path):
    for name in (
        "b.jsonl",
        "a.jsonl",
        "week2/a.jsonl",
        ".hidden.jsonl",
        ".git/x.jsonl",
    ):
        write(tmp_path / name, line(1))

    assert [one.source for one in read(tmp_path)] == [
        "a.jsonl:1", "b.jsonl:1", "week2/a.jsonl:1",
    ]  # fmt: skip


def test_a_file_in_no_known_format_is_named_and_the_rest_is_read(tmp_path: Path):
    write(tmp_path / "a.csv", "x,y", "1,2")
    write(tmp_path / "b.jsonl", line(1))

    odd, run = read(tmp_path)

    assert isinstance(odd, Misfit)
    assert (odd.reason, odd.source) == ("unknown format", "a.csv")
    assert isinstance(run, Run)


def test_a_link_out_of_the_folder_is_refused_and_one_within_read_once(tmp_path: Path):
    outside = write(tmp_path / "out" / "secret.jsonl", line(1))
    inside = write(tmp_path / "in" / "a.jsonl", line(2))
    (tmp_path / "in" / "within.jsonl").symlink_to(inside)
    (tmp_path / "in" / "x.jsonl").symlink_to(outside)
    (tmp_path / "in" / "y").symlink_to(outside.parent)
    (tmp_path / "in" / "z.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in" / "loop")

    found = list(read(tmp_path / "in"))

    assert [one.run_id for one in found if isinstance(one, Run)] == ["r2"]
    assert sorted((o.source, o.reason) for o in found if isinstance(o, Misfit)) == [
        ("loop", "link"), ("x.jsonl", "link"), ("y", "link"), ("z.jsonl", "link"),
    ]  # fmt: skip


def test_a_pipe_does_not_make_the_reader_wait(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    write(tmp_path / "q.jsonl", line(1))

    odd, run = read(tmp_path)

    assert isinstance(odd, Misfit)
    assert odd.reason == "unreadable"
    assert isinstance(run, Run)


def test_a_named_format_is_not_guessed(tmp_path: Path):
    path = write(tmp_path / "a.jsonl", "oops", line(1))

    assert [type(one) for one in read(path, "native")] == [Misfit, Run]


def test_an_unknown_format_is_an_error_that_lists_the_known_ones(tmp_path: Path):
    with pytest.raises(TrafficError, match=r"auto, .*native, "):
        read(tmp_path, "xml")


def test_a_missing_path_is_an_error_at_once(tmp_path: Path):
    with pytest.raises(TrafficError, match=r"nothing of that name.*skillbank round"):
        read(tmp_path / "nowhere")


def test_an_empty_folder_is_an_error_at_once(tmp_path: Path):
    with pytest.raises(TrafficError, match="a folder without a file"):
        read(tmp_path)


def test_traffic_without_a_single_run_is_an_error_that_shows_the_first(tmp_path: Path):
    write(tmp_path / "a.jsonl", '{"run_id": 1, "brief": 2}', "oops")

    with pytest.raises(TrafficError, match=r"2 line\(s\).*a.jsonl:1: bad value, brief"):
        ingest([tmp_path], PARAMS, KEY)


def test_recognition_says_why(tmp_path: Path):
    native = write(tmp_path / "a.jsonl", "oops", line(1))
    other = write(tmp_path / "b.jsonl", "{}")

    assert recognise(native) == ("native", "line 2 has run_id and brief")
    assert recognise(other)[0] == ""


def test_every_reader_stands_in_the_dict_under_its_own_name():
    modules = [vars(reader)["__name__"] for reader in READERS.values()]

    names = [format.replace("-", "_") for format in READERS]
    assert [name.rpartition(".")[2] for name in modules] == names


def test_a_file_in_utf_16_is_named_as_such(tmp_path: Path):
    (tmp_path / "w.jsonl").write_text('{"run_id": "r1"}\n', encoding="utf-16")

    (misfit,) = read(tmp_path / "w.jsonl")

    assert isinstance(misfit, Misfit)
    assert misfit.problem == "text in UTF-16; expected UTF-8"
