"""The gate's plan, remembered in the workspace by rule and noise."""

from dataclasses import replace
from pathlib import Path

import pytest

from flows.doctor import examine
from skillbank.codec import dump
from skillbank.errors import GateError
from skillbank.gate.foresight import Ties, foresee
from skillbank.records import Health
from skillbank.summary import RoundSummary
from tasks.planning import measured, planned
from tasks.values import write_value
from tasks.workspace import Opening, Workspace, copy_shipped
from tests.workspaces import change_params


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return copy_shipped(tmp_path)


def end_round(workspace: Workspace, number: int, ties: int, valid: int) -> None:
    """A round that ended with so many A/A contexts, pooled."""
    name = f"r{number:04d}"
    opening = Opening(round=name, number=number, bank=1, briefs=1)
    write_value(workspace.round_dir(name) / "opening.json", opening)
    summary = RoundSummary(
        round=name,
        number=number,
        bank_before=1,
        bank_after=1,
        skills_before=1,
        skills_after=1,
        axes=(),
        figures=(),
        gains=(),
        runs_planned=0,
        runs_spent=0,
        control_runs=0,
        traffic=0,
        quarantined=0,
        health=(Health(name="A/A ties", value=float(ties), n=valid),),
    )
    write_value(workspace.summary(name), summary)


def plans(workspace: Workspace) -> list[Path]:
    return sorted((workspace.state / "plans").glob("*"))


def test_the_noise_is_that_of_the_rounds_before(workspace: Workspace) -> None:
    end_round(workspace, 1, 4, 12)
    end_round(workspace, 2, 9, 24)

    assert measured(workspace) == Ties(ties=9, valid=24)
    assert measured(workspace, "r0002") == Ties(ties=4, valid=12)
    assert measured(workspace, "r0001") == Ties()


def test_a_plan_is_worked_out_once_for_each_rule_and_noise(
    workspace: Workspace,
) -> None:
    first = planned(workspace, keep=True)
    assert len(plans(workspace)) == 1
    assert (
        planned(workspace, keep=True) == first == foresee(workspace.params.gate, Ties())
    )
    assert len(plans(workspace)) == 1

    change_params(workspace, gate={"cases": 5})
    assert planned(workspace, keep=True) != first
    end_round(workspace, 1, 4, 12)
    planned(workspace, keep=True)
    assert len(plans(workspace)) == 3


def test_what_is_remembered_is_taken_and_what_is_damaged_is_not(
    workspace: Workspace,
) -> None:
    found = planned(workspace, keep=True)
    (path,) = plans(workspace)

    path.write_text(dump((replace(found[0], most_contexts=13), *found[1:])))
    assert planned(workspace)[0].most_contexts == 13

    path.write_text("{")
    assert planned(workspace) == found


def test_a_look_leaves_nothing_behind(workspace: Workspace) -> None:
    planned(workspace)

    assert plans(workspace) == []


def test_doctor_says_what_the_gate_ships_and_what_is_wrong_with_it(
    workspace: Workspace,
) -> None:
    said = {one.what: one for one in examine(workspace.root)}
    assert "13.5% of no-ops and 65.2% of gains" in said["gate, published"].seen
    assert "gate.band" in said["gate, note"].seen

    change_params(workspace, gate={"cases": 60})
    (finding,) = (one for one in examine(workspace.root) if one.what == "gate")
    assert not finding.ok
    assert "it cannot pass" in finding.seen
    assert "lower gate.cases to" in finding.remedy
    with pytest.raises(GateError):
        planned(workspace)
