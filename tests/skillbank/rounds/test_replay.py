"""What stands around a trial: its plan, its risk, and what the world cannot do."""

from dataclasses import replace

from skillbank.briefs.brief import Brief
from skillbank.models.journal import MemoryJournal, NoJournal
from skillbank.params import Params
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import hear
from skillbank.skills.shelf import Risk
from studio.world import Studio
from tests.skillbank.rounds.played import params, rounds, world


def rewrite() -> Docket:
    """A recorded proposal that revises a card."""
    return next(one for one in rounds(1)[0].dockets if one.proposal.base is not None)


def with_risk(docket: Docket, risk: Risk) -> Docket:
    cards = tuple(
        replace(card, risk=risk) if card.name == docket.proposal.skill else card
        for card in docket.cards
    )
    return replace(docket, cards=cards)


def test_the_risk_of_the_cards_concerned_is_the_plans():
    docket = rewrite()

    risky = hear(with_risk(docket, "high"), world(), NoJournal()).record.plan
    plain = hear(docket, world(), NoJournal()).record.plan

    assert (risky.risk, plain.risk) == ("high", "low")
    assert risky.hash != plain.hash


def test_a_case_that_the_world_cannot_plan_is_passed_over_and_the_round_goes_on():
    docket = rewrite()
    foreign = {id: Brief(id=id, text="somebody's words") for id in docket.briefs}

    heard = hear(replace(docket, briefs=foreign), world(), NoJournal())

    assert heard.record.verdict.code == "undecided:no_cases"
    assert heard.pairs == ()


class Counting(Studio):
    """The studio, counting what its agent is asked for."""

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.drawn = 0

    def upstream(self, *arguments):
        self.drawn += 1
        return super().upstream(*arguments)


def test_what_lies_upstream_is_drawn_once_however_often_a_trial_is_resumed():
    docket, journal, asked = rewrite(), MemoryJournal(), Counting(params())

    first = hear(docket, asked, journal)
    drawn, kept = asked.drawn, len(journal.entries)
    again = hear(docket, asked, journal)

    assert drawn == first.record.verdict.spent > 0
    assert (asked.drawn, len(journal.entries)) == (drawn, kept)
    assert again == first == hear(docket, world(), NoJournal())
