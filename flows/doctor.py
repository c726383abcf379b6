"""What `skillbank doctor` looks at: one finding a thing, each with its remedy."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from skillbank.briefs.benchmark import read_benchmark
from skillbank.errors import SkillbankError, TrafficError
from skillbank.gate.foresight import notes_of
from skillbank.gate.planner import Outlay
from skillbank.models.journal import NoJournal
from tasks.planning import planned
from tasks.workspace import find_workspace
from tasks.worlds import build

_PACKAGES = ("prefect", "dvc", "mlflow", "pandera", "scikit-learn", "pyarrow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    what: str
    ok: bool
    seen: str
    remedy: str = ""


def examine(folder: Path) -> tuple[Finding, ...]:
    """Look at the machine and at a workspace; never raises for what it finds."""
    return (
        _python(),
        *(_package(name) for name in _PACKAGES),
        _look("git", _git),
        _look("params.yaml", lambda: _params(folder)),
        _look("world", lambda: _world(folder)),
        _look("bank", lambda: _bank(folder)),
        _look("benchmark", lambda: _benchmark(folder)),
        _look("pseudonyms", lambda: _pseudonyms(folder)),
        *_gate(folder),
    )


def _python() -> Finding:
    return Finding(
        what="python",
        ok=sys.version_info >= (3, 11),
        seen=sys.version.split()[0],
        remedy="install Python 3.11 or newer, then `make setup`",
    )


def _package(name: str) -> Finding:
    try:
        return Finding(what=name, ok=True, seen=version(name))
    except PackageNotFoundError:
        return Finding(what=name, ok=False, seen="not installed", remedy="make setup")


def _look(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what=what, ok=True, seen=look())
    except SkillbankError as error:
        return _refused(what, error)


def _refused(what: str, error: SkillbankError) -> Finding:
    return Finding(
        what=what,
        ok=False,
        seen=f"{error.place}: {error.seen}; expected {error.expected}",
        remedy=error.remedy,
    )


def _git() -> str:
    from skillbank.errors import ServiceError

    found = shutil.which("git")
    if found is None:
        raise ServiceError(
            "git", seen="not on the PATH", expected="git", remedy="install git"
        )
    return "on the PATH"


def _params(folder: Path) -> str:
    params = find_workspace(folder).params
    return f"world {params.world}, gate {params.gate.mode}, seed {params.evolve.seed}"


def _world(folder: Path) -> str:
    world = build(find_workspace(folder).params, NoJournal())
    if world.unable:
        return f"{world.name}: {world.unable}"
    return f"{world.name}, {len(world.tools)} tools, revision {world.revision[:12]}"


def _bank(folder: Path) -> str:
    store = find_workspace(folder).bank
    numbers = store.numbers()
    if not numbers:
        return "no version yet: the first round imports data/bank/seed"
    bank = store.read(store.head())
    return f"HEAD {bank.number} of {len(numbers)} versions, {len(bank.names())} skills"


def _benchmark(folder: Path) -> str:
    workspace = find_workspace(folder)
    if unable := build(workspace.params, NoJournal()).unable:
        return f"none needed: {unable}"
    counts = {
        name: len(read_benchmark(workspace.benchmark(name)))
        for name in ("benchmark", "sealed")
    }
    return ", ".join(f"{n} {name} briefs" for name, n in counts.items())


def _pseudonyms(folder: Path) -> str:
    workspace = find_workspace(folder)
    path, rounds = workspace.secret_path, workspace.round_ids()
    if not path.exists():
        given = [one for one in rounds if workspace.open_round(one).source]
        if given:
            raise TrafficError(
                str(path),
                seen=f"no key, and {len(given)} round(s) on traffic that was masked",
                expected="the key that they were masked with",
                remedy="copy it from where they were played; without it later rounds "
                "take everybody for somebody new",
            )
        return "no key yet: the first traffic that is read makes one"
    workspace.secret()
    if (mode := path.stat().st_mode & 0o777) != 0o600:
        raise TrafficError(
            str(path),
            seen=f"others may read the key (mode {mode:o})",
            expected="mode 600: who has it can test guesses",
            remedy=f"chmod 600 {path}",
        )
    return "key in state/, for its owner alone"


def _gate(folder: Path) -> tuple[Finding, ...]:
    try:
        workspace = find_workspace(folder)
        outlays = planned(workspace, keep=True)
    except SkillbankError as error:
        return (_refused("gate", error),)
    rules = [(f"gate, {one.mode}", _told(one)) for one in outlays]
    notes = [("gate, note", text) for text in notes_of(outlays)]
    return tuple(
        Finding(what=what, ok=True, seen=seen) for what, seen in (*rules, *notes)
    )


def _told(outlay: Outlay) -> str:
    none, real = outlay.of("no-op"), outlay.of("+1")
    return (
        f"ships {none.ships.estimate:.1%} of no-ops and {real.ships.estimate:.1%} of "
        f"gains of +1, for {none.runs:.0f} and {real.runs:.0f} agent runs"
    )
