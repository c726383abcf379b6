"""Step 1 of a round: traffic files become masked runs that count once each."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import tee
from pathlib import Path

from skillbank.errors import TrafficError
from skillbank.params import IngestParams
from skillbank.traffic.clocks import clocked
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
    files = (read(path, params.format, params.columns) for path in paths)
    for _, value in prepared(files, params, key):
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
    files: Iterable[Iterable[Run | Misfit]],
    params: IngestParams,
    key: bytes | None,
    latest: datetime | None = None,
) -> Iterator[tuple[int, Run | Misfit]]:
    """What readers gave, with the chosen scores, odd clocks named, nothing private.

    Args:
        files: Runs and misfits of each file, as read. Many at once are masked in far
            less time than each by itself.
        params: Which ratings count, and what is private besides.
        key: Secret of the workspace; None does not mask, for measuring what it costs.
        latest: With a zone; a run that began later had a clock that was ahead.

    Yields:
        The number of the file, from 0, and what it holds, in order.
    """
    told, counted = tee(
        (number, value)
        for number, values in enumerate(files)
        for value in clocked(scored(values, params.scores), latest)
    )
    values: Iterator[Run | Misfit] = (value for _, value in told)
    if key is not None:
        values = mask_all(values, key, params.privacy)  # one for one, in order
    return zip((number for number, _ in counted), values, strict=True)


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
