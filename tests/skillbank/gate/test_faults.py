"""Faults of one arm, and of the judge, on a change that does nothing.

An agent that draws a quality, and the judge of the gate study's reference: a no-op
ships 13.4% of the time while nothing fails.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from skillbank.agents.agent import Attempt, Context, Ending
from skillbank.briefs.brief import Brief
from skillbank.errors import ModelError
from skillbank.gate import (
    Arena,
    Arm,
    Case,
    Pair,
    Place,
    Plan,
    Replay,
    Scene,
    Trial,
    replay,
    replay_all,
)
from skillbank.judging.judge import Preference
from skillbank.skills.shelf import FixedShelf

BRIEF = Brief(id="b", text="do well")
N = 1200
SE = (0.134 * 0.866 / N) ** 0.5
NO_OP = 0.134 + 4 * SE  # more than this is no chance
Fails = Callable[[Arm, Random], Ending]


def sound(arm: Arm, rng: Random) -> Ending:
    return "ok"


def outage(arm: Arm, rng: Random) -> Ending:
    return "fault" if arm == "candidate" and rng.random() < 0.3 else "ok"


def crashes(arm: Arm, rng: Random) -> Ending:
    return "broken" if arm == "candidate" and rng.random() < 0.3 else "ok"


@dataclass
class Study:
    """The judge of the study; may lose, or not be readable in, the second order."""

    lost: float = 0.0
    unreadable: float = 0.0
    revision: str = "1"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        again = (second, first) in self.asked[-4:]
        self.asked.append((first, second))
        rng = Random(seed)
        if again and rng.random() < self.lost:
            raise ModelError("judge", seen="batch died", expected="-", remedy="-")
        if again and rng.random() < self.unreadable:
            return "invalid"
        shared = Random("".join(sorted((first, second)))).gauss(0, 0.5)
        ahead = float(first) - float(second)
        ahead += shared if first < second else -shared
        return "first" if ahead + rng.gauss(0, 0.5) + 0.5 > 0 else "second"


def arena(fails: Fails = sound, judge: Study | None = None) -> Arena:
    def scene(context: str) -> Scene:
        nothing = FixedShelf()
        placed = Context(id=context, brief="b")
        return Scene(brief=BRIEF, context=placed, current=nothing, candidate=nothing)

    def attempt(arm: Arm, scene: Scene, seed: int) -> Attempt:
        return Attempt(
            brief="b",
            context=scene.context.id,
            seed=seed,
            ending=fails(arm, Random(f"{seed} ends")),
            reason="the server went away",
            output=f"{Random(seed).gauss():.6f}",
        )

    return Arena(scene=scene, attempt=attempt, judge=judge or Study())


def plan(number: int) -> Plan:
    return Plan(
        proposal=f"p{number}",
        cases=tuple(
            Case(
                id=f"c{i}",
                brief="b",
                contexts=tuple(f"c{i}/{j}" for j in range(3)),
                spares=(f"c{i}/s",),
            )
            for i in range(4)
        ),
    )


@cache
def heard(fails: Fails = sound, lost: float = 0.0) -> tuple[Replay, ...]:
    made = arena(fails, Study(lost=lost))
    return tuple(replay(Trial(plan(i)), made, seed=5) for i in range(N))


def share(replays: tuple[Replay, ...], of_decided: bool = False) -> float:
    """How many ship, of all or of those that were decided."""
    fates = Counter(one.verdict.decision for one in replays)
    n = fates["commit"] + fates["refuse"] if of_decided else len(replays)
    return fates["commit"] / n


def test_a_no_op_ships_as_often_as_the_study_says_while_nothing_fails() -> None:
    assert share(heard()) == pytest.approx(0.134, abs=4 * SE)


def test_an_outage_of_the_candidate_arm_alone_ships_no_more_no_ops() -> None:
    struck = heard(outage)
    voids = [pair.void for one in struck for pair in one.pairs if pair.void]

    assert len(voids) > N
    assert set(voids) == {"candidate: the server went away"}
    assert share(struck) <= NO_OP
    assert share(struck, of_decided=True) <= NO_OP


def test_losing_calls_in_the_second_order_ships_no_more_no_ops() -> None:
    struck = heard(lost=0.3)
    voids = [pair.void for one in struck for pair in one.pairs if pair.void]

    assert len(voids) > N
    assert set(voids) == {"judge: batch died"}
    assert share(struck) <= NO_OP
    assert share(struck, of_decided=True) <= NO_OP


def test_a_candidate_that_crashes_ships_less_and_voids_nothing() -> None:
    struck = heard(crashes)

    assert share(struck) <= 0.5 * share(heard())
    assert not any(pair.void for one in struck for pair in one.pairs)


def test_each_void_has_a_spare_that_was_drawn_before_any_vote() -> None:
    for one in heard(outage)[:200]:
        spares = {case.spares[0] for case in plan(0).cases}
        used = [pair for pair in one.pairs if pair.context in spares]
        voided = Counter(pair.case for pair in one.pairs if pair.void)
        assert one.verdict.plan == plan(int(one.verdict.proposal[1:])).hash
        for pair in used:
            earlier = one.pairs[: one.pairs.index(pair)]
            assert any(old.void and old.case == pair.case for old in earlier)
            assert pair.candidate is not None  # both arms ran anew on the spare
            assert pair.current is not None or pair.void
        assert {case.case: case.voids for case in one.verdict.cases if case.voids} == (
            dict(voided)
        )


def test_too_few_valid_contexts_are_asked_for_again_never_decided_in_silence() -> None:
    fates = Counter(
        one.verdict.code
        for one in heard(outage)
        if any(c.verdict == "inconclusive" for c in one.verdict.cases)
    )

    assert fates["undecided:inconclusive"] > 50
    assert set(fates) <= {
        "undecided:inconclusive",
        "refuse:regressed",  # another case had regressed for certain
        "refuse:no_win",  # nothing that is left could be won
    }


def test_an_unreadable_answer_is_asked_for_in_the_same_order_then_void() -> None:
    judge = Study(unreadable=1.0)

    (pair,) = replay_all(arena(judge=judge), [Place("c", "x")], proposal="p", seed=1)

    assert pair.outcome == "void"
    assert pair.void == "judge: no readable answer after retries"
    first, *others = judge.asked
    assert others == [(first[1], first[0])] * 3
    assert pair.judge_calls == 4


def told(pair: Pair) -> tuple[object, ...]:
    return pair.votes.first, pair.votes.second, pair.outcome


def test_a_fault_is_no_vote_whoever_would_have_won() -> None:
    places = [Place("c", f"x{i}") for i in range(300)]

    calm = replay_all(arena(), places, proposal="p", seed=1)
    struck = replay_all(arena(outage), places, proposal="p", seed=1)

    void = [pair for pair in struck if pair.outcome == "void"]
    assert all(told(pair) == (None, None, "void") for pair in void)
    left = [(a, b) for a, b in zip(calm, struck, strict=True) if b not in void]
    assert 150 < len(left) < 250
    assert all(told(a) == told(b) for a, b in left)
