"""Fixed briefs by cohort, and triggers of a round, for its summary."""

from dataclasses import replace
from typing import cast

from skillbank.codec import dump, load
from skillbank.gate.neighbours import Reach
from skillbank.gate.plan import Plan
from skillbank.gate.verdict import Verdict
from skillbank.records import Arm, BriefSet, Measured
from skillbank.rounds.cohorts import cohort_gains, trigger_counts
from skillbank.rounds.replay import GateRecord
from skillbank.summary import RoundSummary, TriggerCounts
from tasks.record import metrics
from tests.skillbank.reports.builders import summary

COHORTS = {"b1": "retail", "b2": "retail", "b3": "culture", "g1": "retail"}


def row(
    arm: str, brief: str, completeness: float | None, set: str = "benchmark"
) -> Measured:
    return Measured(
        set=cast(BriefSet, set),
        arm=cast(Arm, arm),
        brief=brief,
        attempt=f"{arm}-{brief}",
        score=completeness,
        completeness=completeness,
        success=completeness is not None and completeness >= 0.6,
    )


ROWS = (
    row("previous", "b1", 0.5),
    row("candidate", "b1", 0.7),
    row("previous", "b2", 0.7),
    row("candidate", "b2", 0.6),
    row("previous", "b3", 0.7),
    row("candidate", "b3", 0.2),
    row("none", "b3", 0.0),
    row("previous", "b4", 0.7),
    row("candidate", "b4", 0.2),
)


def gained(rows: tuple[Measured, ...]) -> dict[str, dict[str, int]]:
    found = cohort_gains(rows, COHORTS, confidence=0.95, seed=1)
    return {
        set: {one.cohort: one.briefs for one in some} for set, some in found.items()
    }


def test_briefs_are_paired_within_their_cohort_under_the_two_banks():
    assert gained(ROWS) == {"benchmark": {"culture": 1, "retail": 2}}
    golden = (
        row("previous", "g1", 0.5, "golden"),
        row("candidate", "g1", 0.5, "golden"),
    )
    assert gained((*ROWS, *golden))["golden"] == {"retail": 1}


def test_what_was_measured_under_one_bank_only_counts_nowhere():
    lost = tuple(
        replace(one, completeness=None) if one.brief == "b3" else one for one in ROWS
    )

    assert gained(lost) == {"benchmark": {"retail": 2}}
    assert gained(tuple(one for one in ROWS if one.arm == "candidate")) == {}


def record(reach: Reach | None) -> GateRecord:
    verdict = Verdict(
        proposal="p", plan="", decision="refuse", code="refuse:all_ties", reason=""
    )
    return GateRecord(plan=Plan(proposal="p", cases=()), verdict=verdict, reach=reach)


def test_triggers_are_counted_together_where_there_are_labels():
    some = Reach(looked=("x", "y"), firing=("x",), needed=("a", "b"), met=("a",))
    unlabelled = Reach(looked=("x",), firing=("x",))

    found = trigger_counts(
        [record(some), record(some), record(unlabelled), record(None)]
    )

    assert found == TriggerCounts(proposals=2, fired=4, should=4, hit=2)
    assert (found.precision, found.recall) == (0.5, 0.5)
    assert trigger_counts([record(unlabelled), record(None)]) is None


def test_a_summary_with_cohorts_survives_json_and_gives_its_numbers_to_the_tracker():
    said = summary()

    flat = metrics(said)

    assert load(RoundSummary, dump(said)) == said
    assert flat["benchmark.cohort.culture.mean"] == -0.021
    assert flat["benchmark.cohort.culture.p"] == 0.041
    assert flat["gate.trigger.precision"] == 16 / 21
    assert flat["gate.trigger.recall"] == 16 / 18


def test_a_hostile_name_of_a_cohort_is_a_name_that_the_tracker_takes():
    gains = tuple(
        replace(g, cohort="../x y\n{}") for g in summary().cohorts["benchmark"]
    )

    flat = metrics(summary(cohorts={"benchmark": gains}))

    assert "benchmark.cohort._x_y_.mean" in flat
