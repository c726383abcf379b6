"""Step 1: traffic becomes masked runs that count once, each to teach or to test."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import TypeVar

from skillbank.briefs.variants import copies_of
from skillbank.codec import digest
from skillbank.records import SidedRun
from skillbank.rounds.needs import with_needs
from skillbank.tables import COLLAPSED, MISFITS, RUNS, Table
from skillbank.traffic import Ingested
from skillbank.traffic import ingest as ingest_files
from skillbank.traffic.run import Run
from skillbank.traffic.sides import Unit, sided, unit_for
from tasks.memory import fixed_texts
from tasks.setting import Setting, step
from tasks.tables import columns_of
from tasks.values import read_value, write_value

T = TypeVar("T")


@step("ingest")
def ingest(setting: Setting) -> str:
    """Read, mask and collapse the round's traffic; what does not fit is put aside."""
    source = traffic_of(setting)

    @cache
    def read() -> Ingested:
        known = _column(setting, RUNS, "run") | _column(setting, COLLAPSED, "run_id")
        return ingest_files(
            [source], setting.params.ingest, setting.key, frozenset(known)
        )

    at = setting.step(
        __file__,
        earlier=[RUNS, COLLAPSED],
        files=[*files_of(source), *setting.workspace.fixed],
        depends=[
            setting.params.ingest,
            setting.params.vary.near_copy,
            setting.params.recall,
            setting.bank.digest,
            setting.world.revision,
            digest(str(setting.key)),
        ],
    )
    misfits = at.table(MISFITS, lambda: read().misfits)
    merged = at.table(COLLAPSED, lambda: read().merges)
    runs = at.write(RUNS, lambda: _sided(setting, read().runs))
    aside = Counter(misfit.reason for misfit in misfits if not misfit.kept)
    why = ", ".join(f"{reason} {n}" for reason, n in aside.most_common())
    return setting.say(
        f"{runs} runs kept, {len(merged)} merged, {aside.total()} quarantined"
        + (f": {why}" if why else "")
    )


def _column(setting: Setting, table: Table[T], name: str) -> set[str]:
    """The values of a column in the rounds before."""
    return {
        value
        for path in setting.earlier_paths(table)
        for (value,) in columns_of(path, table, name)
    }


def traffic_of(setting: Setting) -> Path:
    """Where the round's traffic is."""
    if setting.opening.given == "traffic":
        return setting.source
    return setting.workspace.traffic(setting.opening.round)


def files_of(source: Path) -> list[Path]:
    """The files of the traffic, sorted."""
    if source.is_dir():
        return sorted(path for path in source.rglob("*") if path.is_file())
    return [source]


def _sided(setting: Setting, runs: tuple[Run, ...]) -> tuple[SidedRun, ...]:
    unit, seed = _unit(setting, runs), setting.params.evolve.seed
    rows = sided(runs, unit, setting.params.ingest, seed, _tested(setting, runs))
    shelf, _ = setting.shelf(setting.bank)
    versions = {entry.name: entry.version for entry in setting.bank.verified()}
    return with_needs(rows, setting.world, shelf, versions)


def _tested(setting: Setting, runs: tuple[Run, ...]) -> set[str]:
    """Root briefs that may not teach: tested before, or as good as a fixed brief."""
    copies = copies_of(
        (run.brief.text for run in runs),
        fixed_texts(setting),
        setting.params.vary.near_copy,
    )
    before = {
        root
        for path in setting.earlier_paths(RUNS)
        for root, side in columns_of(path, RUNS, "root", "side")
        if side == "test"
    }
    return before | {run.brief.root for run in runs if run.brief.text in copies}


def _unit(setting: Setting, runs: tuple[Run, ...]) -> Unit:
    """By whom the workspace splits: decided at its first traffic, then recorded."""
    path = setting.workspace.data / "replay" / "split.json"
    if path.exists():
        remedy = f'write "user" or "session" into {path}, as it was before'
        unit: Unit = read_value(path, Unit, remedy)
        return unit
    unit = unit_for(runs, setting.params.ingest.min_users)
    write_value(path, unit)
    return unit
