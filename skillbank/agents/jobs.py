"""Attempts to be made: the job, and how it is done once and never again.

Knows nothing of processes or pools: the caller spreads jobs over them.
"""

from dataclasses import dataclass

from skillbank.agents.agent import Attempt, Context
from skillbank.briefs.brief import Brief, Check, completeness, score
from skillbank.codec import digest
from skillbank.errors import BudgetError, ModelError, WorldError
from skillbank.models.journal import Journal, journalled_attempt
from skillbank.skills.shelf import Shelf
from skillbank.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One attempt to make."""

    brief: Brief
    context: Context
    skills: Shelf
    under: str
    """What the skills are, as a digest: equal digests mean equal shelves."""
    seed: int
    exploring: bool = False

    def key(self, world: World) -> str:
        """Digest of everything that determines the attempt."""
        return digest(
            "attempt",
            world.revision,
            self.brief,
            self.context,
            self.under,
            self.seed,
            self.exploring,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An attempt with its checks; none if there was nothing that could be checked."""

    brief: Brief
    attempt: Attempt
    checks: tuple[Check, ...]

    @property
    def score(self) -> float | None:
        """In [0, 1]; 0 if the agent broke, None if we failed to run or to check it."""
        return self._measured(score(self.brief, self.checks) if self.checks else None)

    @property
    def completeness(self) -> float | None:
        """In [0, 1]; 0 if the agent broke, None if we failed to run or to check it."""
        return self._measured(
            completeness(self.brief, self.checks) if self.checks else None
        )

    def _measured(self, value: float | None) -> float | None:
        match self.attempt.ending:
            case "ok":
                return value
            case "broken":
                return 0.0
            case "fault":
                return None

    def succeeded(self, at: float) -> bool:
        """An export exists and the score is at least `at`."""
        value = self.score
        return self.attempt.ending == "ok" and value is not None and value >= at


def do(job: Job, world: World, journal: Journal) -> Checked:
    """Make the attempt and check it, or take both from the journal.

    A fault is not journalled: it says nothing of the agent and may be tried again. A
    model that the agent could not reach is one. What the world cannot check, such as
    a demand of another world, stays unchecked.
    """
    make = world.explore if job.exploring else world.agent.attempt

    def attempted() -> Attempt:
        try:
            return make(job.brief, job.context, job.skills, job.seed)
        except BudgetError:  # asking on is no use
            raise
        except ModelError as error:
            return Attempt(
                brief=job.brief.id,
                context=job.context.id,
                seed=job.seed,
                ending="fault",
                reason=error.seen,
            )

    attempt = journalled_attempt(journal, job.key(world), attempted)
    return Checked(
        brief=job.brief, attempt=attempt, checks=_checks(world, job, attempt)
    )


def _checks(world: World, job: Job, attempt: Attempt) -> tuple[Check, ...]:
    if attempt.ending != "ok":
        return ()
    try:
        return world.verify(job.brief, attempt.output)
    except WorldError:
        return ()
