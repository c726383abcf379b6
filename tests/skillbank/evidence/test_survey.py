"""What a week asked for is told from the week before, the bank and the replay set."""

from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import GoldenCase, ReplaySet
from skillbank.evidence.ledger import Ledger
from skillbank.evidence.survey import Survey, survey, with_open_needs
from skillbank.params import AttributeParams, ProposeParams
from skillbank.traffic.run import Run
from tests.skillbank.evidence.builders import sighting

CITIES = ("Rome", "Oslo", "Riga", "Bern", "Wien", "Cork", "Lima", "Kyiv")
FLIGHTS = tuple(f"cancel the flight to {city} please" for city in CITIES)
THINGS = ("rain", "bread", "salt", "moss", "iron", "wool", "clay", "dusk")
POEMS = tuple(f"translate this poem about {thing} into Greek" for thing in THINGS)


def runs(*texts: str, cohort: str = "", first: int = 0) -> list[Run]:
    return [
        Run(run_id=f"r{n}", brief=Brief(id=f"b{n}", text=text), cohort=cohort)
        for n, text in enumerate(texts, start=first)
    ]


def replayed(*texts: str) -> ReplaySet:
    return ReplaySet(
        cases=tuple(
            GoldenCase(
                brief=Brief(id=f"g{n}", text=text),
                skill="s",
                subtask="task",
                round="r0001",
                proposal="p",
            )
            for n, text in enumerate(texts)
        )
    )


def told(now: list[Run], before: list[Run], cases: ReplaySet) -> Survey:
    return survey(now, ("r0001", before), cases, AttributeParams(), 7)


def test_a_week_that_asks_for_something_else_has_drifted_and_says_for_what():
    found = told(runs(*FLIGHTS, *POEMS, first=50), runs(*FLIGHTS), ReplaySet())

    assert found.before == "r0001"
    assert found.drift is not None
    assert found.drift.p < 0.05
    assert [need.now for need in found.drift.new] == [8]
    assert "poem" in found.drift.new[0].example


def test_the_same_requests_are_no_drift_and_the_first_week_has_none():
    same = told(runs(*FLIGHTS, first=50), runs(*FLIGHTS), ReplaySet())

    assert same.drift is not None
    assert (same.drift.distance, same.drift.new) == (0, ())
    assert told(runs(*FLIGHTS), [], ReplaySet()).drift is None


def test_what_no_replay_case_is_near_is_counted_by_cohort():
    now = [*runs(*FLIGHTS, cohort="travel"), *runs(*POEMS, cohort="words", first=50)]

    found = told(now, [], replayed(FLIGHTS[0].replace("Rome", "Turin")))

    shares = {one.cohort: one.uncovered.estimate for one in found.coverage}
    assert found.cases == 1
    assert shares == {"all": 0.5, "travel": 0.0, "words": 1.0}


def test_without_any_replay_case_nothing_is_covered():
    (everything,) = told(runs(*FLIGHTS), [], ReplaySet()).coverage

    assert everything.uncovered.estimate == 1.0
    assert everything.uncovered.low < 1.0


def test_needs_that_no_card_covers_are_listed_with_how_near_a_proposal_they_are():
    events = [
        *(sighting(f"a{n}", root=f"r{n}") for n in range(3)),
        sighting("b", "poems", root="r9", round="r0002"),
    ]
    ledger = Ledger(events=tuple(events))

    found = with_open_needs(Survey(), ledger, "r0002", ProposeParams())

    told = [(need.label, need.count, need.now) for need in found.needs]
    assert told == [("sponsors", 3, 0), ("poems", 1, 1)]
    assert (found.due_at, found.needs_beyond) == (3, 0)
