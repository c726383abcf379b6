import json
from functools import partial
from itertools import islice

import orjson
import pytest

from skillbank.codec import encode
from skillbank.traffic.readers.documents import (
    DEEPEST,
    Refused,
    deeper,
    document,
    objects,
    parsed,
)
from skillbank.traffic.readers.lines import lines, spans
from skillbank.traffic.run import Misfit


def refused(data: bytes) -> str:
    value = parsed(data)
    assert isinstance(value, Refused), value
    return value.reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not JSON"),
        (b'{"a": 1', "truncated"),
        (b'{"a": "b', "truncated"),
        (b'{"a": NaN, "b', "truncated"),
        (b"[1] [2]", "not JSON"),
        (b"NaN" * 9, "not JSON"),
        (b'["\xff"]', "not UTF-8"),
        (b'[NaN, "\xff"]', "not UTF-8"),
        (b'[NaN, "\xed\xa0\x80"]', "not UTF-8"),
        (b"[" * 3000, "too deep"),
        (b"[NaN," + b"[" * 3000 + b"]" * 3001, "too deep"),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "too deep"),
    ],
)
def test_what_is_no_usable_json_says_why(data, reason):
    assert refused(data) == reason


def test_what_other_writers_let_pass_is_read_and_can_be_written_again():
    text = r'{"nan": NaN, "big": 1e999, "half": "a\ud83d b", "pair": "\ud83d\ude00"}'

    value = parsed(text.encode())

    assert value == {"nan": None, "big": None, "half": "a\ufffd b", "pair": "😀"}
    assert orjson.loads(encode(value)) == value


def test_an_escaped_backslash_before_a_u_is_no_surrogate():
    assert parsed(rb'["\\ud800", "\ud800"]') == ["\\ud800", "\ufffd"]


def test_integers_beyond_any_encoder_become_numbers_it_takes():
    value = parsed(b"[NaN, " + b"9" * 30 + b", " + b"9" * 5000 + b"]")

    assert value == [None, 1e30, None]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_not_part_of_the_document(tmp_path, encoding):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"a": "é"}, ensure_ascii=False), encoding=encoding)

    assert document(path, "a.json") == {"a": "é"}


def test_a_document_over_the_limit_is_refused_unread(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[" + "1," * 4_000_000 + "1]")

    found = document(path, "a.json", limit=2**20)

    assert isinstance(found, Misfit)
    assert found.reason == "too long"


def test_each_line_is_an_object_or_says_what_is_wrong(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n\n[1]\nnope\n{"b": "\xff"}\n{"c": 1}\n{"d": x')

    found = list(objects(path, "a.jsonl"))

    assert [v if isinstance(v, tuple) else (v.source, v.reason) for v in found] == [
        (1, {"a": 1}),
        ("a.jsonl:3", "bad value"),
        ("a.jsonl:4", "not JSON"),
        ("a.jsonl:5", "not UTF-8"),
        (6, {"c": 1}),
        ("a.jsonl:7", "truncated"),
    ]


def test_depth_counts_levels_of_containers():
    assert not deeper(1, 0)
    assert deeper([], 0)
    assert not deeper([{"a": 1}], 2)
    assert deeper([{"a": []}], 2)


@pytest.mark.parametrize("found", [lines, partial(spans, size=1)])
def test_a_file_that_grows_as_fast_as_it_is_read_is_read_to_where_it_was(
    tmp_path, found
):
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n" * 5)
    read = []

    for one in islice(found(path), 100):
        read.append(one)
        with path.open("a") as file:
            file.write("{}\n")

    assert 1 <= len(read) <= 5
