"""Which run stands for which, and what that is decided by."""

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from skillbank.codec import digest
from skillbank.traffic.readers.values import time_of
from skillbank.traffic.run import Run

Why = Literal["copy", "resumed", "sub-agent", "retry", "known"]
"""copy: the same run told again; resumed: an earlier part of it; sub-agent: its work is
part of it; retry: tried again; known: counted in an earlier round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A run that was read and does not count, because another one stands for it."""

    run_id: str
    into: str
    """Run id of the one that stands for it."""
    why: Why
    source: str


class Tally:
    """Which run stands for which; told step by step, resolved at the end.

    Runs are told apart by identity: two of them may be equal in every field.
    """

    def __init__(self) -> None:
        """Nothing was merged yet."""
        self._merged: list[tuple[Run, Run | str, Why]] = []
        self._after: dict[int, Run | str] = {}
        self._renamed: set[int] = set()
        self._held: list[Run] = []  # an identity is unique only while it is held

    def add(self, run: Run, stands: Run | str, why: Why) -> None:
        """Count a run that another one stands for."""
        self._merged.append((run, stands, why))
        if stands is not run:
            self._point(run, stands)

    def turn(self, run: Run, to: Run) -> None:
        """Let whatever points to `run` point to `to`, without counting a merge."""
        if to is not run:
            if to.run_id != run.run_id:
                self._renamed.add(id(run))
            self._point(run, to)

    def _point(self, run: Run, to: Run | str) -> None:
        self._held.append(run)
        self._after[id(run)] = to

    def merges(self) -> tuple[Merge, ...]:
        """All that were counted, by run id and source, each with what stands for it."""
        found = [
            Merge(
                run_id=run.run_id, into=_id(self._last(to)), why=why, source=run.source
            )
            for run, to, why in self._merged
        ]
        return tuple(sorted(found, key=lambda m: (m.run_id, m.source, m.why, m.into)))

    def standing(self) -> dict[str, Run]:
        """Run id of each merged run to the run that stands for it by now."""
        found: dict[str, Run] = {}
        for run, to, _ in self._merged:
            stands = self._last(to)
            if isinstance(stands, Run):
                found.setdefault(run.run_id, stands)
        return found

    def told_as(self) -> dict[int, set[str]]:
        """Identity of each run that stands for others to the ids that those had.

        Sub-agents are left out: they are parts of a use and no use. So are copies of a
        run that could not keep its id: the id is another one's.
        """
        found: dict[int, set[str]] = defaultdict(set)
        for run, to, why in self._merged:
            stands = self._last(to)
            if not isinstance(stands, Run) or why == "sub-agent":
                continue
            if run.run_id not in self._ids_lost(to):
                found[id(stands)].add(run.run_id)
        return found

    def _ids_lost(self, to: Run | str) -> set[str]:
        lost = set()
        while isinstance(to, Run) and id(to) in self._after:
            if id(to) in self._renamed:
                lost.add(to.run_id)
            to = self._after[id(to)]
        return lost

    def _last(self, to: Run | str) -> Run | str:
        while isinstance(to, Run):
            after = self._after.get(id(to))
            if after is None:
                return to
            to = after
        return to


def _id(stands: Run | str) -> str:
    return stands if isinstance(stands, str) else stands.run_id


def content_of(run: Run) -> str:
    """A digest of all that a run tells but where it was read."""
    return digest(replace(run, run_id="", source=""))


def when(run: Run) -> tuple[int, datetime]:
    """For comparing; a run that does not tell its time comes first."""
    time = time_of(run.started)
    return (0, datetime.min.replace(tzinfo=UTC)) if time is None else (1, time)
