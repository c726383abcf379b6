"""What did harm is found and taken out, on boards drawn by the studio's agent."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

import pytest

from skillbank.agents.jobs import Checked, Job, do
from skillbank.models.journal import NoJournal
from skillbank.params import BenchmarkParams, Params
from skillbank.records import Arm, Measured
from skillbank.rounds.benchmark import Arms
from skillbank.rounds.undo import (
    Bench,
    measure_again,
    put_to_test,
    try_suspects,
)
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Change
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Shelf
from skillbank.skills.skill import Skill
from studio.world import Studio
from tests.studio.playing import HAND, brief

N = 24


@dataclass
class Workers:
    """Makes attempts and counts them; silent: the agent tells no recalls."""

    world: Studio
    silent: bool = False
    done: int = 0

    def do(self, jobs: Sequence[Job]) -> list[Checked]:
        self.done += len(jobs)
        made = [do(job, self.world, NoJournal()) for job in jobs]
        if not self.silent:
            return made
        return [replace(one, attempt=replace(one.attempt, recalls=())) for one in made]


@cache
def hand() -> dict[str, Skill]:
    return {one.name: Skill.read(one) for one in sorted(HAND.iterdir())}


@cache
def previous() -> Bank:
    mints = [Change(kind="mint", skill=one) for one in hand().values()]
    return replace(Bank().with_commits(mints, "r0000"), number=1)


def edit(name: str, old: str, new: str) -> Change:
    text = hand()[name].text
    assert old in text
    skill = Skill.parse(text.replace(old, new), folder=name)
    return Change(kind="edit", skill=skill, base=1)


def harmless(name: str) -> Change:
    return edit(name, "## Pitfalls\n", "## Pitfalls\n\n- Do not hurry.\n")


LET_IN = {
    # a headline that cannot be told from the board
    "p2": edit(
        "headline",
        "colour=contrast_of(board)",
        "colour=colour_of(board)",
    ),
    "p0": harmless("price"),
    "p1": harmless("action"),
    "p3": harmless("details"),
    "p4": harmless("features"),
}


def bench(workers: Workers, **params: object) -> Bench:
    recall = Params().recall

    def without(some: Collection[str]) -> Bank:
        kept = [change for id, change in LET_IN.items() if id not in some]
        return previous().with_commits(kept, "r0001")

    def shelf(bank: Bank) -> tuple[Shelf, str]:
        return BankShelf(bank.cards(Params().recall.prior_trials), recall), bank.digest

    return Bench(
        world=workers.world,
        params=BenchmarkParams(**params),
        briefs={one.id: one for one in map(brief, range(N))},
        without=without,
        shelf=shelf,
        do=workers.do,
    )


def rows(on: Bench, seed: int = 5) -> tuple[Measured, ...]:
    arms: Arms = {
        "candidate": on.shelf(on.without(())),
        "previous": on.shelf(previous()),
    }
    return on.measure(list(on.briefs.values()), arms, seed)


@pytest.fixture(scope="module")
def world() -> Studio:
    return Studio(Params())


def test_the_one_that_did_harm_is_found_by_where_it_fires_and_dropped(world: Studio):
    on = bench(Workers(world))

    tried = try_suspects(rows(on), LET_IN, on, 7)

    (dropped,) = [one for one in tried if one.dropped]
    assert dropped.proposal == "p2"
    assert dropped.skill == "headline"
    assert dropped.losses > dropped.wins
    assert dropped.coefficient is not None
    assert dropped.coefficient < -0.02


def test_an_agent_that_tells_nothing_has_its_commits_halved_within_bounds(
    world: Studio,
):
    workers = Workers(world, silent=True)
    on = bench(workers)
    measured = rows(on)
    before = workers.done

    (one,) = try_suspects(measured, LET_IN, on, 7)

    assert one.proposal == "p2"
    assert one.dropped
    assert (one.coefficient, one.error, one.briefs) == (None, None, N)
    with_and_without = 2 * 2 * on.params.repeats  # dropped: replayed as often again
    levels = (workers.done - before) / N - with_and_without
    assert levels in (2, 3)  # log2(5)


def test_no_suspects_are_tried_where_none_are_asked_for_or_nothing_was_let_in(
    world: Studio,
):
    for silent in (False, True):
        workers = Workers(world, silent=silent)
        on = bench(workers, suspects=0)
        made = rows(on)
        before = workers.done

        assert try_suspects(made, LET_IN, on, 7) == ()
        assert try_suspects(made, {}, on, 7) == ()
        assert workers.done == before


def test_faults_alone_leave_nobody_to_suspect(world: Studio):
    workers = Workers(world, silent=True)
    on = bench(workers)
    lost = [replace(row, score=None, completeness=None) for row in rows(on)]

    assert try_suspects(lost, LET_IN, on, 7) == ()


def test_what_is_left_is_measured_beside_the_bank_before_in_one_batch(world: Studio):
    on = bench(Workers(world))

    again = measure_again(
        list(on.briefs.values())[:3], on.without(["p2"]), previous(), on, 9
    )

    assert [row.arm for row in again] == ["kept", "previous"] * 3
    assert {row.set for row in again} == {"benchmark"}


def fixed(arm: Arm, value: float, n: int = 80) -> list[Measured]:
    return [
        Measured(
            set="benchmark",
            arm=arm,
            brief=f"b{i}",
            attempt=f"{arm}{i}",
            score=value,
            completeness=value,
            success=False,
        )
        for i in range(n)
    ]


WORSE = [*fixed("candidate", 0.4), *fixed("previous", 0.7)]
SOUND = [*fixed("kept", 0.7), *fixed("previous", 0.7)]


def test_a_bank_that_regressed_is_held():
    found = put_to_test(WORSE, (), 2, BenchmarkParams(), 1)

    assert (found.standing, found.held) == ("regressed", True)


@pytest.mark.parametrize(
    ("n_left", "undo"), [(0, True), (2, False)], ids=["nothing left", "undoing off"]
)
def test_a_bank_is_not_held_where_there_is_nothing_to_hold_or_harm_is_not_undone(
    n_left: int, undo: bool
):
    found = put_to_test(WORSE, (), n_left, BenchmarkParams(undo=undo), 1)

    assert (found.standing, found.held) == ("regressed", False)


def test_after_a_removal_the_test_is_of_what_is_left():
    found = put_to_test(WORSE, SOUND, 2, BenchmarkParams(), 1)

    assert (found.standing, found.held) == ("non-inferior", False)


def test_golden_cases_are_no_part_of_the_test():
    golden = [replace(row, set="golden") for row in WORSE]

    assert put_to_test(golden, (), 2, BenchmarkParams(), 1).briefs == 0
