"""Which runs a writer may see where there are too many."""

from skillbank.evidence.draw import drawn
from skillbank.evidence.event import Event
from skillbank.evidence.ledger import Ledger


def failure(n: int, skill: str = "headline", **more) -> Event:
    run = f"{skill}-{n}"
    return Event(
        **{
            "kind": "failure",
            "run": run,
            "round": "r0001",
            "root": run,
            "brief": run,
            "session": run,
            "skill": skill,
            "version": 1,
            "score": 0.1,
            **more,
        }
    )


def ids(events) -> set[str]:
    return {event.run for event in events}


def test_few_runs_are_all_drawn_and_of_many_as_many_as_may_be():
    many, few = [failure(n) for n in range(50)], [failure(n, "hero") for n in range(3)]
    ledger = Ledger(events=(*many, *few))

    found = drawn(ledger, ids(ledger.events), 10)

    assert ids(few) <= found
    assert len(found & ids(many)) == 10


def test_failures_do_not_crowd_out_what_went_well():
    failed = [failure(n) for n in range(50)]
    well = [failure(n + 50, kind="use", score=0.9) for n in range(5)]
    ledger = Ledger(events=(*failed, *well))

    assert ids(well) <= drawn(ledger, ids(ledger.events), 10)


def test_the_draw_is_the_same_whatever_the_order_and_more_runs_replace_but_some():
    events = [failure(n) for n in range(400)]
    before = Ledger(events=tuple(events[:200]))
    after = Ledger(events=tuple(events[::-1]))

    first = drawn(before, ids(events[:200]), 40)
    then = drawn(after, ids(events), 40)

    assert first == drawn(Ledger(events=tuple(events[199::-1])), ids(events[:200]), 40)
    assert 5 < len(first & then) < 35


def test_runs_that_tell_of_no_skill_and_no_need_are_drawn_too_and_others_never():
    tested = [failure(n, side="test") for n in range(5)]
    ledger = Ledger(events=(*tested, failure(9)))

    found = drawn(ledger, {"headline-9", *(f"silent-{n}" for n in range(30))}, 4)

    assert "headline-9" in found
    assert len(found) == 5
    assert not found & ids(tested)
