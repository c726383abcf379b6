"""Which runs a writer may see where there are too many: drawn by a hash of their id.

All runs are counted; a few hundred of each kind are read. The same run is drawn today
and tomorrow, and more traffic replaces some of those that were drawn, never all.
"""

from collections.abc import Collection, Iterable
from heapq import nsmallest

from skillbank.codec import seed_of
from skillbank.evidence.ledger import Ledger


def drawn(ledger: Ledger, runs: Collection[str], limit: int) -> frozenset[str]:
    """The runs that evidence is made of.

    Args:
        ledger: What every run, attempt and proposal came to.
        runs: Ids of the runs of the teach side; of attempts of ours none is left out.
        limit: Runs of a skill's version, failures and other uses apart, of a label, and
            of those that neither used a skill nor lacked one, each at most.
    """
    groups: dict[tuple[object, ...], list[str]] = {}
    told: set[str] = set()
    for event in ledger.events:
        if event.run in runs and event.side == "teach":
            told.add(event.run)
            label = ledger.labels.canonical(event.label) if event.label else ""
            group = (event.kind, event.skill, event.version, label)
            groups.setdefault(group, []).append(event.run)
    rest = [run for run in runs if run not in told]
    return frozenset(
        run for some in (*groups.values(), rest) for run in _few(some, limit)
    )


def _few(runs: Iterable[str], limit: int) -> list[str]:
    return nsmallest(limit, runs, key=lambda run: (seed_of("evidence", run), run))
