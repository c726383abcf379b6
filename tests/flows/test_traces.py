"""Rounds on traces of an agent that is not at hand, with a bank of somebody's own."""

from pathlib import Path

import pytest

from flows.cli import main
from flows.history import round_table
from skillbank.records import SidedRun
from skillbank.skills.skill import Skill
from skillbank.skills.words import terms
from skillbank.summary import RoundSummary
from skillbank.tables import (
    DECISIONS,
    EVENTS,
    PAIRS,
    PROPOSALS,
    RUNS,
    SCREENINGS,
    VERDICTS,
)
from tasks.tables import read_table, table_path
from tasks.tracking import recorded
from tasks.workspace import Workspace
from tests.traced import (
    MONTHS,
    SECRET,
    bank,
    first_week,
    second_week,
    traces_workspace,
)
from tests.workspaces import play_round

pytestmark = pytest.mark.usefixtures("prefect_server")


def rows(workspace: Workspace, round: str, table):
    return read_table(table_path(workspace.round_dir(round), table), table)


@pytest.fixture(scope="module")
def weeks(
    prefect_server: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Workspace, RoundSummary, RoundSummary]:
    """A workspace with two rounds on two different weeks."""
    base = tmp_path_factory.mktemp("traces")
    workspace = traces_workspace(base / "ours", bank(base / "skills"))
    first = play_round(workspace, given="traffic", source=first_week(base / "first"))
    second = play_round(workspace, given="traffic", source=second_week(base / "second"))
    return workspace, first, second


def test_a_round_without_an_agent_proposes_and_leaves_everything_undecided(weeks):
    workspace, said, _ = weeks

    assert said.unable == "no agent configured: nothing can be replayed"
    deepening, widening = said.axis("deepening"), said.axis("widening")
    assert (deepening.proposed, deepening.undecided) == (1, 1)
    assert (widening.proposed, widening.undecided) == (1, 1)
    assert said.runs_planned == said.runs_spent == said.control_runs == 0
    assert said.figures == ()
    assert said.test is None
    records = rows(workspace, "r0001", VERDICTS)
    assert {one.verdict.code for one in records} == {"undecided:no_agent"}
    assert {one.reason for one in rows(workspace, "r0001", DECISIONS)} == {said.unable}
    assert rows(workspace, "r0001", PAIRS) == ()


def test_no_skill_of_the_bank_changes(weeks):
    workspace, _, _ = weeks
    store = workspace.bank

    now, then = store.current(), store.read(min(store.numbers()))

    assert now.names() == then.names()
    for entry in now.verified():
        before = then.find(entry.name)
        assert before is not None
        assert entry.skill.data == before.skill.data


def test_what_was_used_is_dated_by_the_bank_and_what_it_lacks_is_kept(weeks):
    workspace, _, _ = weeks
    runs = {row.run.run_id: row.run for row in rows(workspace, "r0001", RUNS)}

    (used,) = runs["scored-1"].recalls
    assert (used.skill, used.version, used.subtask) == ("commit-messages", 1, "task")
    (foreign,) = runs["other"].recalls
    assert (foreign.skill, foreign.version) == ("gardening", 0)
    assert runs["scored-1"].uncovered == ()
    assert [part.name for part in runs["other"].uncovered] == ["task"]
    events = rows(workspace, "r0001", EVENTS)
    blamed = {one.skill for one in events if one.kind == "failure"}
    assert blamed == {"commit-messages"}


