"""Spans and log records of OpenTelemetry, in the shapes that they are exported in.

OTLP as JSON (one document, or one a line as the collector's file exporter writes it),
Tempo's batches, Jaeger's traces, and lists of spans as SDKs print them. Knows nothing
about what the attributes mean: `otel` and `claude_events` do.
"""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass, field

from skillbank.codec import Json
from skillbank.traffic.readers.spans import nanoseconds
from skillbank.traffic.readers.values import as_dict, as_list, as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at one time: of a span, or a log record."""

    name: str
    held: dict[str, Json]
    """Attributes by name; a record's body is `body`."""
    at: int = 0
    """Nanoseconds since 1970; 0: not told."""
    trace: str = ""
    span: str = ""
    scope: str = ""
    resource: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A span whose attributes nobody has looked at."""

    trace: str
    id: str
    parent: str
    name: str
    began: int
    ended: int
    held: dict[str, Json]
    """Attributes by name."""
    events: tuple[Event, ...]
    status: str
    """As it is told: a number, a name, or empty."""
    message: str
    resource: dict[str, Json]


def spans_of(payload: Json) -> Iterator[Raw]:
    """All spans of one export, whichever shape it has."""
    for value in payload if isinstance(payload, list) else [payload]:
        held = as_dict(value)
        held = as_dict(held.get("trace")) or held
        groups = _listed(held, "resourceSpans", "resource_spans", "batches")
        for group in groups:
            yield from _grouped(as_dict(group))
        for trace in [held, *as_list(held.get("data"))]:
            yield from _jaeger(as_dict(trace))
        if not groups and (
            ("trace_id" in held and "span_id" in held) or "context" in held
        ):
            yield _flat(held)


def records_of(payload: Json) -> Iterator[Event]:
    """All log records of one export of OTLP."""
    for group in _listed(as_dict(payload), "resourceLogs", "resource_logs"):
        resource = attributes(as_dict(as_dict(group).get("resource")).get("attributes"))
        for scoped in _listed(as_dict(group), "scopeLogs", "scope_logs"):
            scope = as_text(as_dict(as_dict(scoped).get("scope")).get("name"))
            for one in _listed(as_dict(scoped), "logRecords", "log_records"):
                record = as_dict(one)
                held = attributes(record.get("attributes"))
                body = _plain(record.get("body"))
                named = (record.get("eventName"), held.get("event.name"), body)
                yield Event(
                    name=next((text for text in map(as_text, named) if text), ""),
                    held={"body": body, **held},
                    at=_time(record, "timeUnixNano", "observedTimeUnixNano"),
                    trace=_id(record.get("traceId"), 16),
                    span=_id(record.get("spanId"), 8),
                    scope=scope,
                    resource=resource,
                )


def attributes(value: Json) -> dict[str, Json]:
    """Attributes by name: of a list of typed or plain values, or of an object."""
    if isinstance(value, dict):
        return value
    found: dict[str, Json] = {}
    for item in as_list(value):
        pair = as_dict(item)
        if key := as_text(pair.get("key")):
            found[key] = _plain(pair.get("value"))
    return found


def _plain(value: Json) -> Json:
    """A value without the type that OTLP wraps it in."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    kind, held = next(iter(value.items()))
    match kind.replace("_", "").lower():
        case "stringvalue" | "doublevalue" | "boolvalue" | "bytesvalue":
            return held
        case "intvalue":
            digits = as_text(held).removeprefix("-")
            short = digits.isascii() and digits.isdecimal() and len(digits) < 19
            return int(held) if short else held
        case "arrayvalue":
            return [_plain(item) for item in as_list(as_dict(held).get("values"))]
        case "kvlistvalue":
            return attributes(as_dict(held).get("values"))
    return value


def _listed(held: dict[str, Json], *names: str) -> list[Json]:
    return next((found for name in names if (found := as_list(held.get(name)))), [])


