"""A drawing that is made worse on purpose is worse, by the verifiers and the judge."""

from dataclasses import replace

import pytest

from skillbank.agents.agent import Attempt
from skillbank.agents.degraded import truncated
from skillbank.briefs.brief import Brief, score
from skillbank.errors import WorldError
from skillbank.params import Params
from studio.judge import AGENT_SD
from studio.reading import read_board
from studio.world import Studio
from tests.skillbank.rounds.played import rounds, world


def played() -> list[tuple[Brief, Attempt]]:
    """What the agent drew in the trials of a round."""
    done = rounds(1)[0]
    briefs = {id: one for docket in done.dockets for id, one in docket.briefs.items()}
    pairs = [pair for heard in done.heard for pair in heard.pairs]
    attempts = [one for pair in pairs for one in (pair.current, pair.candidate)]
    return [(briefs[one.brief], one) for one in attempts if one and one.ending == "ok"]


def of(brief: Brief, attempt: Attempt) -> float:
    return score(brief, world().verify(brief, attempt.output))


def test_it_scores_much_less_and_is_still_a_board():
    drawn = played()

    worse = [(brief, one, world().degrade(brief, one)) for brief, one in drawn]

    changed = [row for row in worse if row[2] != row[1]]
    assert len(changed) >= 0.9 * len(drawn) > 20
    for brief, one, bad in changed:
        assert bad.ending == "ok"
        assert read_board(bad.output).width == read_board(one.output).width
        assert of(brief, bad) <= of(brief, one) - 2.9 * AGENT_SD


def test_it_is_the_same_each_time_and_leaves_the_drawing_alone():
    brief, attempt = played()[0]
    before = attempt.output

    once, twice = world().degrade(brief, attempt), world().degrade(brief, attempt)

    assert once == twice
    assert attempt.output == before


def test_what_cannot_get_much_worse_stays_as_it_is():
    brief, attempt = next(row for row in played() if world().degrade(*row) != row[1])
    bad = world().degrade(brief, attempt)
    worst = bad
    for _ in range(3):
        worst = world().degrade(brief, worst)

    assert world().degrade(brief, worst) == worst


def test_the_shipped_judge_sees_it():
    judge, seen = Studio(Params()).judge, []
    for number, (brief, one) in enumerate(played()[:40]):
        bad = world().degrade(brief, one)
        if bad != one:
            said = judge.compare(brief, bad.output, one.output, batch="b", seed=number)
            seen.append(said)

    assert seen.count("second") >= 0.95 * len(seen) > 20


def test_an_output_that_is_no_board_is_told():
    brief, attempt = played()[0]

    with pytest.raises(WorldError):
        world().degrade(brief, replace(attempt, output="no board"))


def test_prose_is_cut_to_its_first_quarter():
    _, attempt = played()[0]
    prose = replace(attempt, output="one two three four five six seven eight")

    assert truncated(prose).output == "one two"
    assert truncated(replace(attempt, output="short")).output == ""
