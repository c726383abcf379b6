"""Traces of OpenTelemetry that tell of an agent's work.

One trace is one run, however many lines or batches its spans lie in. The protobuf
classes of OpenTelemetry read what is protobuf (`otlp_binary`), and not what SDKs, Tempo
and Jaeger make of it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skillbank.codec import Json, digest
from skillbank.traffic.readers.exports import place
from skillbank.traffic.readers.genai import span_of
from skillbank.traffic.readers.genai_records import (
    NAMES,
    has_messages,
    trace_of,
    untold,
)
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.otlp import Event, Raw, records_of, spans_of
from skillbank.traffic.readers.otlp_binary import beginning, kind_of, payloads
from skillbank.traffic.readers.ratings import direction
from skillbank.traffic.readers.tracing import Facts, named, run_of
from skillbank.traffic.readers.values import as_text, number_of
from skillbank.traffic.run import Misfit, Rating, Run

_SESSION = (
    *("gen_ai.conversation.id", "session.id", "gcp.vertex.agent.session_id"),
    *("session_id", "sessionId", "conversationId", "threadId", "chatId"),
)
_USER = ("user.id", "enduser.id", "user_id", "userId", "kagent.user_id")
_METADATA = ("traceloop.association.properties.", "ai.telemetry.metadata.")
"""What begins the names of what a user of a library told of a span."""
_OTLP = re.compile(
    rb'"(?:resourceSpans|resource_spans|scopeSpans|instrumentationLibrarySpans)"\s*:\s*\['
)
_LOGS = re.compile(rb'"(?:resourceLogs|resource_logs)"\s*:\s*\[')
_MESSAGE = re.compile(NAMES.pattern.encode())
_JAEGER = (b'"traceID"', b'"spanID"', b'"operationName"')
_FLAT = (b'"trace_id"', b'"span_id"', b'"attributes"', b'"start_time"')
_ID = 64  # characters of a trace id that are kept as they are; usual are 32


def sign(head: bytes) -> str:
    """Why the beginning of a file looks like spans; empty if it does not."""
    head = beginning(head)
    told = _MESSAGE.search(head)
    if (kind := kind_of(head)) == "spans" or (kind and told):
        return f"it has {kind} of OTLP, as protobuf"
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start not in (b"{", b"["):
        return ""
    if _OTLP.search(head):
        return "it has spans of OTLP"
    if told and _LOGS.search(head):
        return f"it has records of {told[0].decode()}"
    if all(key in head for key in _JAEGER):
        return "it has spans of Jaeger"
    if all(key in head for key in _FLAT) and b'"mlflow.' not in head:
        return "it has spans, one an object"
    return ""


@dataclass(slots=True)
class _Trace:
    source: str
    spans: list[Raw] = field(default_factory=list)
    records: list[Event] = field(default_factory=list)


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a trace, by where its first span lies.

    Traces in which no agent, model or tool did anything are one misfit together.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    traces: dict[str, _Trace] = {}
    n_lost = 0
    for found in payloads(path, name):
        if isinstance(found, Misfit):
            yield found
            continue
        source, payload = found
        for raw in spans_of(payload):
            if raw.trace:
                traces.setdefault(raw.trace, _Trace(source)).spans.append(raw)
        for record in records_of(payload):
            if id := trace_of(record):
                traces.setdefault(id, _Trace(source)).records.append(record)
            else:
                n_lost += has_messages(record)
    if n_lost:
        problem = f"{n_lost} record(s) of messages; expected a trace or a conversation"
        yield misfit(name, "missing field", problem)
    n_silent = 0
    for id, trace in traces.items():
        trace.source = place(trace.source, name, id, len(traces) > 1)
        value = _run(id, trace)
        if value is None:
            n_silent += 1
        else:
            yield value
    if n_silent:
        problem = f"{n_silent} trace(s) without any span of an agent, model or tool"
        yield misfit(name, "no text", problem)


def _run(id: str, trace: _Trace) -> Run | Misfit | None:
    """None if nothing in the trace is work of an agent."""
    known = {raw.id for raw in trace.spans}
    records: dict[str, list[Event]] = {id: [] for id in known}
    heard = sorted(trace.records, key=lambda record: record.at)
    for record in heard:
        if record.span in known:
            records[record.span].append(record)
    raws = [*trace.spans, *untold(heard, known)]
    spans = []
    agents: list[Raw] = []
    models: list[Raw] = []
    for number, raw in enumerate(raws):
        events = [*raw.events, *records.get(raw.id, ())] if raw.id else raw.events
        span = span_of(raw, raw.id or f"#{number}", events)
        spans.append(span)
        if span.kind in ("agent", "model"):
            (agents if span.kind == "agent" else models).append(raw)
    if all(span.kind == "other" for span in spans):
        return None
    ours = sorted(models or agents or raws, key=lambda raw: raw.began)
    told = [
        held
        for raw in (*ours, *agents, *raws)
        for held in (raw.held, _metadata(raw.held))
    ]
    events = [event for raw in trace.spans for event in raw.events]
    facts = Facts(
        run_id=id if len(id) <= _ID else digest(id)[:32],
        source=trace.source,
        session=_first(told, _SESSION),
        user=_first(told, _USER),
        tenant=_named([*told, *(raw.resource for raw in ours)], "tenant"),
        cohort=_named([*told, *(raw.resource for raw in ours)], "cohort"),
        agent=_program(ours),
        ratings=tuple(_ratings([*events, *trace.records])),
    )
    return run_of(facts, spans)


def _metadata(held: Mapping[str, Json]) -> Mapping[str, Json]:
    """What a span has of metadata, by its names alone."""
    return {
        name.removeprefix(prefix): value
        for name, value in held.items()
        for prefix in _METADATA
        if name.startswith(prefix)
    }


def _first(told: Sequence[Mapping[str, Json]], names: Sequence[str]) -> str:
    for name in names:
        for held in told:
            if text := as_text(held.get(name)).strip():
                return text
    return ""


def _named(told: Sequence[Mapping[str, Json]], name: str) -> str:
    return next((text for held in told if (text := named(held, name))), "")


def _program(ours: Sequence[Raw]) -> str:
    for raw in ours:
        service = as_text(raw.resource.get("service.name"))
        if service and not service.startswith("unknown_service"):
            version = as_text(raw.resource.get("service.version"))
            return f"{service} {version}".strip()
    names = ("gen_ai.agent.name", "agent_name", "ai.telemetry.functionId")
    return _first([raw.held for raw in ours], names)


def _ratings(events: Sequence[Event]) -> Iterator[Rating]:
    for event in events:
        if event.name != "gen_ai.evaluation.result":
            continue
        name = as_text(event.held.get("gen_ai.evaluation.name"))
        texts = (
            as_text(event.held.get(f"gen_ai.evaluation.{key}"))
            for key in ("score.label", "explanation")
        )
        yield Rating(
            name=name,
            value=number_of(event.held.get("gen_ai.evaluation.score.value")),
            text=": ".join(text for text in texts if text),
            higher_is_better=direction(name),
        )
