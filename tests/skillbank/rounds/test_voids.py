"""A studio with outages: every void context is told with its cause and its arm."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from skillbank.agents.agent import Attempt, Context
from skillbank.briefs.brief import Brief
from skillbank.models.journal import NoJournal
from skillbank.params import Params
from skillbank.reports.proposals import Heard as Told
from skillbank.reports.proposals import blocks
from skillbank.reports.telling import Album
from skillbank.rounds.commit import decisions
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import Heard, hear
from skillbank.rounds.voids import void_lines, void_notes
from skillbank.skills.screen import Screening
from skillbank.skills.shelf import Shelf
from skillbank.tables import PAIRS
from studio.agent import StudioAgent
from studio.world import Studio
from tasks.tables import read_table, write_table
from tests.skillbank.rounds.played import params, rounds

CAUSE = "candidate: the server\x1b[2J went away"


class Struck(StudioAgent):
    """An agent whose server goes away under cards that are not the bank's."""

    def __init__(self, params: Params, known: Sequence[str]) -> None:
        super().__init__(params.studio.deviation, params.studio.temptation)
        self._known = set(known)

    def attempt(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        made = super().attempt(brief, context, skills, seed)
        recalled = {f"{one.skill}@{one.version}" for one in made.recalls}
        if recalled <= self._known or Random(seed).random() > 0.5:
            return made
        return Attempt(
            brief=brief.id,
            context=context.id,
            seed=seed,
            ending="fault",
            reason=CAUSE.removeprefix("candidate: "),
        )


def struck() -> tuple[Docket, Heard]:
    """A recorded rewrite, heard again while the candidate's server comes and goes."""
    docket = next(one for one in rounds(1)[0].dockets if one.proposal.base is not None)
    world = Studio(params())
    world.agent = Struck(
        params(), [f"{card.name}@{card.version}" for card in docket.cards]
    )
    return docket, hear(docket, world, NoJournal())


def test_each_void_is_logged_with_its_arm_its_cause_and_its_context():
    _, heard = struck()
    void = [pair.context for pair in heard.pairs if pair.outcome == "void"]

    (line,) = void_lines(heard.pairs)

    assert void
    assert line == f"void, candidate: the server [2J went away: {', '.join(void)}"


def test_the_notes_of_a_round_count_what_each_cause_voided():
    _, heard = struck()
    n = sum(pair.outcome == "void" for pair in heard.pairs)

    (note,) = void_notes(heard.pairs)

    assert note.startswith(f"{n} of {len(heard.pairs)} replayed contexts are void: ")
    assert "candidate: the server" in note
    assert void_notes(rounds(1)[0].heard[0].pairs) == ()


def test_the_table_of_pairs_has_a_column_for_it(tmp_path: Path):
    _, heard = struck()
    path = tmp_path / "pairs.parquet"

    write_table(path, PAIRS, heard.pairs)

    assert {pair.void for pair in read_table(path, PAIRS)} == {None, CAUSE}


def test_the_report_shows_the_void_context_and_the_spare_that_took_its_place():
    docket, heard = struck()
    proposals, screened = (
        [docket.proposal],
        [Screening(proposal=docket.proposal.id, passed=True)],
    )
    bank = rounds(1)[0].state.bank
    told = Told(
        bank=bank,
        proposals=proposals,
        decisions=decisions(proposals, screened, [heard.record], bank, {}),
        records=[heard.record],
        pairs=heard.pairs,
        briefs=docket.briefs,
    )

    (block,) = blocks(told, Album(lambda output: b"", 0))

    rows = [row for case in block.cases for row in case.rows]
    notes = [note for row in rows for note in row.notes if note.startswith("void")]
    assert len(notes) == sum(pair.outcome == "void" for pair in heard.pairs)
    assert all("candidate: the server" in note for note in notes)
    assert any(row.context.startswith("spare") for row in rows)
