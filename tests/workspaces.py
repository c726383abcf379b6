"""Small workspaces for tests: the shipped one with fewer briefs, and rounds in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from skillbank.summary import RoundSummary
from tasks.versions import init_workspace
from tasks.workspace import Given, Workspace, copy_shipped

N_BRIEFS, N_FIXED, N_SEALED = 20, 16, 8


def small_workspace(
    folder: Path, *, fixed: int = N_FIXED, sealed: int = N_SEALED, **params: Any
) -> Workspace:
    """A workspace whose rounds take seconds.

    Args:
        folder: Where; its name is in the names of flow runs.
        fixed: Benchmark briefs, the first of the shipped ones.
        sealed: Sealed briefs.
        params: Sections of params.yaml, what to change in each.
    """
    folder.mkdir(parents=True, exist_ok=True)
    workspace = copy_shipped(folder)
    for name, n in (("benchmark", fixed), ("sealed", sealed)):
        path = workspace.benchmark(name)
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:n]))
    change_params(workspace, evolve={"briefs": N_BRIEFS, **params.pop("evolve", {})})
    change_params(workspace, **params)
    init_workspace(workspace.root)
    return workspace


def change_params(workspace: Workspace, **sections: Any) -> None:
    """Change values in params.yaml and leave the rest as it is."""
    path, yaml = workspace.root / "params.yaml", YAML()
    tree = yaml.load(path.read_text())
    for name, values in sections.items():
        if isinstance(values, Mapping):
            tree.setdefault(name, {}).update(values)
        else:
            tree[name] = values
    with path.open("w") as file:
        yaml.dump(tree, file)


def play_round(
    workspace: Workspace,
    round: str | None = None,
    given: Given = "simulated",
    source: Path | None = None,
) -> RoundSummary:
    """One round through Prefect, in this process, on the server that is named."""
    # Prefect reads the address of its server when it is imported
    from flows.forms import RoundForm
    from flows.weekly_round import weekly_round

    form = RoundForm(
        workspace=str(workspace.root),
        round=round,
        given=given,
        source=str(source or ""),
    )
    return weekly_round(form)


def made(workspace: Workspace) -> dict[str, bytes]:
    """All that a round must make alike, by relative path: what DVC remembers.

    The journal is not among it: SQLite lays the same rows out in the order of writing.
    """
    folders = ("bank/versions", "replay", "rounds", "traffic")
    files = [p for f in folders for p in sorted((workspace.data / f).rglob("*"))]
    return {
        path.relative_to(workspace.data).as_posix(): path.read_bytes()
        for path in [*files, workspace.data / "bank" / "HEAD"]
        if path.is_file()
    }


def differing(left: Mapping[str, bytes], right: Mapping[str, bytes]) -> list[str]:
    """Paths of what is only on one side or not the same on both."""
    return sorted(
        name for name in left.keys() | right.keys() if left.get(name) != right.get(name)
    )
