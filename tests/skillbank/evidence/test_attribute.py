from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.evidence.attribute import attribute, evidence, unlabelled
from skillbank.evidence.labels import Labels
from tests.skillbank.evidence.builders import graded, labels, recall


def test_a_failure_is_charged_to_every_skill_and_version_that_the_run_recalled():
    run = graded("a", recall("headline", 2), recall("hero", 1), score=0.59)

    events = attribute([run], Labels(), 0.6)

    assert {(e.kind, e.skill, e.version) for e in events} == {
        ("failure", "headline", 2),
        ("failure", "hero", 1),
    }


def test_a_score_at_the_bar_is_no_failure():
    (event,) = attribute([graded("a", recall("hero"), score=0.6)], Labels(), 0.6)

    assert event.kind == "use"


def test_a_legitimate_score_of_zero_is_a_failure_and_not_a_missing_one():
    (event,) = attribute([graded("a", recall("hero"), score=0.0)], Labels(), 0.6)

    assert (event.kind, event.score) == ("failure", 0.0)


def test_a_missing_score_says_nothing_of_a_skill_and_still_shows_a_need():
    run = graded("a", recall("hero"), score=None, uncovered=["name the sponsors"])

    (event,) = attribute([run], Labels(), 0.6)

    assert (event.kind, event.label, event.score) == (
        "uncovered",
        "name-the-sponsors",
        None,
    )


def test_what_a_fault_of_ours_ended_gives_no_event_at_all():
    run = replace(
        graded("a", recall("hero"), score=None, uncovered=["name the sponsors"]),
        ended=False,
    )

    assert attribute([run], Labels(), 0.6) == ()
    assert unlabelled([run]) == ()
    assert evidence([run]) == ()


def test_an_exploring_attempt_feeds_the_writer_and_never_a_count():
    run = graded("a", recall("hero"), exploring=True, uncovered=["name the sponsors"])

    assert attribute([run], Labels(), 0.6) == ()
    assert [one.id for one in evidence([run])] == ["a"]


def test_the_test_side_is_marked_and_teaches_nobody():
    run = graded("a", recall("hero"), side="test", uncovered=["name the sponsors"])

    assert {event.side for event in attribute([run], Labels(), 0.6)} == {"test"}
    assert evidence([run]) == ()
    assert unlabelled([run]) == ()


def test_a_card_recalled_for_two_subtasks_has_one_outcome_with_both():
    run = graded("a", recall("hero", subtask="top"), recall("hero", subtask="foot"))

    (event,) = attribute([run], Labels(), 0.6)

    assert event.subtasks == ("top", "foot")


def test_an_uncovered_subtask_is_filed_under_its_canonical_label():
    run = graded("a", uncovered=["set a row of sponsors", "place the sponsors"])
    filed = labels("set a row of sponsors", "place the sponsors")

    (event,) = attribute([run], filed, 0.6)

    assert (event.kind, event.label) == ("uncovered", "sponsors")


def test_a_run_without_a_session_is_a_session_of_its_own():
    runs = [replace(graded(id, recall("hero")), session="") for id in "ab"]

    assert {event.session for event in attribute(runs, Labels(), 0.6)} == {"a", "b"}


@given(st.permutations(range(6)))
def test_the_order_of_the_runs_changes_no_event(order: list[int]):
    runs = [graded(f"run{n}", recall("hero"), score=n / 6) for n in range(6)]

    events = attribute([runs[n] for n in order], Labels(), 0.6)

    assert events == attribute(runs, Labels(), 0.6)


@pytest.mark.parametrize("fail_below", [0.0, 0.6, 1.0])
def test_every_scored_recall_is_either_a_use_or_a_failure(fail_below: float):
    runs = [graded(f"run{n}", recall("hero"), score=n / 10) for n in range(11)]

    events = attribute(runs, Labels(), fail_below)

    assert len(events) == 11
    assert all(
        (event.kind == "failure") == ((event.score or 0.0) < fail_below)
        for event in events
    )
