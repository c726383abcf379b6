"""Step 1 of a round: traffic files become masked runs that count once each."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from skillbank.errors import TrafficError
from skillbank.params import IngestParams
from skillbank.traffic.collapse import collapse
from skillbank.traffic.files import read
from skillbank.traffic.privacy import mask_all
from skillbank.traffic.quarantine import Ingested
from skillbank.traffic.run import Misfit, Run
from skillbank.traffic.scoring import scored

_SHORTEST_KEY = 16  # bytes; a shorter one can be guessed, and the pseudonyms with it


def ingest(
    paths: Sequence[Path],
    params: IngestParams,
    key: bytes,
    known_ids: frozenset[str] = frozenset(),
) -> Ingested:
    """Read, mask and collapse traffic.

    Args:
        paths: Files and folders; one that is given twice changes nothing.
        params: `format` says how to read them.
        key: Secret of the workspace for pseudonyms, at least 16 bytes.
        known_ids: Ids that the ledger has; their runs are merged, never kept.

    Raises:
        TrafficError: If a path cannot be used, no run at all could be read, or the key
            is too short.
    """
    if len(key) < _SHORTEST_KEY:
        raise TrafficError(
            "masking key",
            seen=f"{len(key)} bytes",
            expected=f"at least {_SHORTEST_KEY} random bytes",
            remedy="give the workspace a new key; pseudonyms of before then differ",
        )
    runs: list[Run] = []
    misfits: list[Misfit] = []
    for value in prepared(_values(paths, params), params, key):
        if isinstance(value, Run):
            runs.append(value)
        else:
            misfits.append(value)
    if not runs:
        raise _nothing(paths, misfits)
    left = collapse(runs, known_ids)
    return Ingested(
        runs=left.runs,
        misfits=(*misfits, *left.notes),
        merges=left.merges,
        read=len(runs) + sum(not misfit.kept for misfit in misfits),
    )


def prepared(
    values: Iterable[Run | Misfit], params: IngestParams, key: bytes | None
) -> Iterator[Run | Misfit]:
    """What readers gave, with the chosen scores and nothing private left in it.

    Args:
        values: Runs and misfits, as read.
        params: Which ratings count, and what is private besides.
        key: Secret of the workspace; None does not mask, for measuring what it costs.
    """
    told = scored(values, params.scores)
    return told if key is None else mask_all(told, key, params.privacy)


def _values(paths: Sequence[Path], params: IngestParams) -> Iterator[Run | Misfit]:
    return chain.from_iterable(
        read(path, params.format, params.columns) for path in paths
    )


def _nothing(paths: Sequence[Path], misfits: Sequence[Misfit]) -> TrafficError:
    seen = "nothing at all"
    if misfits:
        first = misfits[0]
        seen = (
            f"{len(misfits)} line(s) or file(s), none of them a run "
            f"(first: {first.source}: {first.reason}, {first.problem})"
        )
    return TrafficError(
        ", ".join(path.name for path in paths) or "no path",
        seen=seen,
        expected="at least one run in a known format",
        remedy="give another path: `skillbank round --traffic PATH`",
    )
