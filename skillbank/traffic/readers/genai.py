"""What the attributes of a span say of an agent's work, in several dialects.

The semantic conventions of OpenTelemetry (attributes, span events, log records),
OpenLLMetry (`gen_ai.prompt.N`), OpenInference (`llm.input_messages.N`), Google's ADK
(`gcp.vertex.agent`), Pydantic AI and the AI SDK of Vercel (`ai.prompt`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from skillbank.codec import Json
from skillbank.traffic.readers.messages import Message, asked, outcome, said
from skillbank.traffic.readers.otlp import Event, Raw
from skillbank.traffic.readers.spans import Kind, Span, Tokens
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    error_line,
    parsed,
    total,
    written,
)

_WAYS, _WHAT = ("generate", "stream"), ("text", "object")  # Vercel's operations
_KINDS: Mapping[str, Mapping[str, Kind]] = {
    "ai.operationId": {
        **{f"ai.{way}{what}": "agent" for way in _WAYS for what in _WHAT},
        **{f"ai.generate{what}.dogenerate": "model" for what in _WHAT},
        **{f"ai.stream{what}.dostream": "model" for what in _WHAT},
        "ai.toolcall": "tool",
    },
    "gen_ai.operation.name": {
        "chat": "model",
        "generate_content": "model",
        "text_completion": "model",
        "execute_tool": "tool",
        "invoke_agent": "agent",
        "create_agent": "other",
        "embeddings": "other",
    },
    "openinference.span.kind": {"llm": "model", "tool": "tool", "agent": "agent"},
    "traceloop.span.kind": {"tool": "tool", "agent": "agent"},
    "llm.request.type": {"chat": "model", "completion": "model"},
}
_ASKED = (
    *("gen_ai.input.messages", "gcp.vertex.agent.llm_request", "input.value"),
    *("pydantic_ai.all_messages", "all_messages_events", "traceloop.entity.input"),
    *("ai.prompt.messages", "ai.prompt"),
)
_SAID = (
    *("gen_ai.output.messages", "gcp.vertex.agent.llm_response", "output.value"),
    *("final_result", "traceloop.entity.output"),
)
_ARGUMENTS = (
    *("gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args"),
    *("tool_arguments", "tool.parameters", "input.value", "traceloop.entity.input"),
    "ai.toolCall.args",
)
_RESULT = (
    *("gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "tool_response"),
    *("output.value", "traceloop.entity.output", "ai.toolCall.result"),
)
_CALL = ("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id", "tool.id")
_TOOL = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name")
_AGENT = (
    *("gen_ai.agent.name", "agent_name", "agent.name", "ai.telemetry.functionId"),
)
_INPUT = (
    *("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    *("llm.token_count.prompt", "llm.usage.prompt_tokens"),
    *("ai.usage.inputTokens", "ai.usage.promptTokens"),
)
_OUTPUT = (
    *("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    *("llm.token_count.completion", "llm.usage.completion_tokens"),
    *("ai.usage.outputTokens", "ai.usage.completionTokens"),
)
_CACHED = (
    *("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"),
    *("llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens"),
    "ai.usage.inputTokenDetails.cacheReadTokens",
)
_CREATED = (
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "llm.token_count.prompt_details.cache_write",
    "ai.usage.inputTokenDetails.cacheWriteTokens",
)
_COST = ("operation.cost", "gen_ai.usage.cost", "llm.cost.total")
_MODEL = (
    *("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "model_name"),
    *("ai.response.model", "ai.model.id"),
)
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_DEEPEST = 12  # parts of a flattened name; OpenInference has nine


def kind_of(held: Mapping[str, Json]) -> Kind:
    """What a span with these attributes is."""
    for name, kinds in _KINDS.items():
        found = kinds.get(as_text(held.get(name)).lower())
        if found:
            return found
    if any(name in held for name in _TOOL):
        return "tool"
    if as_text(held.get("gcp.vertex.agent.llm_request")) not in ("", "{}"):
        return "model"
    if "gen_ai.prompt.0.role" in held:
        return "model"
    return "agent" if "agent_name" in held else "other"


def span_of(raw: Raw, id: str, events: Sequence[Event]) -> Span:
    """A span as its attributes and events tell it.

    Args:
        raw: The span.
        id: Its id, or one that is made up where it has none.
        events: Its own, and the log records that belong to it.
    """
    kind = kind_of(raw.held)
    span = Span(
        id=id,
        parent=raw.parent,
        kind=kind,
        began=raw.began,
        ended=raw.ended,
        error=_error(raw, events),
    )
    if kind == "tool":
        return _tool(span, raw, events)
    return _speaking(span, raw, events)


def _tool(span: Span, raw: Raw, events: Sequence[Event]) -> Span:
    held = raw.held
    given, back = first(held, _ARGUMENTS), first(held, _RESULT)
    for event in events:  # Strands tells both as messages
        content = event.held.get("message") or event.held.get("content")
        if event.name == "gen_ai.tool.message" and given is None:
            given = content
        elif event.name == "gen_ai.choice" and back is None:
            back = parsed(as_text(content), content)
    result, failed = outcome(back)
    inner = as_dict(parsed(as_text(back), back)).get("tool_call_id")
    return replace(
        span,
        label=_text(held, _TOOL) or raw.name.removeprefix("execute_tool "),
        call=_text(held, _CALL) or as_text(inner),
        arguments=arguments_of(given),
        result=result,
        error=span.error or (error_line(result) or "failed" if failed else ""),
    )


def _speaking(span: Span, raw: Raw, events: Sequence[Event]) -> Span:
    held = raw.held
    asks, says = _messages(held, events)
    system = as_text(held.get("gen_ai.system_instructions"))
    if system and not any(message.role == "system" for message in asks):
        texts = said(system)
        text = "\n".join(message.text for message in texts) or system
        asks = (Message("system", text), *asks)
    # what Vercel calls a span is one of few operations, and tells no agents apart
    unnamed = "ai" if "ai.operationId" in held else raw.name
    return replace(
        span,
        label=_text(held, _AGENT) or unnamed,
        asked=asks,
        said=says,
        made="" if says else written(first(held, _SAID)),
        tokens=tokens_of(held),
        model=_text(held, _MODEL),
    )


def _text(held: Mapping[str, Json], names: Sequence[str]) -> str:
    """The first of these that is a text."""
    return next((text for name in names if (text := as_text(held.get(name)))), "")


def _messages(
    held: Mapping[str, Json], events: Sequence[Event]
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """What went in and came out, of the first place that has it."""
    tables = [event.held for event in events]
    spoken = [message for event in events for message in _of_event(event)]
    asks = [
        *(asked(table.get("gen_ai.input.messages")) for table in (held, *tables)),
        asked(unflattened(held, "gen_ai.prompt.")),
        asked(unflattened(held, "llm.input_messages.")),
        tuple(message for message, out in spoken if not out),
        *(asked(held.get(name)) for name in _ASKED if held.get(name) is not None),
    ]
    says = [
        *(said(table.get("gen_ai.output.messages")) for table in (held, *tables)),
        said(unflattened(held, "gen_ai.completion.")),
        said(unflattened(held, "llm.output_messages.")),
        _generated(held),
        tuple(message for message, out in spoken if out),
        *(said(held.get(name)) for name in _SAID if held.get(name) is not None),
    ]
    return next(filter(None, asks), ()), next(filter(None, says), ())


def _generated(held: Mapping[str, Json]) -> tuple[Message, ...]:
    """What came out as Vercel tells it; older versions say `result`."""

    def told(what: str) -> str:
        return _text(held, [f"ai.{name}.{what}" for name in ("response", "result")])

    calls = as_list(parsed(told("toolCalls")))
    parts = [{**as_dict(call), "type": "tool-call"} for call in calls]
    text = told("text") or told("object")
    messages = said({"role": "assistant", "content": parts})
    return tuple(
        message._replace(text=text) for message in messages if text or message.calls
    )


def _of_event(event: Event) -> list[tuple[Message, bool]]:
    """Messages of the older events, one each, and whether they came out."""
    held = event.held.get("body")
    body = {**as_dict(parsed(as_text(held), held)), **event.held}
    if event.name == "gen_ai.choice":
        content = body.get("message") or body.get("content")
        return [(message, True) for message in said(_content(content, "assistant"))]
    if role := _ROLES.get(event.name):
        told = {"tool_call_id": body.get("id"), **body, "role": role}
        told["content"] = parsed(as_text(body.get("content")), body.get("content"))
        return [(message, False) for message in asked(told)]
    return []


def _content(value: Json, role: str) -> Json:
    inner = parsed(as_text(value), value)
    return {"role": role, **(inner if isinstance(inner, dict) else {"content": inner})}


def unflattened(held: Mapping[str, Json], prefix: str) -> Json:
    """What was spread over names such as `prefix0.message.role`, as it was before."""
    tree: dict[str, Json] = {}
    for name, value in held.items():
        if not name.startswith(prefix):
            continue
        *above, last = name[len(prefix) :].split(".", _DEEPEST)
        node = tree
        for part in above:
            inner = node.setdefault(part, {})
            node = inner if isinstance(inner, dict) else {}
        node.setdefault(last, value)
    return _listed(tree)


def _listed(value: Json) -> Json:
    if not isinstance(value, dict):
        return value
    made = {name: _listed(inner) for name, inner in value.items()}
    if made and all(name.isascii() and name.isdecimal() for name in made):
        return [made[name] for name in sorted(made, key=lambda n: (len(n), n))]
    return made


def first(held: Mapping[str, Json], names: Sequence[str]) -> Json:
    """The value of the first of these names that tells anything."""
    told = (held.get(name) for name in names)
    return next((value for value in told if value not in (None, "")), None)


def tokens_of(held: Mapping[str, Json]) -> Tokens:
    """What the attributes say that was used."""
    cached = count_of(first(held, _CACHED))
    read = count_of(first(held, _INPUT))
    created = count_of(first(held, _CREATED))
    if read is not None and (cached or 0) + (created or 0) > read:
        # the convention counts cached ones in; some tell Anthropic's numbers, apart
        read = total(read, cached, created)
    return Tokens(
        input=read,
        cached=cached,
        output=count_of(first(held, _OUTPUT)),
        usd=amount_of(first(held, _COST)),
    )


def _error(raw: Raw, events: Sequence[Event]) -> str:
    """Why the span failed, as its status, exception or type says; empty: it did not."""
    if raw.status.upper() not in ("2", "ERROR", "STATUS_CODE_ERROR"):
        return ""
    thrown = next((event.held for event in events if event.name == "exception"), {})
    kind = as_text(thrown.get("exception.type")) or as_text(raw.held.get("error.type"))
    text = raw.message or as_text(thrown.get("exception.message"))
    if kind and not text.startswith(kind):
        text = f"{kind}: {text}" if text else kind
    return error_line(text) or "failed"
