from dataclasses import replace

import pytest

from skillbank.gate.verdict import CaseState
from skillbank.records import Health
from skillbank.reports.build import Material, view_of
from skillbank.rounds.controls import PlaceboRecord
from tests.skillbank.reports.builders import (
    Tried,
    draw,
    heard,
    material,
    proposal,
    sided,
    summary,
    tried,
)


def test_the_committed_come_first_and_the_screened_out_last():
    view = view_of(material(), draw)

    assert [block.fate for block in view.proposals] == [
        "committed",
        "committed",
        "refused",
        "refused",
        "undecided",
        "dropped",
        "screened out",
    ]


def test_every_case_of_the_plan_is_there_replayed_or_not():
    made = tried(proposal(), "committed", ["ww", "tw", "s", ""])

    (block,) = view_of(material([made]), draw).proposals

    assert [len(case.rows) for case in block.cases] == [2, 2, 1, 0]
    assert [case.state for case in block.cases] == ["win", "win", "open", "open"]
    assert block.tally == (3, 2, 0)
    assert (block.spent, block.planned) == (5, 12)


def test_a_case_that_the_verdict_does_not_name_is_left_open():
    made = tried(proposal(), "committed", ["ww"])
    assert made.record is not None
    verdict = replace(made.record.verdict, cases=())
    made.record = replace(made.record, verdict=verdict)

    (block,) = view_of(material([made]), draw).proposals

    assert block.cases[0].state == CaseState(case="x").verdict == "open"


def test_a_mint_beside_the_whole_bank_is_told_apart_from_the_gates_pairs():
    view = view_of(material(), draw)
    mints = [block for block in view.proposals if block.kind == "mint"]

    assert [block.bank_tally for block in mints] == [(1, 2, 1)]
    assert mints[0].tally == (6, 3, 0)


def test_a_rewrite_is_compared_with_the_version_that_it_revises():
    view = view_of(material(), draw)
    edit = next(block for block in view.proposals if block.skill == "headline")
    mint = next(block for block in view.proposals if block.kind == "mint")

    assert (edit.diff.added, edit.diff.removed) == (1, 1)
    assert mint.diff.removed == 0
    assert {line.kind for line in mint.diff.lines} == {"added"}


def test_a_base_that_is_no_longer_held_makes_a_diff_that_is_all_new():
    made = tried(proposal("lost"), "refused", ["l"])
    found = material([made])
    elsewhere = replace(found, heard=heard([], []))
    missing = replace(found.heard, bank=elsewhere.heard.bank)

    (block,) = view_of(replace(found, heard=missing), draw).proposals

    assert block.diff.removed == 0


def test_placebos_are_controls_and_no_proposals():
    found = material([tried(proposal(), "committed", ["w"])])
    fake = placebo(tried(proposal("fake"), "refused", ["l"]))

    view = view_of(replace(found, placebos=[fake]), draw)

    assert [block.skill for block in view.proposals] == ["headline"]
    (row,) = view.trust.placebos
    assert (row.kind, row.skill, row.let_in) == ("paraphrase", "fake", False)


def test_how_often_nothing_is_let_in_is_told_by_rule_and_by_count():
    rows = [
        Health(name="placebos let in", value=0.25, low=0.05, high=0.7, n=4),
        Health(
            name="certified false accept rate", value=0.01, low=0.0, high=0.02, n=42
        ),
    ]

    trust = view_of(with_health(*rows), draw).trust

    told = {words: (rate.hits, rate.n) for words, rate in trust.let_in}
    assert told["placebos, counted"] == (1, 4)
    assert [words.partition(":")[2] for words in told if ":" in words] == [
        " published rule, exact",
        " certified rule, simulated",
    ]


@pytest.mark.parametrize(
    ("n", "lost", "flips", "states"),
    [
        (24, 1.0, 0.3, ("met", "met")),
        (24, 0.75, 0.3, ("not met", "met")),
        (7, 0.0, 0.46, ("too few pairs", "not met")),
    ],
)
def test_each_bar_of_the_judge_says_whether_it_is_met(n, lost, flips, states):
    rows = [
        Health(name="degraded lost this round", value=lost, low=0, high=1, n=n),
        Health(name="judge flip_rate", value=flips, n=100),
    ]

    trust = view_of(with_health(*rows), draw).trust

    assert (trust.degraded_bar.state, trust.flip_bar.state) == states


def placebo(one: Tried) -> PlaceboRecord:
    assert one.record
    return PlaceboRecord(
        kind="paraphrase",
        proposal=replace(one.proposal, placebo=True),
        record=one.record,
    )


def with_health(*rows: Health) -> Material:
    """The usual material, with these rows in place of those of the same name."""
    found = material()
    names = {row.name for row in rows}
    kept = [row for row in found.summary.health if row.name not in names]
    return replace(found, summary=replace(found.summary, health=(*kept, *rows)))


def test_the_trust_in_the_gate_is_what_the_round_measured():
    trust = view_of(material(), draw).trust

    assert (trust.wins, trust.ties, trust.losses) == (16, 13, 13)
    assert trust.false_accept is not None
    assert (trust.false_accept.value, trust.false_accept.n) == (0.1342, 42)
    assert trust.flip_rate == 0.264
    assert trust.forbidden == (0, 3)


def test_without_controls_nothing_is_claimed_about_the_gate():
    found = replace(material([]), summary=summary(health=()))

    trust = view_of(found, draw).trust

    assert trust.false_accept is None
    assert trust.flip_rate is None


def test_the_story_says_what_happened_with_its_numbers():
    story = " ".join(view_of(material(), draw).story)

    assert "Of 7 proposals 2 went into the bank, 2 were refused by the gate" in story
    assert "+12.5 points over the seed bank (95% interval [+5.5, +19.5])" in story
    assert "802 of 1,464 planned agent runs" in story


def test_a_round_without_proposals_says_so():
    story = view_of(material([]), draw).story

    assert story[0].startswith("Nothing was proposed")


def test_the_weeks_runs_are_told_by_cohort_and_by_what_they_missed():
    view = view_of(material(), draw)

    assert [(row.cohort, row.runs, row.broken) for row in view.cohorts] == [
        ("retail", 9, 1),
        ("culture", 4, 0),
    ]
    assert [(row.kind, row.missed, row.partly, row.asked) for row in view.misses] == [
        ("min contrast", 5, 4, 13)
    ]


def test_many_cohorts_are_bounded_and_none_is_lost():
    runs = [sided(n, cohort=f"tenant {n:02d}") for n in range(40)]

    view = view_of(material([], runs=runs, grades=[]), draw)

    assert len(view.cohorts) == 13
    assert sum(row.runs for row in view.cohorts) == 40
    assert view.cohorts[0].score is None
