"""Claude Code: session files, and what `claude -p --output-format stream-json` prints.

A session file has a record a line; the printed form has the same messages as lines or
as one array. Sub-agents are in the same file (`isSidechain`, or `parent_tool_use_id`
when printed), or in files of their own, which become runs with a `parent`. Record types
that are not known are skipped: each version of the program adds some. There is no
parser of the vendor's for these files.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.claude_session import Session
from skillbank.traffic.readers.claude_turns import parent_of
from skillbank.traffic.readers.documents import document, objects
from skillbank.traffic.readers.lines import head, misfit
from skillbank.traffic.readers.values import as_dict, as_list, as_text, parsed
from skillbank.traffic.run import Misfit, Run

_BOM = b"\xef\xbb\xbf"
_SIDECAR = 4096  # bytes: the .meta.json beside a sub-agent's file has about a hundred
_CUT_LINE = re.compile(
    rb'^\{(?:"parentUuid":|"isSidechain":)[^\n]{0,400}"sessionId":"', re.MULTILINE
)
_CUT_ARRAY = re.compile(
    rb'^\s*\[\s*\{\s*"type"\s*:\s*"system"\s*,\s*"subtype"\s*:\s*"init"'
)
_WRAPPED = re.compile(rb'^\s*\{\s*"messages"\s*:\s*\[\s*\{\s*"type"\s*:')
_Record = tuple[int, dict[str, Json]]


def sign(head: bytes) -> str:
    """Why the beginning of a file is Claude Code's; empty if it is not."""
    head = head.removeprefix(_BOM)
    if _is_sidecar(head):
        return "it has the agentType of a sub-agent"
    whole = parsed(head)
    items = as_list(as_dict(whole).get("messages")) or as_list(whole)
    if items and any(_is_message(as_dict(item)) for item in items[:20]):
        return "it is a list of Claude Code's messages"
    if _CUT_ARRAY.match(head):
        return "it opens with the init record of a list"
    for number, line in enumerate(head.splitlines(), start=1):
        if line.lstrip().startswith(b"{") and _is_record(as_dict(parsed(line))):
            return f"line {number} is a record of a session"
    return "a line has parentUuid and sessionId" if _CUT_LINE.search(head) else ""


def _is_sidecar(head: bytes) -> bool:
    if len(head) > _SIDECAR:
        return False
    value = as_dict(parsed(head))
    return isinstance(value.get("agentType"), str) and not {"type", "id"} & value.keys()


def _is_message(item: dict[str, Json]) -> bool:
    kind, message = item.get("type"), item.get("message")
    if kind == "system":
        return item.get("subtype") == "init" and "session_id" in item
    return kind in ("user", "assistant") and isinstance(message, dict)


def _is_record(record: dict[str, Json]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    if kind == "summary":
        return "leafUuid" in record
    if kind == "file-history-snapshot":
        return "snapshot" in record
    if _is_message(record):
        marks = {"uuid", "sessionId", "session_id", "parent_tool_use_id"}
        return bool(marks & record.keys())
    return isinstance(record.get("sessionId"), str) and "data" not in record


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield what is wrong with a line as it comes, then a run for each conversation.

    Args:
        path: The file.
        name: What to call it in `source`; its own name where empty.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    start = head(path).removeprefix(_BOM)
    if _is_sidecar(start):
        return  # what it says of a sub-agent, the sub-agent's own file says too
    found = _Conversations(name, _parent(path))
    wrong = False
    for value in _records(path, name, start):
        if isinstance(value, Misfit):
            wrong = True
            yield value
        else:
            found.take(*value)
    runs = list(found.ended())
    yield from runs
    if not runs and not wrong:
        yield misfit(name, "no text", "no message; expected what a user asked")


def _parent(path: Path) -> str:
    """The session whose sub-agent's file this is, as the folders have it."""
    inside = path.parent.name == "subagents" and path.name.startswith("agent-")
    return path.parent.parent.name if inside else ""


def _records(path: Path, name: str, start: bytes) -> Iterator[_Record | Misfit]:
    """The objects of the file, each with its line, or its place in the list."""
    first = start.lstrip().split(b"\n", 1)[0].strip()
    if not (first.startswith(b"[") or first == b"{" or _WRAPPED.match(start)):
        yield from objects(path, name)
        return
    value = document(path, name)
    if isinstance(value, Misfit):
        if value.reason == "not JSON" and b"\n" in start:
            yield from objects(path, name)
        else:
            yield value
        return
    items = as_list(as_dict(value).get("messages")) or as_list(value)
    for place, item in enumerate(items, start=1):
        if isinstance(item, dict):
            yield place, item
        else:
            problem = f"{type(item).__name__}; expected an object"
            yield misfit(f"{name}:{place}", "bad value", problem, repr(item)[:200])


class _Conversations:
    """The conversations of one file; records find theirs by parent, then by session.

    A resumed session may open with the records of an older one, whose session id they
    keep: the chain of parents makes them one conversation.
    """

    def __init__(self, name: str, parent: str) -> None:
        self._name = name
        self._parent = parent
        self._all: list[Session] = []
        self._by_uuid: dict[str, Session] = {}
        self._by_session: dict[str, Session] = {}

    def take(self, line: int, record: dict[str, Json]) -> None:
        """Hand a record to its conversation; a message may begin a new one."""
        session = as_text(record.get("sessionId")) or as_text(record.get("session_id"))
        owner = self._by_uuid.get(parent_of(record)) or self._by_session.get(session)
        if owner is None and not session and self._all:
            owner = self._all[-1]
        if owner is None:
            if not (_is_message(record) or record.get("type") == "result"):
                return
            owner = Session(self._name, self._parent)
            self._all.append(owner)
        if session:
            self._by_session[session] = owner
        if uuid := as_text(record.get("uuid")):
            self._by_uuid[uuid] = owner
        owner.take(line, record, session)

    def ended(self) -> Iterator[Run | Misfit]:
        """What became of each conversation, in the order of their beginnings."""
        for session in self._all:
            made = session.run()
            yield made
            if isinstance(made, Run) and (note := session.lost()):
                yield note
