"""The week on the page: which failures were laid to which skill, if any can be."""

from dataclasses import replace

from skillbank.records import SidedRun
from skillbank.reports.build import view_of
from skillbank.reports.page import render
from skillbank.reports.week import used
from skillbank.skills.shelf import Recall
from tests.skillbank.reports.builders import grade, material, sided


def using(number: int, *skills: str) -> SidedRun:
    one = sided(number)
    recalls = tuple(
        Recall(subtask="head", skill=name, version=1, relevance=1.0, reason="near")
        for name in skills
    )
    return replace(one, run=replace(one.run, recalls=recalls))


def test_a_run_below_the_bar_is_a_failure_of_each_skill_that_it_used():
    runs = [using(1, "colour", "type"), using(2, "type"), using(3, "rare")]
    grades = {
        "t1": grade(runs[0], "not", "not"),
        "t2": grade(runs[1], "met"),
    }

    rows = used(runs, grades, {"type"}, 0.6)

    assert [(row.skill, row.runs, row.measured, row.failed) for row in rows] == [
        ("type", 2, 2, 1),
        ("colour", 1, 1, 1),
        ("rare", 1, 0, 0),
    ]
    assert rows[0].example[:100] == runs[0].run.brief.text[:100]
    assert (rows[2].score, rows[2].example) == (None, "")
    assert [row.in_bank for row in rows] == [True, False, False]


def test_where_no_run_was_scored_the_page_says_that_no_failure_can_be_seen():
    runs = [using(1, "colour")]
    one = material(runs=runs, grades=[])
    unable = replace(one.summary, unable="no agent configured", traffic=1)

    shown = render(view_of(replace(one, summary=unable), lambda _: b""))

    assert "None of the runs was scored: no failure can be seen." in shown
    assert "ingest.scores" in shown
    scored = replace(one, summary=unable, grades=[grade(runs[0], "not", "not")])
    assert "ingest.scores" not in render(view_of(scored, lambda _: b""))
