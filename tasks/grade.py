"""Step 3, second half: a check for each requirement of every run and attempt."""

from skillbank.agents.jobs import Checked
from skillbank.records import Grade
from skillbank.rounds.attempt import grade_of, grade_run
from skillbank.tables import ATTEMPTS, GRADES, RUNS, VARIANTS
from tasks.setting import Setting, step


@step("grade")
def grade(setting: Setting) -> str:
    """Grade what has no grade yet; a missing score stays missing."""
    at = setting.step(
        __file__,
        reads=[RUNS, VARIANTS, ATTEMPTS],
        depends=[setting.world.revision],
    )
    grades = at.table(GRADES, lambda: _grades(setting))
    missing = sum(grade.score is None for grade in grades)
    return setting.say(f"{len(grades)} runs and attempts graded, {missing} unmeasured")


def _grades(setting: Setting) -> tuple[Grade, ...]:
    world = setting.world
    briefs = {variant.brief.id: variant.brief for variant in setting.read(VARIANTS)}
    grades = [grade_run(row.run, world) for row in setting.each(RUNS)]
    for row in setting.read(ATTEMPTS):
        attempt, brief = row.attempt, briefs[row.attempt.brief]
        ended = attempt.ending == "ok"
        checks = world.verify(brief, attempt.output) if ended else ()
        checked = Checked(brief=brief, attempt=attempt, checks=checks)
        grades.append(grade_of(checked, attempt.id, world.revision))
    return tuple(grades)
