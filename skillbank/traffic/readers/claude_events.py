"""What Claude Code tells OpenTelemetry: log events, one session in many of them.

As OTLP log records, or flattened to one event a line. They tell prompts, requests with
their cost, tool results and skills; never what the model wrote, nor a tool's output.
Prompts are told only where the user switched it on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from pathlib import Path

from skillbank.agents.agent import Ending
from skillbank.codec import Json
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.otlp import Event, records_of
from skillbank.traffic.readers.otlp_binary import beginning, kind_of, payloads
from skillbank.traffic.readers.skill_use import used
from skillbank.traffic.readers.spans import nanoseconds
from skillbank.traffic.readers.tracing import OUTAGE, named
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_text,
    brief_of,
    count_of,
    each_once,
    error_line,
    iso_of,
    parsed,
    recalls_of,
    skill_name,
    total,
    written,
)
from skillbank.traffic.run import Misfit, Run, SkillUse, Spent, TracedStep

_SIGN = re.compile(rb'"(?:scope|name)"\s*:\s*"com\.anthropic\.claude_code')
_SCOPE = "com.anthropic.claude_code"
_NEAR = 8192  # bytes within which a message of protobuf names the first scope
_HIDDEN = "<REDACTED>"  # stands for a prompt that the user did not let it tell
_READ = ("input_tokens", "cache_read_tokens", "cache_creation_tokens")


def sign(head: bytes) -> str:
    """Why the beginning of a file is Claude Code's telemetry; empty if it is not."""
    head = beginning(head)
    ours = _SIGN.search(head) or (
        kind_of(head) == "records" and _SCOPE.encode() in head[:_NEAR]
    )
    return f"it has events of {_SCOPE}" if ours else ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a session, by where its first event lies.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    sessions: dict[str, list[Event]] = {}
    sources: dict[str, str] = {}
    for found in payloads(path, name):
        if isinstance(found, Misfit):
            yield found
            continue
        source, payload = found
        for event in _events(payload):
            id = as_text(event.held.get("session.id"))
            if id and event.scope.startswith(_SCOPE):
                sessions.setdefault(id, []).append(event)
                sources.setdefault(id, source)
    for id, events in sessions.items():
        yield _run(id, sorted(events, key=lambda event: event.at), sources[id])
    if not sessions:
        problem = "no event of a session; expected some of com.anthropic.claude_code"
        yield misfit(name, "no text", problem)


def _events(payload: Json) -> Iterator[Event]:
    for value in payload if isinstance(payload, list) else [payload]:
        yield from records_of(value)
        one = as_dict(value)
        if one.get("_type") == "log":
            held = as_dict(one.get("attrs"))
            yield Event(
                name=as_text(held.get("event.name")) or as_text(one.get("name")),
                held=held,
                at=nanoseconds(one.get("ts")),
                scope=as_text(one.get("scope")),
                resource=as_dict(one.get("resource")),
            )


def _run(id: str, events: Sequence[Event], source: str) -> Run | Misfit:
    said = [as_text(event.held.get("prompt")) for event in _of(events, "user_prompt")]
    said = [text for text in said if text.strip() and text != _HIDDEN]
    brief = brief_of(said[0]) if said else None
    if brief is None:
        problem = f"{len(events)} event(s) without a prompt; expected what was asked"
        return misfit(source, "no text", problem)
    made = map(_step, _of(events, "tool_result"))
    steps = tuple(step for step in made if step.tool)
    activated = [
        SkillUse(skill=skill_name(name), how="applied")
        for event in _of(events, "skill_activated")
        if skill_name(name := as_text(event.held.get("skill.name")))
    ]
    skills = each_once((*activated, *used(steps)))
    ending, reason = _ending(events)
    told = [*(event.held for event in events), *(event.resource for event in events)]
    return Run(
        run_id=id[:200],
        brief=brief,
        session=id,
        user=_first(told, "user.email", "user.account_uuid", "user.id"),
        tenant=_first(told, "organization.id") or _named(told, "tenant"),
        cohort=_named(told, "cohort"),
        started=iso_of(events[0].at),
        steps=steps,
        recalls=recalls_of(skills),
        ending=ending,
        reason=reason,
        usage=_spent(events),
        source=source,
        followups=tuple(said[1:]),
        skills=skills,
        model=_model(events),
        agent=f"claude-code {_first(told, 'service.version', 'app.version')}".strip(),
    )


def _of(events: Sequence[Event], name: str) -> list[Event]:
    full = f"claude_code.{name}"
    return [event for event in events if event.name in (name, full)]


def _first(told: Sequence[Mapping[str, Json]], *names: str) -> str:
    texts = (as_text(held.get(name)) for name in names for held in told)
    return next((text for text in texts if text), "")


def _named(told: Sequence[Mapping[str, Json]], name: str) -> str:
    return next((text for held in told if (text := named(held, name))), "")


def _number(value: Json) -> Json:
    """A number; some exporters tell it as text."""
    return parsed(value, None) if isinstance(value, str) else value


def _step(event: Event) -> TracedStep:
    held = event.held
    lasted = count_of(_number(held.get("duration_ms"))) or 0
    failed = written(held.get("success")) == "false"
    given = held.get("tool_input") or held.get("tool_parameters")
    return TracedStep(
        subtask="",
        tool=as_text(held.get("tool_name")),
        arguments=arguments_of(given),
        call=as_text(held.get("tool_use_id")),
        error=error_line(as_text(held.get("error"))) or "failed" if failed else "",
        started=iso_of(max(event.at - lasted * 10**6, 0)),  # it is told at its end
    )


def _spent(events: Sequence[Event]) -> Spent:
    """Of each request; what a sub-agent or a metric sums up repeats requests."""
    requests = [event.held for event in _of(events, "api_request")]

    def counts(*names: str) -> list[int | None]:
        return [count_of(_number(one.get(name))) for one in requests for name in names]

    costs = [amount_of(_number(one.get("cost_usd"))) for one in requests]
    told = [cost for cost in costs if cost is not None]
    first, last = events[0].at, events[-1].at
    return Spent(
        turns=len(requests) or None,
        input_tokens=total(*counts(*_READ)),
        cached_tokens=total(*counts("cache_read_tokens")),
        output_tokens=total(*counts("output_tokens")),
        usd=amount_of(fsum(told)) if told else None,
        seconds=(last - first) / 1e9 if first else None,
    )


def _model(events: Sequence[Event]) -> str:
    """The model of the last request of the session itself, else of any."""
    requests = _of(events, "api_request")
    own = [
        event
        for event in requests
        if not as_text(event.held.get("query_source")).startswith("agent:")
    ]
    told = (as_text(event.held.get("model")) for event in reversed(own or requests))
    return next(filter(None, told), "")


def _ending(events: Sequence[Event]) -> tuple[Ending, str]:
    """A request that failed, and none after it that did not, is the end."""
    asked = [e for e in events if e.name.rpartition(".")[2].startswith("api_")]
    if not asked or not asked[-1].name.endswith("api_error"):
        return "ok", ""
    held = asked[-1].held
    told = (written(held.get("status_code")), as_text(held.get("error")))
    reason = error_line(" ".join(filter(None, told))) or "failed"
    return ("fault" if OUTAGE.search(reason) else "broken"), reason
