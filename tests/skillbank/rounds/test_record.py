from dataclasses import replace

import pytest

from skillbank.gate.published import Decision
from skillbank.gate.replay import Pair
from skillbank.gate.votes import Votes
from skillbank.params import Params
from skillbank.records import Measured
from skillbank.rounds.controls import PlaceboRecord
from skillbank.rounds.record import Tables, summarise
from skillbank.summary import RoundSummary
from tests.skillbank.reports.builders import (
    bank,
    bank_test,
    decision,
    measured,
    trials,
)


def tables(**more: object) -> Tables:
    made = trials()
    rows = [
        row
        for arm in ("candidate", "previous", "none")
        for row in fixed("benchmark", arm)
    ]
    base = Tables(
        decisions=[decision(one) for one in made],
        records=[one.record for one in made if one.record],
        pairs=[pair for one in made for pair in one.pairs],
        earlier_pairs=(),
        measured=rows,
        headline=fixed("sealed", "kept") + fixed("sealed", "seed"),
        traffic=80,
        quarantined=3,
    )
    return replace(base, **more)  # type: ignore[arg-type]


def fixed(set: str, arm: str) -> tuple[Measured, ...]:
    return measured(set, arm)  # type: ignore[arg-type]


def control(number: int, first: str, second: str) -> Pair:
    votes = Votes(first, second)  # type: ignore[arg-type]
    return Pair(
        proposal="aa-p1",
        case="a",
        context=f"c{number}",
        votes=votes,
        outcome=votes.outcome,
        first_arm="current",
    )


def summed(**more: object) -> RoundSummary:
    before, after = bank("headline"), replace(bank("headline", "qr"), number=4)
    return summarise("r0002", 2, (before, after), tables(**more), Params())


def test_the_banks_are_told_by_number_and_by_verified_names():
    said = summed()

    assert (said.bank_before, said.bank_after) == (3, 4)
    assert (said.skills_before, said.skills_after) == (1, 2)
    assert (said.traffic, said.quarantined) == (80, 3)


def test_where_nothing_was_undone_the_candidate_is_the_bank_that_is_kept():
    said = summed()

    kept = said.figure("benchmark", "kept")
    assert kept is not None
    assert kept.briefs == 4
    assert said.gain("benchmark", "none", "completeness") is not None


def test_where_something_was_undone_the_bank_that_is_left_was_measured_again():
    again = tuple(
        replace(row, completeness=0.0, score=0.0, success=False)
        for row in fixed("benchmark", "kept")
    )

    said = summed(headline=again)

    kept = said.figure("benchmark", "kept")
    assert kept is not None
    assert kept.completeness == 0.0


def test_what_is_left_of_a_bank_is_compared_with_the_one_before_in_its_own_batch():
    again = (
        *(replace(one, completeness=0.9) for one in fixed("benchmark", "kept")),
        *(
            replace(one, completeness=0.5, attempt=f"again-{one.attempt}")
            for one in fixed("benchmark", "previous")
        ),
    )

    said = summed(remeasured=again)

    gain = said.gain("benchmark", "previous", "completeness")
    assert gain is not None
    assert gain.mean == pytest.approx(0.4)
    kept = said.figure("benchmark", "kept")
    assert kept is not None
    assert kept.completeness == pytest.approx(0.9)


def test_a_bank_that_was_held_is_measured_with_the_headline():
    again = (*fixed("benchmark", "kept"), *fixed("benchmark", "previous"))
    held = tuple(replace(one, completeness=0.1) for one in fixed("benchmark", "kept"))
    test = bank_test("regressed", held=True)

    said = summed(remeasured=again, headline=held, test=test)

    kept = said.figure("benchmark", "kept")
    assert kept is not None
    assert kept.completeness == pytest.approx(0.1)
    assert said.test == test


def test_sealed_briefs_are_compared_with_the_seed_bank():
    said = summed()

    gain = said.gain("sealed", "seed", "success")
    assert gain is not None
    assert gain.low <= gain.mean <= gain.high
    assert said.gain("sealed", "none", "success") is None


def test_one_brief_gives_a_figure_and_no_interval():
    said = summed(measured=fixed("benchmark", "candidate")[:1], headline=())

    assert said.figure("benchmark", "kept") is not None
    assert said.gains == ()


