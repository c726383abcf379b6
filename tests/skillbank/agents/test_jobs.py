from dataclasses import replace

import pytest

from skillbank.agents.agent import Attempt
from skillbank.agents.jobs import Checked, Job, do
from skillbank.briefs.brief import Brief, Requirement
from skillbank.errors import BudgetError, ModelError
from skillbank.models.journal import MemoryJournal, NoJournal
from skillbank.params import Params
from studio.world import Studio
from tests.studio.playing import NOTHING, brief, studio

ATTEMPT = Attempt(brief="b", context="c", seed=1, ending="ok", output="{}")


def checked(**changes: object) -> Checked:
    attempt = replace(ATTEMPT, **changes)  # type: ignore[arg-type] # of Attempt
    return Checked(brief=Brief(id="b", text="a poster"), attempt=attempt, checks=())


def test_an_output_of_which_nothing_was_demanded_has_no_score():
    assert (checked().score, checked().completeness) == (None, None)
    assert not checked().succeeded(0.0)


@pytest.mark.parametrize(("ending", "score"), [("broken", 0.0), ("fault", None)])
def test_the_agent_fails_with_a_zero_and_we_fail_without_a_score(ending, score):
    assert checked(ending=ending).score == score


def test_a_demand_that_the_world_cannot_check_leaves_the_attempt_unmeasured():
    odd = Requirement(id="r", kind="smells good", text="it smells good")
    one = replace(brief(3), requirements=(odd,))
    context = studio().contexts(one, 1, 5)[0]
    job = Job(brief=one, context=context, skills=NOTHING, under="none", seed=2)

    made = do(job, studio(), NoJournal())

    assert made.attempt.ending == "ok"
    assert (made.checks, made.score) == ((), None)


class Unreachable:
    """An agent whose model is down, or whose budget is spent."""

    def __init__(self, kind: type[ModelError]) -> None:
        self._kind = kind

    def attempt(self, brief, context, skills, seed):
        raise self._kind("model", seen="503", expected="an answer", remedy="wait")


def reached(kind: type[ModelError], journal: MemoryJournal) -> Checked:
    world = Studio(Params())
    world.agent = Unreachable(kind)
    one = brief(3)
    context = world.contexts(one, 1, 5)[0]
    job = Job(brief=one, context=context, skills=NOTHING, under="none", seed=2)
    return do(job, world, journal)


def test_an_agent_without_its_model_is_our_fault_and_is_asked_again_next_time():
    journal = MemoryJournal()

    made = reached(ModelError, journal)

    assert (made.attempt.ending, made.attempt.reason) == ("fault", "503")
    assert made.score is None
    assert journal.entries == {}


def test_a_spent_budget_ends_the_attempts():
    with pytest.raises(BudgetError):
        reached(BudgetError, MemoryJournal())
