"""Step 3: the attempts on variants, and the grade of every run and attempt."""

from collections.abc import Iterable

from skillbank.agents.agent import Attempt
from skillbank.agents.jobs import Checked, Job
from skillbank.briefs.brief import Brief, completeness, score
from skillbank.codec import seed_of
from skillbank.errors import WorldError
from skillbank.evidence.attribute import Graded
from skillbank.params import AttemptParams
from skillbank.records import Grade, MadeAttempt, SidedRun, SidedVariant
from skillbank.skills.shelf import Shelf
from skillbank.traffic.run import Run, spent, traced
from skillbank.world import World


def variant_jobs(
    variants: Iterable[SidedVariant],
    world: World,
    skills: tuple[Shelf, str],
    params: AttemptParams,
    seed: int,
) -> tuple[Job, ...]:
    """The attempts to make on variants under the current bank.

    Args:
        variants: The round's variants.
        world: Whose contexts they are attempted in.
        skills: The current bank's shelf and its digest.
        params: How many attempts, and how many of them explore.
        seed: Seed of contexts and attempts.
    """
    jobs = []
    steady = params.per_variant - params.exploring
    for variant in variants:
        contexts = world.contexts(
            variant.brief,
            params.per_variant,
            seed_of(seed, "contexts", variant.brief.id),
        )
        for number, context in enumerate(contexts):
            jobs.append(
                Job(
                    brief=variant.brief,
                    context=context,
                    skills=skills[0],
                    under=skills[1],
                    seed=seed_of(seed, "attempt", context.id, number),
                    exploring=number >= steady,
                )
            )
    return tuple(jobs)


def grade_run(run: Run, world: World) -> Grade:
    """The grade of a run: the one it came with, else what the world's verifiers say.

    A grade that came with a run keeps its provenance. A broken run scores 0, whatever
    it was asked; a run that ended in a fault, has nothing to be verified, or an output
    or a requirement that the world cannot read, has no score.
    """
    if run.score is not None and run.provenance != "none":
        return Grade(
            id=run.run_id,
            brief=run.brief.id,
            checks=run.checks,
            score=run.score,
            completeness=_met(run),
            provenance=run.provenance,
            evaluator=run.evaluator,
        )
    if run.ending == "broken":
        return Grade(
            id=run.run_id,
            brief=run.brief.id,
            score=0.0,
            completeness=0.0,
            provenance="check",
            evaluator=world.revision,
        )
    if run.ending == "fault" or not run.brief.requirements or not run.output:
        return Grade(id=run.run_id, brief=run.brief.id)
    try:
        checks = world.verify(run.brief, run.output)
    except WorldError:  # somebody else's trace: it must not stop the rest
        return Grade(id=run.run_id, brief=run.brief.id)
    return Grade(
        id=run.run_id,
        brief=run.brief.id,
        checks=checks,
        score=score(run.brief, checks),
        completeness=completeness(run.brief, checks),
        provenance="check",
        evaluator=world.revision,
    )


def grade_of(made: Checked, id: str, evaluator: str) -> Grade:
    """The grade of an attempt that was checked."""
    measured = made.score is not None
    return Grade(
        id=id,
        brief=made.brief.id,
        checks=made.checks,
        score=made.score,
        completeness=made.completeness,
        provenance="check" if measured else "none",
        evaluator=evaluator if measured else "",
    )


def _met(run: Run) -> float | None:
    """Completeness of a run that came graded; None if a demand was not checked."""
    if run.ending == "broken":
        return 0.0
    needs = {need.id for need in run.brief.requirements}
    if not needs or {check.requirement for check in run.checks} != needs:
        return None
    return completeness(run.brief, run.checks)


def as_run(brief: Brief, attempt: Attempt, session: str) -> Run:
    """An attempt of ours as a run of traffic: a brief that somebody handed us."""
    return Run(
        run_id=f"run-{attempt.id}",
        brief=brief,
        session=session,
        cohort=brief.cohort,
        steps=traced(attempt.steps),
        recalls=attempt.recalls,
        uncovered=attempt.uncovered,
        output=attempt.output,
        ending=attempt.ending,
        reason=attempt.reason,
        usage=spent(attempt.usage),
    )


def graded_run(row: SidedRun, grade: Grade, round: str) -> Graded:
    """A run with its grade, as attribution reads it."""
    run = row.run
    return Graded(
        id=run.run_id,
        brief=run.brief,
        round=round,
        session=run.session,
        user=run.user,
        side=row.side,
        exploring=run.exploring,
        ended=run.ending != "fault",
        score=grade.score,
        recalls=run.recalls,
        uncovered=run.uncovered,
        steps=run.steps,
        checks=grade.checks,
    )


def graded_attempt(
    row: MadeAttempt, variant: SidedVariant, grade: Grade, round: str
) -> Graded:
    """An attempt on a variant with its grade, as attribution reads it."""
    attempt = row.attempt
    return Graded(
        id=attempt.id,
        brief=variant.brief,
        round=round,
        session=variant.session,
        side=variant.side,
        exploring=row.exploring,
        ended=attempt.ending != "fault",
        score=grade.score,
        recalls=attempt.recalls,
        uncovered=attempt.uncovered,
        steps=attempt.steps,
        checks=grade.checks,
    )
