"""Step 3: the agent attempts the variants under the current bank."""

from skillbank.records import MadeAttempt
from skillbank.rounds.attempt import variant_jobs
from skillbank.tables import ATTEMPTS, VARIANTS
from tasks.setting import Setting, step


@step("attempt")
def attempt(setting: Setting) -> str:
    """Make the attempts, several processes at once."""
    at = setting.step(
        __file__, reads=[VARIANTS], depends=[setting.params, setting.bank.digest]
    )
    made = at.table(ATTEMPTS, lambda: _attempts(setting))
    exploring = sum(attempt.exploring for attempt in made)
    return setting.say(f"{len(made)} attempts made, {exploring} of them exploring")


def _attempts(setting: Setting) -> tuple[MadeAttempt, ...]:
    jobs = variant_jobs(
        setting.read(VARIANTS),
        setting.world,
        setting.shelf(setting.bank),
        setting.params.attempt,
        setting.seed("attempt"),
    )
    return tuple(
        MadeAttempt(attempt=checked.attempt, exploring=job.exploring)
        for job, checked in zip(jobs, setting.workers.do(jobs), strict=True)
    )
