"""A conversation counts once, whatever files tell of it and in whatever order."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief
from skillbank.params import IngestParams
from skillbank.traffic.collapse import Collapsed, collapse
from skillbank.traffic.files import read
from skillbank.traffic.intake import ingest
from skillbank.traffic.run import Misfit, Reply, Run, SkillUse, Spent, TracedStep
from skillbank.traffic.tally import Merge

KEY = b"sixteen bytes of key"


def step(name: str, **changes: str) -> TracedStep:
    held = {"subtask": "", "tool": "Bash", "call": name, **changes}
    return TracedStep(**held)  # type: ignore[arg-type]  # built from keywords


def run(run_id: str, calls: str = "", **changes: object) -> Run:
    """A run that made a call for each letter, in a message of the model each."""
    held = {
        "run_id": run_id,
        "brief": Brief(id="task", text="Make a card"),
        "session": run_id,
        "started": "2026-01-05T09:00:00Z",
        "origin": "u1",
        "source": f"{run_id}.jsonl:1",
        "steps": tuple(step(name) for name in calls),
        "replies": tuple(
            Reply(id=f"m-{name}", input_tokens=10, output_tokens=1) for name in calls
        ),
        "usage": Spent(
            turns=len(calls),
            input_tokens=10 * len(calls),
            output_tokens=len(calls),
            seconds=5.0,
        ),
        **changes,
    }
    return Run(**held)  # type: ignore[arg-type]  # built from keywords of any type


def whys(left: Collapsed) -> list[tuple[str, str, str]]:
    return [(merge.run_id, merge.into, merge.why) for merge in left.merges]


def calls(run: Run) -> list[str]:
    return [step.call for step in run.steps]


# --- resumed ------------------------------------------------------------------------


def test_a_session_that_was_resumed_under_a_new_id_is_one_run():
    part, whole = run("s1", "ab"), run("s2", "abc", followups=("More",))

    left = collapse([whole, part])

    assert left.runs == (whole,)
    assert whys(left) == [("s1", "s2", "resumed")]


def test_a_conversation_without_calls_that_went_on_is_one_run():
    part, whole = run("s1"), run("s1", followups=("More",), source="later.jsonl:1")

    left = collapse([part, whole])

    assert left.runs == (whole,)
    assert left.notes == ()


def test_a_file_that_was_cut_before_a_result_is_a_part_of_the_whole_one():
    whole = run("s1", "ab", steps=(step("a", result="done"), step("b")), output="x")

    assert whys(collapse([whole, run("s1", "a")])) == [("s1", "s1", "resumed")]


@pytest.mark.parametrize(
    "changes",
    [
        {"brief": Brief(id="other", text="Make a poster")},
        {"origin": ""},
        {"user": "somebody else"},
        {"tenant": "other"},
        {"trial": "2"},
    ],
)
def test_what_only_looks_like_a_part_is_a_use_of_its_own(changes: dict[str, object]):
    assert len(collapse([run("s1", "a", **changes), run("s2", "ab")]).runs) == 2


def test_a_whole_is_known_if_a_part_of_it_was_counted():
    left = collapse([run("s1", "a"), run("s2", "ab")], frozenset({"s1"}))

    assert left.runs == ()
    assert whys(left) == [("s1", "s1", "resumed"), ("s2", "s1", "known")]


# --- forks --------------------------------------------------------------------------


def test_forks_are_kept_and_what_they_share_counts_once():
    one, other = run("s1", "abc"), run("s2", "abde")

    left = collapse([other, one])

    assert left.merges == ()
    assert [calls(run) for run in left.runs] == [["a", "b", "c"], ["d", "e"]]
    assert [run.usage.turns for run in left.runs] == [3, 2]
    assert [run.usage.input_tokens for run in left.runs] == [30, 20]
    assert left.runs[1].usage.cached_tokens is None


def test_of_two_answers_to_one_message_both_are_kept():
    one, other = run("s1", "a", steps=()), run("s2", "b", steps=())

    assert [r.usage.turns for r in collapse([one, other]).runs] == [1, 1]


# --- sub-agents ---------------------------------------------------------------------


def test_a_sub_agent_is_part_of_the_run_that_it_worked_for():
    parent = run("s1", "a", skills=(SkillUse(skill="pdf", how="opened"),))
    child = run(
        "s1/x",
        "bc",
        parent="s1",
        origin="c1",
        brief=Brief(id="look", text="Look"),
        skills=(SkillUse(skill="docx", how="applied"),),
    )

    left = collapse([child, parent])

    (whole,) = left.runs
    assert whys(left) == [("s1/x", "s1", "sub-agent")]
    assert [(s.call, s.agent) for s in whole.steps] == [
        ("a", ""),
        ("b", "s1/x"),
        ("c", "s1/x"),
    ]
    assert (whole.usage.turns, whole.usage.input_tokens) == (3, 30)
    assert whole.usage.seconds == 5.0
    assert [use.skill for use in whole.skills] == ["pdf", "docx"]
    assert whole.brief == parent.brief


def test_what_a_sub_agent_copied_from_its_parent_counts_once():
    parent, child = run("s1", "ab"), run("x", "abc", parent="s1")

    (whole,) = collapse([parent, child]).runs

    assert calls(whole) == ["a", "b", "c"]
    assert (whole.usage.turns, whole.usage.output_tokens) == (3, 3)


def test_calls_that_only_share_an_id_are_not_the_same():
    parent = run("s1", "a")
    child = run("x", "a", parent="s1", steps=(step("a", tool="Read"),))

    (whole,) = collapse([parent, child]).runs

    assert [s.tool for s in whole.steps] == ["Bash", "Read"]


def test_sub_agents_of_sub_agents_belong_to_the_run_at_the_top():
    family = [
        run("s1", "a"),
        run("x", "b", parent="s1", origin="x"),
        run("y", "c", parent="x", origin="y"),
    ]

    left = collapse(family)

    assert whys(left) == [("x", "s1", "sub-agent"), ("y", "s1", "sub-agent")]
    assert left.runs[0].usage.turns == 3


def test_a_sub_agent_finds_a_parent_that_was_resumed_under_another_id():
    family = [run("s1", "a"), run("s2", "ab"), run("x", "c", parent="s1", origin="x")]

    left = collapse(family)

    assert [calls(one) for one in left.runs] == [["a", "b", "c"]]
    assert ("x", "s2", "sub-agent") in whys(left)


def test_a_sub_agent_without_its_parent_is_kept_and_says_so():
    left = collapse([run("x", "a", parent="s1")])

    assert [one.run_id for one in left.runs] == ["x"]
    assert [(note.reason, note.source, note.kept) for note in left.notes] == [
        ("no parent", "x.jsonl:1", True)
    ]


def test_runs_that_are_each_others_sub_agents_end():
    ring = [
        run("x", "a", parent="y", origin="x"),
        run("y", "b", parent="x", origin="y"),
        run("z", "c", parent="z", origin="z"),
    ]

    left = collapse(ring)

    assert [calls(one) for one in left.runs] == [["a", "b"], ["c"]]


def test_a_sub_agent_that_was_counted_alone_counts_no_second_time():
    parent, child = run("s1", "a"), run("x", "b", parent="s1", origin="x")

    left = collapse([parent, child], frozenset({"x"}))

    assert left.runs == (parent,)
    assert whys(left) == [("x", "x", "known")]


def test_a_sub_agent_of_a_run_that_was_counted_is_no_use_of_its_own():
    family = [
        run("x", "b", parent="s1", origin="x"),
        run("y", "c", parent="x", origin="y"),
    ]

    left = collapse(family, frozenset({"s1"}))

    assert left.runs == ()
    assert {merge.into for merge in left.merges} == {"s1"}
    assert len(left.merges) == 2


# --- properties ---------------------------------------------------------------------

RUNS = st.lists(
    st.builds(
        run,
        run_id=st.sampled_from(["r1", "r2", "r3", "r4", "r5"]),
        calls=st.sampled_from(["", "a", "ab", "abc", "abd", "b", "x"]),
        brief=st.sampled_from([Brief(id=t, text=t) for t in "xy"]),
        origin=st.sampled_from(["", "o1", "o2"]),
        parent=st.sampled_from(["", "", "r1", "r2", "r9"]),
        session=st.sampled_from(["", "s1"]),
        started=st.sampled_from(["", "2026-01-05", "2026-01-06"]),
        followups=st.sampled_from([(), ("More",)]),
        retry_of=st.sampled_from(["", "", "r3"]),
        source=st.sampled_from(["f:1", "f:2", "g:1"]),
    ),
    max_size=8,
)
KNOWN = st.frozensets(st.sampled_from(["r1", "r2", "r9"]), max_size=2)


@given(runs=RUNS, known=KNOWN, order=st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_the_order_changes_nothing_and_every_run_is_accounted_for(runs, known, order):
    shuffled = list(runs)
    order.shuffle(shuffled)

    left = collapse(runs, known)

    assert collapse(shuffled, known) == left
    assert len(runs) == len(left.runs) + len(left.merges)
    assert not known & {one.run_id for one in left.runs}
    standing = {one.run_id for one in left.runs} | known
    assert all(merge.into in standing for merge in left.merges)


@given(runs=RUNS, known=KNOWN)
@settings(max_examples=120, deadline=None, derandomize=True)
def test_what_is_given_twice_changes_nothing_but_the_count_of_copies(runs, known):
    once, twice = collapse(runs, known), collapse([*runs, *runs], known)

    assert twice.runs == once.runs
    assert len(twice.merges) == len(once.merges) + len(runs)


@given(runs=RUNS)
@settings(max_examples=120, deadline=None, derandomize=True)
def test_no_call_of_a_conversation_and_no_message_counts_twice(runs):
    one_task = [replace(one, brief=Brief(id="t", text="t")) for one in runs]
    one_task = [replace(one, origin=one.origin or one.run_id) for one in one_task]

    left = collapse(one_task)

    by_origin: dict[str, list[Run]] = {}
    for one in left.runs:
        by_origin.setdefault(one.origin, []).append(one)
    for group in by_origin.values():
        told = [reply.id for one in group for reply in one.replies]
        made = [step.call for one in group for step in one.steps]
        assert len(told) == len(set(told))
        assert len(made) == len(set(made))
        assert sum(one.usage.turns or 0 for one in group) == len(told)


# --- real files ---------------------------------------------------------------------

FOLDERS = (
    "claude-code-sessions",
    "codex-rollouts",
    "letta-trajectory-fixtures",
    "skill-usage-traces",
)


def test_real_files_add_up_in_any_order_and_any_number_of_times(samples: Path):
    paths = [samples / folder for folder in FOLDERS]
    params = IngestParams()

    once = ingest(paths, params, KEY)
    backwards = ingest(paths[::-1], params, KEY)
    twice = ingest([*paths, *paths], params, KEY)

    assert backwards.runs == once.runs == twice.runs
    assert sorted(map(repr, backwards.merges)) == sorted(map(repr, once.merges))
    assert twice.read == 2 * once.read
    assert once.read == once.kept + once.merged + once.quarantined
    again = ingest(paths, params, KEY, once.seen_ids)
    assert again.runs == ()


def test_a_growing_file_and_the_files_of_sub_agents_are_one_run_each(samples: Path):
    codex = [v for v in read(samples / "codex-rollouts" / "codemie-code")]
    claude = [v for v in read(samples / "claude-code-sessions" / "codemie-code")]

    left = collapse([v for v in codex + claude if isinstance(v, Run)])

    growing = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
    session = "4c2ddfdc-b619-4525-8d03-1950fb1b0257"
    assert {one.run_id for one in left.runs} == {growing, session, "spawn-test-uuid"}
    assert [(m.run_id, m.into, m.why) for m in left.merges] == [
        (f"{session}/36541525", session, "sub-agent"),
        (f"{session}/50243ee8", session, "sub-agent"),
        (growing, growing, "resumed"),
    ]
    whole = {one.run_id: one for one in left.runs}
    assert whole[session].usage.output_tokens == 806 + 3 + 237
    assert whole[session].usage.turns == 7 + 1 + 1
    assert whole[growing].usage.input_tokens == 1100


def test_a_copy_of_a_session_under_another_name_is_no_second_use(
    samples: Path, tmp_path: Path
):
    source = samples / "claude-code-sessions" / "claude-reliability"
    name = "hello-world-script.transcript.jsonl"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(source / name, tmp_path / folder / "copy.jsonl")
    lines = (source / name).read_text().splitlines()
    cut = "\n".join(lines[:5])
    moved = [json.dumps({**json.loads(line), "sessionId": "new"}) for line in lines]
    (tmp_path / "cut.jsonl").write_text(cut)
    (tmp_path / "moved.jsonl").write_text("\n".join(moved))

    values = list(read(tmp_path))

    assert not [value for value in values if isinstance(value, Misfit)]
    left = collapse([value for value in values if isinstance(value, Run)])
    assert len(left.runs) == 1
    assert left.runs[0].usage.turns == 4
    assert all(isinstance(merge, Merge) for merge in left.merges)
    assert sorted(merge.why for merge in left.merges) == ["copy", "resumed", "resumed"]
