"""Codex: rollout files of all generations, and what `codex exec --json` prints.

A rollout wraps each record in an envelope (`type`, `payload`); before that, records
stood bare. Printed events have items. All of them are brought to four kinds here, and
`codex_thread` makes runs of these. There is no parser of the vendor's in Python.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from skillbank.codec import Json
from skillbank.traffic.readers.codex_thread import Thread
from skillbank.traffic.readers.documents import document, objects
from skillbank.traffic.readers.lines import head, misfit
from skillbank.traffic.readers.values import as_dict, as_list, as_text, iso_of, parsed
from skillbank.traffic.run import Misfit, Run

Kind = Literal["meta", "context", "item", "event"]

_BOM = b"\xef\xbb\xbf"
_ENVELOPES: dict[str, Kind] = {
    "session_meta": "meta",
    "turn_context": "context",
    "response_item": "item",
    "event_msg": "event",
}
_OTHER_ENVELOPES = frozenset(
    ("compacted", "world_state", "inter_agent_communication_metadata")
)
_CALLS = frozenset(
    f"{kind}{end}"
    for kind in ("function_call", "custom_tool_call", "local_shell_call")
    for end in ("", "_output")
)
_PRINTED = frozenset(
    ("item.started", "item.updated", "item.completed", "turn.completed", "turn.failed")
)
_CUT_LINE = re.compile(
    rb'^\{"timestamp":\s?"[^"]{10,40}",(?:\s?"ordinal":\s?\d+,)?'
    rb'\s?"type":\s?"(?:session_meta|response_item|turn_context)",\s?"payload":',
    re.MULTILINE,
)


class Record(NamedTuple):
    """A record without whatever it was wrapped in."""

    kind: Kind
    payload: dict[str, Json]
    time: str


def sign(head: bytes) -> str:
    """Why the beginning of a file is Codex's; empty if it is not."""
    head = head.removeprefix(_BOM)
    items = as_list(as_dict(parsed(head)).get("items"))
    if any(as_text(as_dict(item).get("type")) in _CALLS for item in items):
        return "it is a list of Codex's items"
    for number, line in enumerate(head.splitlines(), start=1):
        if line.lstrip().startswith(b"{") and (why := _mark(as_dict(parsed(line)))):
            return f"line {number} {why}"
    return "a line has a rollout's envelope" if _CUT_LINE.search(head) else ""


def _mark(record: dict[str, Json]) -> str:
    """What about one object is Codex's."""
    kind, message = as_text(record.get("type")), record.get("msg")
    if isinstance(record.get("payload"), dict):
        known = kind in _ENVELOPES or kind in _OTHER_ENVELOPES
        return f"is a {kind} of a rollout" if known else ""
    if kind == "thread.started" and "thread_id" in record:
        return "starts a thread"
    if kind in _PRINTED and ("item" in record or kind.startswith("turn.")):
        return f"is a printed {kind}"
    if isinstance(message, dict) and "type" in message and "id" in record:
        return "is a printed event"
    if kind in _CALLS and "call_id" in record:
        return f"is a {kind} as it was before envelopes"
    if record.get("record_type") == "state":
        return "is a state as it was before envelopes"
    if "created_at" in record and record.get("role") in ("user", "assistant"):
        plain = isinstance(record.get("message", record.get("content")), str | list)
        return "is a message as it was before envelopes" if plain else ""
    first = {"id", "timestamp", "instructions"} <= record.keys() and not kind
    return "is the first line as it was before envelopes" if first else ""


def unwrapped(record: dict[str, Json]) -> Record | None:
    """The record in one of the four kinds; None if it is of another."""
    kind, payload = as_text(record.get("type")), record.get("payload")
    if isinstance(payload, dict):
        if kind not in _ENVELOPES:
            return None
        time = record.get("timestamp") or payload.get("timestamp")
        return Record(_ENVELOPES[kind], payload, iso_of(time))
    time = iso_of(record.get("timestamp") or record.get("created_at"))
    if isinstance(message := record.get("msg"), dict):
        return Record("event", message, time)
    if kind == "thread.started":
        return Record("meta", {"id": record.get("thread_id")}, time)
    if kind in _PRINTED or kind == "error":
        return Record("event", record, time)
    if isinstance(record.get("role"), str):
        content = record.get("content", record.get("message"))
        item = {**record, "type": "message", "content": content}
        return Record("item", item, time)
    if kind:
        return Record("item", record, time)
    if {"id", "timestamp"} <= record.keys():
        return Record("meta", record, time)
    if isinstance(record.get("prompt"), str):
        said = {"type": "user_message", "message": record["prompt"]}
        return Record("event", said, time)
    return None


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield what is wrong with a line as it comes, then a run for each thread.

    Args:
        path: The file.
        name: What to call it in `source`; its own name where empty.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    found = _Threads(name)
    wrong = False
    for value in _records(path, name):
        if isinstance(value, Misfit):
            wrong = True
            yield value
        elif record := unwrapped(value[1]):
            found.take(value[0], record)
    yield from (thread.run() for thread in found.all)
    if not found.all and not wrong:
        yield misfit(name, "no text", "no message; expected what a user asked")


def _records(path: Path, name: str) -> Iterator[tuple[int, dict[str, Json]] | Misfit]:
    """The objects of the file, each with its line, or its place in the list."""
    start = head(path).removeprefix(_BOM).lstrip()
    first = start.split(b"\n", 1)[0].strip()
    if first != b"{" and b'"items"' not in first[:20]:
        yield from objects(path, name)
        return
    value = document(path, name)
    if isinstance(value, Misfit):
        if value.reason == "not JSON" and first != start:
            yield from objects(path, name)
        else:
            yield value
        return
    for place, item in enumerate(as_list(as_dict(value).get("items")), start=1):
        if isinstance(item, dict):
            yield place, item
        else:
            problem = f"{type(item).__name__}; expected an object"
            yield misfit(f"{name}:{place}", "bad value", problem, repr(item)[:200])


class _Threads:
    """The threads of one file.

    A thread that was resumed or forked repeats the first records of others, with which
    it begins; a new one that begins after something was said is another thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._by_id: dict[str, Thread] = {}
        self._now: Thread | None = None
        self.all: list[Thread] = []

    def take(self, line: int, record: Record) -> None:
        """Hand a record to the thread that is told of."""
        thread = self._now
        if record.kind == "meta":
            id = as_text(record.payload.get("id"))
            if known := self._by_id.get(id):
                thread = known
            elif thread is None or thread.is_whole:
                thread = self._new()
            self._by_id[id] = thread
        self._now = thread or self._new()
        self._now.take(line, record.kind, record.payload, record.time)

    def _new(self) -> Thread:
        self.all.append(Thread(self._name))
        return self.all[-1]
