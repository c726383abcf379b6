from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from skillbank.errors import GateError
from skillbank.gate import Limits, Rule, Verdict, certify_votes, gate_votes, score_votes
from skillbank.gate_params import CertifiedParams, GateParams

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

    verdict = score_votes(given, required=2)

    assert verdict.decision == "commit"
    assert [(c.case, c.verdict) for c in verdict.cases] == [("a", "win"), ("b", "tie")]
    assert verdict.cases[1].leaning == 1
    assert (verdict.planned, verdict.spent) == (6, 6)


def test_every_vote_counts_although_the_verdict_was_clear_before() -> None:
    given = rows("a", "rr", "rr", "rr") + rows("b", "cc", "cc", "cc")

    verdict = score_votes(given, required=2)

    assert verdict.code == "refuse:regressed"
    assert [c.verdict for c in verdict.cases] == ["regress", "win"]


def test_the_order_of_rows_does_not_matter() -> None:
    given = rows("a", "cc", "cr", "cc") + rows("b", "cr", "cs", "ic")

    assert score_votes(given[::-1]).decision == score_votes(given).decision


def test_invalid_and_missing_contexts_are_void() -> None:
    given = rows("a", "cc", "ic") + rows("b", "cc", "cc", "cc")

    verdict = score_votes(given, required=2)

    assert verdict.code == "undecided:inconclusive"
    assert verdict.cases[0].voids == 2


def test_a_context_beyond_the_planned_ones_is_the_spare_of_a_void_one() -> None:
    given = rows("a", "cc", "cc", "cc", "ic") + rows("b", "cr", "cr", "cr")

    verdict = score_votes(given, contexts=3, required=2)

    assert verdict.decision == "commit"
    assert (verdict.cases[0].wins, verdict.cases[0].voids) == (3, 1)


@pytest.mark.parametrize("score", [score_votes, certify_votes])
def test_a_context_may_have_any_name(score: Callable[[list[Row]], Verdict]) -> None:
    given = rows("a", "cc", "cc") + rows("b", "cc", "cc", "cr")
    named = [
        {**row, "context": "a, missing 0"} if row["context"] == "b/0" else row
        for row in given
    ]

    assert score(named) == score(given)


def test_a_row_that_is_no_object_is_named() -> None:
    with pytest.raises(GateError, match="row 1"):
        score_votes(["candidate"])  # type: ignore[list-item]  # as a file may have it


def test_no_votes_are_a_stated_outcome() -> None:
    assert score_votes([]).code == "undecided:no_cases"


def test_fewer_cases_than_required_are_undecided() -> None:
    verdict = score_votes(rows("a", "cc"))

    assert verdict.code == "undecided:too_few_cases"
    assert "4 are required" in verdict.reason
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


def held_out(*pairs: str) -> list[Row]:
    return [row for i in range(8) for row in rows(f"c{i}", *pairs)]


def test_votes_made_elsewhere_can_show_a_gain() -> None:
    verdict = certify_votes(held_out("cc", "cc", "cr"))

    assert verdict.decision == "commit"
    assert verdict.evidence is not None
    assert (verdict.evidence.wins, verdict.spent) == (10, 10)
    assert verdict.plan == ""


def test_votes_made_elsewhere_can_show_that_there_is_none() -> None:
    assert certify_votes(held_out("rr", *["cc"] * 4)).code == "refuse:no_gain"
    assert certify_votes(held_out("cr", "cr", "cr")).code == "refuse:out_of_reach"


def test_too_few_votes_to_show_anything_are_uncertifiable() -> None:
    assert certify_votes(held_out("cc")).code == "undecided:uncertifiable"


def test_votes_on_fewer_than_six_cases_certify_nothing() -> None:
    few = [row for row in held_out("cc", "cc", "cc") if row["case"] < "c5"]

    assert certify_votes(few).code == "undecided:uncertifiable"


def test_a_lost_case_without_further_votes_leaves_a_gain_undecided() -> None:
    given = [row for row in held_out(*["cc"] * 5) if row["case"] != "c0"]

    verdict = certify_votes(rows("c0", "rr", "rr") + given)

    assert verdict.code == "undecided:inconclusive"


def test_further_votes_on_a_lost_case_settle_it() -> None:
    given = [row for row in held_out("cc", "cc", "cc") if row["case"] != "c0"]
    again = rows("c0", "rr", "rr", "cr", "cc", "cc", "cr", "cr", "cr", "cr")

    assert certify_votes(again + given).decision == "commit"


@settings(max_examples=60, deadline=None)
@drawn(
    st.lists(
        st.lists(st.sampled_from(["cc", "rr", "cr", "ss", "ic"]), max_size=9),
        max_size=9,
    )
)
def test_any_complete_votes_have_a_stated_outcome(cases: list[list[str]]) -> None:
    given = [row for i, pairs in enumerate(cases) for row in rows(f"c{i}", *pairs)]

    assert certify_votes(given).code
    assert certify_votes(given).decision in ("commit", "refuse", "undecided")


def asked(mode: str, **numbers: Any) -> GateParams:
    return GateParams(mode=mode, **numbers)


def test_the_rule_that_is_asked_for_decides_by_its_own_numbers() -> None:
    given = held_out("cc", "cc", "cc")
    certified = CertifiedParams(bar=Fraction(100), per_case=4)

    found = {
        mode: gate_votes(given, asked(mode, cases=8, certified=certified))
        for mode in ("published", "certified", "auto")
    }

    assert found["published"].numbers == Rule(cases=8)
    assert found["certified"].numbers == Limits(bar=Fraction(100), per_case=3)
    assert found["certified"].verdict.spent == 12  # 3/2 to the 12th is above 100
    assert found["auto"] == found["certified"]
    assert not found["published"].verdict.uncertifiable


@pytest.mark.parametrize("cases", [4, 5])
def test_auto_falls_back_and_says_so_where_votes_certify_nothing(cases: int) -> None:
    given = [row for row in held_out("cc", "cc", "cc") if row["case"] < f"c{cases}"]

    fallen = gate_votes(given, asked("auto"))
    strict = gate_votes(given, asked("certified"))

    assert (fallen.mode, fallen.verdict.decision) == ("published", "commit")
    assert fallen.verdict.uncertifiable
    assert strict.verdict.code == "undecided:uncertifiable"


@pytest.mark.parametrize("mode", ["published", "auto"])
def test_one_case_commits_nothing_unless_one_is_asked_for(mode: str) -> None:
    given = rows("a", "cc", "cc", "cc")

    assert gate_votes(given, asked(mode)).verdict.code == "undecided:too_few_cases"
    assert gate_votes(given, asked(mode, cases=1)).verdict.decision == "commit"


@pytest.mark.parametrize("mode", ["published", "certified", "auto"])
def test_no_votes_are_a_stated_outcome_of_every_rule(mode: str) -> None:
    assert gate_votes([], asked(mode)).verdict.code == "undecided:no_cases"
