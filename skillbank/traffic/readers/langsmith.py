"""Traces of LangSmith: bodies of its ingestion, and exports of runs.

A body has runs that were posted and what patched them later: a run is whole only after
both. An export has whole runs, a list or one a line, perhaps with their child runs
within them, and with feedback beside them or summed up in them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.exports import exports, place
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
from skillbank.traffic.run import Misfit, Provenance, Rating, Run

_KINDS: Mapping[str, Kind] = {"llm": "model", "tool": "tool"}
_SOURCES: Mapping[str, Provenance] = {
    "app": "human",
    "model": "model",
    "auto_eval": "model",
}
"""Of feedback that came over the API nobody knows who gave it."""
_SIGNS = (rb'"run_type"\s*:', rb'"(?:dotted_order|parent_run_id|trace_id)"\s*:')
_FEEDBACK = (rb'"run_id"\s*:', rb'"feedback_source"\s*:', rb'"key"\s*:')


def sign(head: bytes) -> str:
    """Why the beginning of a file looks like LangSmith's; empty if it does not."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return ""
    if all(re.search(pattern, head) for pattern in _SIGNS):
        return "it has runs with a run_type"
    if all(re.search(pattern, head) for pattern in _FEEDBACK):
        return "it has feedback on runs"
    return ""


@dataclass(slots=True)
class _Trace:
    source: str
    runs: dict[str, dict[str, Json]] = field(default_factory=dict)


class _Export:
    """The traces of a file, and the feedback on their runs."""

    def __init__(self) -> None:
        self.traces: dict[str, _Trace] = {}
        self.feedback: dict[str, list[dict[str, Json]]] = {}
        self._owners: dict[str, str] = {}
        self._patches: list[tuple[dict[str, Json], str]] = []

    def add(self, value: Json, source: str) -> int:
        """Take what a value holds; the number of runs and feedbacks in it."""
        if isinstance(value, list):
            return sum(self.add(item, source) for item in value)
        held = as_dict(value)
        if "run_type" in held or "dotted_order" in held:
            within = self.add(held.get("child_runs"), source)
            return within + self._run(held, source)
        if "run_id" in held and "key" in held:
            run = as_text(held["run_id"])
            self.feedback.setdefault(run, []).append(held)
            return 1
        patches = [as_dict(patch) for patch in as_list(held.get("patch"))]
        self._patches += [(patch, source) for patch in patches]
        parts = ("post", "runs", "feedback")
        told = sum(self.add(held.get(part), source) for part in parts if part in held)
        return told + len(patches)

    def patch(self) -> None:
        """Lay what was patched over what was posted, wherever that was."""
        for patch, source in self._patches:
            self._run(patch, source)

    def _run(self, run: dict[str, Json], source: str) -> int:
        way = as_text(run.get("dotted_order")).split(".")
        ids = [part.rpartition("Z")[2] for part in way]
        id = as_text(run.get("id")) or ids[-1]
        if not id:
            return 0
        trace = as_text(run.get("trace_id")) or self._owners.get(id) or ids[0] or id
        self._owners[id] = trace
        runs = self.traces.setdefault(trace, _Trace(source)).runs
        told = {
            name: held
            for name, held in run.items()
            if held is not None and held != {} and name != "child_runs"
        }
        above = {"parent_run_id": ids[-2]} if len(ids) > 1 else {}
        runs[id] = {**above, **runs.get(id, {}), **told, "id": id}
        return 1


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a trace, by where its first run lies.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    export = _Export()
    for found in exports(path, name, together=True):
        if isinstance(found, Misfit):
            yield found
        elif not export.add(found[1], found[0]):
            problem = "no run with an id, and no feedback; expected one of them"
            yield misfit(found[0], "missing field", problem, written(found[1])[:4096])
    export.patch()
    for id, trace in export.traces.items():
        trace.source = place(trace.source, name, id, len(export.traces) > 1)
        yield _trace(id, trace, export.feedback)


def _trace(
    id: str, trace: _Trace, feedback: Mapping[str, list[dict[str, Json]]]
) -> Run | Misfit:
    runs = list(trace.runs.values())
    first = sorted(runs, key=lambda run: nanoseconds(run.get("start_time")))
    root = next(
        (r for r in first if as_text(r.get("parent_run_id")) not in trace.runs), {}
    )
    metas = [_meta(root), *map(_meta, first)]
    sessions = (
        named(meta, name)
        for name in ("session", "thread", "conversation")
        for meta in metas
    )
    facts = Facts(
        run_id=id[:200],
        source=trace.source,
        task=as_text(root.get("reference_example_id")),
        started=iso_of(root.get("start_time")),
        session=next(filter(None, sessions), ""),
        user=next(filter(None, (named(meta, "user") for meta in metas)), ""),
        tenant=next(filter(None, (named(meta, "tenant") for meta in metas)), ""),
        cohort=next(filter(None, (named(meta, "cohort") for meta in metas)), ""),
        agent=as_text(root.get("name")),
        ratings=tuple(_ratings(root, feedback.get(as_text(root.get("id")), []))),
    )
    return run_of(facts, map(_span, runs))


