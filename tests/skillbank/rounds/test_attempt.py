from dataclasses import replace

import pytest

from skillbank.agents.agent import Attempt, Usage
from skillbank.agents.jobs import Checked, Job, do
from skillbank.briefs.brief import Brief, Check
from skillbank.models.journal import NoJournal
from skillbank.params import AttemptParams
from skillbank.records import SidedVariant
from skillbank.rounds.attempt import as_run, grade_of, grade_run, variant_jobs
from skillbank.skills.shelf import FixedShelf
from skillbank.traffic.run import Run, traced
from tests.skillbank.rounds.played import rounds, world

NOTHING = (FixedShelf(), "nothing")


def a_brief(number: int = 0) -> Brief:
    """A brief of the world with facts and requirements."""
    return rounds(1)[0].state.briefs[number]


def an_attempt(brief: Brief | None = None) -> Attempt:
    brief = brief or a_brief()
    context = world().contexts(brief, 1, 7)[0]
    return world().agent.attempt(brief, context, FixedShelf(), 3)


def a_run(**more: object) -> Run:
    asked = a_brief()
    return replace(as_run(asked, an_attempt(asked), "s1"), **more)  # type: ignore[arg-type]


def test_a_run_without_a_grade_is_checked_requirement_by_requirement():
    grade = grade_run(a_run(), world())

    assert grade.provenance == "check"
    assert grade.evaluator == world().revision
    assert {check.requirement for check in grade.checks} == {
        need.id for need in a_brief().requirements
    }
    assert all(check.why for check in grade.checks)
    assert grade.score is not None
    assert 0 <= grade.score <= 1


def test_a_grade_that_came_with_a_run_keeps_its_provenance():
    checks = tuple(
        Check(requirement=need.id, outcome="met", why="said a person")
        for need in a_brief().requirements
    )

    grade = grade_run(
        a_run(score=0.25, provenance="human", evaluator="ada", checks=checks), world()
    )

    assert (grade.score, grade.provenance, grade.evaluator) == (0.25, "human", "ada")
    assert grade.checks == checks
    assert grade.completeness == 1.0


def test_a_score_that_nobody_vouches_for_is_measured_again():
    mine, theirs = grade_run(a_run(), world()), grade_run(a_run(score=1.0), world())

    assert theirs == mine


def test_a_broken_run_scores_nought_and_a_fault_scores_nothing():
    broken = grade_run(a_run(ending="broken", output=""), world())
    fault = grade_run(a_run(ending="fault", output=""), world())

    assert (broken.score, broken.completeness, broken.provenance) == (0, 0, "check")
    assert (fault.score, fault.completeness, fault.provenance) == (None, None, "none")


def test_a_run_that_cannot_be_verified_has_no_score():
    bare = replace(a_brief(), requirements=())

    assert grade_run(a_run(brief=bare), world()).score is None
    assert grade_run(a_run(output=""), world()).score is None
    assert grade_run(a_run(output="no board"), world()).score is None


def test_an_attempt_that_we_failed_to_run_has_no_grade():
    made = replace(an_attempt(), ending="fault", output="")

    grade = grade_of(Checked(brief=a_brief(), attempt=made, checks=()), "a", "rev")

    assert (grade.score, grade.provenance, grade.evaluator) == (None, "none", "")


def test_every_attempt_on_a_variant_has_a_seed_and_a_context_of_its_own():
    variants = [
        SidedVariant(brief=brief, note="", side="teach", session="s")
        for brief in rounds(1)[0].state.briefs[:4]
    ]

    jobs = variant_jobs(
        variants, world(), NOTHING, AttemptParams(per_variant=3, exploring=2), 11
    )

    assert len({job.seed for job in jobs}) == len(jobs) == 12
    assert len({job.context.id for job in jobs}) == 12
    assert [job.exploring for job in jobs[:3]] == [False, True, True]
    assert jobs == variant_jobs(
        variants, world(), NOTHING, AttemptParams(per_variant=3, exploring=2), 11
    )


def test_the_key_of_an_attempt_takes_in_all_that_determines_it():
    job = Job(
        brief=a_brief(),
        context=world().contexts(a_brief(), 2, 7)[0],
        skills=FixedShelf(),
        under="a",
        seed=1,
    )

    others = [
        replace(job, brief=a_brief(1)),
        replace(job, context=world().contexts(a_brief(), 2, 7)[1]),
        replace(job, under="b"),
        replace(job, seed=2),
        replace(job, exploring=True),
    ]

    assert len({one.key(world()) for one in (job, *others)}) == 6
    assert job.key(world()) == replace(job).key(world())


def test_a_job_is_checked_only_where_there_is_an_output():
    made = do(
        Job(
            brief=a_brief(),
            context=world().contexts(a_brief(), 1, 7)[0],
            skills=FixedShelf(),
            under="a",
            seed=1,
        ),
        world(),
        NoJournal(),
    )
    broken = replace(made.attempt, ending="broken")

    assert made.attempt.ending == "ok"
    assert made.checks
    assert made.score is not None
    assert made.succeeded(made.score)
    assert not made.succeeded(made.score + 1e-9)
    assert Checked(brief=a_brief(), attempt=broken, checks=()).score == 0
    assert not Checked(brief=a_brief(), attempt=broken, checks=()).succeeded(0)


def test_an_attempt_of_ours_becomes_a_run_with_all_that_it_did():
    made = replace(an_attempt(), usage=Usage(turns=2, usd=0.5))

    run = as_run(a_brief(), made, "s9")

    assert (run.session, run.output) == ("s9", made.output)
    assert run.steps == traced(made.steps)
    assert run.usage.usd == 0.5
    assert run.score is None
    assert run.run_id == f"run-{made.id}"


@pytest.mark.parametrize("ending", ["ok", "broken", "fault"])
def test_an_ending_is_passed_on_as_it_is(ending: str):
    made = replace(an_attempt(), ending=ending)  # type: ignore[arg-type]

    assert as_run(a_brief(), made, "s").ending == ending
