from dataclasses import replace
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from skillbank.codec import dump, load
from skillbank.evidence.event import Event, decided
from skillbank.evidence.ledger import Ledger, distinct, text_digest
from skillbank.params import ProposeParams
from skillbank.proposals.proposal import Kind, Proposal
from tests.skillbank.evidence.builders import event, ids, labels, sighting, text

PARAMS = ProposeParams()
EVENTS = st.builds(
    event,
    st.sampled_from(["use", "failure", "uncovered"]),
    st.sampled_from("abcde"),
    skill=st.sampled_from(["headline", "hero"]),
    version=st.integers(1, 2),
    root=st.sampled_from(["", "b1", "b2"]),
    session=st.sampled_from(["", "s1", "s2"]),
    score=st.sampled_from([0.0, 0.3, 0.9]),
    label=st.sampled_from(["sponsors", "rating"]),
    round=st.sampled_from(["r0001", "r0002"]),
)


def proposal(kind: Kind = "edit", skill: str = "headline", **given: object) -> Proposal:
    return Proposal(
        round="r0001",
        axis="widening" if kind == "mint" else "deepening",
        kind=kind,
        skill=skill,
        base=None if kind == "mint" else 1,
        text=text(skill),
        **given,  # type: ignore[arg-type]
    )


@given(st.lists(EVENTS, max_size=12), st.lists(EVENTS, max_size=12))
def test_events_that_are_held_already_change_nothing(
    first: list[Event], second: list[Event]
):
    ledger = Ledger().add(first).add(second)

    assert ledger.add(first) == ledger
    assert ledger.add(second) == ledger
    assert ledger.add(ledger.events) == ledger


@given(st.lists(EVENTS, max_size=12), st.randoms())
def test_the_order_in_which_events_come_changes_nothing(events: list[Event], random):
    shuffled = list(events)
    random.shuffle(shuffled)

    one, other = Ledger(events=tuple(events)), Ledger()
    for late in shuffled:
        other = other.add([late])

    assert one == other
    assert one.queue({"hero": 1, "headline": 2}, PARAMS) == other.queue(
        {"headline": 2, "hero": 1}, PARAMS
    )


@given(st.lists(EVENTS, max_size=8))
def test_a_ledger_survives_being_stored_as_a_table(events: list[Event]):
    ledger = Ledger(events=tuple(events))

    rows = [dump(row) for row in ledger.events]

    assert Ledger(events=tuple(load(Event, row) for row in rows)) == ledger


def test_a_run_that_is_graded_again_counts_as_it_was_first_graded():
    ledger = Ledger(events=(event("failure", "a"),))

    again = ledger.add([event("use", "a", score=0.9, round="r0002")])

    assert again == ledger


def test_two_failures_queue_a_skill_and_one_does_not():
    one = Ledger(events=(event(run="a"),))

    assert one.queue({"headline": 1}, PARAMS) == ()
    (queued,) = one.add([event(run="b")]).queue({"headline": 1}, PARAMS)
    assert (queued.skill, queued.count) == ("headline", 2)


def test_failures_of_an_older_version_do_not_queue_the_newer_one():
    ledger = Ledger(events=(event(run="a"), event(run="b")))

    assert ledger.queue({"headline": 2}, PARAMS) == ()


def test_a_variant_never_adds_to_its_parent():
    ledger = Ledger(events=(event(run="a", root="b1"), event(run="b", root="b1")))

    assert ledger.queue({"headline": 1}, PARAMS) == ()


def test_a_customer_who_tries_twice_in_one_session_counts_once():
    ledger = Ledger(events=(event(run="a", session="s"), event(run="b", session="s")))

    assert ledger.queue({"headline": 1}, PARAMS) == ()


def test_three_roots_of_which_two_share_their_only_session_count_as_two():
    pairs = [("r1", "s1"), ("r1", "s2"), ("r1", "s3"), ("r2", "s3"), ("r3", "s3")]
    events = [
        event(run=f"{root}{session}", root=root, session=session)
        for root, session in pairs
    ]

    assert all(distinct(some) == 2 for some in permutations(events))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=9))
def test_the_count_is_never_above_the_roots_or_the_sessions(
    pairs: list[tuple[int, int]],
):
    events = [
        event(run=str(n), root=f"r{root}", session=f"s{session}")
        for n, (root, session) in enumerate(pairs)
    ]

    count = distinct(events)

    assert count <= min(len({r for r, _ in pairs}), len({s for _, s in pairs}))
    assert (count > 0) == bool(pairs)


