"""Briefs that others wrote, as they wrote them."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillbank.errors import TrafficError
from skillbank.traffic.readers.briefs import RawBrief, read_briefs
from skillbank.traffic.run import Misfit


def briefs(folder: Path, name: str, data: str | bytes) -> list[RawBrief | Misfit]:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(read_briefs(path))


def texts(folder: Path, name: str, data: str | bytes) -> list[str]:
    return [b.text for b in briefs(folder, name, data) if isinstance(b, RawBrief)]


def test_a_text_file_has_a_brief_a_line(tmp_path: Path):
    found = briefs(tmp_path, "in.txt", "A poster\nA card\n\n")

    assert found == [
        RawBrief(id="in-1", text="A poster", source="in.txt:1"),
        RawBrief(id="in-2", text="A card", source="in.txt:2"),
    ]


def test_blank_lines_make_a_brief_a_paragraph(tmp_path: Path):
    assert texts(tmp_path, "in.txt", "A poster\nin red\n\n\nA card\n") == [
        "A poster in red",
        "A card",
    ]


@pytest.mark.parametrize(
    "column", ["text", "brief", "Prompt", "Intension", "intention"]
)
def test_a_table_is_read_by_the_name_of_its_column(tmp_path: Path, column: str):
    data = f"id,Category,{column},must_say,cohort\n7,Ads,A poster,Open|Now,retail\n"

    assert briefs(tmp_path, "in.csv", data) == [
        RawBrief(
            id="7",
            text="A poster",
            must_say=("Open", "Now"),
            cohort="retail",
            source="in.csv:2",
        )
    ]


def test_a_quoted_cell_may_hold_commas_quotes_and_lines(tmp_path: Path):
    assert texts(tmp_path, "in.csv", 'text\n"A ""red"", big\ncard"\n') == [
        'A "red", big\ncard'
    ]


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_delimiters_are_seen_in_the_header(tmp_path: Path, mark: str):
    assert texts(tmp_path, "in.csv", f"id{mark}text\n1{mark}A card, red\n") == [
        "A card, red"
    ]


@pytest.mark.parametrize(
    ("name", "wrap"),
    [
        ("in.json", lambda entries: json.dumps(entries)),
        ("in.json", lambda entries: json.dumps({"briefs": entries})),
        ("in.jsonl", lambda entries: "\n".join(map(json.dumps, entries))),
    ],
)
def test_json_holds_objects_or_texts(tmp_path: Path, name: str, wrap):
    entries = [{"id": 1, "prompt": "A card", "must_say": ["Open"]}, "A poster"]

    found = briefs(tmp_path, name, wrap(entries))

    assert [(b.id, b.text, b.must_say) for b in found if isinstance(b, RawBrief)] == [
        ("1", "A card", ("Open",)),
        ("in-2", "A poster", ()),
    ]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"id": "x"}, "no text"),
        ({"text": "  "}, "no text"),
        ({"text": 7}, "no text"),
        ({"text": "a" * 30_000}, "too long"),
        ({"text": "a", "must_say": 7}, "bad value"),
        ({"text": "a", "must_say": [7]}, "bad value"),
        ({"text": "a", "cohort": ["x"]}, "bad value"),
        (7, "not JSON"),
        (None, "not JSON"),
    ],
)
def test_what_is_no_brief_is_put_aside(tmp_path: Path, entry: object, reason: str):
    odd, good = briefs(tmp_path, "in.json", json.dumps([entry, "A card"]))

    assert isinstance(odd, Misfit)
    assert (odd.reason, odd.source) == (reason, "in.json:1")
    assert isinstance(good, RawBrief)


def test_a_broken_line_does_not_stop_the_rest(tmp_path: Path):
    assert texts(tmp_path, "in.jsonl", '{"text": "a"\n{"text": "b"}\n') == ["b"]


def test_a_row_in_another_encoding_is_named(tmp_path: Path):
    odd, good = briefs(tmp_path, "in.csv", b"text\nCaf\xe9\nBar\n")

    assert isinstance(odd, Misfit)
    assert odd.reason == "not UTF-8"
    assert isinstance(good, RawBrief)


def test_byte_order_marks_are_no_part_of_a_name(tmp_path: Path):
    assert texts(tmp_path, "in.csv", b"\xef\xbb\xbftext\nCaf\xc3\xa9\n") == ["Café"]
    assert texts(tmp_path, "in.csv", "text\nCafé\n".encode("utf-16")) == ["Café"]


def test_the_same_brief_twice_is_one_and_another_text_gets_an_id_of_its_own(tmp_path):
    data = "id,text\n1,A card\n1,A card\n1,A poster\n"

    first, copy, other = briefs(tmp_path, "in.csv", data)

    assert isinstance(copy, Misfit)
    assert copy.reason == "duplicate id"
    assert isinstance(first, RawBrief)
    assert isinstance(other, RawBrief)
    assert other.id.startswith("1~")


@pytest.mark.parametrize(
    ("name", "data", "seen"),
    [
        ("in.txt", "", "no brief with a text"),
        ("in.csv", "id,text\n1,\n", "no text"),
        ("in.csv", "id,title\n1,A card\n", "the columns id, title"),
        ("in.json", "{", "not JSON"),
        ("in.pdf", "A card", "a file of kind '.pdf'"),
    ],
)
def test_a_file_without_a_brief_is_an_error_that_says_why(tmp_path, name, data, seen):
    with pytest.raises(TrafficError, match=rf"{seen}.*--briefs FILE"):
        briefs(tmp_path, name, data)


def test_a_missing_file_is_an_error(tmp_path: Path):
    with pytest.raises(TrafficError, match="no such file"):
        list(read_briefs(tmp_path / "in.txt"))


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    name=st.sampled_from(["in.txt", "in.csv", "in.json", "in.jsonl"]),
    data=st.lists(
        st.sampled_from(
            [
                b"text",
                b"\n",
                b",",
                b'"',
                b"{",
                b"}",
                b"[",
                b"]",
                b":",
                b"a",
                b"\xff",
                b"\x00",
                b"9" * 400,
                b'{"text":"a"}',
                b"\r",
            ]
        )
        | st.binary(max_size=6),
        max_size=30,
    ).map(b"".join),
)
def test_no_bytes_raise_anything_but_that_nothing_could_be_read(tmp_path, name, data):
    try:
        found = briefs(tmp_path, name, data)
    except TrafficError:
        return

    assert any(isinstance(one, RawBrief) for one in found)