def _grouped(group: dict[str, Json]) -> Iterator[Raw]:
    resource = attributes(as_dict(group.get("resource")).get("attributes"))
    scopes = _listed(group, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")
    for scoped in scopes:
        for one in as_list(as_dict(scoped).get("spans")):
            span = as_dict(one)
            status = as_dict(span.get("status"))
            yield Raw(
                trace=_id(span.get("traceId") or span.get("trace_id"), 16),
                id=_id(span.get("spanId") or span.get("span_id"), 8),
                parent=_id(span.get("parentSpanId") or span.get("parent_span_id"), 8),
                name=as_text(span.get("name")),
                began=_time(span, "startTimeUnixNano", "start_time_unix_nano"),
                ended=_time(span, "endTimeUnixNano", "end_time_unix_nano"),
                held=attributes(span.get("attributes")),
                events=_events(span.get("events")),
                status=str(status.get("code", ""))[:40],
                message=as_text(status.get("message")),
                resource=resource,
            )


def _jaeger(trace: dict[str, Json]) -> Iterator[Raw]:
    processes = as_dict(trace.get("processes"))
    for one in as_list(trace.get("spans")):
        span = as_dict(one)
        if "operationName" not in span:
            continue
        process = as_dict(processes.get(as_text(span.get("processID"))))
        held = attributes(span.get("tags"))
        above = (
            as_text(as_dict(reference).get("spanID"))
            for reference in as_list(span.get("references"))
            if as_dict(reference).get("refType") == "CHILD_OF"
        )
        began, lasted = span.get("startTime"), span.get("duration")
        start = nanoseconds(began)
        yield Raw(
            trace=as_text(span.get("traceID")) or as_text(trace.get("traceID")),
            id=as_text(span.get("spanID")),
            parent=next(above, ""),
            name=as_text(span.get("operationName")),
            began=start,
            ended=start + lasted * 1000 if isinstance(lasted, int) and start else 0,
            held=held,
            events=tuple(_log(as_dict(log)) for log in as_list(span.get("logs"))),
            status=as_text(held.get("otel.status_code"))
            or ("ERROR" if held.get("error") is True else ""),
            message=as_text(held.get("otel.status_description")),
            resource={
                "service.name": process.get("serviceName"),
                **attributes(process.get("tags")),
            },
        )


def _log(log: dict[str, Json]) -> Event:
    held = attributes(log.get("fields"))
    return Event(
        name=as_text(held.get("event")), held=held, at=nanoseconds(log.get("timestamp"))
    )


def _flat(span: dict[str, Json]) -> Raw:
    context = as_dict(span.get("context")) or span
    status = as_dict(span.get("status"))
    parent = span.get("parent_span_id") or span.get("parent_id")
    return Raw(
        trace=as_text(context.get("trace_id")).removeprefix("0x"),
        id=as_text(context.get("span_id")).removeprefix("0x"),
        parent=as_text(parent).removeprefix("0x"),
        name=as_text(span.get("name")),
        began=_time(span, "start_time", "start_time_unix_nano"),
        ended=_time(span, "end_time", "end_time_unix_nano"),
        held=attributes(span.get("attributes")),
        events=_events(span.get("span_events") or span.get("events")),
        status=str(status.get("code") or status.get("status_code") or "")[:40],
        message=as_text(status.get("message") or status.get("description")),
        resource=attributes(as_dict(span.get("resource")).get("attributes")),
    )


def _events(value: Json) -> tuple[Event, ...]:
    return tuple(
        Event(
            name=as_text(event.get("name")) or as_text(event.get("event_name")),
            held=attributes(event.get("attributes")),
            at=_time(event, "timeUnixNano", "time_unix_nano", "timestamp"),
        )
        for event in map(as_dict, as_list(value))
    )


def _time(held: dict[str, Json], *names: str) -> int:
    return next((at for name in names if (at := nanoseconds(held.get(name)))), 0)


def _id(value: Json, size: int) -> str:
    """An id in hexadecimal; some dumps of the binary form have it as base64."""
    text = as_text(value)
    if not text.endswith("="):
        return text
    try:
        data = base64.b64decode(text[:64], validate=True)
    except (binascii.Error, ValueError):
        return text
    return data.hex() if len(data) == size else text
