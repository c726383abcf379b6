"""Which turns of a conversation were lived, and which the user took back.

A user who rewinds says something else in place of what was said before: the new message
has the same parent as the old one, or an earlier one, and what followed the old one
leads nowhere. Calls that ran at once give a message several children too, so only what
a user said begins a turn here.
"""

from dataclasses import dataclass, field
from typing import Literal

from skillbank.codec import Json
from skillbank.traffic.readers.values import as_text


def parent_of(record: dict[str, Json]) -> str:
    """The record that this one follows, also over a compaction; empty: none is told."""
    told = as_text(record.get("parentUuid"))
    return told or as_text(record.get("logicalParentUuid"))


@dataclass(slots=True)
class Turns:
    """Turns by their parents, each known by the message that began it.

    A message without a parent begins a tree of its own: two trees may be one
    conversation whose middle is missing, so neither takes the other's place.
    """

    _of: dict[str, str] = field(default_factory=dict)  # record to its turn
    _before: dict[str, str] = field(default_factory=dict)  # turn to the one it follows
    _last: str = ""

    def of(self, record: str, parent: str) -> str:
        """The turn that a record is in; empty: nobody can tell."""
        if record not in self._of:
            turn = self._of.get(parent, parent or record)
            if not record:
                return turn
            self._of[record] = turn
        return self._of[record]

    def begin(self, message: str, parent: str) -> None:
        """Let what a user said begin a turn, unless it was told before."""
        if message and message not in self._before:
            self._before[message] = self._of.get(parent, parent)
            self._of[message] = self._last = message

    def lost(self) -> frozenset[str]:
        """Turns that branch off from what led to the last one."""
        found: dict[str, Literal["lived", "apart", "lost"]] = {}
        turn = self._last
        while turn and turn not in found:
            found[turn] = "lived"
            turn = self._before.get(turn, "")
        for start in self._before:
            way = []
            turn = start
            while turn and turn not in found:
                found[turn] = "apart"
                way.append(turn)
                turn = self._before.get(turn, "")
            if found.get(turn, "apart") != "apart":
                found.update(dict.fromkeys(way, "lost"))
        return frozenset(turn for turn, what in found.items() if what == "lost")
