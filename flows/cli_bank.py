"""`skillbank bank`: look at versions, and go back to one."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from flows.printing import emit, plain, table
from skillbank.errors import BankError
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Entry
from skillbank.skills.lifecycle import to_review
from tasks.workspace import Workspace, find_workspace

bank_app = typer.Typer(no_args_is_help=True, help="Look at the bank, and go back.")

Folder = Annotated[
    Path, typer.Option("--workspace", "-w", help="Folder with params.yaml and data/.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Version = Annotated[int | None, typer.Option("--version", "-v", help="Default: HEAD.")]
HERE = Path(".")


def _bank(workspace: Workspace, number: int | None) -> Bank:
    store = workspace.bank
    return store.read(store.head() if number is None else number)


@bank_app.command("list")
def list_(
    workspace: Folder = HERE, version: Version = None, json: Json = False
) -> None:
    """List the skills of a bank version with status and success rate.

    Cards whose review date has passed are due for reading.
    """
    bank = _bank(find_workspace(workspace), version)
    due = {entry.ref for entry in to_review(bank, datetime.now(UTC).date())}
    rows = [
        {
            "skill": entry.name,
            "version": entry.version,
            "status": entry.status,
            "trials": entry.trials,
            "passes": entry.passes,
            "author": entry.author,
            "round": entry.round,
            "review": _review(entry, entry.ref in due),
        }
        for entry in bank.entries
        if entry.status not in {"deprecated", "quarantined"}
    ]
    emit(rows, json=json, title=f"bank {bank.number}")


def _review(entry: Entry, due: bool) -> str:
    return f"due since {entry.review_by}" if due else entry.review_by


@bank_app.command()
def show(
    name: str, workspace: Folder = HERE, version: Version = None, json: Json = False
) -> None:
    """Print the SKILL.md of a verified skill."""
    bank = _bank(find_workspace(workspace), version)
    if name not in bank.names():
        raise BankError(
            f"skill {name!r}",
            seen=f"no verified skill of this name in bank {bank.number}",
            expected="one of the names that `skillbank bank list` prints",
            remedy="skillbank bank list",
        )
    card = bank.card(name)
    if json:
        emit(
            {"skill": name, "version": card.version, "text": card.skill.text}, json=True
        )
    else:
        text = card.skill.text
        if sys.stdout.isatty():  # a file gets the skill's own characters
            text = plain(text.replace("\r\n", "\n"))
        sys.stdout.write(f"{text}\n")


@bank_app.command()
def diff(old: int, new: int, workspace: Folder = HERE, json: Json = False) -> None:
    """Show what changed from one bank version to another."""
    store = find_workspace(workspace).bank
    emit(store.read(old).diff(store.read(new)), json=json)


@bank_app.command()
def history(name: str, workspace: Folder = HERE, json: Json = False) -> None:
    """Show every version of one skill: when it came, why, and what became of it."""
    moments = find_workspace(workspace).bank.history(name)
    people = [
        {
            "bank": moment.bank,
            "round": moment.round,
            "version": moment.version,
            "status": moment.status,
            "passed": f"{moment.passes} of {moment.trials}",
            "reason": moment.reason,
        }
        for moment in moments
    ]
    emit(moments, json=json, people=table(people, title=name))


@bank_app.command()
def rollback(version: int, workspace: Folder = HERE, json: Json = False) -> None:
    """Make a new bank version that equals an old one, and move HEAD to it."""
    number = find_workspace(workspace).bank.rollback(version)
    emit({"head": number, "equals": version}, json=json)
