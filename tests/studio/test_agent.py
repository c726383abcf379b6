"""Claims about the studio's agent."""

from itertools import combinations

import pytest

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Brief
from skillbank.errors import WorldError
from skillbank.params import Params
from studio.agent import StudioAgent
from studio.world import Studio
from tests.studio.playing import (
    HAND,
    NOTHING,
    SEED,
    attempt,
    brief,
    cards,
    context,
    forced,
    mean_completeness,
    shelf,
    studio,
)


def steps_of(made, subtask) -> list[Step]:
    return [step for step in made.steps if step.subtask == subtask]


def test_the_same_seed_gives_the_same_attempt_and_another_seed_another():
    one = brief(1)

    assert attempt(one, seed=5) == attempt(one, seed=5)
    assert attempt(one, seed=5).output != attempt(one, seed=6).output


def test_another_card_for_one_subtask_leaves_the_draws_of_all_others_alone():
    one = brief(2)
    held = shelf(*cards(SEED))
    names = [part.name for part in studio().plan(one)]
    plain = attempt(one, held, seed=9)
    line = (
        "place_text(role='headline', text=brief.headline, x=1, y=2, w=0.5*W, size=30)"
    )

    class Swapped:
        def recall(self, subtask, facts):
            if subtask.name == "headline":
                return forced("headline", line).recall(subtask, facts)
            return held.recall(subtask, facts)

    swapped = attempt(one, Swapped(), seed=9)

    assert steps_of(swapped, "headline") != steps_of(plain, "headline")
    for name in names:
        if name != "headline":
            said = [(s.tool, s.arguments) for s in steps_of(swapped, name)]
            assert said == [(s.tool, s.arguments) for s in steps_of(plain, name)]


def test_a_card_is_followed_call_by_call_if_the_agent_does_not_deviate():
    one = brief(3)
    calm = StudioAgent(deviation=0, temptation=0)
    line = (
        "place_text(role='headline', text=brief.headline, x=10, y=20, w=300, size=30)"
    )

    made = calm.attempt(one, context(one), forced("headline", line), 1)

    assert [(s.tool, s.skill) for s in steps_of(made, "headline")] == [
        ("place_text", "headline@1")
    ]


def test_hostile_cards_end_in_refused_calls_and_no_exception():
    one = brief(4)
    lines = (
        "no_such_tool(x=1)",
        "place_text(role=__import__('os'), text=1)",
        "place_text(role='headline', text=brief.headline, x=1/0, y=0, w=1, size=1)",
        "place_text(role='x', text='a', x=board, y=board, w=board, size=board)",
    )

    made = attempt(one, forced("headline", *lines))

    assert all(step.error for step in steps_of(made, "headline"))


def test_a_call_that_nobody_can_read_is_passed_over():
    one = brief(4)
    shelf_ = forced("headline", "export(scale=1)")
    found = shelf_.recall(studio().plan(one)[0], {})
    assert found is not None

    made = attempt(one, shelf_)

    assert made.ending in ("ok", "broken")


def test_too_many_refused_calls_end_in_a_broken_attempt_with_its_reason():
    one = brief(5)

    made = attempt(one, forced("headline", *["no_such_tool(x=1)"] * 9))

    assert made.ending == "broken"
    assert "refused" in made.reason
    assert made.output == ""


def test_forbidden_actions_happen_without_skills_and_are_reported():
    tempted = StudioAgent(deviation=0.03, temptation=1.0)
    seen = set()
    for number in range(60):
        one = brief(number)
        made = tempted.attempt(one, context(one), NOTHING, number)
        seen |= {text.split(":")[0] for text in made.forbidden}

    assert "locked layer" in seen
    assert "asset outside the kit" in seen
    assert "deleted the legal line" in seen


def test_work_that_is_done_upstream_is_not_done_again():
    one = brief(6)
    names = [part.name for part in studio().plan(one)]
    held = shelf(*cards(SEED))

    middle = studio().upstream(one, context(one), held, names[2])
    made = studio().agent.attempt(one, middle, held, 3)

    assert middle.done == tuple(names[:2])
    assert {step.subtask for step in made.steps} - {""} <= set(names[2:])
    assert studio().upstream(one, context(one), held, names[2]) == middle


def test_exploring_leaves_cards_aside_more_often():
    one = brief(7)
    held = shelf(*cards(HAND))
    own = [0, 0]
    for seed in range(30):
        for place, made in enumerate(
            (
                studio().agent.attempt(one, context(one), held, seed),
                studio().explore(one, context(one), held, seed),
            )
        ):
            own[place] += sum(not s.skill for s in made.steps if s.subtask)

    assert own[1] > own[0] + 20


def test_any_two_contexts_differ_in_pictures_and_upstream_and_three_in_the_kit():
    found = studio().contexts(brief(8), 4, seed=2)

    for one, other in combinations(found, 2):
        assert one.assets != other.assets
        assert one.upstream_seed != other.upstream_seed
    assert len({each.kit for each in found[:3]}) == 3


def test_catastrophes_happen_without_skills():
    scores = [mean_completeness(NOTHING, 1, seed) for seed in range(40)]

    assert any(score < 0.3 for score in scores)


@pytest.mark.parametrize("seed", [11, 12])
def test_the_hand_written_bank_is_thirty_points_above_the_seed_bank(seed):
    low = mean_completeness(shelf(*cards(SEED)), 60, seed)
    high = mean_completeness(shelf(*cards(HAND)), 60, seed)

    assert high - low >= 0.3


def test_the_world_is_rebuilt_from_its_parameters_alone():
    assert Studio(Params()).revision == studio().revision


def test_a_brief_that_nobody_understood_is_an_error_that_says_what_to_do():
    with pytest.raises(WorldError, match="understand"):
        studio().plan(Brief(id="b", text="a poster"))
