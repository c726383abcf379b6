"""Traces of Langfuse: exports of one trace, and lists of its public API.

Traces, observations and scores may lie together or apart, in one document or one a
line; they are put together by the id of the trace. Langfuse's own parsing of single
observations (`chatml`) is known and put aside, for it names no trace.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.exports import exports, place
from skillbank.traffic.readers.genai import first, kind_of
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.messages import asked, outcome, said
from skillbank.traffic.readers.ratings import direction
from skillbank.traffic.readers.spans import Kind, Span, Tokens, nanoseconds
from skillbank.traffic.readers.tracing import Facts, named, run_of
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    error_line,
    iso_of,
    number_of,
    parsed,
    total,
    written,
)
from skillbank.traffic.run import Misfit, Provenance, Rating, Run, Spent

_KINDS: Mapping[str, Kind] = {"AGENT": "agent", "TOOL": "tool", "GENERATION": "model"}
_SOURCES: Mapping[str, Provenance] = {"EVAL": "model", "ANNOTATION": "human"}
"""Of scores that came over the API nobody knows who gave them."""
_KEYS = tuple(
    re.compile(rb'"' + key + rb'"\s*:')
    for key in (
        *(b"bookmarked", b"htmlPath", b"projectId", b"userId", b"traceId"),
        *(b"parentObservationId", b"usageDetails", b"modelParameters"),
        *(b"statusMessage", b"completionStartTime", b"stringValue", b"dataType"),
    )
)
_ENOUGH = 3  # of these keys; no other known format has more than one
_CHATML = re.compile(
    rb'\s*\{\s*"[0-9a-f-]{16,36}"\s*:\s*\{\s*"(?:in|out)put"\s*:\s*\{\s*"success"\s*:'
)


def sign(head: bytes) -> str:
    """Why the beginning of a file looks like Langfuse's; empty if it does not."""
    start = head.removeprefix(b"\xef\xbb\xbf")
    if _CHATML.match(start):
        return "it has observations as Langfuse parsed them"
    if start.lstrip()[:1] not in (b"{", b"["):
        return ""
    n_keys = sum(key.search(start) is not None for key in _KEYS)
    return f"it has {n_keys} keys of Langfuse" if n_keys >= _ENOUGH else ""


@dataclass(slots=True)
class _Trace:
    source: str
    held: dict[str, Json] = field(default_factory=dict)
    observations: dict[str, dict[str, Json]] = field(default_factory=dict)
    scores: dict[str, dict[str, Json]] = field(default_factory=dict)


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a trace, by where it is first named.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    traces: dict[str, _Trace] = {}
    for found in exports(path, name, together=True):
        if isinstance(found, Misfit):
            yield found
            continue
        n_known = sum(_take(item, found[0], traces) for item in _items(found[1]))
        if not n_known:
            yield _strange(found[0], found[1])
    for id, trace in traces.items():
        trace.source = place(trace.source, name, id, len(traces) > 1)
        yield _run(id, trace)


def _strange(source: str, value: Json) -> Misfit:
    parts = (as_dict(part) for part in as_dict(value).values())
    if any("success" in as_dict(part.get("input")) for part in parts):
        problem = "observations as Langfuse parsed them; expected the trace of them"
    else:
        problem = "no trace, observation or score; expected one of them"
    return misfit(source, "missing field", problem, written(value)[:4096])


def _items(value: Json) -> Iterator[dict[str, Json]]:
    """Traces, observations and scores, however they are put together."""
    held = as_dict(value)
    listed = value if isinstance(value, list) else held.get("data")
    if isinstance(listed, list):
        for item in listed:
            yield from _items(item) if isinstance(item, dict) else ()
        return
    trace = as_dict(held.get("trace"))
    yield trace or held
    for owner in (held, trace):
        for name in ("observations", "scores"):
            for item in as_list(owner.get(name)):
                if isinstance(item, dict):
                    yield {"traceId": trace.get("id") or held.get("id"), **item}


def _take(item: dict[str, Json], source: str, traces: dict[str, _Trace]) -> bool:
    """Put an item where it belongs; whether it is any."""
    id, above = as_text(item.get("id")), as_text(item.get("traceId"))
    if not (above or id):
        return False
    if above and "startTime" in item:
        seen = traces.setdefault(above, _Trace(source)).observations
        key = id or f"#{len(seen)}"
        # told twice in one export, once without what went in and came out
        told = {name: held for name, held in item.items() if held is not None}
        seen[key] = {**seen.get(key, {}), **told}
    elif above and ("value" in item or "stringValue" in item):
        trace = traces.setdefault(above, _Trace(source))
        trace.scores[id or f"#{len(trace.scores)}"] = item
    elif "timestamp" in item or "observations" in item or "output" in item:
        trace = traces.setdefault(id, _Trace(source))
        trace.held = {**trace.held, **item}
    else:
        return False
    return True


