"""One use counts once, whatever the order in which the traffic tells of it."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief
from skillbank.traffic.collapse import collapse
from skillbank.traffic.run import Run, TracedStep

STEPS = tuple(TracedStep(subtask="s", tool=f"t{n}") for n in range(5))


def run(run_id: str = "r1", **changes: object) -> Run:
    held = {
        "run_id": run_id,
        "brief": Brief(id=f"b-{run_id}", text=f"Brief of {run_id}"),
        "session": "s1",
        "user": "u1",
        "started": "2026-01-05T09:00:00Z",
        "source": f"week.jsonl:{run_id}",
        **changes,
    }
    return Run(**held)  # type: ignore[arg-type]  # built from keywords of any type


def ids(runs: tuple[Run, ...]) -> list[str]:
    return [one.run_id for one in runs]


def whys(*runs: Run, known: frozenset[str] = frozenset()) -> list[tuple[str, str, str]]:
    return [(m.run_id, m.into, m.why) for m in collapse(runs, known).merges]


def test_different_briefs_of_one_session_are_different_runs():
    assert ids(collapse([run("r2"), run("r1")]).runs) == ["r1", "r2"]


def test_the_same_run_told_twice_counts_once():
    assert whys(run(), run(source="copy.jsonl:9")) == [("r1", "r1", "copy")]


def test_the_same_object_given_twice_counts_once():
    once = run()

    assert whys(once, once) == [("r1", "r1", "copy")]


def test_an_exact_duplicate_under_another_id_counts_once():
    assert whys(run("r1"), replace(run("r1"), run_id="r9")) == [("r9", "r1", "copy")]


def test_one_id_with_different_content_keeps_both_and_says_so():
    first, second = run(output="a"), run(output="b", started="2026-01-06T09:00:00Z")
    second = replace(second, session="s2", source="other.jsonl:4")

    left = collapse([second, first])

    assert len(left.runs) == 2
    assert left.runs[0] == first
    assert left.runs[1].run_id.startswith("r1~")
    assert [(n.reason, n.source, n.kept) for n in left.notes] == [
        ("duplicate id", "other.jsonl:4", True)
    ]


def test_a_run_that_was_told_before_it_ended_is_a_part_of_the_whole():
    part, whole = run(steps=STEPS[:2]), run(steps=STEPS, output="done")

    left = collapse([part, whole])

    assert left.runs == (whole,)
    assert whys(part, whole) == [("r1", "r1", "resumed")]
    assert left.notes == ()


def test_of_a_chain_of_retries_the_last_stands():
    chain = [
        run("r1"),
        run("r2", retry_of="r1", started="2026-01-05T09:05:00Z"),
        run("r3", retry_of="r2", started="2026-01-05T09:10:00Z"),
    ]

    left = collapse(chain)

    assert ids(left.runs) == ["r3"]
    assert whys(*chain) == [("r1", "r3", "retry"), ("r2", "r3", "retry")]


def test_a_retry_that_could_not_be_run_does_not_stand_for_one_that_could():
    late = run("r2", retry_of="r1", started="2026-01-06T09:00:00Z", ending="fault")

    assert ids(collapse([run("r1"), late]).runs) == ["r1"]


def test_times_are_compared_and_not_their_letters():
    first = run("r1", started="2026-01-05T09:30:00+00:00")
    later = run("r2", started="2026-01-05T05:00:00-05:00", retry_of="r1")

    assert ids(collapse([first, later]).runs) == ["r2"]


def test_two_retries_of_a_run_that_is_not_there_are_one_use():
    assert len(collapse([run("r1", retry_of="r0"), run("r2", retry_of="r0")]).runs) == 1


def test_the_same_brief_again_in_one_session_of_one_file_is_a_retry():
    again = Brief(id="b", text="A poster"), Brief(id="c", text="a  POSTER ")
    one, other = (run(f"r{n}", brief=b) for n, b in enumerate(again))

    assert len(collapse([one, other]).runs) == 1


@pytest.mark.parametrize(
    "changes",
    [{"session": "s2"}, {"session": ""}, {"user": "u2"}, {"source": "other.jsonl:1"}],
)
def test_the_same_brief_elsewhere_is_another_use(changes):
    brief = Brief(id="b", text="A poster")
    one, other = run("r1", brief=brief), run("r2", brief=brief, output="x", **changes)

    assert len(collapse([one, other]).runs) == 2


def test_runs_that_retry_each_other_end():
    ring = [
        run("r1", retry_of="r2"),
        run("r2", retry_of="r1"),
        run("r3", retry_of="r3"),
    ]

    assert ids(collapse(ring).runs) == ["r2", "r3"]


def test_what_the_ledger_knows_never_counts_again():
    known = frozenset({"r1"})

    assert whys(run("r1"), known=known) == [("r1", "r1", "known")]
    assert whys(run("r2", retry_of="r1"), known=known) == [("r2", "r1", "known")]
    assert collapse([run("r2", retry_of="r1")], known).runs == ()


def test_a_merge_names_the_run_that_stands_at_the_end():
    copy = run("r1", source="copy.jsonl:1")
    retry = run("r2", retry_of="r1", started="2026-01-05T10:00:00Z")

    assert {into for _, into, _ in whys(copy, run("r1"), retry)} == {"r2"}


def test_a_copy_of_a_run_that_got_another_id_points_to_that_id():
    odd = run(output="b", session="s2", started="2026-01-06T09:00:00Z")
    copy = replace(odd, source="copy.jsonl:1")

    left = collapse([run(output="a"), odd, copy])

    assert [merge.into for merge in left.merges] == [left.runs[1].run_id]


def test_ingesting_the_same_conflict_again_keeps_nothing_new():
    both = [run(output="a"), run(output="b", session="s2")]
    known = frozenset(ids(collapse(both).runs))

    assert collapse(both, known).runs == ()


RUNS = st.builds(
    run,
    run_id=st.sampled_from(["r1", "r2", "r3", "r4"]),
    brief=st.sampled_from([Brief(id=t, text=t) for t in ("x", "y")]),
    session=st.sampled_from(["", "s1", "s2"]),
    started=st.sampled_from(["", "2026-01-05", "2026-01-06T00:00:00+02:00"]),
    steps=st.integers(0, 3).map(lambda n: STEPS[:n]),
    output=st.sampled_from(["", "a"]),
    retry_of=st.sampled_from(["", "", "r1", "r2", "r9"]),
    source=st.sampled_from(["a:1", "a:2", "b:1", "b:2"]),
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(RUNS, max_size=10), st.sampled_from([[], ["r1"], ["r9", "r2"]]))
def test_the_order_of_the_runs_changes_nothing_and_none_is_lost(given_runs, known):
    known_ids = frozenset(known)
    shuffled = random.Random(0).sample(given_runs, len(given_runs))

    left = collapse(given_runs, known_ids)

    assert collapse(shuffled, known_ids) == left
    assert len(given_runs) == len(left.runs) + len(left.merges)
    assert len(set(ids(left.runs))) == len(left.runs)
    assert not known_ids & set(ids(left.runs))
    standing = set(ids(left.runs)) | known_ids
    assert all(merge.into in standing for merge in left.merges)
