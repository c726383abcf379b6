"""Simulated customers: weeks of runs as a trace file, with what real files have.

Sessions of some thirty users, two cohorts, needs that drift over the weeks, runs that
are tried again, lines that come twice, a few that are broken, and texts in which
people leave an address or a number. Customers who check what they got grade the run by
the brief's own demands; the others do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from skillbank.agents.agent import Agent, Attempt
from skillbank.briefs.brief import Brief, score
from skillbank.codec import seed_of
from skillbank.skills.shelf import Shelf
from skillbank.traffic.readers.native import to_line
from skillbank.traffic.run import Run, spent, traced
from studio.briefs import Wanted, generate
from studio.contexts import contexts
from studio.reading import read_board
from studio.verify import verify_all
from studio.words import Cohort

_USERS = 32
_RETAILERS = 18  # users 0 to 17 sell something; the others stage something
_GRADED = 0.6  # share of runs whose customer checked them
_AGAIN = 0.06  # share of runs that are tried again
_TWICE = 0.04  # share of lines that come twice
_BROKEN = 0.02  # share of lines followed by one that is cut off or no JSON
_PRIVATE = 0.08  # share of briefs in which somebody leaves an address or a number
_DRIFT = 0.35  # a week: how much more frequent the fresh labels become
_MONDAY = "2026-01-05"
_REVISION = "customer-checks-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Studio:
    """Who plays a week."""

    agent: Agent
    skills: Shelf
    seed: int


def week(number: int, n_briefs: int, studio: Studio) -> Iterator[str]:
    """The lines of week `number`: about `n_briefs` runs, duplicates and all.

    Args:
        number: Of the week, from 1.
        n_briefs: Different briefs; retries and duplicates come on top.
        studio: The agent, what it recalls, and the seed.
    """
    rng = Random(seed_of("week", studio.seed, number))
    for place in range(n_briefs):
        run = _run(number, place, studio, rng)
        yield from _told(to_line(run), rng)
        if rng.random() < _AGAIN:
            again = _play(
                replace(run, run_id=f"{run.run_id}-r", retry_of=run.run_id), 1, studio
            )
            yield from _told(to_line(again), rng)


def _told(line: str, rng: Random) -> Iterator[str]:
    yield line
    if rng.random() < _TWICE:
        yield line
    if rng.random() < _BROKEN:
        yield rng.choice((line[: len(line) // 3], "{}", '{"run_id": 7}', "not a trace"))


def _run(number: int, place: int, studio: Studio, rng: Random) -> Run:
    user = int(_USERS * rng.random() ** 1.3)
    cohort: Cohort = "retail" if user < _RETAILERS else "culture"
    id = f"w{number}-{studio.seed % 10**6:06d}-{place:04d}"
    wanted = Wanted(source="traffic", id=id, cohort=cohort, drift=_DRIFT * (number - 1))
    brief = generate(wanted, studio.seed)
    if rng.random() < _PRIVATE:
        brief = replace(brief, text=f"{brief.text} {_private(user, rng)}")
    day, hour = place * 5 // max(1, 80), 8 + place % 10
    today = _day(number, min(4, day))
    run = Run(
        run_id=f"run-{id}",
        brief=brief,
        session=f"s{number}-{user}-{rng.randrange(3)}",
        user=f"user-{user:02d}",
        tenant="studio",
        cohort=cohort,
        started=f"{today}T{hour:02d}:{place % 60:02d}:00+00:00",
    )
    return _play(run, 0, studio)


def _day(number: int, day: int) -> str:
    monday = date.fromisoformat(_MONDAY)
    return (monday + timedelta(days=7 * (number - 1) + day)).isoformat()


def _private(user: int, rng: Random) -> str:
    if rng.random() < 0.5:
        return f"Write to anna.{user}@example.org with questions."
    return f"Call me on +44 20 7946 {rng.randrange(1000, 9999)} if unsure."


def _play(run: Run, attempt: int, studio: Studio) -> Run:
    seed = seed_of("traffic", studio.seed, run.run_id, attempt)
    context = contexts(run.brief, 1, seed)[0]
    made = studio.agent.attempt(run.brief, context, studio.skills, seed)
    graded = Random(seed_of("graded", seed)).random() < _GRADED
    played = replace(
        run,
        steps=traced(made.steps),
        recalls=made.recalls,
        uncovered=made.uncovered,
        output=made.output,
        ending=made.ending,
        reason=made.reason,
        usage=spent(made.usage),
    )
    return _graded(played, run.brief, made) if graded else played


def _graded(run: Run, brief: Brief, made: Attempt) -> Run:
    if made.ending != "ok":
        return replace(run, score=0.0, provenance="check", evaluator=_REVISION)
    checks = verify_all(read_board(made.output), brief.requirements)
    return replace(
        run,
        checks=checks,
        score=score(brief, checks),
        provenance="check",
        evaluator=_REVISION,
    )
