"""What a person fills in to start a round: the form in Prefect's UI."""

from os.path import relpath
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from flows.readiness import check_ready
from skillbank.errors import SkillbankError
from skillbank.roundid import round_number
from tasks.planning import planned
from tasks.setting import Setting
from tasks.workspace import Given, find_workspace


class RoundForm(BaseModel):
    """One round of one workspace."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    workspace: str = Field(
        default=".", description="Folder with params.yaml and data/ on the server."
    )
    round: str | None = Field(
        default=None,
        pattern=r"^r(\d{4}|[1-9]\d{4,})$",
        description="Leave empty for the next round; give an id to resume that round.",
    )
    given: Given = Field(
        default="simulated",
        description="Where the week's work comes from: the embedded world's customers, "
        "trace files, or briefs that the agent is to attempt now.",
    )
    source: str = Field(
        default="",
        description="File or folder of the traffic or the briefs; empty if simulated.",
    )
    briefs: int | None = Field(
        default=None,
        ge=1,
        description="Briefs of simulated traffic; empty: as params.yaml says.",
    )

    @property
    def label(self) -> str:
        """Name of the flow run in the UI."""
        folder = Path(self.workspace).resolve()
        try:
            return f"{folder.name} {self.round or find_workspace(folder).next_round()}"
        except SkillbankError:  # said when the round is opened
            return f"{folder.name} next round"

    def check(self) -> tuple[str, ...]:
        """See that the round can be run; `flows.readiness` says what is looked at.

        Raises:
            SkillbankError: If the workspace, its parameters, the id or the input do not
                fit.
        """
        workspace = find_workspace(Path(self.workspace))
        given, source = self.given, self.source
        if self.round in workspace.round_ids():  # resumed: as it was opened
            opening = workspace.open_round(self.round)
            given = opening.given
            source = opening.source and str(workspace.root / opening.source)
        notes = check_ready(workspace, given, source, self.round)
        workspace.check_round(self.round)
        return notes

    def open(self) -> Setting:
        """Open the round that the form asks for.

        Raises:
            SkillbankError: If the round could not be run to its end.
        """
        notes = self.check()
        workspace = find_workspace(Path(self.workspace))
        number = round_number(self.round or workspace.next_round())
        opening = workspace.open_round(
            self.round,
            briefs=self.briefs or workspace.params.evolve.briefs_of(number),
            source=relpath(Path(self.source).resolve(), workspace.root.resolve())
            if self.source
            else "",
            given=self.given,
        )
        planned(workspace, opening.round, keep=True)
        setting = Setting(workspace, opening)
        for note in notes:
            setting.remark(note)
        return setting
