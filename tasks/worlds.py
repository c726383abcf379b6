"""Builds the world that params.yaml names, and the workers that act in it.

The only file that names `studio`. A world of one's own is one more line in `WORLDS`.
"""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from skillbank.agents.jobs import Checked, Job, do
from skillbank.codec import digest
from skillbank.models.journal import Journal
from skillbank.params import Params
from skillbank.traces.world import Traces
from skillbank.world import World
from studio.world import Studio
from tasks.journal import Salted, SqliteJournal
from tasks.models import close_models, with_models
from tasks.versions import code_hash

T = TypeVar("T")
A = TypeVar("A")

WORLDS: Mapping[str, Callable[[Params], World]] = {"studio": Studio, "traces": Traces}
ROOT = Path(__file__).resolve().parents[1]
_CHUNK = 8  # jobs a call: one call costs about as much as an attempt


@dataclass(frozen=True, slots=True)
class Site:
    """A world with its journal: what a worker has at hand."""

    world: World
    journal: Journal


def build(params: Params, journal: Journal) -> World:
    """The world of params.yaml, with language models where it names them."""
    return with_models(WORLDS[params.world](params), params, journal)


def site(params: Params, journal: Path) -> Site:
    """A world with its journal, for this very process."""
    kept = SqliteJournal(journal)
    # what the code makes changes with the code; what a model answered does not
    own = Salted(kept, world_code(params.world))
    return Site(build(params, kept), own)


@cache
def world_code(world: str) -> str:
    """Digest of the library's and the world's code."""
    package = WORLDS[world].__module__.partition(".")[0]
    return code_hash([ROOT / name for name in sorted({"skillbank", package})])


_site: Site | None = None


def _settle(params: Params, journal: Path) -> None:
    """Make a worker process ready: build its world once."""
    global _site
    _site = site(params, journal)


def _settle_process(params: Params, journal: Path) -> None:
    """The same in a process of its own, which ends when the one that started it does.

    It would wait for work for ever if that one were killed.
    """

    def end_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    _settle(params, journal)


def _act(function: Callable[[Site, A], T], arguments: Sequence[A]) -> list[T]:
    if _site is None:
        raise RuntimeError("a worker was used before it was settled")
    return [function(_site, argument) for argument in arguments]


def _do(site: Site, job: Job) -> tuple[Checked, float | None]:
    known = site.journal.get(job.key(site.world)) is not None
    began = time.perf_counter()
    made = do(job, site.world, site.journal)
    return made, None if known else time.perf_counter() - began


class Workers:
    """Processes that attempt and replay; threads where a model is asked.

    Processes cannot share a budget, and threads wait for a server just as well.
    """

    def __init__(self, params: Params, journal: Path) -> None:
        """Start the workers; each builds its own world."""
        self._executor: Executor
        offline = params.models.variants == params.models.judge == "studio"
        if offline and params.evolve.workers > 1:
            self._executor = ProcessPoolExecutor(
                params.evolve.workers,
                # a fork of a process with threads may inherit a lock that is held
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_settle_process,
                initargs=(params, journal),
            )
        else:
            _settle(params, journal)
            self._executor = ThreadPoolExecutor(params.evolve.workers)

    def map(
        self,
        function: Callable[[Site, A], T],
        arguments: Iterable[A],
        chunk: int = _CHUNK,
    ) -> Iterator[T]:
        """Apply a function of the module level to each argument, results in order."""
        todo = list(arguments)
        waiting: list[Future[list[T]]] = [
            self._executor.submit(_act, function, todo[start : start + chunk])
            for start in range(0, len(todo), chunk)
        ]
        for future in waiting:
            yield from future.result()

    def do(self, jobs: Iterable[Job]) -> tuple[Checked, ...]:
        """Make attempts, and check them; in the order of the jobs."""
        return tuple(made for made, _ in self.timed(jobs))

    def timed(self, jobs: Iterable[Job]) -> tuple[tuple[Checked, float | None], ...]:
        """The same with how long each took, in seconds; None from the journal."""
        return tuple(self.map(_do, jobs))

    def close(self) -> None:
        """End the workers."""
        self._executor.shutdown(cancel_futures=True)


_lock = threading.Lock()
_open: dict[tuple[Path, str], Workers] = {}


def workers(params: Params, journal: Path) -> Workers:
    """The workers of this process for a workspace; started when first asked for."""
    key = (journal, digest(params))
    with _lock:
        if key not in _open:
            _open[key] = Workers(params, journal)
        return _open[key]


@contextmanager
def no_workers_left() -> Iterator[None]:
    """End whatever workers and models were started within, whatever happens."""
    try:
        yield
    finally:
        with _lock:
            for started in _open.values():
                started.close()
            _open.clear()
        close_models()
