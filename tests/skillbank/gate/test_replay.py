"""The driver, with a toy agent that writes numbers and a judge that compares them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from skillbank.agents.agent import Attempt, Context, Ending, Step, Usage
from skillbank.briefs.brief import Brief
from skillbank.errors import BudgetError, ModelError
from skillbank.gate import (
    Arena,
    Arm,
    Case,
    Pair,
    Place,
    Plan,
    Scene,
    Trial,
    current_against_current,
    replay,
    replay_all,
    running,
    tally,
)
from skillbank.gate.votes import Cost
from skillbank.judging.judge import Preference
from skillbank.skills.shelf import FixedShelf, Recalled, Shelf

BRIEF = Brief(id="b", text="write a large number")
GOOD = FixedShelf({"write": Recalled(covered=True)})
NONE = FixedShelf()


@dataclass
class Writer:
    """Writes a number that its seed and its shelf make; ends as it is told."""

    gain: int = 0
    ending: Callable[[Shelf, int], Ending] = lambda shelf, seed: "ok"
    seeds: list[int] = field(default_factory=list)

    def attempt(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        self.seeds.append(seed)
        bonus = self.gain if skills == GOOD else 0
        return Attempt(
            brief=brief.id,
            context=context.id,
            seed=seed,
            ending=self.ending(skills, seed),
            reason="",
            output=str(seed % 1000 + bonus),
            forbidden=("wipe",) if bonus < 0 else (),
        )


@dataclass
class Larger:
    """Prefers the larger number, after as many unreadable answers as it is told."""

    unreadable: int = 0
    error: ModelError | None = None
    seeds: list[int] = field(default_factory=list)
    revision: str = "1"

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        self.seeds.append(seed)
        if self.error:
            raise self.error
        if self.unreadable:
            self.unreadable -= 1
            return "invalid"
        return "first" if int(first) > int(second) else "second"


def scene(context: str) -> Scene:
    return Scene(
        brief=BRIEF,
        context=Context(id=context, brief="b"),
        current=NONE,
        candidate=GOOD,
    )


def arena(agent: Writer | None = None, judge: Larger | None = None) -> Arena:
    return Arena(
        scene=scene, attempt=running(agent or Writer()), judge=judge or Larger()
    )


def plan(proposal: str = "p") -> Plan:
    return Plan(
        proposal=proposal,
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


def places(n: int) -> list[Place]:
    return [Place("c", f"x{i}") for i in range(n)]


def ids(pairs: Sequence[Pair]) -> set[str]:
    found = [a.id for pair in pairs for a in (pair.current, pair.candidate) if a]
    assert len(found) == len(set(found))
    return set(found)


def fault(what: str) -> ModelError:
    return ModelError("model", seen=what, expected="an answer", remedy="try later")


def test_a_large_gain_is_committed_and_a_large_loss_refused() -> None:
    better = replay(Trial(plan()), arena(Writer(gain=2000)), seed=1)
    worse = replay(Trial(plan()), arena(Writer(gain=-2000)), seed=1)

    assert better.verdict.decision == "commit"
    assert worse.verdict.code == "refuse:regressed"
    assert len(worse.pairs) == worse.verdict.spent == 2
    assert worse.verdict.forbidden == {"current": 0, "candidate": 2}


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others() -> None:
    one, two = (replay(Trial(plan()), arena(), seed=1) for _ in range(2))

    assert one == two
    assert replay(Trial(plan()), arena(), seed=2).pairs != one.pairs


def test_no_attempt_serves_two_proposals_arms_or_replicas() -> None:
    one = ids(replay_all(arena(), places(9), proposal="p", seed=1))
    two = ids(replay_all(arena(), places(9), proposal="q", seed=1))
    again = ids(replay_all(arena(), places(9), proposal="p", seed=1, replica=1))

    assert len(one | two | again) == 3 * 18


def test_the_arm_that_runs_first_alternates_and_both_run_in_turn() -> None:
    ran: list[tuple[str, Arm]] = []
    make = running(Writer())

    def attempt(arm: Arm, scene: Scene, seed: int) -> Attempt:
        ran.append((scene.context.id, arm))
        return make(arm, scene, seed)

    replay_all(
        Arena(scene=scene, attempt=attempt, judge=Larger()),
        places(2),
        proposal="p",
        seed=1,
    )

    assert ran == [
        ("x0", "current"),
        ("x0", "candidate"),
        ("x1", "candidate"),
        ("x1", "current"),
    ]


def test_the_judge_is_asked_in_both_orders_with_different_seeds() -> None:
    judge = Larger()

    pairs = replay_all(arena(judge=judge), places(5), proposal="p", seed=1)

    assert len(set(judge.seeds)) == len(judge.seeds) == 10
    assert all(pair.votes.first == pair.votes.second for pair in pairs)
    assert {pair.judge_calls for pair in pairs} == {2}


def test_an_unreadable_answer_is_asked_again_with_a_new_seed() -> None:
    judge = Larger(unreadable=2)

    (pair,) = replay_all(arena(judge=judge), places(1), proposal="p", seed=1)

    assert pair.outcome in ("win", "loss")
    assert pair.judge_calls == len(set(judge.seeds)) == 4


def test_answers_that_stay_unreadable_void_the_context() -> None:
    (pair,) = replay_all(
        arena(judge=Larger(unreadable=3)), places(1), proposal="p", seed=1
    )

    assert pair.outcome == "void"
    assert pair.judge_calls == 3
    assert "readable" in str(pair.void)


def test_a_judge_that_cannot_be_reached_voids_with_its_cause() -> None:
    judge = Larger(error=fault("no server"))

    found = replay(Trial(plan()), arena(judge=judge), seed=1)

    assert found.verdict.code == "undecided:inconclusive"
    assert {pair.void for pair in found.pairs} == {"judge: no server"}


def test_a_broken_candidate_loses_without_asking_the_judge() -> None:
    judge = Larger()
    agent = Writer(ending=lambda shelf, seed: "broken" if shelf == GOOD else "ok")

    found = replay(Trial(plan()), arena(agent, judge), seed=1)

    assert found.verdict.code == "refuse:regressed"
    assert not judge.seeds


def test_a_fault_reruns_both_arms_on_the_spare() -> None:
    faults = iter(["fault"])

    def ending(shelf: Shelf, seed: int) -> Ending:
        return "fault" if shelf == NONE and next(faults, None) else "ok"

    found = replay(Trial(plan()), arena(Writer(gain=2000, ending=ending)), seed=1)

    first, second = found.pairs[:2]
    assert first.void == "current: fault"
    assert second.context == "c0/s"
    assert second.current is not None
    assert second.candidate is not None
    assert found.verdict.decision == "commit"


def test_an_outage_of_the_current_arm_cannot_ship_a_no_op() -> None:
    agent = Writer(ending=lambda shelf, seed: "fault" if shelf == NONE else "ok")

    found = replay(Trial(plan()), arena(agent), seed=1)

    assert found.verdict.decision == "undecided"


def test_an_upstream_fault_voids_before_any_arm_runs() -> None:
    def down(context: str) -> Scene:
        raise fault("no upstream")

    (pair,) = replay_all(
        Arena(scene=down, attempt=running(Writer()), judge=Larger()),
        places(1),
        proposal="p",
        seed=1,
    )

    assert pair.void == "upstream: no upstream"
    assert pair.current is None


def test_a_spent_budget_stops_the_replay_instead_of_voiding_it() -> None:
    spent = BudgetError("max_usd", seen="0 left", expected="more", remedy="raise it")

    with pytest.raises(BudgetError):
        replay(Trial(plan()), arena(judge=Larger(error=spent)), seed=1)


def test_current_against_current_decides_some_and_favours_no_arm() -> None:
    same = current_against_current(arena(Writer(gain=2000)))

    found = tally(p.votes for p in replay_all(same, places(60), proposal="aa", seed=1))

    assert found.valid == 60
    assert found.decided is not None
    assert found.decided >= 0.1
    assert min(found.wins, found.losses) >= 15


def test_a_score_is_reported_and_changes_no_vote() -> None:
    scored = Arena(
        scene=scene,
        attempt=running(Writer()),
        judge=Larger(),
        score=lambda brief, attempt: int(attempt.output) / 1000,
    )

    (pair,) = replay_all(scored, places(1), proposal="p", seed=1)
    (plain,) = replay_all(arena(), places(1), proposal="p", seed=1)

    assert pair.current is not None
    assert pair.current_score == int(pair.current.output) / 1000
    assert pair.votes == plain.votes


def test_every_use_of_a_forbidden_tool_counts_as_a_forbidden_action() -> None:
    def attempt(arm: Arm, scene: Scene, seed: int) -> Attempt:
        made = running(Writer(gain=-2000))(arm, scene, seed)
        tools = ("wipe", "write", "wipe") if arm == "candidate" else ("write",)
        steps = tuple(Step(subtask="write", tool=tool) for tool in tools)
        return replace(made, steps=steps, usage=Usage(turns=len(steps)))

    strict = replace(arena(), attempt=attempt, forbidden_tools=frozenset({"wipe"}))
    (pair,) = replay_all(strict, places(1), proposal="p", seed=1)

    # two calls of it, and what the agent itself told
    assert pair.votes.forbidden == {"current": 0, "candidate": 3}
    assert pair.votes.costs == {"current": Cost(turns=1), "candidate": Cost(turns=3)}
