"""Before step 1, in the embedded world only: its customers use the agent for a week."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from skillbank.agents.jobs import Job
from skillbank.codec import digest, seed_of
from skillbank.errors import BriefError
from skillbank.rounds.attempt import as_run
from skillbank.traffic.privacy import mask_value, redact
from skillbank.traffic.readers.briefs import RawBrief, read_briefs
from skillbank.traffic.readers.native import to_line
from tasks.setting import Setting, step


@step("play")
def play(setting: Setting) -> str:
    """Write the round's traffic, played under HEAD as it stands now."""
    opening = setting.opening
    path = setting.workspace.traffic(opening.round)
    if opening.given == "traffic":
        return setting.say(f"traffic read from {redact(setting.source.name)}")
    given = opening.given == "briefs"
    at = setting.step(
        __file__,
        files=[setting.source] if given else (),
        depends=[setting.params, setting.bank.digest, digest(str(setting.key))],
    )
    beside, stamp = path.with_suffix(".stamp"), at.stamp()
    # a round that was given up may have left another week under this round's name
    if not path.exists() or not beside.exists() or beside.read_text() != stamp:
        _write(path, _attempted(setting) if given else _simulated(setting))
        _write(beside, [stamp], end="")
    return setting.say("a week of traffic is there")


def _write(path: Path, lines: Iterable[str], end: str = "\n") -> None:
    """Write lines, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}{end}" for line in lines)
    temporary.replace(path)


def _simulated(setting: Setting) -> Iterator[str]:
    skills, _ = setting.shelf(setting.bank)
    return setting.world.week(
        setting.opening.number, setting.opening.briefs, skills, setting.seed("play")
    )


def _attempted(setting: Setting) -> Iterator[str]:
    """One run of the agent for each brief that somebody wrote."""
    skills, under = setting.shelf(setting.bank)
    world, jobs = setting.world, []
    for found in read_briefs(setting.source):
        # before anything else sees the text, or the name of its file
        raw = mask_value(found, setting.key, setting.params.ingest.privacy)
        if not isinstance(raw, RawBrief):
            setting.say(f"left out {raw.source}: {raw.problem}")
            continue
        try:
            brief = world.understand(raw.text, id=raw.id, must_say=raw.must_say)
        except BriefError as error:
            setting.say(f"left out {raw.source}: {error}")
            continue
        context = world.contexts(brief, 1, setting.seed("context", brief.id))[0]
        seed = seed_of(setting.seed("play"), brief.id)
        jobs.append(
            Job(brief=brief, context=context, skills=skills, under=under, seed=seed)
        )
    for job, made in zip(jobs, setting.workers.do(jobs), strict=True):
        yield to_line(as_run(job.brief, made.attempt, session=job.brief.id))
