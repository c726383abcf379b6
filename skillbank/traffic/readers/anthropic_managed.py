"""Sessions of Anthropic's managed agents, as recorded calls of its client.

Each line is a list of a method's name and what it was given or gave back: the session
that was created, the events that were sent, the events that were streamed. What was
sent comes back in the stream and counts once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from skillbank.agents.agent import Ending
from skillbank.codec import Json, digest
from skillbank.traffic.readers.documents import Refused
from skillbank.traffic.readers.documents import parsed as document_of
from skillbank.traffic.readers.lines import Line, lines, misfit
from skillbank.traffic.readers.messages import outcome
from skillbank.traffic.readers.skill_use import used
from skillbank.traffic.readers.tracing import OUTAGE, named
from skillbank.traffic.readers.values import (
    arguments_of,
    as_dict,
    as_list,
    as_text,
    bounded,
    brief_of,
    count_of,
    each_once,
    error_line,
    iso_of,
    recalls_of,
    seconds_between,
    skill_name,
    text_of,
    total,
    written,
)
from skillbank.traffic.run import Misfit, Run, SkillUse, Spent, TracedStep

_SIGN = re.compile(rb'\s*\[\s*"client\.beta\.sessions\.')
_CREATE = "client.beta.sessions.create"
_SEND = "client.beta.sessions.events.send"
_CALLS = ("agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use")
_RESULTS = {
    "agent.tool_result": "tool_use_id",
    "agent.mcp_tool_result": "mcp_tool_use_id",
    "user.custom_tool_result": "custom_tool_use_id",
}
_USAGE = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def sign(head: bytes) -> str:
    """Why the beginning of a file is of managed agents; empty if it is not."""
    found = _SIGN.match(head.removeprefix(b"\xef\xbb\xbf"))
    return "its lines call client.beta.sessions" if found else ""


class _Session:
    """What the lines tell of one session."""

    def __init__(self, id: str, source: str) -> None:
        self.id = id
        self.source = source
        self.held: dict[str, Json] = {}
        self.sent: list[dict[str, Json]] = []
        self._streamed: dict[str, dict[str, Json]] = {}

    def stream(self, event: dict[str, Json]) -> None:
        self._streamed[as_text(event.get("id")) or f"#{len(self._streamed)}"] = event

    def events(self) -> list[dict[str, Json]]:
        """Streamed events; what was sent only where nothing was streamed."""
        return list(self._streamed.values()) or self.sent


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a session, by where it is first named.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    sessions: dict[str, _Session] = {}
    now = ""
    for line in lines(path):
        source = f"{name}:{line.number}"
        found = _call(line, source)
        if isinstance(found, Misfit):
            yield found
            continue
        method, payload = found
        held = as_dict(payload)
        if method == _CREATE:
            now = as_text(held.get("id")) or now
        elif method == _SEND and isinstance(payload, list):
            now = next(filter(None, map(as_text, payload)), now)
        session = sessions.setdefault(now, _Session(now, source))
        if method == _CREATE:
            session.held = held
        elif method == _SEND:
            for part in as_list(payload):
                events = as_list(as_dict(part).get("events"))
                session.sent += [one for one in events if isinstance(one, dict)]
        else:
            for one in as_list(held.get("data")) or [held]:
                session.stream(as_dict(one))
    for session in sessions.values():
        yield _run(session)


def _call(line: Line, source: str) -> tuple[str, Json] | Misfit:
    if line.broken:
        return misfit(source, *line.broken, line.data)
    if line.end == "too long":
        problem = "longer than a line may be; expected at most 8 MB"
        return misfit(source, "too long", problem, line.data)
    value = document_of(line.data)
    if isinstance(value, Refused):
        return misfit(source, *value, line.data)
    if not isinstance(value, list) or len(value) != 2 or not as_text(value[0]):
        problem = "expected a list of a method and what it was given or gave back"
        return misfit(source, "bad value", problem, line.data)
    return as_text(value[0]), value[1]


def _run(session: _Session) -> Run | Misfit:
    events = session.events()
    said = [text_of(e.get("content")) for e in _of(events, "user.message")]
    said = [text for text in said if text.strip()]
    brief = brief_of(said[0]) if said else None
    if brief is None:
        problem = f"{len(events)} event(s) without a user's words"
        return misfit(session.source, "no text", f"{problem}; expected what was asked")
    agent = as_dict(session.held.get("agent"))
    meta = as_dict(session.held.get("metadata"))
    steps = tuple(_steps(events))
    offered = [
        SkillUse(skill=name, how="offered", version=as_text(skill.get("version")))
        for skill in map(as_dict, as_list(agent.get("skills")))
        if (name := skill_name(as_text(skill.get("skill_id") or skill.get("name"))))
    ]
    skills = each_once((*offered, *used(steps, [as_text(agent.get("system"))])))
    answers = [text_of(e.get("content")) for e in _of(events, "agent.message")]
    ending, reason = _ending(events)
    version = written(agent.get("version"))
    model = agent.get("model")
    return Run(
        run_id=session.id[:200] or digest(events)[:32],
        brief=brief,
        session=session.id,
        user=named(meta, "user"),
        tenant=named(meta, "tenant"),
        cohort=named(meta, "cohort"),
        started=_asked_at(events),
        steps=steps,
        recalls=recalls_of(skills),
        output=next((text for text in reversed(answers) if text.strip()), ""),
        ending=ending,
        reason=reason,
        usage=_spent(events),
        source=session.source,
        followups=tuple(said[1:]),
        skills=skills,
        model=as_text(model) or as_text(as_dict(model).get("id")),
        agent=f"{as_text(agent.get('name'))} {version}".strip(),
    )


def _of(events: Sequence[dict[str, Json]], type: str) -> list[dict[str, Json]]:
    return [event for event in events if event.get("type") == type]


def _asked_at(events: Sequence[dict[str, Json]]) -> str:
    return next(
        (iso_of(e.get("processed_at")) for e in _of(events, "user.message")), ""
    )


def _steps(events: Sequence[dict[str, Json]]) -> Iterator[TracedStep]:
    told: dict[str, tuple[str, str]] = {}
    for event in events:
        type = as_text(event.get("type"))
        if key := _RESULTS.get(type):
            text, failed = outcome(event.get("content"))
            failed = failed or event.get("is_error") is True
            error = error_line(text) or "failed" if failed else ""
            told[as_text(event.get(key))] = (text, error)
        elif type == "user.tool_confirmation" and event.get("result") == "deny":
            error = error_line(as_text(event.get("deny_message")))
            id = as_text(event.get("tool_use_id"))
            told.setdefault(id, ("", error or "denied by the user"))
    for event in events:
        if event.get("type") in _CALLS and as_text(event.get("name")):
            id = as_text(event.get("id"))
            text, error = told.get(id, ("", ""))
            yield TracedStep(
                subtask="",
                tool=as_text(event.get("name")),
                arguments=arguments_of(event.get("input")),
                error=error,
                call=id,
                result=bounded(text),
                started=iso_of(event.get("processed_at")),
                agent=as_text(event.get("agent_name")),
            )


def _spent(events: Sequence[dict[str, Json]]) -> Spent:
    requests = _of(events, "span.model_request_end")
    told: list[Mapping[str, Json]] = [as_dict(e.get("model_usage")) for e in requests]
    times = [iso_of(event.get("processed_at")) for event in events]
    last = next(filter(None, reversed(times)), "")
    return Spent(
        turns=sum(event.get("is_error") is not True for event in requests) or None,
        input_tokens=total(*(count_of(one.get(key)) for one in told for key in _USAGE)),
        cached_tokens=total(*(count_of(one.get(_USAGE[1])) for one in told)),
        output_tokens=total(*(count_of(one.get("output_tokens")) for one in told)),
        seconds=seconds_between(_asked_at(events), last),
    )


def _ending(events: Sequence[dict[str, Json]]) -> tuple[Ending, str]:
    """An error after which the agent said nothing more is the end."""
    for event in reversed(events):
        kind = as_text(event.get("type"))
        if kind == "agent.message":
            break
        if kind == "session.error":
            error = as_dict(event.get("error"))
            told = (as_text(error.get("type")), as_text(error.get("message")))
            reason = error_line(": ".join(text for text in told if text)) or "failed"
            return ("fault" if OUTAGE.search(reason) else "broken"), reason
    return "ok", ""
