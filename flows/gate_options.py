"""What options of `skillbank gate` and params.yaml come to together."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import typer

from skillbank.errors import GateError, ServiceError
from skillbank.gate_params import GateParams
from tasks.workspace import find_workspace

SHIPPED = "as shipped: no workspace here"


def gate_params(workspace: Path | None) -> tuple[str, GateParams]:
    """Where the gate's parameters come from, and what they are.

    Args:
        workspace: Whose params.yaml counts; None: that of this folder if it is a
            workspace, else the values that are shipped.

    Raises:
        SkillbankError: If the folder that was named is no workspace, or its params.yaml
            cannot be read.
    """
    try:
        found = find_workspace(workspace or Path())
    except ServiceError:
        if workspace is not None:
            raise
        return SHIPPED, GateParams()
    return str(found.root / "params.yaml"), found.params.gate


@contextmanager
def naming(option: str, place: str = "") -> Iterator[None]:
    """Say of an error of the gate by which option it came.

    Args:
        option: Its name.
        place: Only of errors of this place; empty: of all.

    Raises:
        typer.BadParameter: In place of the error.
    """
    try:
        yield
    except GateError as error:
        if place and error.place != place:
            raise
        raise typer.BadParameter(str(error), param_hint=option) from error


def band_of(text: str | None) -> Fraction | None:
    """The value of `--band`; None: it was not given.

    Raises:
        typer.BadParameter: If it is no number in [0, 1/2).
    """
    try:
        found = None if text is None else Fraction(text)
    except (ValueError, ZeroDivisionError):
        found = Fraction(1)
    if found is not None and not 0 <= found < Fraction(1, 2):
        said = f"{text!r} is no number from 0 to below 1/2"
        raise typer.BadParameter(said, param_hint="--band")
    return found
