from collections.abc import Mapping
from typing import Any

import pytest

from skillbank.codec import dump, load
from skillbank.errors import GateError
from skillbank.gate import Arm, Case, Plan, Trial, Verdict, Votes

WIN = Votes("candidate", "candidate")
LOSS = Votes("current", "current")
TIE = Votes("candidate", "current")
VOID = Votes(void="candidate: server down")


def plan(cases: int = 4, contexts: int = 3, spares: int = 1, **changes: Any) -> Plan:
    return Plan(
        **{
            "proposal": "p",
            "cases": tuple(
                Case(
                    id=f"c{i}",
                    brief=f"b{i}",
                    contexts=tuple(f"c{i}/{j}" for j in range(contexts)),
                    spares=tuple(f"c{i}/s{j}" for j in range(spares)),
                )
                for i in range(cases)
            ),
            "contexts": contexts,
            "required": cases,
            **changes,
        }
    )


def verdict_of(trial: Trial) -> Verdict:
    assert trial.verdict is not None
    return trial.verdict


def drive(trial: Trial, votes: Mapping[str, Votes], default: Votes = TIE) -> Verdict:
    while asked := trial.ask():
        trial.tell(asked[0], votes.get(asked[0], default))
    return verdict_of(trial)


def test_asked_but_not_told_is_named_again() -> None:
    trial = Trial(plan())

    first = trial.ask(2)

    assert trial.ask(2) == first
    assert trial.ask(1) == first[:1]
    assert trial.ask(3)[:2] == first


def test_two_regressed_contexts_refuse_at_once() -> None:
    trial = Trial(plan())

    for context in ("c2/0", "c2/2"):
        trial.tell(context, LOSS)

    assert verdict_of(trial).code == "refuse:regressed"
    assert verdict_of(trial).spent == 2
    assert trial.ask(5) == ()


def test_the_worst_case_is_asked_first() -> None:
    trial = Trial(plan())
    trial.tell("c0/0", WIN)
    trial.tell("c1/0", TIE)
    trial.tell("c2/0", LOSS)

    assert trial.ask(1) == ("c2/1",)


def test_of_equally_bad_cases_the_most_replayed_comes_first() -> None:
    trial = Trial(plan())
    trial.tell("c2/0", TIE)

    assert trial.ask(1) == ("c2/1",)


def test_after_a_void_the_spare_is_named() -> None:
    trial = Trial(plan())
    (context,) = trial.ask(1)

    trial.tell(context, VOID)

    assert trial.ask(1) == ("c0/s0",)


def test_a_void_counts_as_spent_but_not_as_a_vote() -> None:
    trial = Trial(plan(cases=1))

    verdict = drive(trial, {"c0/0": VOID}, WIN)

    assert verdict.decision == "commit"
    assert verdict.cases[0].voids == 1
    assert (verdict.cases[0].wins, verdict.spent) == (2, 3)


def test_too_few_valid_contexts_are_undecided_never_refused_or_shipped() -> None:
    votes = {"c0/0": VOID, "c0/1": VOID, "c0/s0": VOID}

    verdict = drive(Trial(plan()), votes, WIN)

    assert verdict.code == "undecided:inconclusive"
    assert verdict.cases[0].verdict == "inconclusive"


def test_a_regress_refuses_although_another_case_is_inconclusive() -> None:
    votes = {"c0/0": VOID, "c0/1": VOID, "c0/s0": VOID, "c3/0": LOSS, "c3/1": LOSS}

    assert drive(Trial(plan()), votes, WIN).code == "refuse:regressed"


def test_all_ties_refuse() -> None:
    assert drive(Trial(plan()), {}, TIE).decision == "refuse"


def test_more_forbidden_actions_than_now_refuse_what_the_votes_would_ship() -> None:
    votes = Votes("candidate", "candidate", forbidden={"candidate": 1, "current": 0})

    verdict = drive(Trial(plan()), {"c0/0": votes}, WIN)

    assert verdict.code == "refuse:forbidden"
    assert verdict.forbidden == {"candidate": 1, "current": 0}


