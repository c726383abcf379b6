import re
import sys
from pathlib import Path

import pytest

from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.archives import Member, members, outside
from skillbank.traffic.run import Misfit

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

ALL = (re.compile(r".*", re.DOTALL),)


def packed(path: Path, held: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in held.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_ZSTANDARD]
)
def test_members_are_read_whichever_way_they_were_packed(tmp_path, method):
    path = packed(tmp_path / "a.zip", {"a.json": b"{}", "b.json": b"[]"}, method)

    assert list(members(path, "a.zip", ALL)) == [
        Member("a.json", b"{}"),
        Member("b.json", b"[]"),
    ]


def test_a_method_that_can_take_all_memory_is_refused(tmp_path):
    path = packed(tmp_path / "a.zip", {"a.json": b"{}"}, zipfile.ZIP_LZMA)

    (found,) = members(path, "a.zip", ALL)

    assert isinstance(found, Misfit)
    assert (found.source, found.reason) == ("a.zip#a.json", "unreadable")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a/../../b", "C:/x", "..\\x"]
)
def test_a_name_that_leads_out_is_told_of_and_not_read(tmp_path, name):
    path = packed(tmp_path / "a.zip", {name: b"x", "a.json": b"{}"})

    note, sound = members(path, "a.zip", ALL)

    assert outside(name)
    assert isinstance(note, Misfit)
    assert note.reason == "bad value"
    assert "leads out" in note.problem
    assert sound == Member("a.json", b"{}")
    assert [held.name for held in tmp_path.iterdir()] == ["a.zip"]


def test_a_bomb_is_opened_no_further_than_the_limit(tmp_path):
    path = packed(tmp_path / "a.zip", {"bomb": b"0" * 50_000_000, "small": b"1"})

    bomb, small = members(path, "a.zip", ALL, limit=1000)

    assert isinstance(bomb, Misfit)
    assert bomb.reason == "too long"
    assert small == Member("small", b"1")


def test_many_members_share_one_limit(tmp_path):
    path = packed(tmp_path / "a.zip", {f"m{n}": b"0" * 100 for n in range(5)})

    found = list(members(path, "a.zip", ALL, total=250))

    assert [isinstance(held, Member) for held in found] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_an_archive_that_stops_short_says_that_it_may_still_grow(tmp_path):
    path = packed(tmp_path / "a.zip", {"a.json": b"{}" * 1000})
    path.write_bytes(path.read_bytes()[:-30])

    (found,) = members(path, "a.zip", ALL)

    assert isinstance(found, Misfit)
    assert found.reason == "truncated"


def test_a_damaged_member_leaves_the_others(tmp_path):
    path = packed(
        tmp_path / "a.zip", {"a": b"first", "b": b"other"}, zipfile.ZIP_STORED
    )
    path.write_bytes(path.read_bytes().replace(b"first", b"forst"))

    note, sound = members(path, "a.zip", ALL)

    assert isinstance(note, Misfit)
    assert note.reason == "unreadable"
    assert sound == Member("b", b"other")


def test_members_come_in_the_order_of_what_is_wanted(tmp_path):
    path = packed(tmp_path / "a.zip", {"s/1": b"", "other": b"", "header": b""})
    wanted = (re.compile("header"), re.compile("s/.*"))

    found = [
        held.name for held in members(path, "a", wanted) if isinstance(held, Member)
    ]

    assert found == ["header", "s/1"]


def test_a_zip_that_is_no_log_is_named_as_such(tmp_path):
    format, why = recognise(packed(tmp_path / "a.zip", {"a.json": b"{}"}))

    assert format == ""
    assert "zip" in why
