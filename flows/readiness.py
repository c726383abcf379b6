"""What must be right before a round begins: until it is, no server and no round is.

A round that cannot end is worse than one that was refused: it would keep its id.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from skillbank.briefs.benchmark import read_benchmark
from skillbank.briefs.brief import Brief
from skillbank.errors import BriefError, ServiceError, TrafficError
from skillbank.gate.foresight import notes_of
from skillbank.models.journal import NoJournal
from skillbank.params import IngestParams, Params
from skillbank.traffic import read
from skillbank.traffic.readers.briefs import read_briefs
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import Misfit, Run
from skillbank.world import World
from tasks.ingest import files_of
from tasks.planning import planned
from tasks.room import check_room
from tasks.versions import TRACKED, locked
from tasks.workspace import Given, Workspace
from tasks.worlds import build


def check_ready(
    workspace: Workspace, given: Given, source: str, before: str | None = None
) -> tuple[str, ...]:
    """Look at everything that a round needs: parameters, gate, world, bank and input.

    A bank without a version is seeded.

    Args:
        workspace: Where the round is to be run.
        given: What the week's work is.
        source: The file or folder of it; empty if simulated.
        before: Id of the round if it is resumed: later ones do not count.

    Returns:
        What is allowed and still does not do what it seems to, a sentence each.

    Raises:
        SkillbankError: If the round could not be run to its end.
    """
    params = workspace.params
    notes = notes_of(planned(workspace, before))
    _check_repository(workspace)
    _check_lock(workspace)
    _check_bytes(workspace)
    world = build(params, NoJournal())
    if world.unable:
        _check_given(given, world)
        notes = (f"{world.unable}; what is proposed stays undecided",)
    else:
        _check_fixed(workspace, world)
    workspace.ready_bank().current()
    if given != "simulated":
        _check_source(given, source, params.ingest, world)
    return notes


def _check_fixed(workspace: Workspace, world: World) -> None:
    for name in ("benchmark", "sealed"):
        for brief in read_benchmark(workspace.benchmark(name)):
            world.plan(brief)
    world.contexts(brief, _most_contexts(workspace.params), 0)


def _check_given(given: Given, world: World) -> None:
    """Without an agent there is nothing to play, and no brief to attempt."""
    if given != "traffic":
        raise ServiceError(
            f"round on {'simulated traffic' if given == 'simulated' else given}",
            seen=f"world {world.name}: {world.unable}",
            expected="traffic that an agent left",
            remedy="skillbank round --traffic PATH",
        )


def _most_contexts(params: Params) -> int:
    """As many as the round may ask for of one brief."""
    gate, certified = params.gate, params.gate.certified
    held_out = certified.per_case + certified.guard
    a_case = max(gate.contexts, held_out, certified.screen_contexts)
    return max(a_case + gate.spares, params.attempt.per_variant)


def _check_repository(workspace: Workspace) -> None:
    lacking = [n for n in (".git", ".dvc") if not (workspace.root / n).exists()]
    if lacking:
        raise ServiceError(
            str(workspace.root),
            seen=f"no {' and no '.join(lacking)} here",
            expected="a workspace with its own git and DVC",
            remedy=f"skillbank init {workspace.root}",
        )


def _check_lock(workspace: Workspace) -> None:
    """Else the round would find out when all of it is done, and not be remembered."""
    lock = workspace.root / ".git" / "index.lock"
    if lock.exists():
        raise locked(workspace.root, str(lock))


def _check_bytes(workspace: Workspace) -> None:
    """A clone has DVC's pointers, and not yet what they point to."""
    lost = [
        path
        for path in TRACKED
        if (workspace.root / f"{path}.dvc").exists()
        and not (workspace.root / path).exists()
    ]
    if lost:
        raise ServiceError(
            str(workspace.root),
            seen=f"no {', '.join(lost)}, which DVC remembers",
            expected="the bank and the rounds that were remembered",
            remedy=f"`dvc pull` in {workspace.root}",
        )


def _check_source(
    given: Given, source: str, params: IngestParams, world: World
) -> None:
    if not source:
        raise TrafficError(
            f"round on {given}",
            seen="no file or folder named",
            expected=f"where the {given} lie",
            remedy=f"skillbank round --{given} PATH",
        )
    path = Path(source)
    if given == "briefs":
        understood = _understood(path, world)
        _check_any(path, understood, Brief, "--briefs FILE")
    else:
        check_room(files_of(path))
        found = read(path, params.format, params.columns)
        _check_any(path, found, Run, "--traffic PATH")


def _understood(path: Path, world: World) -> Iterator[Brief | Misfit]:
    """The briefs of a file, and what is none to this world."""
    for found in read_briefs(path):
        if isinstance(found, Misfit):
            yield found
            continue
        try:
            yield world.understand(found.text, id=found.id, must_say=found.must_say)
        except BriefError as error:
            yield misfit(found.source, "no text", f"{error.seen}", found.text)


def _check_any(path: Path, values: Iterable[object], kind: type, option: str) -> None:
    """Read on to the first value that is of use."""
    first: Misfit | None = None
    n = 0
    for value in values:
        if isinstance(value, kind):
            return
        if isinstance(value, Misfit):
            n, first = n + 1, first or value
    seen = f"(first: {first.source}: {first.reason}, {first.problem})" if first else ""
    raise TrafficError(
        str(path),
        seen=f"{n} line(s) or file(s), none of them of use {seen}".rstrip(),
        expected="at least one in a known format",
        remedy=f"give another one: `skillbank round {option}`",
    )
