"""Tokens of a Codex thread, out of counts that go on growing."""

from collections.abc import Iterator

from skillbank.codec import Json, digest
from skillbank.traffic.readers.values import as_dict, count_of
from skillbank.traffic.run import Reply

_Counts = tuple[int | None, int | None, int | None]
_KEYS = (
    ("input_tokens", "cached_input_tokens", "output_tokens"),
    ("prompt", "cached", "completion"),
)


class Meter:
    """Takes each count of a thread; what it grew by is one reply of the model.

    A count that is smaller than the one before began anew, in a later process.
    """

    def __init__(self) -> None:
        """Nothing was counted yet."""
        self._counts: list[tuple[int, _Counts, _Counts]] = []
        self._last: _Counts = (None, None, None)
        self._process = 0

    def take(self, value: Json) -> None:
        """Learn a count: the thread's total where it is told, else what there is."""
        held = as_dict(value)
        held = as_dict(held.get("total_token_usage")) or held
        for keys in _KEYS:
            read, cached, wrote = (count_of(held.get(key)) for key in keys)
            if read is not None or wrote is not None:
                self._grow((read, cached, wrote))
                return

    def _grow(self, counts: _Counts) -> None:
        if counts == self._last or not any(counts):
            return
        pairs = list(zip(counts, self._last, strict=True))
        if any((now or 0) < (before or 0) for now, before in pairs):
            self._process += 1
            grown = counts
        else:
            read, cached, wrote = (
                now if before is None or now is None else now - before
                for now, before in pairs
            )
            grown = (read, cached, wrote)
        self._last = counts
        self._counts.append((self._process, counts, grown))

    def replies(self, origin: str) -> Iterator[Reply]:
        """One for each growth, known by the thread it began in and the total."""
        for process, counts, (read, cached, wrote) in self._counts:
            yield Reply(
                id=digest(origin, process, counts)[:16],
                input_tokens=read,
                cached_tokens=cached,
                output_tokens=wrote,
            )
