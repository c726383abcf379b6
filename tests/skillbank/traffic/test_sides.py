"""A run teaches or tests, never both, and the same in every round."""

import pytest

from skillbank.briefs.brief import Brief
from skillbank.params import IngestParams
from skillbank.traffic.run import Run
from skillbank.traffic.sides import (
    side,
    side_of_brief,
    sided,
    sides,
    sides_of_roots,
    unit_for,
)


def run(n: int, user: str = "", session: str = "", brief: str = "") -> Run:
    text = brief or f"b{n}"
    return Run(
        run_id=f"r{n}", brief=Brief(id=text, text=text), user=user, session=session
    )


@pytest.mark.parametrize(("users", "unit"), [(19, "session"), (20, "user")])
def test_few_users_split_by_session(users: int, unit: str):
    runs = [run(n, user=f"u{n % users}") for n in range(100)]

    assert unit_for(runs, 20) == unit


def test_runs_without_a_user_do_not_count_as_one():
    assert unit_for([run(1), run(2, user="u")], 2) == "session"


def test_all_runs_of_a_user_are_on_one_side():
    runs = [run(n, user=f"u{n % 30}", session=f"s{n}") for n in range(300)]

    found = sides(runs, "user", 0.7)

    assert set(found.values()) == {"teach", "test"}
    for user in {one.user for one in runs}:
        assert len({found[one.run_id] for one in runs if one.user == user}) == 1


def test_all_runs_of_a_session_are_on_one_side():
    runs = [run(n, user="u", session=f"s{n % 30}") for n in range(300)]

    found = sides(runs, "session", 0.7)

    for n in range(30):
        assert len({found[one.run_id] for one in runs if one.session == f"s{n}"}) == 1


def test_the_teach_share_is_kept_about():
    runs = [run(n, user=f"u{n}") for n in range(4000)]

    taught = sum(one == "teach" for one in sides(runs, "user", 0.7).values())

    assert taught / 4000 == pytest.approx(0.7, abs=0.03)  # four standard errors


@pytest.mark.parametrize(("share", "side_of_all"), [(0.0, "test"), (1.0, "teach")])
def test_a_share_of_none_or_all_means_it(share: float, side_of_all: str):
    runs = [run(n, user=f"u{n}") for n in range(200)]

    assert set(sides(runs, "user", share).values()) == {side_of_all}


def test_nobody_in_particular_is_not_one_big_user():
    runs = [run(n) for n in range(50)]

    assert set(sides(runs, "user", 0.5).values()) == {"teach", "test"}


def test_a_side_is_the_same_today_and_tomorrow():
    runs = [run(n, user=f"u{n}") for n in range(12)]

    tests = [n for n, one in enumerate(runs) if side(one, "user", 0.5) == "test"]

    assert tests == [0, 2, 3, 6, 8]


def test_a_variant_stays_on_the_side_of_its_root():
    variant = Brief(id="v", text="v", parent="b1", root="b1")

    assert side_of_brief(variant, {"b1": "teach"}) == "teach"
    assert side_of_brief(variant, {"b1": "test"}) == "test"


def test_a_brief_of_unknown_origin_only_tests():
    assert side_of_brief(Brief(id="x", text="x"), {}) == "test"


def test_a_brief_that_was_asked_on_both_sides_only_tests():
    runs = [run(n, user=f"u{n}", brief="same") for n in range(30)]

    assert sides_of_roots(runs, sides(runs, "user", 0.5)) == {"same": "test"}


def test_a_brief_that_tested_once_never_teaches_whoever_asks_later():
    runs = [run(n, user=f"u{n}", brief=f"b{n % 3}") for n in range(9)]
    everybody = IngestParams(teach_share=1.0)

    rows = sided(runs, "user", everybody, seed=0, tested={"b1", "unknown"})

    assert [row.run for row in rows] == runs
    assert {row.run.brief.id for row in rows if row.side == "test"} == {"b1"}
