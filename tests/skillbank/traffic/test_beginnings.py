"""Beginnings found by a tree are those that comparing each with each finds."""

from hypothesis import given
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief
from skillbank.traffic.beginnings import Beginnings
from skillbank.traffic.collapse import collapse
from skillbank.traffic.run import Run, TracedStep

words = st.lists(st.text("ab", max_size=1), max_size=4)


@given(st.lists(words, max_size=8))
def test_two_beginnings_have_one_place_if_and_only_if_they_are_equal(sequences):
    tree = Beginnings()
    place_of: dict[tuple[str, ...], int] = {}
    for sequence in sequences:
        for end, place in enumerate(tree.way(sequence)):
            assert place_of.setdefault(tuple(sequence[:end]), place) == place

    assert len(set(place_of.values())) == len(place_of)


@given(st.lists(words, min_size=1, max_size=8, unique_by=tuple))
def test_under_one_id_those_are_left_that_are_the_beginning_of_no_other(calls):
    brief = Brief(id="b", text="A card")
    runs = [
        Run(
            run_id="r",
            brief=brief,
            source=f"w.jsonl:{number}",
            steps=tuple(TracedStep(subtask="", tool=tool) for tool in tools),
        )
        for number, tools in enumerate(calls)
    ]

    left = collapse(runs)

    whole = [
        mine
        for mine in calls
        if not mine
        or not any(len(mine) < len(o) and o[: len(mine)] == mine for o in calls)
    ]
    assert sorted([step.tool for step in run.steps] for run in left.runs) == sorted(
        whole
    )


def test_thousands_of_forks_of_one_conversation_are_not_compared_each_with_each():
    brief = Brief(id="b", text="A card")
    forks = [
        Run(
            run_id=f"r{number}",
            brief=brief,
            origin="o",
            source=f"w.jsonl:{number}",
            steps=tuple(
                TracedStep(subtask="", tool="t", call=call)
                for call in ("c", f"c{number}", *(["end"] if number % 2 else []))
            ),
        )
        for number in range(4000)
    ]
    parts = [
        Run(
            run_id=f"p{number}",
            brief=brief,
            origin="o",
            source=f"w.jsonl:{number}",
            steps=forks[number].steps[:2],
        )
        for number in range(1, 4000, 2)
    ]

    left = collapse([*forks, *parts])

    assert {run.run_id for run in left.runs} == {run.run_id for run in forks}
    assert {(one.run_id, one.into) for one in left.merges} == {
        (part.run_id, f"r{part.run_id[1:]}") for part in parts
    }
