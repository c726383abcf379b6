from dataclasses import replace

import pytest

from skillbank.agents.agent import Attempt
from skillbank.agents.jobs import Checked
from skillbank.briefs.brief import Check
from skillbank.params import BenchmarkParams
from skillbank.records import Arm
from skillbank.rounds.benchmark import (
    fixed_jobs,
    measured,
    needs_more,
    suspect_jobs,
    verdict_on,
)
from skillbank.rounds.blame import Effect, Suspicion
from skillbank.skills.shelf import FixedShelf, Recall
from tests.skillbank.evidence.builders import brief
from tests.skillbank.rounds.played import rounds, world

ARMS: dict[Arm, tuple[FixedShelf, str]] = {
    "candidate": (FixedShelf(), "c"),
    "previous": (FixedShelf(), "p"),
    "none": (FixedShelf(), "n"),
}
SUSPICION = Suspicion(commit="p1", briefs=("b1", "b2"), effect=Effect(-0.2, 0.1))


def checked(score: float | None, *, fired: str = "") -> Checked:
    """An attempt on one requirement: met, partly or not."""
    asked = brief("b1")
    outcomes = {1.0: "met", 0.5: "partly", 0.0: "not"}
    made = Attempt(
        brief="b1",
        context="c",
        seed=1,
        ending="fault" if score is None else "ok",
        recalls=(
            Recall(subtask="t", skill=fired, version=2, relevance=1.0, reason=""),
            Recall(subtask="u", skill=fired, version=2, relevance=1.0, reason=""),
        )
        if fired
        else (),
        forbidden=("drew on a locked layer",),
    )
    checks = (
        ()
        if score is None
        else (Check(requirement="r1", outcome=outcomes[score], why=""),)  # type: ignore[arg-type]
    )
    return Checked(brief=asked, attempt=made, checks=checks)


def test_arms_share_every_context_and_no_seed():
    briefs = rounds(1)[0].state.briefs[:5]

    jobs = fixed_jobs(briefs, ARMS, world(), "benchmark", 11)

    assert [arm for arm, _ in jobs[:3]] == list(ARMS)
    assert len({job.seed for _, job in jobs}) == 15
    for start in range(0, 15, 3):
        assert len({job.context for _, job in jobs[start : start + 3]}) == 1


def test_the_context_of_a_fixed_brief_is_the_same_in_every_round():
    briefs = rounds(1)[0].state.briefs[:5]

    one = fixed_jobs(briefs, ARMS, world(), "benchmark", 11)
    two = fixed_jobs(briefs, ARMS, world(), "benchmark", 12)

    assert [job.context for _, job in one] == [job.context for _, job in two]
    assert not {job.seed for _, job in one} & {job.seed for _, job in two}


def test_a_suspect_is_replayed_with_and_without_with_fresh_seeds_each_time():
    briefs = rounds(1)[0].state.briefs[:2]
    suspicion = replace(SUSPICION, briefs=tuple(brief.id for brief in briefs))
    arms: dict[Arm, tuple[FixedShelf, str]] = {
        "with": (FixedShelf(), "w"),
        "without": (FixedShelf(), "o"),
    }

    jobs = suspect_jobs(
        suspicion, {brief.id: brief for brief in briefs}, arms, world(), range(2), 11
    )
    again = suspect_jobs(
        suspicion, {brief.id: brief for brief in briefs}, arms, world(), range(2, 4), 11
    )

    assert [arm for arm, _ in jobs] == ["with", "without"] * 4
    assert len({job.seed for _, job in (*jobs, *again)}) == 16


def paired(*scores: tuple[float | None, float | None]) -> list[tuple[Arm, Checked]]:
    made: list[tuple[Arm, Checked]] = []
    for with_it, without in scores:
        made += [("with", checked(with_it)), ("without", checked(without))]
    return made


@pytest.mark.parametrize(("losses", "dropped"), [(5, False), (6, True)])
def test_a_suspect_is_dropped_when_losses_beat_wins_beyond_chance(
    losses: int, dropped: bool
):
    made = paired(*[(0.0, 1.0)] * losses, (1.0, 1.0), (0.5, 0.5))

    verdict = verdict_on(SUSPICION, "headline", made, BenchmarkParams())

    assert (verdict.wins, verdict.losses) == (0, losses)
    assert (verdict.coefficient, verdict.error) == (-0.2, 0.1)
    assert verdict.p == pytest.approx(0.5**losses)
    assert verdict.dropped == dropped


@pytest.mark.parametrize(
    ("wins", "losses", "again"), [(0, 2, False), (0, 3, True), (3, 7, False)]
)
def test_only_a_suspect_that_looks_bad_is_replayed_again(
    wins: int, losses: int, again: bool
):
    made = paired(*[(0.0, 1.0)] * losses, *[(1.0, 0.0)] * wins)

    verdict = verdict_on(SUSPICION, "headline", made, BenchmarkParams())

    assert not verdict.dropped
    assert needs_more(verdict, BenchmarkParams()) == again
    assert not needs_more(verdict, BenchmarkParams(undo=False))


def test_what_could_not_be_measured_is_neither_won_nor_lost():
    made = paired((None, 1.0), (0.0, None), (1.0, 0.0))

    verdict = verdict_on(SUSPICION, "headline", made, BenchmarkParams())

    assert (verdict.wins, verdict.losses) == (1, 0)


def test_nothing_is_dropped_where_undoing_is_off():
    made = paired(*[(0.0, 1.0)] * 9)

    verdict = verdict_on(SUSPICION, "headline", made, BenchmarkParams(undo=False))

    assert verdict.losses == 9
    assert not verdict.dropped


def test_a_measurement_says_what_fired_once_and_what_was_forbidden():
    row = measured("benchmark", "candidate", checked(1.0, fired="headline"), 0.6)

    assert row.fired == ("headline@2",)
    assert row.forbidden == 1
    assert row.success
    assert row.completeness == 1.0


def test_a_fault_is_a_missing_measurement():
    row = measured("sealed", "none", checked(None), 0.6)

    assert (row.score, row.completeness, row.success) == (None, None, False)


def test_a_requirement_partly_met_counts_half_in_the_score_and_nothing_else():
    row = measured("sealed", "none", checked(0.5), 0.6)

    assert (row.score, row.completeness, row.success) == (0.5, 0.0, False)
