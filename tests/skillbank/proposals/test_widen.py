import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.evidence.event import decided
from skillbank.evidence.ledger import Due, Ledger
from skillbank.params import ProposeParams
from skillbank.proposals.pool import Pool
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.widen import absorber, aside_roots, gather
from tests.skillbank.evidence.builders import (
    brief,
    card,
    evidence,
    ids,
    labels,
    sighting,
    text,
)


def due(*runs: str, **given: str) -> Due:
    events = tuple(sighting(run, **given) for run in runs)
    ledger = Ledger(events=events, labels=labels("name the sponsors"))
    (found,) = ledger.due_labels(ProposeParams(recurrences=1))
    return found


def minted(skill: str, label: str = "sponsors", drops: tuple[str, ...] = ()) -> Ledger:
    mint = Proposal(
        round="r0001",
        axis="widening",
        kind="mint",
        skill=skill,
        base=None,
        text=text(skill),
        label=label,
        drops=drops,
    )
    return Ledger(events=(decided(mint, "committed", "d"),))


def test_half_of_a_cluster_is_set_aside_and_never_shown():
    runs = "abcdef"
    pool = Pool([evidence(run) for run in runs], 0.6)

    gathered = gather(due(*runs), pool, frozenset(), set_aside=0.5)

    shown, hidden = ids(gathered.cluster.members), ids(gathered.set_aside)
    assert len(shown) == len(hidden) == 3
    assert sorted(shown + hidden) == list(runs)


def test_a_root_is_set_aside_with_its_variants_and_exploring_attempts():
    variants = [
        evidence(f"v{run}", asked=brief(f"b-{run}"), exploring=True) for run in "abcd"
    ]
    pool = Pool([*(evidence(run) for run in "abcd"), *variants], 0.6)

    gathered = gather(due(*"abcd"), pool, frozenset(), set_aside=0.5)

    shown = {one.brief.root for one in gathered.cluster.members}
    hidden = {one.brief.root for one in gathered.set_aside}
    assert not shown & hidden
    assert len(gathered.set_aside) == 4


def test_what_was_shown_once_is_never_set_aside_later():
    early = due(*"abc")
    late = Due(
        label=early.label,
        count=8,
        sightings=(
            *early.sightings,
            *(sighting(run, round="r0002") for run in "defgh"),
        ),
    )

    before, after = aside_roots(early, 0.5), aside_roots(late, 0.5)

    roots = {event.root for event in early.sightings}
    assert after & roots == before


@given(st.integers(1, 20), st.floats(0, 0.99))
def test_something_is_always_left_to_show(n: int, share: float):
    label = due(*(f"run{number}" for number in range(n)))

    hidden = aside_roots(label, share)

    assert len(hidden) < n
    assert len(hidden) <= share * n + 1e-9


def test_no_share_sets_nothing_aside():
    assert aside_roots(due(*"abcd"), 0.0) == frozenset()


def test_a_label_that_a_card_was_minted_for_is_absorbed_and_never_minted_again():
    bank = [card("hero"), card("sponsors-row")]

    found = absorber(due(*"abc"), bank, minted("sponsors-row"), 0.6)

    assert found == bank[1]


def test_a_minted_card_that_was_merged_away_leaves_its_label_to_its_successor():
    merge = Proposal(
        round="r0002",
        axis="deepening",
        kind="edit",
        skill="foot",
        base=1,
        text="",
        drops=("sponsors-row",),
    )
    ledger = minted("sponsors-row").add([decided(merge, "committed", "d")])
    bank = [card("foot"), card("hero")]

    assert absorber(due(*"abc"), bank, ledger, 0.6) == bank[0]


def test_a_minted_card_that_left_the_bank_by_a_rollback_may_be_minted_again():
    assert absorber(due(*"abc"), [card("hero")], minted("sponsors-row"), 0.6) is None


@pytest.mark.parametrize(("at", "absorbs"), [(0.6, True), (1.0, False)])
def test_a_card_whose_description_says_the_phrases_absorbs_their_label(at, absorbs):
    bank = [
        card("hero"),
        card("thanks", description="when sponsors and patrons are due"),
    ]
    label = Due(
        label="sponsors",
        count=3,
        sightings=tuple(sighting(run, label="sponsors patrons row") for run in "abc"),
    )

    found = absorber(label, bank, Ledger(), at)

    assert (found == bank[1]) is absorbs


def test_phrases_without_words_are_absorbed_by_nobody():
    label = Due(label="x", count=3, sightings=(sighting("a", label="..."),))

    assert absorber(label, [card("hero")], Ledger(), 0.6) is None
    assert absorber(label, [], Ledger(), 0.6) is None
