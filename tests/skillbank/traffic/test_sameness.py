"""What two programs tell of one use is one run, and nothing that one tells is lost."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief
from skillbank.traffic.collapse import Collapsed, collapse
from skillbank.traffic.run import Reply, Run, SkillUse, Spent, TracedStep

CALL = TracedStep(subtask="", tool="Bash", call="c1", arguments={"command": "ls"})
FILE = Run(
    run_id="s1",
    session="s1",
    brief=Brief(id="b1", text="Fix it"),
    started="2026-01-05T09:00:01Z",
    steps=(replace(CALL, result="a.py"),),
    output="Done.",
    origin="u1",
    usage=Spent(turns=2, input_tokens=30, output_tokens=5),
    replies=(
        Reply(id="m1", input_tokens=10, output_tokens=2),
        Reply(id="m2", input_tokens=20, output_tokens=3),
    ),
    source="session.jsonl:1",
)
TELEMETRY = Run(
    run_id="s1",
    session="s1",
    brief=FILE.brief,
    started="2026-01-05T09:00:00Z",
    user="ann",
    steps=(replace(CALL, arguments={"cmd": "ls"}),),
    skills=(SkillUse(skill="fixing", how="offered"),),
    usage=Spent(turns=2, input_tokens=30, output_tokens=5, usd=0.25),
    source="events.jsonl:1",
)
PRINTED = replace(
    FILE,
    steps=(replace(CALL, call="item_0", tool="exec"),),
    usage=Spent(turns=1, input_tokens=30, output_tokens=5),
    replies=(Reply(id="m2", input_tokens=30, output_tokens=5),),
    source="printed.jsonl:1",
)
AGAIN = replace(FILE, usage=replace(FILE.usage, usd=0.25), source="again.jsonl:1")


def sums(left: Collapsed) -> tuple[int, int, int]:
    told = [(len(one.steps), one.usage.input_tokens or 0) for one in left.runs]
    return len(told), sum(n for n, _ in told), sum(n for _, n in told)


@given(st.permutations([FILE, TELEMETRY, PRINTED, AGAIN]), st.integers(0, 2))
def test_one_use_told_by_several_programs_counts_once(told: list[Run], without: int):
    left = collapse([one for one in told if one is FILE or one is not told[without]])

    assert sums(left) == (1, 1, 30)
    assert (left.runs[0].output, left.notes) == ("Done.", ())


@pytest.mark.parametrize("other", [TELEMETRY, AGAIN])
def test_what_only_the_other_one_tells_is_kept(other: Run):
    (run,) = collapse([FILE, other]).runs

    assert (run.usage.usd, run.usage.input_tokens) == (0.25, 30)
    assert (run.user, run.skills) == (other.user, other.skills)
    assert run.steps == FILE.steps


@pytest.mark.parametrize(
    "changes",
    [
        {"output": "Another answer."},
        {"brief": Brief(id="b2", text="Break it")},
        {"session": "s2"},
        {"user": "bob"},
        {"score": 0.0},
        {"steps": (replace(CALL, result="b.py"),)},
        {"steps": (), "usage": Spent(input_tokens=31, output_tokens=5)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_differs_or_has_nothing_in_common_is_kept_with_a_note(
    changes: dict[str, object],
):
    rated = replace(FILE, user="ann", score=1.0)

    left = collapse([rated, replace(TELEMETRY, **changes)])  # type: ignore[arg-type]

    assert len(left.runs) == 2
    assert [note.reason for note in left.notes] == ["duplicate id"]


def test_of_an_earlier_part_neither_cost_nor_score_are_those_of_the_whole():
    longer = replace(FILE, followups=("And that",), output="Both done.")
    part = replace(TELEMETRY, score=0.5, provenance="check", output="Done.")

    (run,) = collapse([longer, part]).runs

    assert (run.usage.usd, run.score, run.output) == (None, None, "Both done.")
    assert run.user == "ann"
