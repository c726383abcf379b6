"""Traces of MLflow: version 3, version 2, and as Databricks wraps them.

One document is one trace, a list of them, or one a line. MLflow's own class reads them
too, but took 1.6 s to import, and this layer must do without MLflow.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.exports import exports, place
from skillbank.traffic.readers.genai import kind_of
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
    written,
)
from skillbank.traffic.run import Misfit, Provenance, Rating, Run, Spent

_KINDS: Mapping[str, Kind] = {
    "AGENT": "agent",
    "TOOL": "tool",
    "CHAT_MODEL": "model",
    "LLM": "model",
}
_SOURCES: Mapping[str, Provenance] = {
    "HUMAN": "human",
    "CODE": "check",
    "LLM_JUDGE": "model",
    "AI_JUDGE": "model",
}
_SIGNS = (
    (rb'"spans"\s*:\s*\[', rb'"(?:trace_id|request_id)"\s*:', rb'"mlflow\.'),
    (rb'\\?"databricks_output\\?"\s*:', rb'\\?"trace\\?"\s*:'),
    (rb'"info"\s*:\s*\{', rb'"trace_location"\s*:', rb'"trace_metadata"\s*:'),
)
_WRAPPERS = ("response", "databricks_output", "trace")
_WORDS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}


def sign(head: bytes) -> str:
    """Why the beginning of a file looks like MLflow's; empty if it does not."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return ""
    for patterns in _SIGNS:
        if all(re.search(pattern, head) for pattern in patterns):
            return "it has a trace with attributes of MLflow"
    return ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a trace, in file order.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    for found in exports(path, name):
        if isinstance(found, Misfit):
            yield found
            continue
        source, value = found
        listed = as_list(as_dict(value).get("traces")) or value
        traces = listed if isinstance(listed, list) else [listed]
        for number, one in enumerate(traces):
            trace = _unwrapped(one)
            info = as_dict(trace.get("info"))
            id = as_text(info.get("trace_id")) or as_text(info.get("request_id"))
            where = place(source, name, id or str(number), len(traces) > 1)
            if id:
                yield _run(id, info, as_dict(trace.get("data")), where)
            else:
                problem = "no trace_id or request_id; expected a trace with info"
                yield misfit(where, "missing field", problem, written(one)[:4096])


def _unwrapped(value: Json) -> dict[str, Json]:
    for _ in range(2 * len(_WRAPPERS)):
        value = parsed(value, value) if isinstance(value, str) else value
        held = as_dict(value)
        if "info" in held:
            break
        value = next((held[name] for name in _WRAPPERS if name in held), None)
    return as_dict(value)


def _run(
    id: str, info: dict[str, Json], data: dict[str, Json], source: str
) -> Run | Misfit:
    meta = as_dict(info.get("trace_metadata")) or as_dict(info.get("request_metadata"))
    tags = as_dict(info.get("tags"))
    told = {**tags, **meta}
    spans = [
        _span(as_dict(span), number)
        for number, span in enumerate(as_list(data.get("spans")))
    ]
    root = next((span for span in spans if not span.parent), None)
    failed = as_text(info.get("state") or info.get("status")) == "ERROR"
    started = info.get("request_time") or info.get("timestamp_ms")
    task, kind = named(tags, "task"), as_text(tags.get("mlflow.traceName"))
    facts = Facts(
        run_id=id[:200],
        source=source,
        task="-".join(text for text in ("task", kind, task) if text) if task else "",
        asked=asked(data.get("request")),
        said=said(data.get("response")),
        error=(root.error if root and root.error else "failed") if failed else "",
        started=iso_of(started),
        seconds=_seconds(info),
        session=as_text(meta.get("mlflow.trace.session")),
        user=as_text(meta.get("mlflow.trace.user")),
        tenant=named(told, "tenant"),
        cohort=named(told, "cohort"),
        agent=kind,
        trial=written(tags.get("trial"))[:40],
        ratings=tuple(_ratings(as_list(info.get("assessments")))),
        tokens=_spent(_decoded(meta.get("mlflow.trace.tokenUsage"))),
    )
    return run_of(facts, spans)


def _seconds(info: dict[str, Json]) -> float | None:
    told = info.get("execution_duration_ms", info.get("execution_time_ms"))
    if (lasted := amount_of(told)) is not None:
        return lasted / 1000
    text = as_text(info.get("execution_duration")).removesuffix("s")[:20]
    plain = text.isascii() and text.replace(".", "", 1).isdecimal()
    return float(text) if plain else None


