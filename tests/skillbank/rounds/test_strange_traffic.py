"""A week that another world wrote: well-formed runs that the studio cannot replay."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.weeks import traffic
from skillbank.briefs.benchmark import read_benchmark
from skillbank.briefs.brief import Brief
from skillbank.records import SidedRun
from skillbank.rounds.memory import Done, Rounds, State
from skillbank.skills.shelf import Shelf
from skillbank.skills.store import seed_bank
from skillbank.traffic.run import Run
from tests.skillbank.rounds.played import params, world

ROOT = Path(__file__).resolve().parents[3]

Change = Callable[[Brief], Brief]


def _facts(**given: Any) -> Change:
    return lambda brief: replace(brief, facts={**brief.facts, **given})


def _said(**given: Any) -> Change:
    return lambda brief: _facts(say={**brief.facts["say"], **given})(brief)


def _asked(**args: Any) -> Change:
    return lambda brief: replace(
        brief,
        requirements=tuple(
            replace(need, args={**need.args, **args}) for need in brief.requirements
        ),
    )


STRANGE: dict[str, Change] = {
    "no facts": lambda brief: replace(brief, facts={}),
    "a plan of parts that nobody knows": _facts(plan=["headline", "hologram"]),
    "a plan that is no list": _facts(plan=3),
    "no kits": _facts(kits=[]),
    "a format that is a number": _facts(format=7),
    "words that are numbers": _said(headline=9, agenda={"a": 1}),
    "no words at all": _facts(say={}),
    "half of the words": _facts(say={"house": "Nobody", "align": "left"}),
    "an export of no width": _said(export_px=0),
    "a size that is a text": _said(reading="large"),
    "no requirements": lambda brief: replace(brief, requirements=()),
    "arguments that are unknown": _asked(smell="good"),
    "arguments of another type": _asked(role=4),
}


def strange(change: Change) -> Done:
    """A round in which every second run's brief was changed, and graded by its host."""
    given = traffic(world(), params())

    def week(number: int, shelf: Shelf, seed: int) -> list[SidedRun]:
        rows = given(number, shelf, seed)
        return [
            replace(row, run=_changed(row.run, change)) if n % 2 else row
            for n, row in enumerate(rows)
        ]

    runner = Rounds(
        world=world(),
        params=params(),
        benchmark=read_benchmark(ROOT / "data/benchmark/benchmark.jsonl")[:2],
        traffic=week,
    )
    bank = replace(seed_bank(ROOT / "data/bank/seed", "operator"), number=1)
    return runner.round(State(bank=bank))


def _changed(run: Run, change: Change) -> Run:
    brief = change(run.brief)
    return replace(run, brief=brief, checks=(), score=0.2, provenance="human")


@pytest.mark.parametrize("what", STRANGE)
def test_briefs_of_another_world_count_and_stop_nothing(what: str):
    done = strange(STRANGE[what])

    assert done.proposals
    assert len(done.decisions) == len(done.proposals)


def test_a_brief_that_cannot_be_replayed_is_no_case():
    done = strange(STRANGE["no facts"])

    cases = [case for one in done.proposals for case in one.cases]
    briefs = {brief.id: brief for brief in done.state.briefs}
    assert cases
    assert all(briefs[case.brief].facts for case in cases)


def test_an_attempt_of_which_nothing_was_demanded_has_no_score():
    graded = strange(STRANGE["no requirements"]).state.graded

    unasked = [one for one in graded if not one.brief.requirements]
    assert unasked
    assert {one.score for one in unasked} <= {None, 0.2}
