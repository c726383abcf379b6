"""Whole rounds on real traces, with a bank that others wrote and one of our own."""

from pathlib import Path

import pytest

from flows.seeding import seed_skills
from skillbank.summary import RoundSummary
from skillbank.tables import PROPOSALS, VERDICTS
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace
from tests.traced import traces_workspace
from tests.workspaces import change_params, play_round

pytestmark = pytest.mark.usefixtures("prefect_server")
OWN = """---
name: translate-text
description: Use when a text is to be translated into another language.
---

# Translate text

## Steps

1. Find the language that is wanted.
2. Translate sentence by sentence.

## Checks

- Names stay as they are.
"""


@pytest.fixture
def real(samples: Path) -> Path:
    for name in ("claude-code-sessions", "skills-superpowers", "openai-chat"):
        if not (samples / name).is_dir():
            pytest.skip(f"SKILLBANK_SAMPLES has no {name}")
    return samples


def assert_told(workspace: Workspace, said: RoundSummary) -> str:
    """The books add up, nothing was let in, and the page says why; the page."""
    assert said.unable
    for axis in said.axes:
        assert axis.committed == axis.refused == axis.dropped == 0
        assert axis.proposed == axis.undecided + axis.screened_out
    assert said.runs_spent == said.runs_planned == 0
    records = read_table(
        table_path(workspace.round_dir(said.round), VERDICTS), VERDICTS
    )
    assert all(one.verdict.code == "undecided:no_agent" for one in records)
    page = (workspace.round_dir(said.round) / "report.html").read_text()
    assert "undecided: no agent configured" in page
    return page


def test_sessions_of_claude_code_with_a_bank_of_others(real: Path, tmp_path: Path):
    workspace = traces_workspace(tmp_path / "ours", real / "skills-superpowers")

    said = play_round(workspace, given="traffic", source=real / "claude-code-sessions")

    page = assert_told(workspace, said)
    assert (said.traffic, said.quarantined) == (8, 4)
    assert said.skills_after == len(
        seed_skills(real / "skills-superpowers", leave_out=False).skills
    )
    assert said.survey.needs
    assert "Needs that no skill covers" in page


def test_chats_with_a_bank_of_our_own_end_in_a_proposal(real: Path, tmp_path: Path):
    path = tmp_path / "skills" / "translate-text" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(OWN)
    workspace = traces_workspace(tmp_path / "ours", path.parents[1])
    change_params(workspace, propose={"set_aside": 0.0})

    said = play_round(workspace, given="traffic", source=real / "openai-chat")

    page = assert_told(workspace, said)
    proposals = read_table(
        table_path(workspace.round_dir("r0001"), PROPOSALS), PROPOSALS
    )
    assert [one.kind for one in proposals].count("mint") >= 1
    assert all("get_reservation_details" in one.text for one in proposals)
    assert "get_reservation_details" in page
