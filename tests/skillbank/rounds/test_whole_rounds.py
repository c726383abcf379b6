"""Three rounds of forty briefs in memory: what must hold of any rounds."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

from skillbank.gate.controls import choose_controls, n_controls, tally
from skillbank.gate.replay import Pair
from skillbank.models.journal import MemoryJournal, NoJournal
from skillbank.proposals.accounting import BankChange
from skillbank.proposals.accounting import tally as books
from skillbank.rounds.memory import Done
from skillbank.rounds.replay import against_itself, control_places, hear
from skillbank.skills.lifecycle import suspended
from tests.skillbank.rounds.played import rounds, world

MANY = (3, 40)


def controls(done: Done, seed: int = 5) -> list[Pair]:
    """The A/A pairs of a round, drawn as the flow draws them."""
    records = [heard.record for heard in done.heard]
    spent = sum(record.verdict.spent for record in records)
    chosen = choose_controls(control_places(records), n_controls(spent), seed)
    pairs: list[Pair] = []
    for docket, record in zip(done.dockets, records, strict=True):
        cases = {case.id for case in record.plan.cases}
        places = [place for place in chosen if place.case in cases]
        pairs += against_itself(docket, places, world(), NoJournal())
    return pairs


def test_these_rounds_show_something():
    done = rounds(*MANY)

    fates = Counter(one.fate for each in done for one in each.decisions)
    kinds = Counter(one.kind for each in done for one in each.proposals)
    assert fates["committed"] >= 5
    assert fates["refused"] >= 15
    assert {"mint", "edit"} <= kinds.keys()


def test_stopping_early_spends_at_most_65_percent_and_changes_no_verdict():
    planned = spent = 0

    for done in rounds(*MANY):
        for docket, heard in zip(done.dockets, done.heard, strict=True):
            full = hear(replace(docket, curtail=False), world(), NoJournal())
            short = heard.record.verdict
            assert short.decision == full.record.verdict.decision
            assert full.record.plan == heard.record.plan
            planned += short.planned
            spent += short.spent

    assert planned > 300
    assert spent <= 0.65 * planned


def test_a_tenth_of_the_controls_and_more_are_wins_or_losses():
    pooled = tally(pair.votes for done in rounds(*MANY) for pair in controls(done))

    assert pooled.valid >= 3 * 12
    assert pooled.wins + pooled.losses >= 0.1 * pooled.valid
    assert min(pooled.wins, pooled.losses) > 0


def test_no_attempt_serves_two_pairs_of_any_purpose():
    served: Counter[str] = Counter()
    arms = 0
    for done in rounds(*MANY):
        pairs = [p for heard in done.heard for p in (*heard.pairs, *heard.in_bank)]
        for pair in (*pairs, *controls(done)):
            for attempt in (pair.current, pair.candidate):
                if attempt is not None:
                    served[attempt.id] += 1
                    arms += 1

    assert arms > 500
    assert max(served.values()) == 1


def test_both_arms_of_a_pair_start_from_the_same_work():
    for done in rounds(*MANY):
        for heard in done.heard:
            for pair in heard.pairs:
                if pair.current and pair.candidate:
                    assert pair.current.context == pair.candidate.context
                    assert pair.current.seed != pair.candidate.seed


def test_a_trial_heard_again_from_its_journal_makes_nothing_anew():
    class Sealed(MemoryJournal):
        """Gives what it has, and takes nothing more."""

        def put(self, key: str, value: bytes) -> None:
            raise AssertionError(f"made again: {key}")

    for docket in rounds(*MANY)[-1].dockets[:4]:
        journal, sealed = MemoryJournal(), Sealed()
        first = hear(docket, world(), journal)

        sealed.entries = journal.entries

        assert journal.entries
        assert hear(docket, world(), sealed) == first


def test_the_books_balance_after_every_round():
    done = rounds(*MANY)

    for each in done:
        counted = books(each.proposals, {o.proposal: o.fate for o in each.decisions})
        assert sum(axis.proposed for axis in counted) == len(each.proposals)
    for earlier, each in pairwise(done):
        before, after = earlier.state.bank, each.state.bank
        committed = [one for one in each.decisions if one.fate == "committed"]
        BankChange(
            before=len(before.names()),
            mints=sum(one.kind == "mint" for one in committed),
            retired=sum(len(one.drops) for one in committed),
            suspended=len(suspended(after)) - len(suspended(before)),
            after=len(after.names()),
        ).check()
