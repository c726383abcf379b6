"""How many placebos a round has, of which kind, and on whose cases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise

from skillbank.control_params import ControlParams
from skillbank.proposals.placebo import Placebo, n_placebos, placebos
from skillbank.proposals.proposal import Proposal
from skillbank.skills.shelf import Card
from skillbank.skills.skill import Skill
from tests.skillbank.rounds.played import rounds

PARAMS = ControlParams()


def made(
    heard: Sequence[Proposal],
    cards: Sequence[Card],
    *,
    seed: int = 3,
    share: float = 0.05,
) -> tuple[Placebo, ...]:
    params = PARAMS.model_copy(update={"placebo_share": share})
    return placebos(heard, cards, params, lambda one: True, seed)


def played() -> tuple[tuple[Proposal, ...], tuple[Card, ...]]:
    """The proposals that a round of the studio heard, and the cards of its bank."""
    dockets = rounds(3, 40)[2].dockets
    return tuple(one.proposal for one in dockets), dockets[0].cards


def test_one_in_twenty_is_a_placebo_and_one_at_least_from_eight_on():
    counts = [n_placebos(n, PARAMS) for n in (0, 7, 8, 20, 29, 31, 60, 200)]

    assert counts == [0, 0, 1, 1, 1, 2, 3, 10]
    assert n_placebos(200, PARAMS.model_copy(update={"placebo_share": 0.0})) == 0


def test_the_kinds_take_turns_within_a_round_and_over_rounds():
    heard, cards = played()
    later = [replace(one, round="r0004") for one in heard]

    first, second = made(heard, cards, share=0.2), made(later, cards, share=0.2)

    kinds = [one.kind for one in first]
    assert len(kinds) >= 4
    assert set(pairwise(kinds)) == {
        ("paraphrase", "irrelevant"),
        ("irrelevant", "paraphrase"),
    }
    assert kinds[0] != second[0].kind


def test_a_placebo_has_the_cases_of_a_real_proposal_of_the_same_card():
    heard, cards = played()
    by_skill = {one.skill: one for one in heard}

    for one in made(heard, cards, share=0.5):
        donor = by_skill[one.proposal.skill]
        assert one.proposal.cases == donor.cases
        assert (one.proposal.base, one.proposal.axis) == (donor.base, donor.axis)
        assert one.proposal.text != donor.text


def test_nothing_in_what_the_gate_is_given_says_that_it_is_a_placebo():
    heard, cards = played()

    found = made(heard, cards, share=0.5)

    assert all(one.proposal.placebo for one in found)
    assert not any(one.unmarked.placebo or one.unmarked.note for one in found)
    assert all(one.unmarked.id == one.proposal.id for one in found)
    ids = [one.id for one in chain(heard, (one.proposal for one in found))]
    assert Counter(map(len, ids)).keys() == {12}
    assert len(set(ids)) == len(ids)


def test_the_draw_is_the_seeds_and_not_the_orders():
    heard, cards = played()

    assert made(heard[::-1], cards, share=0.2) == made(heard, cards, share=0.2)
    drawn = {made(heard, cards, seed=seed)[0].proposal.id for seed in range(20)}
    assert len(drawn) > 3


def test_a_paraphrase_is_of_the_current_card_and_keeps_its_calls():
    heard, cards = played()
    texts = {card.name: card.skill for card in cards}

    found = [one for one in made(heard, cards, share=0.5) if one.kind == "paraphrase"]

    assert found
    for one in found:
        new = Skill.parse(one.proposal.text, folder=one.proposal.skill)
        old = texts[one.proposal.skill]
        assert (new.calls, new.description) == (old.calls, old.description)
        # against nothing even a card in other words would be a change
        assert not one.proposal.label
        assert not one.proposal.drops


def test_what_the_screen_refuses_is_never_a_placebo():
    heard, cards = played()

    assert placebos(heard, cards, PARAMS, lambda one: False, 3) == ()
