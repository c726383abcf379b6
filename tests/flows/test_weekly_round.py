"""Whole rounds through Prefect, MLflow, DVC and git, looked at afterwards."""

import os
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from mlflow.tracking import MlflowClient
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterName,
    TaskRunFilter,
    TaskRunFilterFlowRunId,
)
from prefect.client.schemas.objects import TaskRun
from prefect.client.schemas.sorting import FlowRunSort

import skillbank.tables
from skillbank.codec import dump, load
from skillbank.gate.replay import Pair
from skillbank.records import Decision
from skillbank.summary import RoundSummary
from skillbank.tables import (
    DECISIONS,
    GOLDEN,
    PAIRS,
    PLACEBOS,
    PROPOSALS,
    SCREENINGS,
    SUSPECTS,
    VERDICTS,
    Table,
)
from tasks.tables import read_table, table_path
from tasks.tracking import store_uri
from tasks.workspace import Workspace
from tests.workspaces import differing, made, play_round, small_workspace

ROUNDS = ("r0001", "r0002")
TABLES = [one for one in vars(skillbank.tables).values() if isinstance(one, Table)]
STEPS = (
    "play",
    "ingest",
    "vary",
    "attempt",
    "grade",
    "attribute",
    "propose",
    "screen",
    "controls",
    "candidate bank",
    "benchmark",
    "commit",
    "record",
    "report",
    "track",
)


def rows(workspace: Workspace, round: str, table: Table[Any]) -> tuple[Any, ...]:
    return read_table(table_path(workspace.round_dir(round), table), table)


def summary(workspace: Workspace, round: str) -> RoundSummary:
    path = workspace.round_dir(round) / "summary.json"
    return load(RoundSummary, path.read_bytes())