def _decoded(value: Json) -> Json:
    """An attribute's value: each is JSON text, some hold JSON text again."""
    for _ in range(2):
        if isinstance(value, str):
            value = parsed(value, value)
    return value


def _plain(value: Json) -> Json:
    """An attribute's value; a text that is JSON text of something else is kept."""
    value = parsed(value, value) if isinstance(value, str) else value
    twice = isinstance(value, str) and value[:1] == '"'
    return parsed(value, value) if twice else value


def _span(span: dict[str, Json], number: int) -> Span:
    held = {
        name: _plain(value) for name, value in as_dict(span.get("attributes")).items()
    }
    context = as_dict(span.get("context")) or span
    given, back = held.get("mlflow.spanInputs"), held.get("mlflow.spanOutputs")
    kind = _KINDS.get(as_text(held.get("mlflow.spanType"))) or kind_of(held)
    result, failed = outcome(back) if kind == "tool" else ("", False)
    error = _error(span) or (error_line(result) or "failed" if failed else "")
    usage = _spent(_decoded(held.get("mlflow.chat.tokenUsage")))
    says = () if kind == "tool" else said(back)
    return Span(
        id=as_text(context.get("span_id")) or f"#{number}",
        parent=as_text(span.get("parent_span_id") or span.get("parent_id")),
        kind=kind,
        label=as_text(span.get("name")),
        began=nanoseconds(span.get("start_time_unix_nano") or span.get("start_time")),
        ended=nanoseconds(span.get("end_time_unix_nano") or span.get("end_time")),
        asked=() if kind == "tool" else asked(given),
        said=says,
        made="" if says or kind == "tool" else written(back),
        call=as_text(held.get("gen_ai.tool.call.id")),
        arguments=arguments_of(given) if kind == "tool" else {},
        result=result,
        error=error,
        tokens=Tokens(
            input=usage.input_tokens,
            cached=usage.cached_tokens,
            output=usage.output_tokens,
            usd=usage.usd,
        ),
        model=as_text(held.get("mlflow.llm.model"))
        or as_text(as_dict(given).get("model")),
    )


def _spent(told: Json) -> Spent:
    usage = as_dict(told)
    return Spent(
        input_tokens=count_of(usage.get("input_tokens")),
        cached_tokens=count_of(usage.get("cache_read_input_tokens")),
        output_tokens=count_of(usage.get("output_tokens")),
        usd=amount_of(usage.get("total_cost")),
    )


def _error(span: dict[str, Json]) -> str:
    status = as_dict(span.get("status"))
    code = as_text(status.get("code")) or as_text(span.get("status_code"))
    if code not in ("STATUS_CODE_ERROR", "ERROR"):
        return ""
    events = (as_dict(event) for event in as_list(span.get("events")))
    thrown = next(
        (as_dict(e.get("attributes")) for e in events if e.get("name") == "exception"),
        {},
    )
    told = (
        status.get("message"),
        span.get("status_message"),
        thrown.get("exception.message"),
    )
    return error_line(next(filter(None, map(as_text, told)), "")) or "failed"


def _ratings(assessments: list[Json]) -> Iterator[Rating]:
    """What was said of the trace; what was expected, or was overruled, is no rating."""
    valid = [as_dict(one) for one in assessments if as_dict(one).get("valid", True)]
    overruled = {as_text(one.get("overrides")) for one in valid}
    for one in valid:
        feedback = as_dict(one.get("feedback"))
        if not feedback or as_text(one.get("assessment_id")) in overruled - {""}:
            continue
        name = as_text(one.get("assessment_name")) or as_text(one.get("name"))
        source = as_dict(one.get("source"))
        value = _decoded(feedback.get("value"))
        texts = (
            value if isinstance(value, str) else "",
            as_text(one.get("rationale")),
            error_line(written(feedback.get("error"))),
        )
        yield Rating(
            name=name,
            value=_number(value),
            text=": ".join(text for text in texts if text),
            provenance=_SOURCES.get(as_text(source.get("source_type")), "none"),
            higher_is_better=direction(name),
        )


def _number(value: Json) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        return _WORDS.get(value.strip().lower())
    return number_of(value)