def test_a_card_is_minted_of_what_unscored_runs_share_and_holds_no_word_of_a_stranger(
    weeks,
):
    workspace, _, _ = weeks
    proposals = rows(workspace, "r0001", PROPOSALS)
    (mint,) = [one for one in proposals if one.kind == "mint"]
    skill = Skill.parse(mint.text)

    assert {"invoice", "unpaid"} <= set(terms(skill.description))
    called = [step for step in skill.steps if step.startswith("Call")]
    assert called == [
        "Call `Read` with `path` and `q`.",
        "Call `Bash` with `path` and `q`.",
        "Call `Write` with `path` and `q`.",
    ]
    assert any("`Bash` failed in" in pitfall for pitfall in skill.pitfalls)
    assert len(skill.checks) >= 2
    for said in ("IGNORE", SECRET, "/srv", "Export the unpaid", *MONTHS):
        assert said.lower() not in mint.text.lower(), said


def test_a_card_that_fails_gets_what_its_failing_runs_did_otherwise(weeks):
    workspace, _, _ = weeks
    (edit,) = [p for p in rows(workspace, "r0001", PROPOSALS) if p.kind == "edit"]
    skill = Skill.parse(edit.text)

    assert (edit.skill, edit.base) == ("commit-messages", 1)
    assert any("`Grep` failed in 8 of 8 calls" in text for text in skill.pitfalls)
    assert any("`Diff`: 4 of 4 runs that went well did" in t for t in skill.steps)
    assert "exit 1" not in edit.text
    screened = {one.proposal: one for one in rows(workspace, "r0001", SCREENINGS)}
    assert screened[edit.id].passed


def test_the_second_week_is_told_from_the_first(weeks):
    workspace, first, second = weeks
    drift = second.survey.drift

    assert first.survey.drift is None
    assert second.survey.before == "r0001"
    assert drift is not None
    assert drift.p < 0.05
    assert drift.distance > drift.by_chance
    (new, *_) = drift.new
    assert new.now >= len(MONTHS) - 1
    assert "newsletter" in new.example.lower()
    (cover, *_) = second.survey.coverage
    assert (cover.runs, cover.uncovered.estimate) == (11, 1.0)
    assert {one.cohort for one in first.survey.coverage} == {"all", "", "commits"}
    metrics = recorded(workspace.root)["r0002"]
    assert metrics["traffic.drift"] == pytest.approx(drift.distance)
    assert metrics["traffic.uncovered"] == 1.0
    assert round_table(workspace)[1].survey == second.survey


def test_the_page_says_plainly_what_a_round_without_an_agent_is(weeks):
    workspace, _, _ = weeks

    for id in ("r0001", "r0002"):
        page = (workspace.round_dir(id) / "report.html").read_text()
        assert "undecided: no agent configured" in page
        assert "Nothing was replayed" in page
        assert "Suspects, replayed" not in page
        assert "How far the gate can be trusted" not in page
        assert SECRET not in page
    assert "New needs" in page
    assert "The replay set is empty" in page


def test_a_round_without_traffic_is_refused_with_the_command_that_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    workspace = traces_workspace(tmp_path / "ours", bank(tmp_path / "skills"))

    with pytest.raises(SystemExit) as ended:
        main(["round", "-w", str(workspace.root)])

    assert ended.value.code == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "no agent configured" in told
    assert "skillbank round --traffic PATH" in told
    assert workspace.round_ids() == ()


def test_a_dataset_that_ingest_wrote_is_traffic_and_is_not_masked_twice(
    tmp_path: Path,
):
    workspace = traces_workspace(tmp_path / "ours", bank(tmp_path / "skills"))
    other = traces_workspace(tmp_path / "theirs", bank(tmp_path / "more"))
    week, out = first_week(tmp_path / "week"), tmp_path / "dataset"
    with pytest.raises(SystemExit) as ended:
        main(["ingest", str(week), "--out", str(out), "-w", str(other.root)])
    assert ended.value.code == 0

    play_round(workspace, given="traffic", source=out)
    play_round(other, given="traffic", source=week)

    def told(one: SidedRun) -> object:
        return one.run.run_id, one.run.brief, one.run.steps, one.run.user

    mine = [told(one) for one in rows(workspace, "r0001", RUNS)]
    assert mine == [told(one) for one in rows(other, "r0001", RUNS)]
