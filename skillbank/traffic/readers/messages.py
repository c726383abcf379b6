"""Messages of models and agents, whatever framework wrote them down.

Tracing tools keep what went in and out of a model as its client had it: messages of
OpenAI (chat and responses), Anthropic, Gemini, Bedrock, LangChain, OpenTelemetry,
OpenInference and Vercel, often as JSON text within JSON. All of them become `Message`.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from skillbank.codec import Json
from skillbank.traffic.readers.values import (
    arguments_of,
    as_dict,
    as_list,
    as_text,
    parsed,
    text_of,
    written,
)

Role = Literal["system", "user", "assistant", "tool"]


class Call(NamedTuple):
    """A tool call that a model wrote."""

    id: str
    tool: str
    arguments: dict[str, str]


class Result(NamedTuple):
    """What a tool gave back, as the model was told."""

    call: str
    """Id of the call; empty: it is not told."""
    text: str
    failed: bool


class Message(NamedTuple):
    """One message; a tool's result is no text of it."""

    role: Role
    text: str
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


_LEVELS = 12  # of wrappers around a message; six were seen
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "systemmessage": "system",
    "user": "user",
    "human": "user",
    "humanmessage": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "tool": "tool",
    "function": "tool",
    "toolmessage": "tool",
    "functionmessage": "tool",
}
_TEXTS = ("text", "input_text", "output_text")
_CALLS = ("function_call", "tool_call", "tool_use", "custom_tool_call", "tool-call")
_RESULTS = (
    "function_call_output",
    "custom_tool_call_output",
    "tool_call_response",
    "tool_result",
    "tool-result",
)
_WRAPPED_CALLS = ("function_call", "functionCall", "toolUse", "tool_call")
_WRAPPED_RESULTS = ("function_response", "functionResponse", "toolResult")
_ASKED = (
    *("messages", "contents", "input_messages", "prompt", "prompts", "input", "inputs"),
    *("question", "query", "request", "task", "instruction", "text"),
)
_SAID = (
    *("messages", "choices", "candidates", "generations", "output_messages", "output"),
    *("outputs", "answer", "response", "result", "final_output", "completion", "text"),
    "content",
)


def asked(value: Json) -> tuple[Message, ...]:
    """What went into a model or an agent; words without a role are the user's."""
    return tuple(_messages(value, "user", _ASKED, _LEVELS))


def said(value: Json) -> tuple[Message, ...]:
    """What came out of a model or an agent; words without a role are its own."""
    return tuple(_messages(value, "assistant", _SAID, _LEVELS))


def outcome(value: Json) -> tuple[str, bool]:
    """A tool's result as text, without the protocol's wrapping, and if it failed."""
    inner = parsed(value, value) if as_text(value).lstrip()[:1] == "{" else value
    held = as_dict(inner)
    failed = held.get("status") == "error" or any(
        held.get(key) is True for key in ("is_error", "isError")
    )
    content = held.get("content")
    if isinstance(content, str) and "tool_call_id" in held:
        return content, failed
    blocks = inner if isinstance(inner, list) else content
    if blocks and isinstance(blocks, list) and (text := text_of(blocks)):
        return text, failed
    return written(value), failed


def _messages(
    value: Json, role: Role, keys: tuple[str, ...], levels: int
) -> Iterator[Message]:
    if levels == 0:
        return
    if isinstance(value, str):
        inner = parsed(value) if value.lstrip()[:1] in ("{", "[", '"') else None
        if inner is not None:
            yield from _messages(inner, role, keys, levels - 1)
        elif value.strip():
            yield Message(role, value)
    elif isinstance(value, list):
        for item in value:
            yield from _messages(item, role, keys, levels - 1)
    elif isinstance(value, dict):
        message = _message(value, role, levels)
        if message is not None:
            yield message
            return
        for key in keys:
            found = list(_messages(value.get(key), role, keys, levels - 1))
            if found:
                yield from found
                return


