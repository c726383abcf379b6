"""A clock that cannot have been right is told of, and the run counts all the same."""

from datetime import UTC, datetime

import pytest

from skillbank.briefs.brief import Brief
from skillbank.traffic.clocks import clocked
from skillbank.traffic.run import Misfit, Run, TracedStep

LATEST = datetime(2026, 2, 1, tzinfo=UTC)


def noted(started: str, *steps: str) -> list[str]:
    run = Run(
        run_id="r",
        brief=Brief(id="b", text="A card"),
        started=started,
        steps=tuple(TracedStep(subtask="", tool="t", started=at) for at in steps),
        source="w.jsonl:1",
    )
    first, *notes = clocked([run], LATEST)
    assert first == run
    assert all(isinstance(note, Misfit) and note.kept for note in notes)
    return [
        f"{note.reason}: {note.problem}" for note in notes if isinstance(note, Misfit)
    ]


@pytest.mark.parametrize(
    ("started", "steps", "said"),
    [
        ("1970-01-01T00:00:00Z", [], "before there were agents"),
        ("0001-01-01T00:00:00+05:00", [], "which is no time"),
        ("soon", [], "which is no time"),
        ("9999-12-31T23:59:59Z", [], "after it was read"),
        ("2026-02-01T01:00:00+00:30", [], "after it was read"),
        ("2026-01-05T09:00:00Z", ["2026-01-05T08:58:00Z"], "before the run"),
        ("2026-01-05T09:00:00Z", ["2027-01-05T08:58:00Z"], "after it was read"),
    ],
)
def test_what_cannot_be_is_noted_once(started: str, steps: list[str], said: str):
    (note,) = noted(started, *steps, *steps)

    assert note.startswith("odd time: ")
    assert said in note


@pytest.mark.parametrize(
    ("started", "steps"),
    [
        ("", ["2026-01-05T09:00:00Z"]),
        ("2026-02-01T00:30:00+00:30", []),
        ("2026-01-05T09:00:00", ["2026-01-05T10:00:30+01:00", "", "later"]),
        ("2026-01-05T09:00:00Z", ["2026-01-05T08:59:30Z"]),
    ],
)
def test_what_may_be_is_not(started: str, steps: list[str]):
    assert noted(started, *steps) == []
