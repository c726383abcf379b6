"""Step 1, last part: what runs needed and had, where their trace says neither.

A trace of somebody else's agent names skills at most, and no subtasks. The skills that
it opened or applied are recalls; a run that had none of the bank's is planned, and the
plan looked up in the bank as an agent would.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from skillbank.errors import WorldError
from skillbank.records import SidedRun
from skillbank.skills.shelf import Recall, Shelf, Subtask
from skillbank.traffic.run import Run
from skillbank.world import World


def with_needs(
    rows: Iterable[SidedRun],
    world: World,
    shelf: Shelf,
    versions: Mapping[str, int],
) -> tuple[SidedRun, ...]:
    """The runs with their recalls dated and their uncovered subtasks filled in.

    A run whose trace names subtasks stays as it is. A skill that the bank lacks stays
    among the recalls, at version 0: it is evidence, and blames no card.

    Args:
        rows: Runs of a round.
        world: Plans the briefs; one that it cannot plan needs nothing that we know of.
        shelf: What the current bank's cards answer.
        versions: Current version of each of them by name.
    """
    return tuple(
        row
        if _told(row.run)
        else replace(row, run=_looked_up(row.run, world, shelf, versions))
        for row in rows
    )


def _told(run: Run) -> bool:
    named = [part.subtask for part in run.recalls] + [s.subtask for s in run.steps]
    return bool(run.uncovered) or any(named)


def _looked_up(
    run: Run, world: World, shelf: Shelf, versions: Mapping[str, int]
) -> Run:
    try:
        plan = world.plan(run.brief)
    except WorldError:  # somebody else's brief: it must not stop the rest
        plan = ()
    where = plan[0].name if plan else ""
    recalls = tuple(_dated(recall, where, versions) for recall in run.recalls)
    served = any(recall.skill in versions for recall in recalls)
    uncovered: Sequence[Subtask] = () if served else plan
    return replace(
        run,
        recalls=recalls,
        uncovered=tuple(
            part
            for part in uncovered
            if not shelf.recall(part, run.brief.facts).covered
        ),
    )


def _dated(recall: Recall, where: str, versions: Mapping[str, int]) -> Recall:
    """The recall at the version that the bank has, where the trace tells none."""
    version = recall.version or versions.get(recall.skill, 0)
    return replace(recall, subtask=where, version=version)
