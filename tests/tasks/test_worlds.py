"""What workers make, and what they only look up."""

from pathlib import Path

from skillbank.agents.jobs import Job
from skillbank.skills.shelf import FixedShelf
from tasks.worlds import no_workers_left, workers
from tests.skillbank.rounds.played import params, rounds, world


def test_an_attempt_from_the_journal_took_no_time_that_could_be_told(tmp_path: Path):
    alone = params().evolve.model_copy(update={"workers": 1})
    mine = params().model_copy(update={"evolve": alone})
    brief = rounds(1)[0].state.briefs[0]
    job = Job(
        brief=brief,
        context=world().contexts(brief, 1, 3)[0],
        skills=FixedShelf(),
        under="nothing",
        seed=5,
    )

    with no_workers_left():
        crew = workers(mine, tmp_path / "journal.sqlite")
        ((made, took),), ((again, later),) = crew.timed([job]), crew.timed([job])

    assert took is not None
    assert took > 0
    assert later is None
    assert again == made
