"""What a user of Claude Code took back was paid for and led to nothing."""

from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.collapse import collapse
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.test_claude_code import (
    call,
    model,
    result,
    run,
    said,
    user,
    values,
)


def rewound(*, more: bool = True) -> list[dict[str, Json]]:
    """A user asks, goes on, rewinds to the first answer, and goes on otherwise."""
    paid = {"input_tokens": 10, "output_tokens": 1}
    skill = call("Skill", "t2", skill="colours")
    first = [
        user("Make a board"),
        model(said("Made."), call("Write", "t1"), id="m1", usage=paid),
        user([result("ok", "t1")], "r1", parentUuid="a-m1"),
        user("Make it red", "u2", parentUuid="r1"),
        model(said("Red."), skill, id="m2", usage=paid, parentUuid="u2"),
        user([result("ok", "t2")], "r2", parentUuid="a-m2"),
        user("Now bigger", "u3", parentUuid="r2"),
        model(said("Big."), call("Edit", "t3"), id="m3", usage=paid, parentUuid="u3"),
    ]
    then = [
        user("Make it blue", "u4", parentUuid="r1"),
        model(said("Blue."), call("Edit", "t4"), id="m4", usage=paid, parentUuid="u4"),
    ]
    return [*first, *then] if more else first


def test_what_a_user_took_back_was_paid_for_and_is_no_part_of_the_run(tmp_path: Path):
    one, note = values(tmp_path, *rewound())

    assert isinstance(one, Run)
    assert (one.brief.text, one.followups) == ("Make a board", ("Make it blue",))
    assert [step.call for step in one.steps] == ["t1", "t4"]
    assert (one.output, one.skills) == ("Blue.", ())
    assert (one.usage.turns, one.usage.input_tokens) == (4, 40)
    assert isinstance(note, Misfit)
    assert (note.kept, note.reason, note.source) == (True, "taken back", "s1.jsonl:4")
    assert note.problem.startswith("2 message(s) with 2 call(s)")


def test_a_first_message_that_was_taken_back_is_not_the_brief(tmp_path: Path):
    opening = {"type": "system", "uuid": "o", "parentUuid": None, "sessionId": "s1"}
    one, _ = values(
        tmp_path,
        opening,
        user("Make a bord", "u1", parentUuid="o"),
        model(said("A bord?"), id="m1"),
        user("Make a board", "u2", parentUuid="o"),
        model(said("Made."), id="m2", parentUuid="u2"),
    )

    assert isinstance(one, Run)
    assert (one.brief.text, one.followups, one.output) == ("Make a board", (), "Made.")


def test_a_session_before_it_was_rewound_is_an_earlier_part_of_it(tmp_path: Path):
    found = [
        value
        for more in (True, False)
        for value in values(tmp_path, *rewound(more=more))
        if isinstance(value, Run)
    ]

    left = collapse(found)

    (one,) = left.runs
    assert [merge.why for merge in left.merges] == ["resumed"]
    assert (one.output, one.usage.turns) == ("Blue.", 4)


def test_calls_that_ran_at_once_are_no_branches(tmp_path: Path):
    one = run(
        tmp_path,
        user("Look at both"),
        model(call("Read", "t1"), id="m1"),
        model(call("Read", "t2", path="b"), id="m1", uuid="a2", parentUuid="a-m1"),
        user([result("A", "t1")], "r1", parentUuid="a-m1"),
        user([result("B", "t2")], "r2", parentUuid="a2"),
        model(said("Both."), id="m2", parentUuid="r2"),
        user("Thanks", "u2", parentUuid="a-m2"),
    )

    assert [step.result for step in one.steps] == ["A", "B"]


@pytest.mark.parametrize(
    "gap",
    [
        {"type": "system", "uuid": "c", "logicalParentUuid": "a-m1"},
        {"type": "system", "uuid": "c", "logicalParentUuid": "not in this file"},
        {"type": "system", "uuid": "not c"},
    ],
)
def test_what_came_before_a_compaction_or_a_gap_was_not_taken_back(
    tmp_path: Path, gap: dict[str, Json]
):
    one = run(
        tmp_path,
        user("Make a board"),
        model(said("Made."), call("Write"), id="m1"),
        {"parentUuid": None, "sessionId": "s1", **gap},
        user("What came before", "c2", parentUuid="c", isCompactSummary=True),
        user("Make it red", "u2", parentUuid="c2"),
        model(said("Red."), call("Edit", "t2"), id="m2", parentUuid="u2"),
    )

    assert one.followups == ("Make it red",)
    assert [step.call for step in one.steps] == ["t1", "t2"]


def test_records_told_again_take_nothing_back(tmp_path: Path):
    first = [user("Make a board"), model(said("Made."), id="m1")]
    then = [user("Make it red", "u2", parentUuid="a-m1")]

    one = run(tmp_path, *first, *then, *first)

    assert one.followups == ("Make it red",)
