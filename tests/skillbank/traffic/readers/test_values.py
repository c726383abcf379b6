"""Values that nobody vouches for become what they say, or nothing."""

import json
import math

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers.values import (
    LARGEST,
    RESULT_LIMIT,
    amount_of,
    arguments_of,
    bounded,
    brief_of,
    count_of,
    each_once,
    error_line,
    iso_of,
    number_of,
    recalls_of,
    seconds_between,
    skill_name,
    skills_read,
    text_of,
    total,
)
from skillbank.traffic.run import SkillUse


def test_the_same_words_are_the_same_task_however_they_are_spaced_and_cased() -> None:
    one, other = brief_of("Make  a Banner\n"), brief_of("make a banner")

    assert one is not None
    assert other is not None
    assert one.id == other.id
    assert one.id.startswith("task-")
    assert one.text == "Make  a Banner\n"


def test_a_task_that_has_an_id_keeps_it_and_one_without_words_is_none() -> None:
    brief = brief_of("x", "django-1")

    assert brief is not None
    assert brief.id == "django-1"
    assert brief_of(" \n ") is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("hello", "hello"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, "b"], "a\nb"),
        ({"type": "output_text", "text": "c"}, "c"),
        ([{"type": "thinking", "thinking": "hm"}], ""),
        (None, ""),
        (7, ""),
        ([[["deep"]]], ""),
    ],
)
def test_the_words_of_a_message_are_its_texts_and_nothing_else(
    content: Json, words: str
) -> None:
    assert text_of(content) == words


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        ({"a": "x", "n": 1, "l": [1]}, {"a": "x", "n": "1", "l": "[1]"}),
        ('{"a": "x"}', {"a": "x"}),
        (json.dumps('{"a": null}'), {"a": ""}),
        ("ls -la", {"input": "ls -la"}),
        ([1], {"input": "[1]"}),
        (None, {}),
        ("", {}),
    ],
)
def test_arguments_come_by_name_from_whatever_form_they_have(
    value: Json, arguments: dict[str, str]
) -> None:
    assert arguments_of(value) == arguments


def test_arguments_too_deep_to_be_written_are_named_and_do_not_raise() -> None:
    deep: Json = []
    for _ in range(900):
        deep = [deep]

    assert arguments_of({"a": deep}) == {"a": "[cannot be written]"}


def test_a_long_result_is_cut_with_a_mark_that_says_how_much_is_gone() -> None:
    cut = bounded("x" * 50_000)

    assert len(cut) <= RESULT_LIMIT
    kept = cut.count("x")
    assert cut.endswith(f"… [{50_000 - kept} more characters]")
    assert bounded(cut) == cut
    assert bounded("x" * RESULT_LIMIT) == "x" * RESULT_LIMIT


def test_an_error_is_its_first_line_that_says_something() -> None:
    assert error_line("\n  \n Exit code 1 \nmore") == "Exit code 1"
    assert len(error_line("y" * 999)) == 200
    assert error_line("") == ""


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2026-04-11T12:00:00.123Z", "2026-04-11T12:00:00.123Z"),
        (1_700_000_000, "2023-11-14T22:13:20Z"),
        (1_700_000_000.5, "2023-11-14T22:13:20.500000Z"),
        (1_700_000_000_000, "2023-11-14T22:13:20Z"),
        (1_700_000_000_000_000, "2023-11-14T22:13:20Z"),
        (1_700_000_000_000_000_001, "2023-11-14T22:13:20Z"),
        ("1700000000000000000", "2023-11-14T22:13:20Z"),
        ("NORMALIZED_TIMESTAMP", ""),
        (10**30, ""),
        (math.nan, ""),
        (math.inf, ""),
        (-1, ""),
        (True, ""),
        ({}, ""),
    ],
)
def test_times_are_iso_text_whatever_the_unit_and_nothing_if_they_are_none(
    value: Json, time: str
) -> None:
    assert iso_of(value) == time


def test_seconds_are_told_only_between_two_times_in_their_order() -> None:
    assert seconds_between("2026-01-01T00:00:00Z", "2026-01-01T01:00:01+01:00") == 1
    assert seconds_between("2026-01-01T00:00:00", "2026-01-01T00:00:02Z") == 2
    assert seconds_between("2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z") is None
    assert seconds_between("", "2026-01-01T00:00:00Z") is None


@pytest.mark.parametrize(
    "value", [True, -1, 1.5, LARGEST + 2, 10**400, "7", math.nan, None, [1]]
)
def test_what_is_no_count_is_not_told(value: Json) -> None:
    assert count_of(value) is None


def test_counts_and_amounts_are_told_as_they_are() -> None:
    assert count_of(0) == 0
    assert count_of(12.0) == 12
    assert count_of(LARGEST) == LARGEST
    assert amount_of(0.25) == 0.25
    assert amount_of(-0.25) is None
    assert amount_of(math.inf) is None
    assert number_of(-2) == -2


def test_a_sum_of_what_is_not_told_is_not_told() -> None:
    assert total() is None
    assert total(None, None) is None
    assert total(None, 0, 2) == 2
    assert total(LARGEST, 1) is None


def test_a_skill_is_known_by_its_own_name_without_its_prefix() -> None:
    assert skill_name("bmad:core:party-mode") == "party-mode"
    assert skill_name(" /commit") == "commit"
    assert skills_read("cat /a/skills/x-1/SKILL.md /b/y/SKILL.md x-1/SKILL.md") == (
        "x-1",
        "y",
    )
    assert skills_read("cat SKILL.md") == ()


def test_only_skills_that_had_a_part_in_the_run_are_recalled() -> None:
    uses = [
        SkillUse(skill="a", how="offered"),
        SkillUse(skill="b", how="opened", version="3"),
        SkillUse(skill="b", how="applied", version="v4"),
        SkillUse(skill="c", how="opened", error="no such skill"),
        SkillUse(skill="d", how="opened", version="1.2.0"),
    ]

    recalls = recalls_of(uses)

    assert [(r.skill, r.version, r.reason) for r in recalls] == [
        ("b", 4, "applied"),
        ("d", 0, "opened"),
    ]


def test_a_use_counts_once_and_the_one_that_worked_is_kept() -> None:
    failed = SkillUse(skill="a", how="opened", error="no such file")
    worked = SkillUse(skill="a", how="opened")

    assert each_once([failed, worked, failed, worked]) == (worked,)
