"""How fast traffic becomes a dataset, beside a bare JSON parser over the same bytes.

    python -m benchmarks.ingest_rate --mb 256

Plain runs of the native format, about two kilobytes each, are written to a temporary
folder. Then, in turns: `orjson` over every line on one core; the whole of ingestion on
two cores with masking off (parse, normalise, tie, collapse, write Parquet); and on one
core with masking. Printed are megabytes a second, the ratio to the parser, and the
most memory that all processes together held (PSS, sampled).
"""

import argparse
import multiprocessing
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from skillbank.params import IngestParams
from tasks.bulk import intake, quarantine_of
from tasks.bulk_part import Reading

WORDS = [
    "please",
    "make",
    "a",
    "poster",
    "for",
    "the",
    "summer",
    "sale",
    "with",
    "our",
    "logo",
    "price",
    "date",
    "and",
    "place",
    "large",
    "readable",
    "text",
    "on",
    "a",
    "calm",
    "background",
    "keep",
    "the",
    "legal",
    "line",
    "at",
    "the",
    "foot",
]
KEY = b"k" * 32
LATEST = datetime(2026, 2, 1, tzinfo=UTC)
GOAL, GOAL_MASKED = 0.15, 3.0


def line(n: int, rng: random.Random) -> bytes:
    """One plain run of six calls."""

    def words(many: int) -> str:
        return " ".join(rng.choices(WORDS, k=many))

    return orjson.dumps(
        {
            "run_id": f"run-{n:09d}",
            "brief": {"id": f"b{n}", "text": words(30), "cohort": "retail"},
            "session": f"s{n // 3}",
            "user": f"u{rng.randrange(50_000)}",
            "started": f"2026-01-{1 + n % 28:02d}T{n % 24:02d}:{n % 60:02d}:00Z",
            "steps": [
                {
                    "subtask": "head",
                    "tool": f"tool_{rng.randrange(30)}",
                    "arguments": {"x": str(rng.random()), "text": words(8)},
                    "call": f"c{call}",
                    "result": words(12),
                }
                for call in range(6)
            ],
            "output": words(40),
            "score": round(rng.random(), 3),
            "provenance": "check",
            "usage": {"turns": 6, "input_tokens": 1200, "output_tokens": 300},
        }
    )


def parse(path: Path) -> None:
    """The bare parser, one line after the other."""
    with path.open("rb") as file:
        for text in file:
            orjson.loads(text)


def pss_mb() -> float:
    """Proportional memory of this process and its children, in megabytes."""
    ids = [os.getpid(), *(child.pid for child in multiprocessing.active_children())]
    return sum(_pss(id) for id in ids if id) / 1024


def _pss(id: int) -> int:
    try:
        text = Path(f"/proc/{id}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return next(int(row.split()[1]) for row in text.splitlines() if "Pss:" in row)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and the most memory that was seen on the way."""
    most, over = [pss_mb()], threading.Event()

    def watch() -> None:
        while not over.wait(0.25):
            most.append(pss_mb())

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.perf_counter()
    work()
    took = time.perf_counter() - began
    over.set()
    watcher.join()
    return took, max(most)


def measured(path: Path, turns: int) -> Iterator[tuple[str, float, float]]:
    """Name, best seconds of `turns`, and most memory, of each way in turns."""
    out = path.with_name("runs")

    def ingest(workers: int, key: bytes | None) -> Callable[[], object]:
        def work() -> None:
            for made in (out, quarantine_of(out)):
                shutil.rmtree(made, ignore_errors=True)
            reading = Reading(params=IngestParams(), key=key, latest=LATEST)
            intake([path], out, reading, workers=workers)

        return work

    ways = {
        "orjson, one core": lambda: parse(path),
        "ingest, two cores, unmasked": ingest(2, None),
        "ingest, one core, masked": ingest(1, KEY),
    }
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, work in ways.items():
            seen[name].append(timed(work))
    for name, each in seen.items():
        yield name, min(took for took, _ in each), max(most for _, most in each)


def main() -> None:
    """Write the traffic, measure, print, and fail if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=256, help="megabytes of traffic")
    parser.add_argument("--turns", type=int, default=2)
    given = parser.parse_args()
    rng = random.Random(1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "week.jsonl"
        n = 0
        with path.open("wb") as file:
            while file.tell() < given.mb * 10**6:
                file.write(line(n, rng) + b"\n")
                n += 1
        size = path.stat().st_size / 10**6
        print(f"{n:,} runs, {size:,.0f} MB")
        rates = {}
        for name, took, most in measured(path, given.turns):
            rates[name] = size / took
            print(f"{name:<30}{rates[name]:>8.1f} MB/s {most:>8.0f} MB held")
    bare, plain, masked = rates.values()
    print(f"ratio to the parser {plain / bare:.3f} (goal {GOAL}), ", end="")
    print(f"masked {masked:.1f} MB/s a core (goal {GOAL_MASKED})")
    if plain / bare < GOAL or masked < GOAL_MASKED:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
