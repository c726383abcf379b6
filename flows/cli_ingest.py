"""`skillbank ingest`: traffic into a dataset of runs, and what became of each file."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from flows.printing import emit, plain, progress, table
from skillbank.codec import fields_of
from skillbank.errors import TrafficError
from tasks.bulk import FileReport, Intake, intake, quarantine_of
from tasks.bulk_part import Reading
from tasks.remote import fetched, placed
from tasks.workspace import find_workspace

SOME_ASIDE = 3
"""Exit status if runs were read and something was put aside."""
_SHOWN = 20  # files that people are shown one by one


def ingest(
    paths: Annotated[list[str], typer.Argument(help="Files, folders or URLs.")],
    out: Annotated[str, typer.Option(help="Folder (or URL) of the dataset to write.")],
    workspace: Annotated[
        Path, typer.Option("--workspace", "-w", help="Whose params and secret to use.")
    ] = Path("."),
    format: Annotated[
        str | None, typer.Option(help="Of all files; default: as configured.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; default: one a core.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read traffic of any known format into a Parquet dataset, a folder a week.

    Personal data and secrets are masked before anything is written. What does not fit
    is put into a second dataset, OUT.quarantine. Exit status: 0 all was read, 3 some of
    it was put aside, 2 nothing could be read.
    """
    found = find_workspace(workspace)
    params = found.params.ingest
    if format is not None:
        params = params.model_copy(update={"format": format})
    with progress(quiet=json), fetched(paths) as local, placed(out) as target:
        made = intake(
            local,
            target,
            Reading(params=params, key=found.secret(), latest=datetime.now(UTC)),
            workers=workers or os.cpu_count() or 1,
        )
    if not made.totals["runs"] and not made.merged:
        if not json:
            emit(_told(made), json=False, people=_people(made, out))
        raise TrafficError(
            ", ".join(paths),
            seen=f"{made.quarantined} line(s) or file(s), none of them a run",
            expected="at least one run in a known format",
            remedy=f"see {quarantine_of(Path(out)).name} for each with its reason; a "
            "table of your own is read if ingest.columns in params.yaml maps it",
        )
    emit(_told(made), json=json, people=_people(made, out))
    if made.quarantined:
        raise typer.Exit(SOME_ASIDE)


def _told(made: Intake) -> dict[str, object]:
    return {
        **fields_of(made),
        "read": sum(one.read for one in made.files),
        "quarantined": made.quarantined,
    }


def _people(made: Intake, out: str) -> RenderableType:
    """Files, sums, and what was put aside, for people."""
    shown: list[RenderableType] = _files(made.files)
    shown += ["", *_sums(made)]
    if made.examples:
        rows = [
            {
                "reason": f"note: {one.reason}" if one.kept else one.reason,
                "where": one.source,
                "what": one.problem,
            }
            for one in made.examples
        ]
        shown += ["", table(rows, title="put aside, and notes: first examples")]
    aside = f" and {quarantine_of(Path(out)).name}" if made.quarantined else ""
    shown += ["", plain(f"written: {out}{aside}")]
    return Group(*shown)


def _files(files: Sequence[FileReport]) -> list[RenderableType]:
    """Each file, those with something put aside first; of many, their formats."""
    if len(files) <= _SHOWN:
        ordered = sorted(files, key=lambda one: not one.quarantined)
        return [table([_row(one) for one in ordered], title="files")]
    by_format: dict[str, list[FileReport]] = {}
    for one in files:
        by_format.setdefault(one.format or "none", []).append(one)
    rows: list[dict[str, object]] = [
        {
            "format": format,
            "files": len(held),
            "read": sum(one.read for one in held),
            "kept": sum(one.kept for one in held),
            "merged": sum(one.merged for one in held),
            "aside": sum(sum(one.quarantined.values()) for one in held),
        }
        for format, held in sorted(by_format.items(), key=lambda item: -len(item[1]))
    ]
    return [
        table(rows, title=f"{len(files):,} files by format"),
        "--json tells of each",
    ]


def _row(one: FileReport) -> dict[str, object]:
    return {
        "file": "/".join(Path(one.file).parts[-2:]),
        "format": one.format or "none",
        "read": one.read,
        "kept": one.kept,
        "merged": one.merged,
        "aside": sum(one.quarantined.values()),
        "recognised by": one.why if one.format else "",
    }


def _sums(made: Intake) -> list[str]:
    """Sums over the runs that count, each with how many of them tell it."""
    runs = int(made.totals["runs"])
    said = [f"runs           {runs:,}", f"steps          {made.totals['steps']:,}"]
    for name, unit in (("input_tokens", ""), ("output_tokens", ""), ("usd", ".2f")):
        told = int(made.totals.get(f"{name} told", 0))
        value = f"{made.totals[name]:,{unit}}" if told else "not told"
        part = f"  (told by {told:,} of {runs:,})" if 0 < told < runs else ""
        said.append(f"{name.replace('_', ' '):<15}{value}{part}")
    return said
