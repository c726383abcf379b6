"""A whole round on briefs that designers wrote: what the agent makes of each."""

from pathlib import Path

import pytest

from skillbank.records import SidedRun
from skillbank.tables import RUNS
from tasks.tables import read_table, table_path
from tests.workspaces import play_round, small_workspace

pytestmark = pytest.mark.samples


@pytest.fixture(scope="module")
def runs(
    samples: Path, prefect_server: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[SidedRun, ...]:
    """One run for each brief of the sample, after a round that ended."""
    found = sorted((samples / "opencole-designintention").glob("*.csv"))
    if not found:
        pytest.skip("SKILLBANK_SAMPLES has no opencole-designintention/*.csv")
    workspace = small_workspace(tmp_path_factory.mktemp("opencole") / "ours")
    play_round(workspace, given="briefs", source=found[0])
    assert (workspace.round_dir("r0001") / "report.html").stat().st_size > 10_000
    return read_table(table_path(workspace.round_dir("r0001"), RUNS), RUNS)


@pytest.mark.timeout(300)
def test_nearly_every_brief_ends_in_an_export(runs: tuple[SidedRun, ...]):
    exported = [row for row in runs if row.run.ending == "ok" and row.run.output]

    assert len(exported) >= 0.95 * 199


def test_nearly_every_brief_has_three_requirements_each_with_its_reason(
    runs: tuple[SidedRun, ...],
):
    needs = [row.run.brief.requirements for row in runs]

    rich = [one for one in needs if len(one) >= 3 and all(need.reason for need in one)]
    assert len(rich) >= 0.95 * 199