def test_controls_are_pooled_over_rounds_and_are_not_the_gates_runs():
    mine = [control(1, "candidate", "candidate"), control(2, "same", "same")]
    earlier = [control(3, "current", "current"), control(4, "candidate", "current")]

    said, without = summed(pairs=mine, earlier_pairs=earlier), summed(pairs=())

    health = {one.name: one for one in said.health}
    counts = [health[f"A/A {name}"].value for name in ("wins", "losses", "ties")]
    assert counts == [1, 1, 2]
    assert health["A/A wins"].n == 4
    assert said.control_runs == 4
    assert said.runs_spent == without.runs_spent
    accept = health["false accept rate"]
    assert accept.low is not None
    assert accept.value is not None
    assert accept.high is not None
    assert accept.low <= accept.value <= accept.high


def degraded(number: int, first: str, second: str) -> Pair:
    return replace(control(number, first, second), proposal="degraded-p1")


def test_degraded_pairs_are_pooled_and_are_not_the_judges_steadiness():
    mine = [degraded(1, "current", "current"), degraded(2, "candidate", "current")]
    earlier = [degraded(3, "candidate", "candidate")]

    said, without = summed(pairs=mine, earlier_pairs=earlier), summed(pairs=())

    now, ever = said.row("degraded lost this round"), said.row("degraded lost")
    assert now is not None
    assert ever is not None
    assert (now.value, now.n) == (1.0, 1)
    assert (ever.value, ever.n) == (0.5, 2)
    assert said.row("judge flip_rate") == without.row("judge flip_rate")
    assert (said.control_runs, said.placebo_runs) == (0, 0)


def test_the_probit_trio_is_among_what_is_said_of_the_judge():
    made = [
        control(n, first, second)
        for n, (first, second) in enumerate(
            [("candidate", "candidate"), ("current", "current")] * 6
            + [("candidate", "current")] * 4
            + [("current", "candidate")] * 2
        )
    ]

    said = summed(pairs=made)

    trio = [said.row(f"judge {name}") for name in ("bias", "quality", "repeatability")]
    assert all(one is not None and one.n == 18 for one in trio)
    assert [one.value for one in trio if one] == pytest.approx(
        [0.140, 0.0, 0.507], abs=0.05
    )


def test_placebos_are_told_with_their_interval_and_by_kind():
    found = [placebo("commit"), placebo("refuse"), placebo("undecided")]

    said = summed(placebos=found)

    let_in = said.row("placebos let in")
    assert let_in is not None
    assert (let_in.value, let_in.n) == (0.5, 2)
    assert let_in.low == pytest.approx(0.0945, abs=1e-3)
    assert let_in.high == pytest.approx(0.9055, abs=1e-3)
    assert let_in.note == "1 more were left undecided"
    assert said.row("irrelevant cards let in") is None
    assert summed().row("placebos let in") is None
    assert said.axes == summed().axes
    assert said.runs_planned == summed().runs_planned


def placebo(decision: Decision) -> PlaceboRecord:
    one = trials()[0]
    assert one.record
    verdict = replace(one.record.verdict, decision=decision)
    return PlaceboRecord(
        kind="paraphrase",
        proposal=replace(one.proposal, placebo=True),
        record=replace(one.record, verdict=verdict),
    )


def test_a_judge_below_its_bar_is_told():
    bad = [degraded(n, "candidate", "candidate") for n in range(8)]

    (fault,) = summed(pairs=bad).judge_faults

    assert fault.startswith("degraded outputs lost 0 of 8 decided pairs")
    assert summed().judge_faults == ()


def test_without_controls_no_false_accept_rate_is_made_up():
    names = {one.name for one in summed(pairs=()).health}

    assert "false accept rate" not in names


@pytest.mark.parametrize("axis", ["deepening", "widening"])
def test_each_axis_counts_its_own_proposals(axis):
    said = summed()

    counts = said.axis(axis)
    mine = [one for one in tables().decisions if one.axis == axis]
    assert counts.proposed == len(mine)
    assert counts.committed == sum(one.fate == "committed" for one in mine)


def test_what_could_not_be_measured_is_said_and_never_taken_for_nothing():
    down = [
        replace(row, score=None, completeness=None, success=False)
        for row in fixed("sealed", "kept")
    ]

    said = summed(headline=(*down, *fixed("sealed", "seed")))

    assert said.figure("sealed", "kept") is None
    assert said.notes == (
        "sealed, the bank after the round: 4 of 4 attempts could not be measured and "
        "count nowhere",
        "2 of 39 replayed contexts are void: candidate: the server went away",
    )
    assert summed().notes == said.notes[1:]
