"""What SWE-bench said of a submission scores the run that made it."""

from pathlib import Path
from typing import Any

import pytest

from skillbank.traffic.files import read
from skillbank.traffic.readers import recognise, swe_agent
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.test_swe_agent import traj, written

BATCH = {
    "total_instances": 4,
    "resolved_ids": ["a__b-1"],
    "unresolved_ids": ["a__b-2"],
    "empty_patch_ids": ["a__b-3"],
    "error_ids": ["a__b-4"],
}
OLD: dict[str, list[str]] = {
    "no_generation": ["a__b-3"],
    "generated": ["a__b-1", "a__b-2", "a__b-4"],
    "reset_failed": ["a__b-4"],
    "applied": ["a__b-1", "a__b-2"],
    "resolved": ["a__b-1"],
}
REPORT = {
    "patch_exists": True,
    "resolved": False,
    "tests_status": {
        "FAIL_TO_PASS": {"success": ["test_time"], "failure": ["test_date"]},
        "PASS_TO_PASS": {"success": [], "failure": []},
        "FAIL_TO_FAIL": {"success": ["test_flaky"], "failure": []},
    },
}


def run_of(folder: Path, instance: str = "a__b-1", **info: Any) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (run,) = swe_agent.read(written(folder / f"{instance}.traj", traj(**info)))
    assert isinstance(run, Run)
    return run


@pytest.mark.parametrize("results", [BATCH, OLD])
@pytest.mark.parametrize("below", [".", "one"])
def test_a_batchs_results_score_the_run_of_each_instance(
    tmp_path: Path, results: dict[str, Any], below: str
):
    written(tmp_path / "results.json", results)

    runs = [run_of(tmp_path / below, f"a__b-{number}") for number in range(1, 6)]

    assert [run.score for run in runs] == [1.0, 0.0, 0.0, None, None]
    assert [run.provenance for run in runs] == [*["check"] * 3, "none", "none"]
    assert [[one.name for one in run.ratings] for run in runs] == [
        *[["resolved"]] * 3,
        [],
        [],
    ]
    assert runs[2].ratings[0].text in ("empty_patch", "no_generation")


def test_the_report_on_an_instance_goes_first_and_has_its_tests(tmp_path: Path):
    written(tmp_path / "results.json", BATCH)
    (tmp_path / "a__b-1").mkdir()
    written(tmp_path / "a__b-1" / "report.json", {"a__b-1": REPORT})

    run = run_of(tmp_path / "a__b-1")

    assert (run.score, run.provenance) == (0.0, "check")
    assert [(one.name, one.value, one.higher_is_better) for one in run.ratings] == [
        ("resolved", 0.0, True),
        ("test test_time", 1.0, True),
        ("test test_date", 0.0, True),
    ]


def test_a_run_that_could_not_be_made_has_no_score_whatever_was_tested(tmp_path: Path):
    written(tmp_path / "results.json", BATCH)

    run = run_of(tmp_path, exit_status="exit_environment_error")

    assert (run.ending, run.score, run.ratings[0].value) == ("fault", None, 1.0)


def test_messages_of_mini_swe_agent_are_scored_by_the_name_of_their_file(
    tmp_path: Path,
):
    written(tmp_path / "results.json", BATCH)
    messages = [
        {"role": "user", "content": "Mend it"},
        {"role": "assistant", "content": "```mswea_bash_command\nls\n```"},
    ]

    (run,) = swe_agent.read(written(tmp_path / "a__b-1.traj.json", messages))

    assert isinstance(run, Run)
    assert run.score == 1.0


@pytest.mark.parametrize("results", [BATCH, OLD, {"a__b-1": REPORT}])
def test_results_are_put_aside_only_where_no_trajectory_is_near(
    tmp_path: Path, results: dict[str, Any]
):
    path = written(tmp_path / "results.json", results)
    (alone,) = read(tmp_path)
    run_of(tmp_path)

    assert recognise(path)[0] == "swe-agent"
    assert isinstance(alone, Misfit)
    assert (alone.reason, alone.source) == ("no text", "results.json")
    (run,) = read(tmp_path)
    assert isinstance(run, Run)
    assert run.score is not None


@pytest.mark.parametrize(
    "results",
    ["[1]", "{", '{"resolved": 1}', '{"a__b-1": {"resolved": "yes"}}', '{"a__b-1": 1}'],
)
def test_results_that_say_nothing_leave_the_run_as_it_is(tmp_path: Path, results: str):
    (tmp_path / "results.json").write_text(results)

    run = run_of(tmp_path)

    assert (run.score, run.ratings) == (None, ())


def test_a_name_that_leads_elsewhere_is_no_instance(tmp_path: Path):
    (tmp_path / "in").mkdir()
    written(tmp_path / "x.traj", traj())
    path = written(tmp_path / "in" / "results.json", {"resolved_ids": ["../x", ""]})

    (found,) = swe_agent.read(path)

    assert isinstance(found, Misfit)
