"""What may touch in `collapse` is in one group, and nothing else is loaded."""

from dataclasses import replace
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief
from skillbank.traffic.collapse import collapse
from skillbank.traffic.columns import batch_of, runs_of, ties_of, week_of
from skillbank.traffic.run import Run, TracedStep
from skillbank.traffic.tally import Merge
from skillbank.traffic.tangles import tangles

STEPS = tuple(
    TracedStep(subtask="", tool=f"t{n}", call=f"c{n}", result="r") for n in range(3)
)
few = st.sampled_from(["", "a", "b", "c"])
RUNS = st.lists(
    st.builds(
        Run,
        run_id=st.sampled_from(["r1", "r2", "r3", "r4", "r5"]),
        brief=st.sampled_from(["x", "y"]).map(lambda t: Brief(id=t, text=t)),
        session=few,
        retry_of=st.sampled_from(["", "", "r1", "r9"]),
        parent=st.sampled_from(["", "", "r2"]),
        origin=few,
        output=few,
        steps=st.integers(0, 3).map(lambda n: STEPS[:n]),
        started=st.sampled_from(["", "2026-01-05T09:00:00Z", "2026-01-06T09:00:00Z"]),
        source=st.sampled_from(["f:1", "f:2", "g:1"]),
    ),
    max_size=12,
)


def groups(rows: list[list[int]]) -> list[list[int]]:
    return [one.tolist() for one in tangles(np.array(rows, dtype=np.int64))]


def test_rows_that_share_a_key_through_others_are_one_group():
    assert groups([[1, 2], [3, 0], [2, 4], [4, 5], [6, 0]]) == [[0, 2, 3]]


def test_an_absent_key_ties_nothing():
    assert groups([[0, 0], [0, 0], [7, 0]]) == []


def test_groups_come_by_their_first_row_whatever_the_order_of_keys():
    for keys in permutations([[1], [2], [1], [2]]):
        firsts = [group[0] for group in groups([list(key) for key in keys])]
        assert firsts == sorted(firsts)
        assert len(firsts) == 2


@given(runs=RUNS)
@settings(max_examples=300, deadline=None)
def test_collapsing_group_by_group_is_collapsing_all(runs: list[Run]):
    whole = collapse(runs)
    alone = set(range(len(runs)))
    kept: list[Run] = []
    merges: list[Merge] = []
    for rows in tangles(ties_of(runs)):
        alone -= set(rows.tolist())
        part = collapse([runs[row] for row in rows])
        kept += part.runs
        merges += part.merges
    kept += [runs[row] for row in sorted(alone)]

    assert sorted(kept, key=lambda run: run.run_id) == list(whole.runs)
    assert sorted(merges, key=repr) == sorted(whole.merges, key=repr)


@given(runs=RUNS)
@settings(max_examples=50, deadline=None)
def test_rows_give_back_the_very_runs(runs: list[Run]):
    assert runs_of(batch_of(runs)) == runs


def test_a_week_is_that_of_utc():
    assert week_of("2026-01-05T01:00:00+02:00") == "2026-W01"
    assert week_of("2026-01-05T09:00:00") == "2026-W02"
    assert week_of("yesterday") == "unknown"
    assert week_of("") == "unknown"


def test_what_is_not_told_is_null_and_not_zero():
    run = Run(run_id="r", brief=Brief(id="b", text="A card"))

    (row,) = batch_of([run]).to_pylist()

    assert [row[name] for name in ("score", "usd", "turns", "user", "started_at")] == (
        [None] * 5
    )
    assert batch_of([replace(run, score=0.0)]).to_pylist()[0]["score"] == 0.0
