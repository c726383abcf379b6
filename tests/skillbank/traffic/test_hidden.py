"""What is found in a decoded text can be pointed at in the text as it stands."""

import base64
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.traffic.hidden import base64_runs, revealed, views

TEXTS = st.text(  # but what is an escape or reads as another letter
    st.characters(
        codec="utf-8",
        exclude_characters="\\%&=\x00",
        exclude_categories=["Cf", "Nd", "Zs"],
    ).filter(lambda letter: not "\uff01" <= letter <= "\uff5e"),
    min_size=1,
)
WRITTEN: dict[str, Callable[[str], str]] = {
    "JSON": json.dumps,
    "JSON in JSON": lambda text: json.dumps(json.dumps(text)),
    "URL": lambda text: quote(text, safe=""),
    "URL in a URL": lambda text: quote(quote(text, safe=""), safe=""),
    "JSON in a URL": lambda text: quote(json.dumps(text, ensure_ascii=False), safe=""),
}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(sorted(WRITTEN)), TEXTS, st.data())
def test_a_span_of_a_view_is_where_its_letters_are_written(name, text, data):
    written = WRITTEN[name](text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    plain = text.translate(str.maketrans("\n\r\t\b\f", "\n" * 5))

    for view in list(views(written))[1:]:
        at = view.text.find(plain)
        if at < 0:
            continue
        left, right = view.origin(at + start, at + end)
        piece = list(views(written[left:right]))[-1]
        assert plain[start:end] in piece.text or len(piece.text) == end - start


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_the_last_view_reads_as_the_text_was_meant(name: str):
    text = 'Ann said "é日": a+b/c <b>1</b>'

    assert text in list(views(WRITTEN[name](text)))[-1].text


def test_a_text_without_escapes_has_one_view_and_it_is_the_text():
    assert [view.text for view in views("50 % off, R&D, 3 < 4")][0:1] == [
        "50 % off, R&D, 3 < 4"
    ]


@pytest.mark.parametrize(
    "around", ["{}", "x={}&y", "/u/{}", '"{}"', r"\n{}\n", "data:text/plain;base64,{}"]
)
@pytest.mark.parametrize(
    "said", ["write to ann@example.org", "Größe: 12 Äpfel 日本語!"]
)
def test_base64_of_a_text_is_read_wherever_it_stands(around: str, said: str):
    run = base64.b64encode(said.encode()).decode()

    found = list(base64_runs(around.format(run)))

    assert [text for *_, text in found] == [said]
    start, end, _ = found[0]
    assert around.format(run)[start:end] == run


def test_base64_in_the_lines_of_a_mail_is_one():
    said = "Dear all, " * 30
    run = base64.encodebytes(said.encode()).decode()

    assert [text for *_, text in base64_runs(run)] == [said]


@pytest.mark.parametrize(
    "text",
    [
        "getElementsByClassNameAndRenderThemTwice",
        "src/skillbank/traffic/readers/documents",
        "550e8400-e29b-41d4-a716-446655440000",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "1234567890123456789012345678",
    ],
)
def test_what_only_has_the_letters_of_base64_says_nothing(text: str):
    assert list(base64_runs(text)) == []


def test_base64_within_base64_is_revealed_to_a_bound():
    text = "write to ann@example.org"
    twice = text
    for _ in range(2):
        twice = base64.b64encode(twice.encode()).decode()

    assert text in list(revealed(twice, 2))
    assert text not in list(revealed(twice, 1))
