"""Step 9: fixed briefs under several banks, paired and in one batch."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from skillbank.agents.jobs import Checked, Job
from skillbank.briefs.brief import Brief
from skillbank.codec import seed_of
from skillbank.params import BenchmarkParams
from skillbank.records import Arm, BriefSet, Measured, Suspect
from skillbank.rounds.blame import Suspicion, harm_p, harmful
from skillbank.skills.shelf import Shelf
from skillbank.world import World

Arms: TypeAlias = Mapping[Arm, tuple[Shelf, str]]
"""For each arm what the agent recalls, and the digest of that."""


def fixed_jobs(
    briefs: Sequence[Brief], arms: Arms, world: World, set: BriefSet, seed: int
) -> tuple[tuple[Arm, Job], ...]:
    """One attempt of each brief under each arm, the arms interleaved brief by brief.

    The context of a brief is the same in every round and every arm; arms share no seed.
    """
    return tuple(
        (
            arm,
            Job(
                brief=brief,
                context=world.contexts(brief, 1, seed_of("fixed", brief.id))[0],
                skills=skills,
                under=under,
                seed=seed_of(seed, set, arm, brief.id),
            ),
        )
        for brief in briefs
        for arm, (skills, under) in arms.items()
    )


def suspect_jobs(
    suspicion: Suspicion,
    briefs: Mapping[str, Brief],
    arms: Arms,
    world: World,
    repeats: Iterable[int],
    seed: int,
) -> tuple[tuple[Arm, Job], ...]:
    """A suspect with and without, several times on each brief where it fires.

    Args:
        suspicion: The suspect.
        briefs: By id.
        arms: With it and without.
        world: Whose contexts they are.
        repeats: Number of each repeat; another number draws other seeds.
        seed: Of all of them.
    """
    return tuple(
        pair
        for repeat in repeats
        for pair in fixed_jobs(
            [briefs[brief] for brief in suspicion.briefs],
            arms,
            world,
            "benchmark",
            seed_of(seed, "suspect", suspicion.commit, repeat),
        )
    )


def attempted(
    set: BriefSet,
    jobs: Sequence[tuple[Arm, Job]],
    do: Callable[[Sequence[Job]], Sequence[Checked]],
    success_at: float,
) -> tuple[Measured, ...]:
    """Make attempts on fixed briefs, and say what each came to.

    Args:
        set: What the briefs are.
        jobs: As `fixed_jobs` lays them out.
        do: Makes attempts, in the order of the jobs.
        success_at: Score from which one is a success.
    """
    made = do([job for _, job in jobs])
    return tuple(
        measured(set, arm, one, success_at)
        for (arm, _), one in zip(jobs, made, strict=True)
    )


def needs_more(found: Suspect, params: BenchmarkParams) -> bool:
    """Whether a suspect that was replayed once looks bad enough to be replayed again.

    Most that do no harm are let be here; of those that are looked at twice no more than
    `drop_at` are dropped by chance, and a culprit is seen on twice the replays.
    """
    return params.undo and harmful(found.wins, found.losses, params.again_at)


def verdict_on(
    suspicion: Suspicion,
    skill: str,
    made: Sequence[tuple[Arm, Checked]],
    params: BenchmarkParams,
) -> Suspect:
    """Whether a suspect is dropped: losses beat wins, by score, brief by brief.

    Args:
        suspicion: The suspect.
        skill: Name of its card.
        made: Attempts in the order of `suspect_jobs`: with, without, with, ...
        params: The bar.
    """
    scores = [one.score for _, one in made]
    return judged(
        suspicion, skill, list(zip(scores[::2], scores[1::2], strict=True)), params
    )


def judged(
    suspicion: Suspicion,
    skill: str,
    scores: Sequence[tuple[float | None, float | None]],
    params: BenchmarkParams,
) -> Suspect:
    """The same from scores alone, those with the suspect first; None: not measured."""
    wins = losses = 0
    for with_it, without in scores:
        if with_it is None or without is None:
            continue
        wins += with_it > without
        losses += with_it < without
    return Suspect(
        proposal=suspicion.commit,
        skill=skill,
        briefs=len(suspicion.briefs),
        wins=wins,
        losses=losses,
        p=harm_p(wins, losses),
        dropped=params.undo and harmful(wins, losses, params.drop_at),
        coefficient=suspicion.effect.coefficient if suspicion.effect else None,
        error=suspicion.effect.error if suspicion.effect else None,
    )


def measured(set: BriefSet, arm: Arm, made: Checked, success_at: float) -> Measured:
    """What an attempt on a fixed brief came to."""
    recalls = made.attempt.recalls
    return Measured(
        set=set,
        arm=arm,
        brief=made.brief.id,
        attempt=made.attempt.id,
        score=made.score,
        completeness=made.completeness,
        success=made.succeeded(success_at),
        fired=tuple(sorted({f"{call.skill}@{call.version}" for call in recalls})),
        forbidden=len(made.attempt.forbidden),
    )
