from typing import Any

import pytest

from skillbank.errors import GateError
from skillbank.gate import score_votes

Row = dict[str, Any]


def rows(case: str, *pairs: str) -> list[Row]:
    """Rows of one case; a pair is two letters: c, r (current), s, i (invalid)."""
    words = {"c": "candidate", "r": "current", "s": "same", "i": "invalid"}
    return [
        {"case": case, "context": f"{case}/{n}", "order": order, "vote": words[letter]}
        for n, pair in enumerate(pairs)
        for order, letter in zip(
            ("candidate_first", "current_first"), pair, strict=True
        )
    ]


def test_votes_made_elsewhere_get_the_same_rule() -> None:
    given = rows("a", "cc", "cc", "rr") + rows("b", "cr", "cs", "ss")

    verdict = score_votes(given)

    assert verdict.decision == "commit"
    assert [(c.case, c.verdict) for c in verdict.cases] == [("a", "win"), ("b", "tie")]
    assert verdict.cases[1].leaning == 1
    assert (verdict.planned, verdict.spent) == (6, 6)


def test_every_vote_counts_although_the_verdict_was_clear_before() -> None:
    verdict = score_votes(rows("a", "rr", "rr", "rr") + rows("b", "cc", "cc", "cc"))

    assert verdict.code == "refuse:regressed"
    assert [c.verdict for c in verdict.cases] == ["regress", "win"]


def test_the_order_of_rows_does_not_matter() -> None:
    given = rows("a", "cc", "cr", "cc") + rows("b", "cr", "cs", "ic")

    assert score_votes(given[::-1]).decision == score_votes(given).decision


def test_invalid_and_missing_contexts_are_void() -> None:
    verdict = score_votes(rows("a", "cc", "ic") + rows("b", "cc", "cc", "cc"))

    assert verdict.code == "undecided:inconclusive"
    assert verdict.cases[0].voids == 2


def test_a_context_beyond_the_planned_ones_is_the_spare_of_a_void_one() -> None:
    given = rows("a", "cc", "cc", "cc", "ic") + rows("b", "cr", "cr", "cr")

    verdict = score_votes(given, contexts=3)

    assert verdict.decision == "commit"
    assert (verdict.cases[0].wins, verdict.cases[0].voids) == (3, 1)


def test_a_row_that_is_no_object_is_named() -> None:
    with pytest.raises(GateError, match="row 1"):
        score_votes(["candidate"])  # type: ignore[list-item]  # as a file may have it


def test_no_votes_are_a_stated_outcome() -> None:
    assert score_votes([]).code == "undecided:no_cases"


def test_fewer_cases_than_required_are_undecided() -> None:
    verdict = score_votes(rows("a", "cc"), required=4)

    assert verdict.code == "undecided:too_few_cases"
    assert verdict.cases[0].verdict == "win"


def test_numbers_from_a_csv_are_names() -> None:
    given = [{**row, "case": 1, "context": 7} for row in rows("a", "cc")]

    assert score_votes(given).cases[0].case == "1"


def test_a_lone_vote_names_its_row() -> None:
    with pytest.raises(GateError, match=r"row 3.*only candidate_first"):
        score_votes(rows("a", "cc", "cc")[:3])


def test_a_doubled_vote_names_its_row() -> None:
    given = rows("a", "cc")

    with pytest.raises(GateError, match=r"row 3.*row 1"):
        score_votes([*given, given[0]])


def test_a_context_of_two_cases_names_its_row() -> None:
    given = rows("a", "cc")

    with pytest.raises(GateError, match="row 2"):
        score_votes([given[0], {**given[1], "case": "b"}])


@pytest.mark.parametrize(
    "wrong",
    [
        {"vote": "A"},
        {"vote": float("nan")},
        {"vote": None},
        {"order": "first"},
        {"case": ""},
        {"context": None},
        {"case": 1.5},
    ],
)
def test_a_bad_row_is_named_with_what_is_allowed(wrong: Row) -> None:
    given = rows("a", "cc")

    with pytest.raises(GateError, match="row 2") as caught:
        score_votes([given[0], {**given[1], **wrong}])

    assert caught.value.expected


def test_more_contexts_than_planned_are_an_error() -> None:
    with pytest.raises(GateError, match="at most the 2 planned"):
        score_votes(rows("a", "cc", "cc", "cc"), contexts=2)
