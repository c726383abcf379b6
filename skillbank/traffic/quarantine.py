"""What ingestion made of the files: every value that was read is accounted for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from skillbank.errors import TrafficError
from skillbank.traffic.run import Misfit, Reason, Run
from skillbank.traffic.tally import Merge


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """Runs that count, what was put aside, and the numbers that must add up.

    Raises:
        TrafficError: If `read` is not kept + merged + quarantined: a bug of a reader.
    """

    runs: tuple[Run, ...]
    """Masked, by run id."""
    misfits: tuple[Misfit, ...]
    """In the order of the files; those with `kept` are notes and not quarantined."""
    merges: tuple[Merge, ...]
    """Each run that another one stands for."""
    read: int
    """Values that the readers yielded."""
    by_reason: Mapping[Reason, int] = field(init=False)
    """Quarantined, by reason, the most first."""

    def __post_init__(self) -> None:
        """Count by reason and check the sum."""
        count = Counter(misfit.reason for misfit in self.misfits if not misfit.kept)
        ordered = sorted(count.items(), key=lambda item: (-item[1], item[0]))
        object.__setattr__(self, "by_reason", dict(ordered))
        if self.read != self.kept + self.merged + self.quarantined:
            raise TrafficError(
                "ingest",
                seen=f"read {self.read}, kept {self.kept}, merged {self.merged}, "
                f"quarantined {self.quarantined}",
                expected="read = kept + merged + quarantined",
                remedy="report this with the file: a value was lost or counted twice",
            )

    @property
    def kept(self) -> int:
        """Runs that count."""
        return len(self.runs)

    @property
    def merged(self) -> int:
        """Runs that another run stands for, one of an earlier round included."""
        return len(self.merges)

    @property
    def known(self) -> int:
        """How many of the merged were counted in an earlier round."""
        return sum(merge.why == "known" for merge in self.merges)

    @property
    def quarantined(self) -> int:
        """Values that did not become runs."""
        return sum(self.by_reason.values())

    @property
    def seen_ids(self) -> frozenset[str]:
        """What the ledger must know so that none of this counts again."""
        merged = {merge.run_id for merge in self.merges}
        return frozenset(run.run_id for run in self.runs) | merged


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the summary for people."""

    reason: Reason
    count: int
    note: bool
    """True: these runs were kept all the same."""
    examples: tuple[Misfit, ...]


def summary(misfits: Sequence[Misfit], n_examples: int) -> tuple[Row, ...]:
    """Misfits by reason, the most first, each with its first few examples.

    Args:
        misfits: In the order of the files.
        n_examples: Most examples of a reason.
    """
    groups: dict[tuple[bool, Reason], list[Misfit]] = {}
    for misfit in misfits:
        groups.setdefault((misfit.kept, misfit.reason), []).append(misfit)
    rows = [
        Row(
            reason=reason, count=len(held), note=kept, examples=tuple(held[:n_examples])
        )
        for (kept, reason), held in groups.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.note, -row.count, row.reason)))
