import pytest

from flows.history import rewrite_report, round_table
from skillbank.codec import dump
from skillbank.errors import ServiceError
from tasks.workspace import Workspace
from tests.skillbank.reports.builders import decision, summary, trials


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    for number in (1, 2, 3):
        folder = tmp_path / "data" / "rounds" / f"r{number:04d}"
        folder.mkdir(parents=True)
        (folder / "opening.json").write_text("{}")
        if number < 3:  # the third was killed
            said = summary([decision(one) for one in trials()], number=number)
            (folder / "summary.json").write_text(dump(said))
    return Workspace(tmp_path)


def test_every_finished_round_has_a_row_oldest_first(workspace):
    rows = round_table(workspace)

    assert [row.round for row in rows] == ["r0001", "r0002"]
    assert [row.bank for row in rows] == [2, 3]
    assert rows[0].deepening.proposed == 6
    assert rows[1].over_seed is not None
    assert rows[1].over_seed.mean == pytest.approx(0.08)
    assert rows[1].placebos is not None
    assert (rows[1].placebos.value, rows[1].judge_faults) == (0.25, ())
    assert rows[1].false_accept == 0.1342


def test_a_workspace_without_rounds_has_no_rows(tmp_path):
    assert round_table(Workspace(tmp_path)) == ()


@pytest.mark.parametrize("id", ["r0003", "r0009", "../x"])
def test_only_a_finished_round_has_a_report(workspace, id):
    with pytest.raises(ServiceError, match="one of r0001, r0002"):
        rewrite_report(workspace, id)


def test_without_any_round_the_error_says_how_to_run_one(tmp_path):
    with pytest.raises(ServiceError, match="To mend: skillbank round"):
        rewrite_report(Workspace(tmp_path), None)
