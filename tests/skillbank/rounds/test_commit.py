from dataclasses import replace

import pytest

from skillbank.evidence.event import Event
from skillbank.evidence.ledger import text_digest
from skillbank.gate.replay import Pair
from skillbank.gate.votes import Votes
from skillbank.proposals.proposal import CaseSeed, Proposal
from skillbank.records import BankTest, Fate, Suspect
from skillbank.rounds.commit import (
    changes,
    decisions,
    new_golden,
    next_bank,
    outcomes,
    recalls,
    undone,
    with_open,
)
from skillbank.rounds.replay import GateRecord
from skillbank.skills.screen import Screening
from tests.skillbank.evidence.builders import brief, event
from tests.skillbank.reports.builders import bank, proposal, tried


def screening(id: str, *reasons: str, security: bool = False) -> Screening:
    return Screening(
        proposal=id, passed=not reasons, reasons=reasons, security=security
    )


def suspect(id: str, *, dropped: bool = True) -> Suspect:
    return Suspect(
        proposal=id,
        skill="headline",
        briefs=5,
        wins=1,
        losses=9,
        p=0.01,
        dropped=dropped,
    )


def record(made: Proposal, decision: str) -> GateRecord:
    """A verdict on a proposal."""
    fates: dict[str, Fate] = {
        "commit": "committed",
        "refuse": "refused",
        "undecided": "undecided",
    }
    found = tried(
        made, fates.get(decision, "undecided"), ["www", "ttt", "ttt", "ttt"]
    ).record
    assert found is not None
    return found


def pair(made: Proposal, score: float | None, number: int = 0) -> Pair:
    return Pair(
        proposal=made.id,
        case="a",
        context=f"c{number}",
        votes=Votes(void="judge: gone"),
        outcome="void",
        first_arm="current",
        candidate_score=score,
    )


def test_every_fate_has_its_reason():
    edit, mint = proposal("headline"), proposal("qr", "mint")
    late, odd, harm = (proposal(name) for name in ("logo", "quote", "offer"))
    all_of_them = [edit, mint, late, odd, harm]
    passed = [screening(one.id) for one in (edit, mint, late, harm)]
    records = [
        record(edit, "commit"),
        record(mint, "refuse"),
        record(late, "undecided"),
        record(harm, "commit"),
    ]

    made = decisions(
        all_of_them,
        [*passed, screening(odd.id, "1 step of 2", security=True)],
        records,
        bank("headline"),
        undone([suspect(harm.id), suspect(edit.id, dropped=False)], None, ()),
    )

    told = {one.skill: one for one in made}
    assert {name: one.fate for name, one in told.items()} == {
        "headline": "committed",
        "qr": "refused",
        "logo": "undecided",
        "quote": "screened out",
        "offer": "dropped",
    }
    assert told["quote"].security
    assert told["quote"].reason == "1 step of 2"
    assert told["offer"].reason == "replayed without: 9 losses, 1 wins"
    assert told["headline"].reason == records[0].verdict.reason
    assert told["headline"].version == 1
    assert told["qr"].version is None
    assert all(
        told[one.skill].text_digest == text_digest(one.text) for one in all_of_them
    )


def bank_test(*, held: bool) -> BankTest:
    return BankTest(
        standing="regressed", briefs=80, missing=0, margin=0.05, level=0.05, held=held
    )


def test_a_bank_that_is_held_takes_every_change_of_the_round_back_with_a_reason():
    one, two = proposal("headline"), proposal("qr")
    tried = [suspect(one.id), suspect(two.id, dropped=False)]

    reasons = undone(tried, bank_test(held=True), [one.id, two.id])

    assert reasons[one.id] == "replayed without: 9 losses, 1 wins"
    assert reasons[two.id].startswith("held back: the bank as a whole regressed")


def test_a_bank_that_regressed_and_is_not_held_loses_only_what_was_dropped():
    one, two = proposal("headline"), proposal("qr")

    reasons = undone([suspect(one.id)], bank_test(held=False), [one.id, two.id])

    assert list(reasons) == [one.id]


def test_what_passed_the_screen_and_was_never_heard_is_undecided():
    made = proposal("headline")

    (one,) = decisions([made], [screening(made.id)], [], bank("headline"), {})

    assert one.fate == "undecided"
    assert "not heard" in one.reason


