"""What a run of traffic is worth: its own grade, the world's, or none at all."""

from dataclasses import replace

import pytest

from skillbank.briefs.brief import Brief, Check, Requirement
from skillbank.evidence.attribute import attribute
from skillbank.evidence.labels import Labels
from skillbank.records import Grade, SidedRun
from skillbank.rounds.attempt import grade_run, graded_run
from skillbank.skills.shelf import Recall
from skillbank.traffic.run import Run
from tests.skillbank.rounds.played import world

CONTRAST = {"role": "headline", "ratio": 4.5}


def need(id: str, kind: str = "contrast") -> Requirement:
    return Requirement(id=id, kind=kind, text="it can be read", args=CONTRAST)


def run(**more) -> Run:
    brief = Brief(id="b", text="a poster", requirements=(need("one"), need("two")))
    return Run(**{"run_id": "r", "brief": brief, "session": "s", **more})


def check(id: str, outcome: str) -> Check:
    return Check(requirement=id, outcome=outcome, why="seen")  # type: ignore[arg-type]


@pytest.mark.parametrize("output", ["hello", "{}", '{"width": 3}', "[" * 9])
def test_an_output_that_the_world_cannot_read_is_unmeasured_and_stops_nothing(output):
    assert grade_run(run(output=output), world()) == Grade(id="r", brief="b")


def test_a_requirement_that_the_world_does_not_know_is_unmeasured():
    brief = Brief(id="b", text="t", requirements=(need("one", kind="smells good"),))

    grade = grade_run(run(brief=brief, output="{}"), world())

    assert (grade.score, grade.completeness, grade.provenance) == (None, None, "none")


@pytest.mark.parametrize("given", [{}, {"score": 0.0, "provenance": "check"}])
def test_a_broken_run_is_complete_to_no_part_whoever_graded_it(given):
    grade = grade_run(run(ending="broken", **given), world())

    assert (grade.score, grade.completeness) == (0.0, 0.0)


def test_a_fault_has_no_score():
    assert grade_run(run(ending="fault"), world()).score is None


def test_a_grade_of_some_demands_says_nothing_of_the_others():
    graded = run(score=0.9, provenance="human", checks=(check("one", "met"),))
    whole = replace(graded, checks=(check("one", "met"), check("two", "not")))

    assert grade_run(graded, world()).completeness is None
    assert grade_run(whole, world()).completeness == 0.5
    assert grade_run(whole, world()).score == 0.9


def test_a_run_that_was_made_to_explore_is_never_a_failure():
    recall = Recall(subtask="headline", skill="h", version=1, relevance=1, reason="")
    made = run(ending="broken", recalls=(recall,))

    def events(run: Run) -> int:
        row = SidedRun(run=run, side="teach")
        graded = graded_run(row, grade_run(run, world()), "r0001")
        return len(attribute([graded], Labels(), 0.6))

    assert events(made) == 1
    assert events(replace(made, exploring=True)) == 0
