import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from skillbank.briefs.benchmark import (
    compare,
    differences,
    read_benchmark,
    regressed,
)
from skillbank.codec import dump
from skillbank.errors import BriefError
from skillbank.records import Arm, Measured
from tests.skillbank.evidence.builders import brief


def measured(
    id: str, value: float | None, *fired: str, success: bool | None = None
) -> Measured:
    arm: Arm = "candidate"
    return Measured(
        set="benchmark",
        arm=arm,
        brief=id,
        attempt=f"a-{id}",
        score=value,
        completeness=value,
        success=(value or 0) >= 0.6 if success is None else success,
        fired=fired,
    )


def arm(*values: float | None) -> list[Measured]:
    return [measured(f"b{n}", value) for n, value in enumerate(values)]


def test_arms_are_paired_by_brief_whatever_their_order():
    current, candidate = arm(0.2, 0.5, 0.9), arm(0.4, 0.5, 1.0)

    one = compare(current, candidate, seed=1)

    assert one == compare(current[::-1], candidate[::-1], seed=1)
    assert one.completeness.estimate == pytest.approx(0.1)
    assert one.n == 3


def test_a_missing_score_leaves_its_brief_out_and_is_never_zero():
    current = arm(0.2, 0.5, 0.9, None, 0.7)
    candidate = arm(0.4, None, 1.0, 0.3, math.nan)

    one = compare(current, candidate, seed=1)

    assert (one.n, one.missing) == (2, 3)
    assert one.completeness.estimate == pytest.approx(0.15)
    assert set(differences(current, candidate)) == {"b0", "b2"}


def test_a_broken_output_is_a_score_of_zero_and_stays_in():
    one = compare(arm(0.8, 0.8), arm(0.8, 0.0), seed=1)

    assert (one.n, one.lost) == (2, 1)
    assert one.completeness.estimate == pytest.approx(-0.4)


def test_a_brief_of_one_arm_only_is_counted_as_missing():
    one = compare(arm(0.2, 0.5, 0.9), arm(0.4, 0.5), seed=1)

    assert (one.n, one.missing) == (2, 1)


@pytest.mark.parametrize("candidate", [arm(), arm(0.5), arm(None, None, 0.5)])
def test_fewer_than_two_pairs_are_an_error(candidate: Sequence[Measured]):
    with pytest.raises(BriefError, match="of 3 briefs measured under both"):
        compare(arm(0.2, 0.5, 0.9), candidate, seed=1)


def test_two_attempts_on_one_brief_are_an_error_not_two_units():
    twice = [*arm(0.2, 0.5), measured("b0", 0.9)]

    with pytest.raises(BriefError, match="two attempts"):
        compare(twice, arm(0.2, 0.5), seed=1)


def test_the_interval_is_reproducible_and_holds_the_estimate():
    current = arm(*(n / 40 for n in range(40)))
    candidate = arm(*(min(1.0, n / 40 + (n % 3) / 10) for n in range(40)))

    one, other = (compare(current, candidate, seed=3) for _ in range(2))

    assert one == other
    low, high = one.completeness.low, one.completeness.high
    assert 0 < low < one.completeness.estimate < high


def test_equal_arms_differ_by_nothing_and_the_interval_says_so():
    one = compare(arm(0.2, 0.5, 0.9), arm(0.2, 0.5, 0.9), seed=1)

    assert tuple(one.completeness) == (0, 0, 0)
    assert one.success.low < 0 < one.success.high


def test_quality_is_the_mean_score_of_successes_beside_their_rate():
    one = compare(arm(0.2, 0.3), arm(0.2, 0.8), seed=1)

    assert (one.current.quality, one.current.success_rate) == (None, 0)
    assert (one.candidate.quality, one.candidate.success_rate) == (0.8, 0.5)
    assert (one.gained, one.lost) == (1, 0)


def test_a_golden_case_regressed_if_it_succeeded_and_no_longer_does():
    current, candidate = arm(0.9, 0.9, 0.2, 0.9), arm(0.5, 0.7, 0.1, None)

    assert regressed(current, candidate) == {"b0"}


def test_differences_are_of_the_score_where_both_were_measured():
    assert differences(arm(0.2, 0.5, None), arm(0.4, 0.4, 1.0)) == {
        "b0": pytest.approx(0.2),
        "b1": pytest.approx(-0.1),
    }


def test_fixed_briefs_survive_being_written_and_read(tmp_path: Path):
    briefs = (brief("b1"), brief("b2"))
    path = tmp_path / "briefs.jsonl"
    path.write_text("\n".join(map(dump, briefs)) + "\n\n", encoding="utf-8")

    assert read_benchmark(path) == briefs


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("{", "JSON"),
        ("[]", "list"),
        ('{"id": "x"}', "text"),
        ('{"id": "x", "text": "y", "requirments": []}', "requirments"),
        ('{"id": "x", "text": "y"}', "no requirement"),
        ('{"id": "x", "text": "  "}', "no text"),
        (dump(brief("b1")), "second time"),
        (dump(brief("b2")).replace('"weight":1.0', '"weight":0'), "weight"),
    ],
)
def test_a_line_that_is_no_brief_is_named(tmp_path: Path, line: str, seen: str):
    path = tmp_path / "briefs.jsonl"
    path.write_text(f"{dump(brief('b1'))}\n{line}\n", encoding="utf-8")

    with pytest.raises(BriefError, match=seen) as caught:
        read_benchmark(path)

    assert caught.value.place.startswith("briefs.jsonl:2")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe"])
def test_a_file_without_briefs_is_an_error(tmp_path: Path, content: bytes):
    path = tmp_path / "briefs.jsonl"
    path.write_bytes(content)

    with pytest.raises(BriefError, match=r"briefs\.jsonl"):
        read_benchmark(path)
    with pytest.raises(BriefError, match=r"none\.jsonl"):
        read_benchmark(tmp_path / "none.jsonl")