def _message(value: dict[str, Json], role: Role, levels: int) -> Message | None:
    """The message that an object is; None if it is none."""
    if levels == 0:
        return None
    kind = as_text(value.get("type"))
    for key in ("kwargs", "data", "message", "content"):
        inner = value.get(key)
        if isinstance(inner, dict) and not value.get("role"):
            named = as_list(value.get("id"))[-1:] or [kind or as_text(value.get("id"))]
            told = {"type": as_text(named[0]), **inner}
            return _message(told, role, levels - 1)
    name = as_text(value.get("role")) or kind
    known = _ROLES.get(name.lower())
    if known is None and not _is_part(value, kind):
        return None if name != "message" else _spoken(value, role)
    return _spoken(value, known) if known else _of([value], role)


def _is_part(value: dict[str, Json], kind: str) -> bool:
    if kind in (*_TEXTS, *_CALLS, *_RESULTS):
        return True
    return any(
        isinstance(value.get(key), dict) for key in (*_WRAPPED_CALLS, *_WRAPPED_RESULTS)
    )


def _spoken(value: dict[str, Json], role: Role) -> Message:
    content = next(
        (value[key] for key in ("parts", "content", "contents") if value.get(key)), None
    )
    if role == "tool":
        message = _of(as_list(content), role)
        if message.results:
            return message
        call = as_text(value.get("tool_call_id")) or as_text(value.get("call_id"))
        text, failed = outcome(content)
        failed = failed or value.get("status") == "error"
        return Message(role, "", (), (Result(call, text, failed),))
    message = _of(content if isinstance(content, list) else [content], role)
    more = [
        *as_list(value.get("tool_calls")),
        *as_list(as_dict(value.get("additional_kwargs")).get("tool_calls")),
        as_dict(value.get("function_call")),
    ]
    told = [*message.calls, *(_call(as_dict(call)) for call in more if call)]
    calls = {(call.id or str(n)): call for n, call in enumerate(told) if call.tool}
    return message._replace(calls=tuple(calls.values()))


def _of(parts: list[Json], role: Role) -> Message:
    texts: list[str] = []
    calls: list[Call] = []
    results: list[Result] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            _take(part, texts, calls, results)
    text = "\n".join(text for text in texts if text)
    if not text and (calls or results):
        role = "assistant" if calls else "tool"
    return Message(
        role, text, tuple(call for call in calls if call.tool), tuple(results)
    )


def _take(
    part: dict[str, Json], texts: list[str], calls: list[Call], results: list[Result]
) -> None:
    part = as_dict(part.get("message_content")) or part
    kind = as_text(part.get("type"))
    wrapped = next((part[k] for k in _WRAPPED_CALLS if as_dict(part.get(k))), None)
    given = next((part[k] for k in _WRAPPED_RESULTS if as_dict(part.get(k))), None)
    if kind in _CALLS or wrapped:
        calls.append(_call(wrapped or part))
    elif kind in _RESULTS or given:
        results.append(_result(given or part))
    elif kind in ("", *_TEXTS) and part.get("thought") is not True:
        texts.append(as_text(part.get("text")) or as_text(part.get("content")))


def _call(value: dict[str, Json]) -> Call:
    value = as_dict(value.get("tool_call")) or value
    function = as_dict(value.get("function")) or value
    given = (function.get(key) for key in ("arguments", "args", "input", "parameters"))
    return Call(
        id=_id(value),
        tool=as_text(function.get("name")) or as_text(function.get("toolName")),
        arguments=arguments_of(next((one for one in given if one is not None), None)),
    )


def _result(value: dict[str, Json]) -> Result:
    given = (value.get(key) for key in ("response", "result", "output", "content"))
    back = next((one for one in given if one is not None), None)
    kind = as_text(as_dict(back).get("type"))  # Vercel wraps a value in its type
    if kind and isinstance(back, dict) and "value" in back:
        back = back["value"]
    text, failed = outcome(back)
    marked = any(value.get(key) is True for key in ("is_error", "isError"))
    failed |= marked or value.get("status") == "error" or kind.startswith("error")
    return Result(_id(value), text, failed)


def _id(value: dict[str, Json]) -> str:
    keys = ("call_id", "tool_call_id", "tool_use_id", "toolUseId", "toolCallId", "id")
    return next((text for key in keys if (text := as_text(value.get(key)))), "")
