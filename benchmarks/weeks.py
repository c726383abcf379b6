"""Simulated weeks for rounds in memory, read as a round reads them."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from skillbank.codec import digest
from skillbank.params import Params
from skillbank.records import SidedRun
from skillbank.skills.shelf import Shelf
from skillbank.traffic import ingest
from skillbank.traffic.sides import Unit, sided, unit_for
from studio.world import Studio


def traffic(
    world: Studio, params: Params
) -> Callable[[int, Shelf, int], list[SidedRun]]:
    """The studio's customers, read, masked, collapsed and split as a round does."""
    known: set[str] = set()
    tested: set[str] = set()
    unit: list[Unit] = []  # decided at the first traffic, as in a workspace

    def play(number: int, shelf: Shelf, seed: int) -> list[SidedRun]:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "week.jsonl"
            lines = world.week(number, params.evolve.briefs_of(number), shelf, seed)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            key = digest("pseudonyms", params.evolve.seed).encode()
            read = ingest([path], params.ingest, key, frozenset(known))
        known.update(read.seen_ids)
        if not unit:
            unit.append(unit_for(read.runs, params.ingest.min_users))
        rows = sided(read.runs, unit[0], params.ingest, params.evolve.seed, tested)
        tested.update(row.run.brief.root for row in rows if row.side == "test")
        return list(rows)

    return play
