"""Who decided: certified, published and uncertifiable verdicts are counted apart."""

from dataclasses import replace

from skillbank.gate.settle import Asked
from skillbank.proposals.accounting import tally as books
from skillbank.rounds.record import rule_counts, ruled_by
from skillbank.rounds.replay import GateRecord
from tests.skillbank.rounds.played import rounds

MANY = (3, 40)


def records(mode: Asked) -> list[list[GateRecord]]:
    done = rounds(*MANY, mode=mode)
    return [[heard.record for heard in one.heard] for one in done]


def test_each_verdict_is_counted_once_by_the_rule_that_gave_it():
    for mine in records("auto"):
        counts = {one.rule: one for one in rule_counts(mine)}
        certified = [one for one in mine if one.plan.mode == "certified"]
        let_in = [one for one in certified if one.verdict.decision == "commit"]
        assert sum(one.heard for one in counts.values()) == len(mine)
        assert counts["certified"].heard == len(certified)
        assert counts["certified"].committed == len(let_in)
        assert counts["uncertifiable"].heard == len(mine) - len(certified)
        assert "published" not in counts


def test_published_rounds_count_published_verdicts_alone():
    for mine in records("published"):
        (counts,) = rule_counts(mine)
        assert (counts.rule, counts.heard) == ("published", len(mine))
        assert counts.committed + counts.refused + counts.undecided == len(mine)


def test_what_certified_mode_leaves_undecided_is_uncertifiable_too():
    record = next(one for one in records("auto")[0] if one.plan.mode == "certified")
    verdict = replace(
        record.verdict, decision="undecided", code="undecided:uncertifiable"
    )

    assert ruled_by(record) == "certified"
    assert ruled_by(replace(record, verdict=verdict)) == "uncertifiable"


def test_no_trials_are_no_counts():
    assert rule_counts([]) == ()


def test_the_books_balance_in_auto_mode():
    for done in rounds(*MANY, mode="auto"):
        fates = {one.proposal: one.fate for one in done.decisions}
        counted = books(done.proposals, fates)
        rules = rule_counts([heard.record for heard in done.heard])
        screened = sum(axis.screened_out for axis in counted)
        assert sum(one.heard for one in rules) + screened == len(done.proposals)
        assert sum(one.committed for one in rules) == sum(
            axis.committed + axis.dropped for axis in counted
        )
        assert sum(one.undecided for one in rules) == sum(a.undecided for a in counted)
