from hypothesis import given
from hypothesis import strategies as st

from skillbank.briefs.replay_set import GoldenCase, ReplaySet
from skillbank.roundid import round_id
from tests.skillbank.evidence.builders import brief


def case(id: str, skill: str = "hero", round: str = "r0001", proposal: str = "p"):
    return GoldenCase(
        brief=brief(id), skill=skill, subtask="hero", round=round, proposal=proposal
    )


CASES = st.builds(
    case,
    st.sampled_from("abcd"),
    st.sampled_from(["hero", "price"]),
    st.sampled_from(["r0001", "r0002"]),
    st.sampled_from("pq"),
)


@given(st.lists(CASES), st.randoms())
def test_cases_that_are_held_already_change_nothing_in_any_order(cases, random):
    whole = ReplaySet(cases=tuple(cases))
    random.shuffle(cases)

    piecewise = ReplaySet()
    for one in (*cases, *cases):
        piecewise = piecewise.add([one])

    assert piecewise == whole


def test_a_card_has_a_brief_once_however_many_changes_it_served():
    first, later = case("a"), case("a", round="r0002", proposal="q")

    assert ReplaySet().add([later, first]).cases == (first,)


def test_the_cases_of_a_card_and_of_those_that_it_superseded():
    held = ReplaySet(cases=(case("a"), case("b", "price"), case("c", "title")))

    assert [one.brief.id for one in held.of("hero", "title", "hero")] == ["a", "c"]
    assert held.of("ghost") == ()


@given(st.integers(1, 30), st.integers(1, 9), st.integers(0, 2**40))
def test_the_sample_visits_every_case_before_any_comes_a_second_time(n, size, seed):
    held = ReplaySet(cases=tuple(case(f"b{number}") for number in range(n)))
    needed = -(-n // size)

    taken = [
        one.key
        for number in range(2, 2 + needed)
        for one in held.sample(round_id(number), size, seed)
    ]

    assert set(taken) == {one.key for one in held.cases}
    assert len(taken) == min(n, size) * needed


def test_cases_that_join_later_do_not_starve_the_older_ones():
    held = ReplaySet(
        cases=tuple(
            case(f"r{number}-{n}", round=round_id(number))
            for number in range(1, 21)
            for n in range(3)
        )
    )

    taken = {
        one.key
        for number in range(2, 24)
        for one in held.sample(round_id(number), 4, seed=1)
    }

    assert {one.key for one in held.cases if one.round <= "r0010"} <= taken


def test_a_case_is_not_replayed_in_the_round_in_which_it_joins():
    held = ReplaySet(cases=(case("a"), case("b", round="r0002")))

    assert [one.brief.id for one in held.sample("r0002", 20, seed=1)] == ["a"]
    assert held.sample("r0001", 20, seed=1) == ()


def test_the_sample_depends_on_the_seed_and_on_nothing_else():
    held = ReplaySet(cases=tuple(case(f"b{number}") for number in range(40)))

    assert held.sample("r0002", 5, seed=1) == held.sample("r0002", 5, seed=1)
    assert held.sample("r0002", 5, seed=1) != held.sample("r0002", 5, seed=2)
    assert ReplaySet().sample("r0002", 5, seed=1) == ()
