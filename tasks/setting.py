"""What every task of a round is given: where it is, and how its step is made."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.exceptions import MissingContextError
from prefect.logging import get_run_logger

from skillbank.codec import digest
from skillbank.params import Params
from skillbank.rounds.seeds import round_seed
from skillbank.skills.bank import Bank
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Shelf
from skillbank.tables import Table
from skillbank.world import World
from tasks.models import charged_to
from tasks.tables import Step, columns_of, each_of, read_table, table_path
from tasks.values import write_value
from tasks.versions import code_hash
from tasks.workspace import Opening, Workspace
from tasks.worlds import Workers, no_workers_left, site, workers, world_code

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")


def step(
    name: str, run_name: str | None = None
) -> Callable[[Callable[P, R]], Task[P, R]]:
    """Make a function a Prefect task; skipped by our own stamps, never by Prefect's.

    Args:
        name: Of the task, as Prefect's UI shows it.
        run_name: Of its runs; may name the function's arguments in braces.
    """
    return task(
        name=name, task_run_name=run_name, cache_policy=NO_CACHE, persist_result=False
    )


@cache
def _code(task_file: Path, world: str) -> str:
    return digest(world_code(world), code_hash([task_file]))


@dataclass(frozen=True)
class Setting:
    """One round in one workspace."""

    workspace: Workspace
    opening: Opening

    @cached_property
    def params(self) -> Params:
        """The workspace's parameters, read once a round."""
        return self.workspace.params

    @cached_property
    def world(self) -> World:
        """The world, in this process."""
        return site(self.params, self.workspace.journal).world

    @property
    def key(self) -> bytes:
        """The secret behind pseudonyms; invented customers need none that is secret."""
        if self.opening.given == "simulated":
            return digest("pseudonyms", self.params.evolve.seed).encode()
        return self.workspace.secret()

    @property
    def workers(self) -> Workers:
        """Those that attempt and replay."""
        return workers(self.params, self.workspace.journal)

    @property
    def source(self) -> Path:
        """Traffic or briefs that somebody supplied."""
        return self.workspace.root / self.opening.source

    @property
    def round_dir(self) -> Path:
        """Where this round's tables are."""
        return self.workspace.round_dir(self.opening.round)

    @cached_property
    def bank(self) -> Bank:
        """The bank version that was HEAD when the round began."""
        return self.workspace.bank.read(self.opening.bank)

    @property
    def ended(self) -> bool:
        """All of the round is done, and remembered."""
        return self.opening.round not in self.workspace.unfinished()

    def shelf(self, bank: Bank) -> tuple[Shelf, str]:
        """What an agent recalls of a bank, and the digest of that."""
        cards = bank.cards(self.params.recall.prior_trials)
        return BankShelf(cards, self.params.recall), bank.digest

    def seed(self, name: str, *key: object) -> int:
        """A seed of (root seed, round, step, key)."""
        return round_seed(self.params.evolve.seed, self.opening.round, name, *key)

    def path(self, table: Table[T]) -> Path:
        """Where this round keeps a table."""
        return table_path(self.round_dir, table)

    def read(self, table: Table[T]) -> tuple[T, ...]:
        """A table of this round that an earlier step wrote."""
        return read_table(self.path(table), table)

    def each(self, table: Table[T]) -> Iterator[T]:
        """The same one after the other, for a table that is large."""
        return each_of(self.path(table), table)

    def count(self, table: Table[T]) -> int:
        """How many rows a table of this round has."""
        return len(columns_of(self.path(table), table, table.key[0]))

    def earlier(self, table: Table[T]) -> tuple[T, ...]:
        """The rows of the finished rounds before this one, oldest first."""
        return tuple(
            row for path in self.earlier_paths(table) for row in each_of(path, table)
        )

    def earlier_paths(self, table: Table[T]) -> tuple[Path, ...]:
        """The files behind `earlier`."""
        return tuple(
            table_path(self.workspace.round_dir(round_id), table)
            for round_id in self.workspace.before(self.opening.round)
        )

    def step(
        self,
        task_file: str,
        *,
        reads: Sequence[Table[Any]] = (),
        earlier: Sequence[Table[Any]] = (),
        files: Sequence[Path] = (),
        depends: Sequence[object] = (),
    ) -> Step:
        """The step that a task is; its tables are read where nothing has changed.

        Args:
            task_file: `__file__` of the task: its code counts.
            reads: Tables of this round that it reads.
            earlier: Tables of the rounds before that it reads.
            files: Other files whose content counts.
            depends: Parameters and digests that count.
        """
        code = _code(Path(task_file), self.params.world)
        before = [path for table in earlier for path in self.earlier_paths(table)]
        return Step(
            round_dir=self.round_dir,
            inputs=(*(self.path(table) for table in reads), *before, *files),
            # where the input lies does not count: its content does, as a file
            depends=(
                replace(self.opening, source=""),
                self.params.evolve.seed,
                code,
                *depends,
            ),
        )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the workspace for this round, and leave no worker and no model behind.

        Raises:
            ServiceError: If another one runs a round here.
        """
        with (
            self.workspace.alone(),
            charged_to(self.workspace.journal, self.opening.round),
            no_workers_left(),
        ):
            yield

    def clock(self, name: str, seconds: float) -> None:
        """Keep a duration beside the round: MLflow shows it, no table holds it."""
        kept = {**self.clocked(), name: seconds}
        write_value(self.workspace.clock(self.opening.round), kept)

    def clocked(self) -> dict[str, float]:
        """The durations kept so far, in seconds by name."""
        return self.workspace.clocked(self.opening.round)

    def remark(self, text: str) -> None:
        """Log one line for Prefect's UI alone: the terminal is told once a command."""
        with suppress(MissingContextError):
            get_run_logger().info(text)

    def say(self, text: str) -> str:
        """Log one line, for the terminal and for Prefect's UI, and give it back."""
        logging.getLogger("skillbank").info("%s: %s", self.opening.round, text)
        # outside a run of Prefect's there is nobody to show it to
        with suppress(MissingContextError):
            get_run_logger().info(text)
        return text
