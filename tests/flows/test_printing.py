import io
import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from rich.console import Console

from flows.cli import JUDGE, _alarm
from flows.history import row_of
from flows.printing import emit, progress
from flows.round_printing import evolve_table, rounds_table
from skillbank.reports.numbers import MISSING
from tests.skillbank.reports.builders import decision, summary, trials

DECISIONS = [decision(one) for one in trials()]
ROUNDS = [summary(DECISIONS, number=number) for number in range(1, 6)]


def rounds_of(summaries):
    return rounds_table([row_of(one) for one in summaries])


def printed(made, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(made)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_end_of_evolve_fits_the_terminal(width):
    lines = printed(evolve_table(ROUNDS, 142.3), width)

    assert max(map(len, lines)) <= width
    assert not [line for line in lines if "…" in line]


def test_the_end_of_evolve_says_what_each_round_decided_and_what_it_is_worth():
    text = "\n".join(printed(evolve_table(ROUNDS, 142.3), 80))

    for words in (
        "r0005",
        "proposed",
        "screened out",
        "+21.5 [+16.5, +26.5]",
        "+40.5 [+33.5, +47.5]",
        "7,320 planned, 4,010 spent, 3,310 saved (45%)",
        "does nothing about 13%",
        "5 rounds in 142 s",
    ):
        assert words in text


def test_placebos_stand_beside_what_the_pairs_of_equal_arms_let_expect():
    text = " ".join("\n".join(printed(evolve_table(ROUNDS, 1), 80)).split())

    assert (
        "placebos let in by the gate, never by the round: 1 of 4 (4.6% to 70%" in text
    )
    assert "the judge: outputs made worse lost 24 of 24 decided pairs, 26% of" in text
    assert "MAY NOT GATE" not in text


@pytest.mark.parametrize("made", [lambda rows: evolve_table(rows, 1), rounds_of])
def test_a_judge_that_may_not_gate_is_the_last_thing_said(made):
    fault = "degraded outputs lost 3 of 24 decided pairs (12%, the bar is 90%)"
    bad = replace(ROUNDS[1], judge_faults=(fault,))

    lines = printed(made([ROUNDS[0], bad]), 200)

    assert lines[-1] == f"r0002: THE JUDGE MAY NOT GATE, nothing was let in: {fault}"


def test_rounds_whose_judge_may_not_gate_end_with_a_status_of_their_own():
    _alarm(ROUNDS)

    with pytest.raises(typer.Exit) as ended:
        _alarm([ROUNDS[0], replace(ROUNDS[1], judge_faults=("it is below its bar",))])
    assert ended.value.exit_code == JUDGE == 3


def test_an_interval_is_never_broken_over_two_lines():
    for width in (60, 80):
        lines = printed(evolve_table(ROUNDS, 1), width)
        assert sum("+21.5 [+16.5, +26.5]" in line for line in lines) == 2


def test_numbers_of_a_measure_are_aligned_on_the_right():
    lines = printed(evolve_table(ROUNDS, 1), 80)
    ends = {len(line.rstrip()) for line in lines if line.startswith("  spent")}

    assert ends == {len(lines[0].rstrip())}


def test_more_rounds_than_fit_are_printed_in_blocks():
    rows = [row_of(summary(DECISIONS, number=n)) for n in range(1, 13)]
    lines = printed(rounds_table(rows), 60)

    heads = [line.split() for line in lines if line.strip().startswith("r00")]
    assert [len(head) for head in heads] == [5, 5, 2]
    assert max(map(len, lines)) <= 60


def test_a_round_that_measured_nothing_is_printed_with_gaps_and_no_zeros():
    bare = summary(DECISIONS, figures=(), gains=(), health=())
    lines = printed(evolve_table([bare], 3), 60)

    (complete, *_) = [line for line in lines if line.startswith("  completeness")]
    assert complete.split() == ["completeness", MISSING]


def test_a_row_of_a_round_is_plain_json(capsys):
    emit([row_of(ROUNDS[0])], json=True)

    (row,) = json.loads(capsys.readouterr().out)
    assert row["round"] == "r0001"
    assert row["deepening"]["proposed"] == 6
    assert row["over_seed"]["low"] < row["over_seed"]["mean"]
    assert row["runs_saved"] == row["runs_planned"] - row["runs_spent"]


def test_rounds_are_printed_side_by_side_for_people(capsys):
    emit([row_of(said) for said in ROUNDS[:2]], json=False)

    assert capsys.readouterr().out.split()[:2] == ["r0001", "r0002"]


def test_a_list_of_values_is_a_table_and_text_in_it_is_no_markup(capsys):
    emit(
        [{"skill": "[red]a", "version": 2}, {"skill": "b", "version": None}], json=False
    )

    out = capsys.readouterr().out
    assert "[red]a" in out
    assert "skill" in out
    assert MISSING in out


def test_one_value_is_names_and_values(capsys):
    emit({"head": 3, "equals": 1, "counts": {"a": 1}}, json=False)

    assert capsys.readouterr().out == "head: 3\nequals: 1\ncounts: a 1\n"


def test_nothing_to_list_says_so(capsys):
    emit([], json=False, title="bank 1")

    assert capsys.readouterr().out == "bank 1: empty\n"


def test_what_a_step_says_is_shown_on_stderr_as_it_is_said(capsys):
    with progress(quiet=False):
        logging.getLogger("skillbank").info("r0001: 83 runs kept [all]")
        shown = capsys.readouterr()

    assert shown.err == "r0001: 83 runs kept [all]\n"
    assert shown.out == ""


def test_quiet_progress_says_nothing(capsys):
    with progress(quiet=True):
        logging.getLogger("skillbank").info("r0001: 83 runs kept")

    assert capsys.readouterr() == ("", "")


def labels(lines: Sequence[str]) -> list[str]:
    """The first column down to the last round-by-round measure."""
    named = [line[:24].strip() for line in lines]
    return named[: named.index("seconds") + 1]


def test_the_readme_shows_what_evolve_prints():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = readme.split("<!-- evolve -->\n```\n")[1].split("\n```")[0].splitlines()

    assert labels(shown) == labels(printed(evolve_table(ROUNDS, 1), 80))
