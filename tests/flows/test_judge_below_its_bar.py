"""A whole round whose judge may not gate: it ends, loudly, and nothing was let in."""

from pathlib import Path

from skillbank.tables import DECISIONS, PLACEBOS, VERDICTS
from tasks.tables import read_table, table_path
from tests.workspaces import play_round, small_workspace


def test_nothing_is_let_in_and_everybody_is_told(prefect_server: str, tmp_path: Path):
    # a bar that the studio's judge, which errs now and then, cannot meet
    workspace = small_workspace(
        tmp_path / "barred", controls={"flip_max": 0.0, "flip_least": 1}
    )

    said = play_round(workspace)

    folder = workspace.round_dir(said.round)
    verdicts = read_table(table_path(folder, VERDICTS), VERDICTS)
    fates = {one.fate for one in read_table(table_path(folder, DECISIONS), DECISIONS)}
    assert {one.verdict.code for one in verdicts} >= {"undecided:judge"}
    assert not any(one.verdict.decision == "commit" for one in verdicts)
    assert fates <= {"undecided", "screened out"}
    assert read_table(table_path(folder, PLACEBOS), PLACEBOS)
    before, after = map(workspace.bank.read, (said.bank_before, said.bank_after))
    assert after.names() == before.names()
    (fault,) = said.judge_faults
    assert "differently in the other order" in fault
    page = (folder / "report.html").read_text()
    assert "The judge may not gate: this round lets nothing in." in page
    assert "the bar is 0%" in page
