"""What stands around a trial: its plan, its risk, and what the world cannot do."""

from dataclasses import replace

from skillbank.models.journal import NoJournal
from skillbank.rounds.replay import Docket, hear
from skillbank.skills.shelf import Risk
from tests.skillbank.rounds.played import rounds, world


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