def test_as_many_forbidden_actions_as_now_are_no_reason_to_refuse() -> None:
    votes = {
        "c0/0": Votes("candidate", "candidate", forbidden={"candidate": 1}),
        "c1/0": Votes("candidate", "candidate", forbidden={"current": 1}),
    }

    assert drive(Trial(plan()), votes, WIN).decision == "commit"


@pytest.mark.parametrize("void", [None, "judge: no answer"])
def test_a_forbidden_action_of_a_risky_candidate_refuses_at_once(
    void: str | None,
) -> None:
    trial = Trial(plan(risk="high"))
    counts: dict[Arm, int] = {"candidate": 1, "current": 5}

    trial.tell("c0/0", Votes("candidate", "candidate", forbidden=counts, void=void))

    assert verdict_of(trial).code == "refuse:forbidden"


def test_fewer_cases_than_required_are_undecided_before_any_replay() -> None:
    trial = Trial(plan(cases=3, required=4))

    assert verdict_of(trial).code == "undecided:too_few_cases"
    assert trial.ask(1) == ()
    assert "3 case(s) where 4" in verdict_of(trial).reason


def test_a_trial_that_cannot_begin_saves_nothing_by_stopping_early() -> None:
    verdict = verdict_of(Trial(plan(cases=3, required=4)))

    assert (verdict.planned, verdict.spent) == (0, 0)
    assert verdict_of(Trial(plan(cases=0, required=4))).planned == 0


def test_no_cases_are_a_stated_outcome() -> None:
    verdict = verdict_of(Trial(plan(cases=0, required=4)))

    assert (verdict.decision, verdict.code) == ("undecided", "undecided:no_cases")


def test_a_merge_needs_enough_cases_of_each_card() -> None:
    cases = tuple(
        Case(id=f"c{i}", brief="b", card=card, contexts=(f"{i}",))
        for i, card in enumerate(["old", "old", "new"])
    )

    trial = Trial(Plan(proposal="p", cases=cases, contexts=1, required=2))

    assert "of new" in verdict_of(trial).reason


def test_an_unknown_context_is_refused() -> None:
    with pytest.raises(GateError, match="unknown"):
        Trial(plan()).tell("elsewhere", WIN)


def test_a_spare_that_no_void_called_for_is_refused() -> None:
    with pytest.raises(GateError, match="spare"):
        Trial(plan()).tell("c0/s0", WIN)


def test_votes_told_twice_are_refused() -> None:
    trial = Trial(plan())
    trial.tell("c0/0", WIN)

    with pytest.raises(GateError, match="twice"):
        trial.tell("c0/0", WIN)


def test_votes_after_the_verdict_are_refused() -> None:
    trial = Trial(plan())
    trial.tell("c0/0", LOSS)
    trial.tell("c0/1", LOSS)

    with pytest.raises(GateError, match="after the verdict"):
        trial.tell("c0/2", WIN)


def test_a_vote_in_one_order_only_is_refused_and_changes_nothing() -> None:
    trial = Trial(plan())

    with pytest.raises(GateError, match="each order"):
        trial.tell("c0/0", Votes("candidate"))

    assert trial.spent == 0
    trial.tell("c0/0", WIN)


def test_asking_for_nothing_is_refused() -> None:
    with pytest.raises(GateError, match="at least 1"):
        Trial(plan()).ask(0)


def test_a_verdict_survives_json() -> None:
    verdict = drive(Trial(plan()), {"c0/0": VOID}, WIN)

    assert load(Verdict, dump(verdict)) == verdict


def test_a_lean_is_a_tie_counted_apart() -> None:
    verdict = drive(Trial(plan(cases=1)), {}, Votes("candidate", "same"))

    assert verdict.cases[0].leaning == verdict.cases[0].ties > 0
