"""Which sequences begin as another one does, without comparing each with each."""

from collections.abc import Hashable, Iterable


class Beginnings:
    """A tree of sequences: those that begin alike share the way from its root."""

    def __init__(self) -> None:
        self._after: dict[tuple[int, Hashable], int] = {}

    def way(self, sequence: Iterable[Hashable]) -> list[int]:
        """The place of each beginning of a sequence, from the empty one to all of it.

        Two beginnings have one place if and only if they are equal.
        """
        places = [0]
        for item in sequence:
            step = (places[-1], item)
            places.append(self._after.setdefault(step, len(self._after) + 1))
        return places