def test_distinct_users_may_be_asked_for_instead_of_sessions():
    events = (event(run="a", user="u"), event(run="b", user="u"))

    assert distinct(events) == 2
    assert distinct(events, by_user=True) == 1


def test_the_test_side_never_counts_towards_a_queue_or_a_label():
    ledger = Ledger(
        events=tuple(
            replace(one, side="test")
            for run in "abc"
            for one in (event(run=run), sighting(run))
        )
    )

    assert ledger.queue({"headline": 1}, PARAMS) == ()
    assert ledger.due_labels(PARAMS) == ()


def test_the_queue_is_worst_first_then_more_failures_then_name():
    scores = {"a-mild": [0.5, 0.5], "b-bad": [0.1, 0.3], "c-more": [0.2, 0.2, 0.2]}
    scores["a-same"] = scores["b-bad"]
    ledger = Ledger(
        events=tuple(
            event(run=f"{skill}{n}", skill=skill, score=score)
            for skill, given in scores.items()
            for n, score in enumerate(given)
        )
    )

    queue = ledger.queue(dict.fromkeys(scores, 1), PARAMS)

    assert [one.skill for one in queue] == ["c-more", "a-same", "b-bad", "a-mild"]
    assert ids(queue[1].failures) == ["a-same0", "a-same1"]


def test_a_label_seen_three_times_is_due_and_one_seen_twice_is_not():
    twice = Ledger(events=(sighting("a"), sighting("b")), labels=labels())

    assert twice.due_labels(PARAMS) == ()
    (due,) = twice.add([sighting("c")]).due_labels(PARAMS)
    assert (due.label, due.count, ids(due.sightings)) == ("sponsors", 3, list("abc"))


def test_labels_that_were_merged_later_are_counted_together():
    filed = labels("name the sponsors", "thank the patrons")
    ledger = Ledger(
        events=(sighting("a"), sighting("b"), sighting("c", "patrons")), labels=filed
    )

    merged = filed.merge("patrons", "sponsors", "the same people", "r0002")

    assert ledger.due_labels(PARAMS) == ()
    assert [due.label for due in ledger.with_labels(merged).due_labels(PARAMS)] == [
        "sponsors"
    ]


def test_only_refused_or_dropped_edits_of_this_version_lead_to_an_overhaul():
    edit, late = proposal(), replace(proposal(), round="r0002")
    ledger = Ledger(
        events=(
            decided(edit, "refused", "d1"),
            decided(late, "dropped", "d2"),
            decided(proposal(note="x", drops=("y",)), "undecided", "d3"),
            decided(proposal("overhaul", drops=("z",)), "refused", "d4"),
            decided(replace(edit, base=2), "refused", "d5"),
        )
    )

    assert ledger.refused("headline", 1) == 2


def test_a_refused_text_is_not_paid_for_again_until_something_new_speaks_for_it():
    digest = text_digest(text("headline"))
    known = Ledger(events=(event(run="a"), decided(proposal(), "refused", digest)))

    assert known.seen_text(digest, skill="headline", base=1)
    assert not known.seen_text(digest, skill="headline", base=2)
    assert not known.seen_text("other", skill="headline", base=1)
    news = known.add([event(run="b", round="r0002")])
    assert not news.seen_text(digest, skill="headline", base=1)


def test_an_undecided_text_may_be_asked_again():
    ledger = Ledger(events=(decided(proposal(), "undecided", "d"),))

    assert not ledger.seen_text("d", skill="headline", base=1)


def test_a_refused_mint_waits_for_another_sighting():
    mint = proposal("mint", "sponsors-row", label="sponsors")
    ledger = Ledger(events=(sighting("a"), decided(mint, "refused", "d")))

    def seen(ledger: Ledger) -> bool:
        return ledger.seen_text("d", skill="sponsors-row", base=None, label="sponsors")

    assert seen(ledger)
    assert not seen(ledger.add([sighting("b", round="r0002")]))


def test_blanks_and_line_ends_do_not_make_another_text():
    assert text_digest(text("a")) == text_digest(text("a").replace("\n", "\r\n") + "\n")
    assert text_digest(text("a")) != text_digest(text("b"))
    assert text_digest("no  skill") == text_digest("no skill")


def test_a_superseded_card_is_followed_to_the_one_that_stands_for_it():
    first = replace(proposal(drops=("hero",)), round="r0001")
    second = replace(proposal(skill="title", drops=("headline",)), round="r0002")
    ledger = Ledger(
        events=tuple(decided(one, "committed", "d") for one in (first, second))
    )

    assert ledger.successor("hero") == "title"
    assert ledger.successor("title") == "title"
    assert ledger.superseded("title") == ("headline", "hero")
