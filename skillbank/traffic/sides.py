"""Teach or test: which runs a skill may be learnt from, decided by a hash.

A run teaches or tests, never both, and so does everything made of its brief. Nothing is
drawn: the same user (or session) falls on the same side in every round.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from skillbank.briefs.brief import Brief
from skillbank.codec import seed_of
from skillbank.params import IngestParams
from skillbank.records import Side, SidedRun
from skillbank.traffic.run import Run

Unit = Literal["user", "session"]
"""Whose runs stay together: a user's where there are enough of them."""


def sided(
    runs: Sequence[Run],
    unit: Unit,
    params: IngestParams,
    seed: int,
    tested: Collection[str] = (),
) -> tuple[SidedRun, ...]:
    """Each run with its side, in the order given.

    Args:
        runs: Masked runs of a round.
        unit: The recorded decision of `unit_for`.
        params: `teach_share` is read.
        seed: Another seed, another split; one a workspace.
        tested: Root briefs that may only test, whoever asks: those that tested in an
            earlier round, or that say what a fixed brief says.
    """
    by_root = sides_of_roots(runs, sides(runs, unit, params.teach_share, seed))
    by_root |= dict.fromkeys(tested, "test")
    return tuple(
        SidedRun(run=run, side=side_of_brief(run.brief, by_root)) for run in runs
    )


def unit_for(runs: Iterable[Run], min_users: int) -> Unit:
    """By whom a workspace splits; asked once, at its first traffic, then recorded.

    Args:
        runs: The runs of the first round.
        min_users: From this many distinct users on the split is by user.
    """
    users = {run.user for run in runs if run.user}
    return "user" if len(users) >= min_users else "session"


def side(run: Run, unit: Unit, teach_share: float, seed: int = 0) -> Side:
    """The side of one run.

    A run without the unit falls back to the other one, and then to its own id.

    Args:
        run: A masked run.
        unit: The recorded decision of `unit_for`.
        teach_share: Share of units that teach, in [0, 1].
        seed: Another seed, another split; one a workspace.
    """
    first, second = (run.user, run.session)
    if unit == "session":
        first, second = second, first
    key = first or second or run.run_id
    draw = seed_of("side", unit, key, seed) / 2**63
    return "teach" if draw < teach_share else "test"


def sides(
    runs: Iterable[Run], unit: Unit, teach_share: float, seed: int = 0
) -> dict[str, Side]:
    """`side` of each run, by run id."""
    return {run.run_id: side(run, unit, teach_share, seed) for run in runs}


def sides_of_roots(runs: Iterable[Run], by_run: Mapping[str, Side]) -> dict[str, Side]:
    """The side of each root brief, for what is made of it.

    A brief that was asked on both sides only tests: what was seen in a test must not
    be taught.
    """
    found: dict[str, Side] = {}
    for run in runs:
        if by_run[run.run_id] == "test":
            found[run.brief.root] = "test"
        else:
            found.setdefault(run.brief.root, "teach")
    return found


def side_of_brief(brief: Brief, by_root: Mapping[str, Side]) -> Side:
    """The side of a brief or variant: its root's; one of unknown origin only tests."""
    return by_root.get(brief.root, "test")