def _meta(run: Mapping[str, Json]) -> dict[str, Json]:
    return as_dict(as_dict(run.get("extra")).get("metadata"))


def _span(run: dict[str, Json]) -> Span:
    kind = _KINDS.get(as_text(run.get("run_type")), "other")
    given, back = as_dict(run.get("inputs")), as_dict(run.get("outputs"))
    error = error_line(as_text(run.get("error")))
    if run.get("status") == "error":
        error = error or "failed"
    span = Span(
        id=as_text(run["id"]),
        parent=as_text(run.get("parent_run_id")),
        kind=kind,
        label=as_text(run.get("name")),
        began=nanoseconds(run.get("start_time")),
        ended=nanoseconds(run.get("end_time")),
        error=error,
        call=as_text(given.get("tool_call_id")) or _call(back),
        tokens=Tokens() if kind == "tool" else _tokens(run, back),
        model=as_text(back.get("model")) or as_text(_meta(run).get("ls_model_name")),
    )
    return _tool(span, given, back) if kind == "tool" else _speaking(span, given, back)


def _tool(span: Span, given: dict[str, Json], back: dict[str, Json]) -> Span:
    held = back["output"] if back.keys() == {"output"} else back or None
    result, failed = outcome(as_dict(as_dict(held).get("kwargs")) or held)
    plain = given.keys() == {"input"}
    return replace(
        span,
        arguments=arguments_of(given["input"] if plain else given),
        result=result,
        error=span.error or (error_line(result) or "failed" if failed else ""),
    )


def _speaking(span: Span, given: dict[str, Json], back: dict[str, Json]) -> Span:
    says = said(back)
    made = "" if says or not back else written(back)
    return replace(span, asked=asked(given), said=says, made=made)


def _call(back: dict[str, Json]) -> str:
    held = as_dict(back.get("output"))
    return as_text((as_dict(held.get("kwargs")) or held).get("tool_call_id"))


def _tokens(run: dict[str, Json], back: dict[str, Json]) -> Tokens:
    usage = as_dict(back.get("usage_metadata"))
    if not usage:  # LangChain has it in the message, or of all messages together
        batch = next(iter(as_list(back.get("generations"))), None)
        one = as_dict(next(iter(as_list(batch)), None))
        message = as_dict(one.get("message"))
        message = as_dict(message.get("kwargs")) or message
        usage = as_dict(message.get("usage_metadata"))
    older = as_dict(as_dict(back.get("llm_output")).get("token_usage"))
    details = as_dict(usage.get("input_token_details"))
    read = (
        *(usage.get("input_tokens"), older.get("prompt_tokens")),
        run.get("prompt_tokens"),
    )
    wrote = (
        *(usage.get("output_tokens"), older.get("completion_tokens")),
        run.get("completion_tokens"),
    )
    cost = run.get("total_cost")
    return Tokens(
        input=next((n for n in map(count_of, read) if n is not None), None),
        cached=count_of(details.get("cache_read")),
        output=next((n for n in map(count_of, wrote) if n is not None), None),
        usd=amount_of(parsed(cost, cost) if isinstance(cost, str) else cost),
    )


def _ratings(
    root: Mapping[str, Json], feedback: list[dict[str, Json]]
) -> Iterator[Rating]:
    """What was said of the whole: each feedback, else the averages of a key."""
    told = set()
    for one in feedback:
        name = as_text(one.get("key"))
        told.add(name)
        source = as_text(as_dict(one.get("feedback_source")).get("type"))
        score = one.get("score")
        texts = (written(one.get("value")), as_text(one.get("comment")))
        yield Rating(
            name=name,
            value=float(score) if isinstance(score, bool) else number_of(score),
            text=": ".join(text for text in texts if text),
            provenance=_SOURCES.get(source, "none"),
            higher_is_better=direction(name),
        )
    for name, stats in as_dict(root.get("feedback_stats")).items():
        if name not in told:
            mean = number_of(as_dict(stats).get("avg"))
            words = as_dict(as_dict(stats).get("values"))
            yield Rating(
                name=name,
                value=mean,
                text=written(words) if words else "",
                higher_is_better=direction(name),
            )