def test_a_placebo_has_no_fate_and_never_enters():
    made = proposal("headline", placebo=True)

    assert decisions([made], [screening(made.id)], [], bank("headline"), {}) == ()
    assert changes([made], [record(made, "commit")], [], 0.6) == {}


def test_only_what_the_gate_let_in_is_a_change_with_its_promotion_trials():
    good, bad = proposal("headline"), proposal("qr")
    pairs = [pair(good, 0.9, 1), pair(good, 0.2, 2), pair(good, None, 3)]

    made = changes(
        [good, bad],
        [record(good, "commit"), record(bad, "refuse")],
        [*pairs, pair(bad, 1.0), pair(replace(good, round="r0009"), 1.0)],
        0.6,
    )

    assert made.keys() == {good.id}
    assert (made[good.id].trials, made[good.id].passes) == (2, 1)
    assert made[good.id].skill.text == good.text


def test_the_next_bank_has_what_was_let_in_and_keeps_the_rest_aside():
    good, bad = proposal("headline"), proposal("qr", "mint")
    let_in = changes([good], [record(good, "commit")], [pair(good, 0.9)], 0.6)

    after = next_bank(
        bank("headline", "logo"),
        let_in,
        [(bad, "1 of 4 cases regressed")],
        events=[
            event("use", "run1", skill="logo"),
            event("failure", "x", skill="logo"),
        ],
        round="r0002",
        suspend_after=4,
    )

    entry = after.find("headline")
    assert entry is not None
    assert entry.version == 2
    assert after.names() == {"headline", "logo"}
    (kept,) = [one for one in after.entries if one.status == "quarantined"]
    assert (kept.name, kept.reason) == ("qr", "1 of 4 cases regressed")


def test_what_is_undecided_stays_proposed_until_it_is_refused():
    left = proposal("headline")

    open_ = with_open(bank("headline"), [(left, "3 case(s) where 4 are required")])
    closed = next_bank(
        open_, {}, [(left, "refused")], events=(), round="r0003", suspend_after=4
    )

    (kept,) = [one for one in open_.entries if one.status != "verified"]
    assert (kept.status, kept.reason) == ("proposed", "3 case(s) where 4 are required")
    assert open_.cards() == bank("headline").cards()
    (kept,) = [one for one in closed.entries if one.status != "verified"]
    assert kept.status == "quarantined"


@pytest.mark.parametrize(("round", "trials"), [("r0001", 2), ("r0007", 0)])
def test_a_card_gains_the_outcomes_of_its_own_round_only(round: str, trials: int):
    happened = [
        event("use", "run1", skill="logo"),
        event("failure", "run2", skill="logo"),
        event("uncovered", "run3", label="sponsors"),
    ]
    assert {one.round for one in happened} == {"r0001"}

    after = next_bank(
        bank("logo"), {}, (), events=happened, round=round, suspend_after=4
    )

    entry = after.find("logo")
    assert entry is not None
    assert entry.trials - bank("logo").entries[0].trials == trials


def test_outcomes_are_uses_and_failures_of_known_versions():
    happened = [
        event("use", "a"),
        event("failure", "b"),
        event("failure", "c", version=None),
        event("uncovered", "d", label="sponsors"),
    ]

    assert [(one.trials, one.passes) for one in outcomes(happened)] == [(1, 1), (1, 0)]


def test_recalls_are_told_round_by_round_oldest_first():
    def in_round(round: str, skill: str) -> Event:
        return replace(event("use", "a", skill=skill), round=round)

    told = recalls(
        [in_round("r10000", "c"), in_round("r9999", "b"), in_round("r9999", "a")]
    )

    assert [(one.round, sorted(one.names)) for one in told] == [
        ("r9999", ["a", "b"]),
        ("r10000", ["c"]),
    ]


def test_the_cases_of_what_was_committed_are_golden():
    case = CaseSeed(brief="b1", subtask="headline", origin=True, card="headline")
    good = proposal("headline", cases=(case,))
    bad = proposal("qr", "mint", cases=(case,))
    made = decisions(
        [good, bad],
        [screening(good.id), screening(bad.id)],
        [record(good, "commit"), record(bad, "refuse")],
        bank("headline"),
        {},
    )

    (golden,) = new_golden([good, bad], made, {"b1": brief("b1")})

    assert (golden.brief.id, golden.skill, golden.subtask) == (
        "b1",
        "headline",
        "headline",
    )
    assert (golden.round, golden.proposal) == (good.round, good.id)