def git(workspace: Workspace, *arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(
        command, cwd=workspace.root, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_round_has_every_table_valid_and_in_the_order_of_its_key(
    finished: Workspace, table: Table[Any]
):
    for round in ROUNDS:
        frame = pq.read_table(table_path(finished.round_dir(round), table))

        table.model.to_schema().validate(frame)
        columns = [frame.column(name).to_pylist() for name in table.key]
        keys = list(zip(*columns, strict=True))
        assert keys == sorted(keys)
        values = rows(finished, round, table)
        assert [dump(value) for value in values] == frame.column("json").to_pylist()


def test_no_table_holds_a_clock_a_host_or_a_path(finished: Workspace):
    hour = pd.Timestamp(finished.root.stat().st_mtime, unit="s")
    clocks = [f"{hour + pd.Timedelta(hours=h):%Y-%m-%dT%H}" for h in (-1, 0, 1)]
    told = [str(finished.root), "/tmp/", socket.gethostname(), *clocks]

    for path in sorted(finished.data.glob("rounds/*/*.parquet")):
        frame = pq.read_table(path)
        texts = [frame.schema.to_string(show_schema_metadata=True)]
        texts += [str(column.to_pylist()) for column in frame.itercolumns()]
        found = [word for word in told if word in "".join(texts)]
        assert found == [], path.name


def test_every_proposal_has_one_fate_and_the_counts_add_up(finished: Workspace):
    for round in ROUNDS:
        said = summary(finished, round)
        decisions: tuple[Decision, ...] = rows(finished, round, DECISIONS)
        proposals = [one for one in rows(finished, round, PROPOSALS) if not one.placebo]

        assert Counter(one.id for one in proposals) == Counter(
            one.proposal for one in decisions
        )
        for axis in said.axes:
            fates = Counter(one.fate for one in decisions if one.axis == axis.axis)
            assert axis.proposed == fates.total()
            assert axis.proposed == (
                axis.screened_out
                + axis.refused
                + axis.undecided
                + axis.dropped
                + axis.committed
            )
            assert axis.committed == fates["committed"]


def test_the_bank_has_just_what_was_committed(finished: Workspace):
    for round in ROUNDS:
        said = summary(finished, round)
        before = finished.bank.read(said.bank_before)
        after = finished.bank.read(said.bank_after)
        committed = [
            one for one in rows(finished, round, DECISIONS) if one.fate == "committed"
        ]

        gone = before.names() - after.names()
        mints = {one.skill for one in committed if one.kind == "mint"}
        assert after.names() - before.names() == mints
        assert {name for one in committed for name in one.drops} <= gone
        texts = {one.id: one.text for one in rows(finished, round, PROPOSALS)}
        for one in committed:
            assert after.card(one.skill).skill.text == texts[one.proposal]
            assert after.card(one.skill).version == one.version
        kept = after.names() & before.names() - {one.skill for one in committed}
        for name in kept:
            assert after.card(name).skill.text == before.card(name).skill.text


def test_head_is_the_bank_of_the_last_round_and_each_follows_the_one_before(
    finished: Workspace,
):
    first, second = (summary(finished, round) for round in ROUNDS)

    assert first.bank_before == 1
    assert second.bank_before == first.bank_after
    assert finished.bank.head() == second.bank_after
    for round, said in zip(ROUNDS, (first, second), strict=True):
        undone = any(one.dropped for one in rows(finished, round, SUSPECTS))
        # where harm was undone the candidate bank is a version of its own
        assert said.bank_after == said.bank_before + 1 + undone
        assert finished.bank.read(said.bank_after).parent == said.bank_before


def test_the_replay_set_is_the_cases_of_every_commit(finished: Workspace):
    cases = [case for round in ROUNDS for case in rows(finished, round, GOLDEN)]

    kept = read_table(finished.golden, GOLDEN)

    assert {(case.brief.id, case.skill, case.proposal) for case in kept} == {
        (case.brief.id, case.skill, case.proposal) for case in cases
    }
    committed = {
        one.proposal
        for round in ROUNDS
        for one in rows(finished, round, DECISIONS)
        if one.fate == "committed"
    }
    assert {case.proposal for case in kept} == committed


def test_no_attempt_serves_two_proposals(finished: Workspace):
    served: dict[str, str] = {}
    for round in ROUNDS:
        pairs: tuple[Pair, ...] = rows(finished, round, PAIRS)
        for pair in pairs:
            if pair.proposal.startswith("degraded-"):
                continue  # an output of a control beside itself made worse
            for attempt in (pair.current, pair.candidate):
                if attempt is not None:
                    owner = f"{round} {pair.proposal} {pair.context}"
                    assert served.setdefault(attempt.id, owner) == owner

    kinds = Counter(owner.split()[1].split("-")[0] for owner in served.values())
    assert kinds["aa"] >= 2 * 12 * len(ROUNDS)
    assert kinds["bank"] > 0


def test_controls_are_as_many_as_promised_and_never_counted(finished: Workspace):
    for round in ROUNDS:
        said = summary(finished, round)
        records = rows(finished, round, VERDICTS)
        pairs = rows(finished, round, PAIRS)
        controls = [pair for pair in pairs if pair.proposal.startswith("aa-")]
        spent = sum(one.verdict.spent for one in records)

        assert len(controls) == max(12, -(-spent // 20))
        assert said.control_runs == 2 * len(controls)
        assert said.runs_spent == 2 * spent
        assert said.runs_planned == 2 * sum(one.verdict.planned for one in records)
        mine = {one.verdict.proposal for one in records}
        assert sum(pair.proposal in mine for pair in pairs) == spent


def test_only_what_passed_the_screen_is_heard(finished: Workspace):
    for round in ROUNDS:
        passed = {o.proposal for o in rows(finished, round, SCREENINGS) if o.passed}

        assert {o.plan.proposal for o in rows(finished, round, VERDICTS)} == passed


def test_mlflow_has_one_run_a_round_with_the_counts(finished: Workspace):
    client = MlflowClient(store_uri(finished.root))
    (experiment,) = client.search_experiments(filter_string="name = 'finished'")

    runs = client.search_runs([experiment.experiment_id])

    assert sorted(run.info.run_name for run in runs) == list(ROUNDS)
    for run in runs:
        said = summary(finished, run.info.run_name)
        metrics = run.data.metrics
        for axis in said.axes:
            assert metrics[f"{axis.axis}.proposed"] == axis.proposed
            assert metrics[f"{axis.axis}.committed"] == axis.committed
        assert metrics["bank.skills"] == said.skills_after
        assert metrics["seconds"] > 0
        assert metrics["latency_s.benchmark.candidate"] > 0
        gain = said.gain("benchmark", "seed", "completeness")
        assert gain is not None
        assert metrics["benchmark.gain_over_seed.completeness.low"] == gain.low
        assert run.data.params["gate.cases"] == "4"
        files = {file.path for file in client.list_artifacts(run.info.run_id)}
        assert files == {"proposals.json", "report.html"}


def test_dvc_remembers_each_round_and_git_is_left_clean(finished: Workspace):
    assert git(finished, "status", "--porcelain") == ""
    assert git(finished, "tag").split() == [f"round/{round}" for round in ROUNDS]
    tracked = git(finished, "ls-files").split()
    assert not [name for name in tracked if name.endswith(".parquet")]
    assert {"data/bank/versions.dvc", "data/bank/HEAD.dvc"} <= set(tracked)


def test_prefect_has_a_readable_flow_run_and_a_task_run_for_each_step_and_proposal(
    finished: Workspace, prefect_server: str
):
    with get_client(sync_client=True) as client:
        for round in ROUNDS:
            named = FlowRunFilterName(any_=[f"finished {round}"])
            # another test, maybe of another worker, starts the ended round again
            flow_run, *_ = client.read_flow_runs(
                flow_run_filter=FlowRunFilter(name=named),
                sort=FlowRunSort.EXPECTED_START_TIME_ASC,
            )
            task_runs = client.read_task_runs(
                task_run_filter=TaskRunFilter(
                    flow_run_id=TaskRunFilterFlowRunId(any_=[flow_run.id])
                )
            )

            assert flow_run.state_name == "Completed"
            assert {run.state_name for run in task_runs} == {"Completed"}
            heard = [name for name in map(title, task_runs) if name.startswith("gate ")]
            passed = [o for o in rows(finished, round, SCREENINGS) if o.passed]
            proposals = {one.id: one for one in rows(finished, round, PROPOSALS)}
            tried = [proposals[one.proposal] for one in passed]
            # to Prefect, too, a placebo is a proposal like any other
            tried += [one.proposal for one in rows(finished, round, PLACEBOS)]
            assert sorted(heard) == sorted(
                f"gate {one.kind} {one.skill}" for one in tried
            )
            steps = [title(run) for run in task_runs if title(run) not in heard]
            assert sorted(steps) == sorted(STEPS)


def title(run: TaskRun) -> str:
    """The name of a task run without the random end that Prefect adds to some."""
    return run.name if run.name.startswith("gate ") else run.name.rsplit("-", 1)[0]


def test_a_round_that_has_ended_is_not_changed_by_running_it_again(
    finished: Workspace,
):
    before, head = made(finished), git(finished, "rev-parse", "HEAD")
    client = MlflowClient(store_uri(finished.root))
    ids = [one.experiment_id for one in client.search_experiments()]
    runs = {run.info.run_id for run in client.search_runs(ids)}

    said = play_round(finished, "r0001")

    assert said == summary(finished, "r0001")
    assert differing(before, made(finished)) == []
    assert git(finished, "rev-parse", "HEAD") == head
    assert {run.info.run_id for run in client.search_runs(ids)} == runs


@pytest.mark.timeout(300)
def test_the_same_seed_gives_the_same_bytes_in_another_place_and_process(
    finished: Workspace, tmp_path: Path
):
    other = small_workspace(tmp_path / "elsewhere")
    command = [sys.executable, "-m", "flows.cli", "evolve", "--rounds", "2", "--json"]

    done = subprocess.run(
        [*command, "--workspace", str(other.root)],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )

    assert differing(made(finished), made(other)) == []
    said = load(tuple[RoundSummary, ...], done.stdout)
    assert said == tuple(summary(finished, round) for round in ROUNDS)
