"""Two processes never run a round of one workspace at once."""

from pathlib import Path

import pytest

from flows.forms import RoundForm
from flows.weekly_round import weekly_round
from skillbank.errors import ServiceError
from tests.workspaces import made, small_workspace


def test_a_round_that_runs_is_not_resumed_beside_itself(tmp_path: Path):
    workspace = small_workspace(tmp_path / "busy")
    form = RoundForm(workspace=str(workspace.root))
    form.open()
    before = made(workspace)

    with workspace.alone(), pytest.raises(ServiceError, match="one round at a time"):
        weekly_round.fn(form.model_copy(update={"round": "r0001"}))

    assert made(workspace) == before
    with workspace.alone():  # it was let go of
        pass