def _run(id: str, trace: _Trace) -> Run | Misfit:
    held = trace.held
    meta = _meta(held)
    spans = [_span(key, one) for key, one in trace.observations.items()]
    names = (as_text(held.get(key)) for key in ("name", "version"))
    return run_of(
        Facts(
            run_id=id[:200],
            source=trace.source,
            asked=asked(held.get("input")),
            said=said(held.get("output")),
            made=written(held.get("output")),
            started=iso_of(held.get("timestamp")),
            seconds=amount_of(held.get("latency")),
            session=as_text(held.get("sessionId")),
            user=as_text(held.get("userId")),
            tenant=named(meta, "tenant"),
            cohort=named(meta, "cohort"),
            agent=" ".join(text for text in names if text),
            ratings=tuple(_ratings(trace)),
            tokens=Spent(usd=amount_of(held.get("totalCost")) or None),
        ),
        spans,
    )


def _meta(held: dict[str, Json]) -> dict[str, Json]:
    value = held.get("metadata")
    return as_dict(parsed(value, value) if isinstance(value, str) else value)


def _span(id: str, held: dict[str, Json]) -> Span:
    attributes = as_dict(_meta(held).get("attributes"))
    kind = _KINDS.get(as_text(held.get("type")).upper()) or kind_of(attributes)
    given, back = held.get("input"), held.get("output")
    name = as_text(held.get("name"))
    inner = parsed(as_text(given), given)
    if as_dict(inner).keys() == {"input"} and as_dict(inner["input"]):
        inner = inner["input"]
    tool = kind == "tool"
    result, failed = outcome(back) if tool else ("", False)
    bad = held.get("level") == "ERROR"
    error = error_line(as_text(held.get("statusMessage"))) or "failed" if bad else ""
    says = () if tool else said(back)
    labels = ("gen_ai.tool.name",) if tool else ("gen_ai.agent.name", "agent_name")
    return Span(
        id=id,
        parent=as_text(held.get("parentObservationId")),
        kind=kind,
        label=as_text(first(attributes, labels)) or name,
        began=nanoseconds(held.get("startTime")),
        ended=nanoseconds(held.get("endTime")),
        asked=() if tool else asked(given),
        said=says,
        made="" if tool or says else written(back),
        call=as_text(first(attributes, ("gen_ai.tool.call.id", "tool_call.id"))),
        arguments=arguments_of(inner) if tool else {},
        result=result,
        error=error or (error_line(result) or "failed" if failed else ""),
        tokens=_tokens(held) if kind == "model" else Tokens(),
        model=as_text(held.get("model")),
    )


def _tokens(held: dict[str, Json]) -> Tokens:
    """Tokens of a generation; parts are added only where the total has them beside."""
    told = as_dict(held.get("usageDetails")) or as_dict(held.get("usage"))
    counts = {key: count for key in told if (count := count_of(told[key])) is not None}
    read, wrote = counts.get("input"), counts.get("output")
    caches = {key: count for key, count in counts.items() if "cache" in key}
    made = ("creation", "write")
    cached = [n for key, n in caches.items() if not any(word in key for word in made)]
    thought = sum(n for key, n in counts.items() if "reasoning" in key)
    beside = counts.get("total", 0) - (read or 0) - (wrote or 0)
    if caches and sum(caches.values()) <= beside:
        read = (read or 0) + sum(caches.values())
        beside -= sum(caches.values())
    if 0 < thought <= beside:
        wrote = (wrote or 0) + thought
    cost = amount_of(held.get("totalCost")) or amount_of(
        held.get("calculatedTotalCost")
    )
    return Tokens(
        input=total(read),
        cached=total(*cached),
        output=total(wrote),
        usd=cost or None,  # 0 where the model has no price
    )


def _ratings(trace: _Trace) -> Iterator[Rating]:
    for score in trace.scores.values():
        name = as_text(score.get("name"))
        about = as_text(score.get("observationId"))
        better = direction(name)
        if about:  # of a part: nobody takes it for the score of the whole
            part = as_text(trace.observations.get(about, {}).get("name"))
            name = f"{part or about}/{name}"
        words = as_dict(score).get("dataType") == "CATEGORICAL"
        texts = (as_text(score.get("stringValue")), as_text(score.get("comment")))
        value = score.get("value")
        yield Rating(
            name=name,
            value=None
            if words
            else float(value)
            if isinstance(value, bool)
            else number_of(value),
            text=": ".join(text for text in texts if text),
            provenance=_SOURCES.get(as_text(score.get("source")), "none"),
            higher_is_better=None if about else better,
        )
