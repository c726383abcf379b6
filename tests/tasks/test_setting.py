from dataclasses import replace
from pathlib import Path

import pytest

from skillbank.tables import RUNS
from tasks.setting import Setting
from tasks.workspace import Opening, Workspace
from tests.workspaces import change_params, small_workspace

OPENING = Opening(
    round="r0001", number=1, bank=1, briefs=20, given="traffic", source="/here/week"
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = small_workspace(tmp_path / "ours")
    made.ready_bank()
    return made


def stamp(workspace: Workspace, opening: Opening = OPENING, **more) -> str:
    return Setting(workspace, opening).step(__file__, **more).stamp()


def test_where_the_traffic_lies_does_not_change_a_step(workspace: Workspace):
    assert stamp(workspace) == stamp(workspace, replace(OPENING, source="/there"))


def test_what_a_step_depends_on_changes_it(workspace: Workspace, tmp_path: Path):
    file = tmp_path / "week.jsonl"
    file.write_text("{}")
    stamps = [
        stamp(workspace),
        stamp(workspace, replace(OPENING, number=2)),
        stamp(workspace, replace(OPENING, bank=2)),
        stamp(workspace, depends=["p"]),
        stamp(workspace, files=[file]),
        stamp(workspace, reads=[RUNS]),
    ]
    file.write_text("{} ")
    stamps.append(stamp(workspace, files=[file]))
    change_params(workspace, evolve={"seed": 12})
    stamps.append(stamp(workspace))

    assert len(set(stamps)) == len(stamps)


def test_every_step_round_and_key_has_a_seed_of_its_own(workspace: Workspace):
    first = Setting(workspace, OPENING)
    second = Setting(workspace, replace(OPENING, round="r0002"))

    seeds = [
        first.seed("gate"),
        first.seed("play"),
        first.seed("gate", "p1"),
        second.seed("gate"),
    ]

    assert len(set(seeds)) == 4
    assert seeds[0] == Setting(workspace, OPENING).seed("gate")


def test_durations_are_kept_beside_the_round_and_not_in_it(workspace: Workspace):
    setting = Setting(workspace, OPENING)

    setting.clock("latency_s.benchmark.kept", 0.25)
    setting.clock("latency_s.sealed.kept", 0.5)

    assert Setting(workspace, OPENING).clocked() == {
        "latency_s.benchmark.kept": 0.25,
        "latency_s.sealed.kept": 0.5,
    }
    assert not setting.round_dir.exists()
