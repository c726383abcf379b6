from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.errors import AccountingError
from skillbank.proposals.accounting import BankChange, Tally, tally
from skillbank.proposals.proposal import Proposal
from skillbank.records import Fate

FATES: tuple[Fate, ...] = (
    "screened out", "refused", "undecided", "dropped", "committed",
)  # fmt: skip


def proposal(number: int, *, mint: bool = False) -> Proposal:
    return Proposal(
        round="r0001",
        axis="widening" if mint else "deepening",
        kind="mint" if mint else "edit",
        skill=f"card-{number}",
        base=None if mint else 1,
        text="",
    )


def test_the_published_rewrites_add_up():
    Tally(axis="deepening", proposed=231, committed=131, refused=100).check()


def test_the_published_mints_add_up():
    Tally(axis="widening", proposed=136, committed=69, refused=67).check()


def test_the_published_bank_adds_up():
    BankChange(before=76, mints=69, retired=6, after=139).check()


def test_a_proposal_that_is_missing_from_the_fates_is_named_with_the_numbers():
    with pytest.raises(AccountingError, match=r"231 proposed.* = 230"):
        Tally(axis="deepening", proposed=231, committed=131, refused=99).check()


def test_a_negative_count_does_not_balance_the_books():
    with pytest.raises(AccountingError):
        Tally(axis="deepening", proposed=1, committed=2, refused=-1).check()


def test_a_bank_that_lost_a_card_is_named_with_the_numbers():
    with pytest.raises(AccountingError, match=r"138 after, but 76 before \+ 69 mints"):
        BankChange(before=76, mints=69, retired=6, after=138).check()


def test_suspended_and_reinstated_cards_are_in_the_books():
    BankChange(before=10, mints=2, suspended=3, reinstated=1, after=10).check()


@given(st.lists(st.tuples(st.sampled_from(FATES), st.booleans()), max_size=30))
def test_every_round_of_fates_balances_by_axis(drawn: list[tuple[Fate, bool]]):
    proposals = [proposal(n, mint=mint) for n, (_, mint) in enumerate(drawn)]
    fates = {one.id: fate for one, (fate, _) in zip(proposals, drawn, strict=True)}

    deepening, widening = tally(proposals, fates)

    assert deepening.proposed + widening.proposed == len(drawn)
    assert widening.committed == sum(pair == ("committed", True) for pair in drawn)


def test_a_placebo_is_in_no_count():
    real = proposal(1)
    placebo = replace(proposal(2), placebo=True)

    deepening, _ = tally([real, placebo], {real.id: "committed"})

    assert deepening.proposed == 1


def test_a_proposal_without_a_fate_is_an_error():
    with pytest.raises(AccountingError, match=proposal(2).id):
        tally([proposal(1), proposal(2)], {proposal(1).id: "refused"})


def test_a_fate_of_no_proposal_is_an_error():
    with pytest.raises(AccountingError, match="ghost"):
        tally([proposal(1)], {proposal(1).id: "refused", "ghost": "refused"})


def test_a_proposal_that_is_there_twice_is_an_error():
    with pytest.raises(AccountingError, match="twice"):
        tally([proposal(1), proposal(1)], {proposal(1).id: "refused"})
