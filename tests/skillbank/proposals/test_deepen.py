import time

import pytest

from skillbank.params import ProposeParams
from skillbank.proposals.deepen import (
    contrast,
    most_similar_first,
    neighbours,
    revision,
)
from skillbank.proposals.pool import Pool
from tests.skillbank.evidence.builders import brief, card, evidence, ids, recall

PARAMS = ProposeParams(shown_failures=2, shown_successes=2)
HEADLINE = recall("headline")


def test_the_worst_failures_are_shown_first():
    failures = [
        evidence(id, HEADLINE, score=s)
        for id, s in zip("abc", (0.5, 0.1, 0.3), strict=True)
    ]

    shown = contrast(card("headline"), failures, Pool(failures, 0.6), PARAMS)

    assert ids(shown.failures) == ["b", "c"]


def test_a_second_failure_on_one_root_waits_for_the_other_roots():
    twice = [
        evidence("a", HEADLINE, score=0.0, asked=brief("b1")),
        evidence("b", HEADLINE, score=0.1, asked=brief("v1", root="b1")),
        evidence("c", HEADLINE, score=0.5),
    ]

    shown = contrast(card("headline"), twice, Pool(twice, 0.6), PARAMS)

    assert ids(shown.failures) == ["a", "c"]


def test_the_contrast_is_the_cards_own_successes_on_the_most_similar_briefs():
    failure = evidence("f", HEADLINE, asked=brief("b0", "poster for a jazz night"))
    near = evidence("z", HEADLINE, score=0.9, asked=brief("b1", "banner, jazz night"))
    far = evidence("a", HEADLINE, score=0.9, asked=brief("b2", "shoes on sale"))
    other = evidence("o", recall("hero"), score=0.9, asked=brief("b3", "jazz night"))

    pool = Pool([failure, near, far, other], 0.6)
    shown = contrast(card("headline"), [failure], pool, PARAMS)

    assert ids(shown.successes) == ["z", "a"]


def test_kinds_of_requirement_make_briefs_similar():
    asked = brief("b0", "alpha", kind="contrast")
    failure = evidence("f", HEADLINE, asked=asked)
    same = evidence(
        "z", HEADLINE, score=0.9, asked=brief("b1", "beta", kind="contrast")
    )
    else_ = evidence(
        "a", HEADLINE, score=0.9, asked=brief("b2", "gamma", kind="margin")
    )

    shown = contrast(
        card("headline"), [failure], Pool([failure, same, else_], 0.6), PARAMS
    )

    assert ids(shown.successes) == ["z", "a"]


def test_successes_of_the_current_version_come_before_those_of_an_older_one():
    old = evidence("a", recall("headline", 1), score=0.9)
    new = evidence("z", recall("headline", 2), score=0.9)

    shown = contrast(card("headline", 2), [], Pool([old, new], 0.6), PARAMS)

    assert ids(shown.successes) == ["z", "a"]


@pytest.mark.parametrize(
    ("view", "failures", "successes"),
    [("normal", 1, 1), ("fail_only", 1, 0), ("success_only", 0, 1)],
)
def test_the_feedback_view_changes_only_what_is_shown(view, failures, successes):
    params = ProposeParams(feedback=view)
    pool = Pool([evidence("s", HEADLINE, score=0.9)], 0.6)
    shown = contrast(card("headline"), [evidence("f", HEADLINE)], pool, params)

    asked = revision(card("headline"), shown, (), overhaul=False, params=params)

    assert (len(asked.failures), len(asked.successes)) == (failures, successes)
    assert (len(shown.failures), len(shown.successes)) == (1, 1)


def test_cards_with_near_descriptions_are_offered_for_a_merge_nearest_first():
    bank = [
        card("a", description="when a row of sponsors must be placed"),
        card("b", description="when a row of sponsors is placed"),
        card("c", description="when sponsors must be placed in a row at the foot"),
        card("d", description="when the price must be placed"),
    ]

    near = neighbours(bank[0], bank, 0.5)

    assert [one.name for one in near] == ["b", "c"]


def test_what_every_description_says_makes_no_neighbours():
    things = ("headline", "price", "quote", "agenda", "rating", "hours")
    bank = [
        card(thing, description=f"use when the {thing} must be placed on a poster")
        for thing in things
    ]

    assert all(neighbours(one, bank, 0.5) == () for one in bank)


def test_a_card_without_words_in_its_description_has_no_neighbours():
    bank = [card("a", description="'...'"), card("b", description="'...'")]

    assert neighbours(bank[0], bank, 0.5) == ()


def test_a_thousand_failures_beside_a_thousand_successes_take_seconds():
    """Each pair of dense vectors took a minute, and the memory of all of them."""

    def asked(n: int):
        return brief(f"b{n}", " ".join(f"word{k}of{n}" for k in range(6)))

    failed = [evidence(f"f{n:04}", HEADLINE, asked=asked(n)) for n in range(1000)]
    well = [
        evidence(f"z{n:04}", HEADLINE, score=0.9, asked=asked(n)) for n in range(1000)
    ]
    pool, began = Pool([*failed, *well], 0.6), time.perf_counter()

    ranked = most_similar_first(card("headline"), failed, failed, pool)

    assert time.perf_counter() - began < 10
    assert ids(ranked) == ids(well)
