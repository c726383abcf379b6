from hypothesis import given
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief
from skillbank.evidence.ledger import Due
from skillbank.proposals.cases import (
    Sources,
    Spot,
    mint_cases,
    recalled_at,
    rewrite_cases,
    variants_of,
)
from skillbank.proposals.pool import Pool
from skillbank.proposals.widen import gather
from skillbank.skills.shelf import Subtask
from tests.skillbank.evidence.builders import brief, evidence, recall, sighting


def spots(text: str) -> tuple[Spot, ...]:
    """Spots of briefs a, b, ...; `a1` is a variant of `a`."""
    return tuple(Spot(brief=id, root=id[0], subtask="headline") for id in text.split())


def chosen(sources: Sources, n: int = 4) -> str:
    cases = rewrite_cases("headline", sources, n, shown=frozenset())
    return " ".join(case.brief for case in cases)


def test_a_rewrite_has_two_origin_failures_and_two_golden_cases():
    sources = Sources(
        failures=spots("a b c"), golden=spots("g h i"), successes=spots("s t")
    )

    assert chosen(sources) == "a b g h"


def test_successes_stand_in_where_a_card_has_too_few_golden_cases():
    sources = Sources(
        failures=spots("a b c"), golden=spots("g"), successes=spots("s t")
    )

    assert chosen(sources) == "a b g s"


def test_variants_fill_up_before_further_failures_do():
    sources = Sources(failures=spots("a b c d"), variants=spots("a1"))

    assert chosen(sources) == "a b a1 c"


def test_a_second_brief_of_one_root_comes_only_when_the_roots_are_used_up():
    assert chosen(Sources(failures=spots("a a1 b"), golden=spots("g h"))) == "a b g h"


def test_fewer_cases_are_returned_rather_than_one_brief_twice():
    sources = Sources(failures=spots("a"), golden=spots("a"), successes=spots("a s"))

    assert chosen(sources) == "a s"


def test_a_card_without_any_failing_run_does_not_crash():
    assert chosen(Sources(golden=spots("g"))) == "g"
    assert chosen(Sources()) == ""


NAMES = st.lists(
    st.sampled_from([f"{root}{n}" for root in "abcdef" for n in ("", "1", "2")]),
    max_size=8,
).map(" ".join)


@given(NAMES, NAMES, NAMES, NAMES, st.integers(1, 6))
def test_no_brief_is_repeated_and_none_is_missing(
    a: str, b: str, c: str, d: str, n: int
):
    sources = Sources(
        failures=spots(a), golden=spots(b), successes=spots(c), variants=spots(d)
    )

    cases = chosen(sources, n).split()

    there = {spot.brief for spot in spots(f"{a} {b} {c} {d}")}
    assert len(cases) == len(set(cases)) == min(n, len(there))


def test_an_origin_case_is_one_whose_brief_the_writer_was_shown():
    cases = rewrite_cases(
        "headline",
        Sources(failures=spots("a b"), golden=spots("g h")),
        4,
        shown=frozenset("ag"),
    )

    assert [case.origin for case in cases] == [True, False, True, False]
    assert {case.card for case in cases} == {"headline"}


def test_briefs_used_for_another_card_of_a_merge_are_not_used_again():
    cases = rewrite_cases(
        "hero",
        Sources(failures=spots("a b c")),
        2,
        shown=frozenset(),
        used=frozenset("a"),
    )

    assert [case.brief for case in cases] == ["b", "c"]


def test_a_mint_is_replayed_on_its_cluster_shown_and_set_aside():
    runs = "abcdef"
    sightings = tuple(sighting(run) for run in runs)
    due = Due(label="sponsors", count=6, sightings=sightings)
    gathered = gather(
        due, Pool([evidence(run) for run in runs], 0.6), frozenset(), set_aside=0.5
    )

    cases = mint_cases("sponsors-row", gathered, (), 4)

    assert sorted(case.origin for case in cases) == [False, False, True, True]
    shown = {one.brief.id for one in gathered.cluster.members}
    assert all(case.origin == (case.brief in shown) for case in cases)
    assert {(case.card, case.subtask) for case in cases} == {
        ("sponsors-row", "sponsors")
    }


def test_a_small_cluster_is_filled_up_with_its_variants_and_else_stays_small():
    due = Due(label="sponsors", count=3, sightings=tuple(map(sighting, "abc")))
    gathered = gather(
        due, Pool([evidence(run) for run in "abc"], 0.6), frozenset(), set_aside=0.5
    )

    assert len(mint_cases("x", gathered, (), 4)) == 3
    filled = mint_cases("x", gathered, spots("a1 b1"), 4)
    assert [case.brief for case in filled][3:] == ["a1"]


def test_a_variant_without_the_subtask_is_no_case():
    def plan(asked: Brief) -> tuple[Subtask, ...]:
        return tuple(Subtask(name=name, phrase="") for name in asked.text.split())

    variants = {
        "a": [brief("a1", "headline hero", root="a"), brief("a2", "hero", root="a")]
    }

    found = variants_of(spots("a"), variants, plan)

    assert [spot.brief for spot in found] == ["a1"]


def test_the_subtask_of_a_case_is_where_the_card_was_recalled():
    run = evidence("a", recall("hero"), recall("headline", subtask="top"))

    (spot,) = recalled_at("headline", [run, evidence("b", recall("hero"))])

    assert (spot.brief, spot.subtask) == ("b-a", "top")
