from dataclasses import replace

import pytest

from skillbank.agents.agent import Attempt
from skillbank.agents.jobs import Checked, Job, do
from skillbank.briefs.brief import Brief, Requirement
from skillbank.models.journal import NoJournal
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
