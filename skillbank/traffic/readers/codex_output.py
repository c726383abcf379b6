"""What tools of Codex gave back, in each of the forms that its files have for it."""

import re

from skillbank.codec import Json
from skillbank.traffic.readers.values import (
    as_dict,
    as_list,
    as_text,
    error_line,
    parsed,
    text_of,
    written,
)

_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.M)
_HEADER = 1000  # characters before the output itself


def output_of(value: Json) -> tuple[str, str]:
    """A result as text, and its error; an empty error if it has none.

    Args:
        value: A text, maybe JSON or with a header that tells the exit code; an object;
            or a list of parts.
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        inner = parsed(value)
        if (
            isinstance(inner, dict)
            and {"output", "metadata", "exit_code"} & inner.keys()
        ):
            value = inner
    if not isinstance(value, dict):
        text = text_of(value)
        return text, failure(_told(text), _body(text))
    text = text_of(value)
    for key in ("output", "content"):
        text = text or text_of(value.get(key))
    code = as_dict(value.get("metadata")).get("exit_code", value.get("exit_code"))
    text = text or written(value)
    if value.get("success") is False:
        return text, error_line(text) or "the tool says it failed"
    return text, failure(code, text)


def parts_of(value: Json, n_calls: int) -> list[tuple[str, str]]:
    """The results of the calls of a script, one for each call.

    The first part is about the script. If there is not one for each call, nobody can
    tell whose they are: all of it goes to the first.
    """
    parts = [text_of(part) for part in as_list(value)]
    if len(parts) == n_calls + 1:
        return [output_of(part) for part in parts[1:]]
    text, error = output_of(value)
    return [(text, error)] + [("", "")] * (n_calls - 1)


def failure(code: Json, text: str) -> str:
    """An error for an exit code that is not 0."""
    if isinstance(code, bool) or not isinstance(code, int) or code == 0:
        return ""
    return f"exit code {code}: {error_line(text)}".rstrip(": ")


def mcp_result(value: Json) -> tuple[str, str]:
    """The result of a tool of a server, which says whether it is an error."""
    held = as_dict(value)
    if "Err" in held:
        text = written(held["Err"])
        return text, error_line(text) or "the tool says it failed"
    inner = as_dict(held.get("Ok", held))
    text = text_of(inner.get("content"))
    failed = inner.get("isError") is True or inner.get("is_error") is True
    return text, (error_line(text) or "the tool says it failed") if failed else ""


def patch_error(payload: dict[str, Json]) -> str:
    """Why a patch was not applied; empty if it was."""
    if payload.get("success") is not False:
        return ""
    return error_line(as_text(payload.get("stderr"))) or "the patch was not applied"


def _told(text: str) -> int | None:
    found = _EXIT.search(text[:_HEADER])
    return int(found[1]) if found else None


def _body(text: str) -> str:
    return text.partition("Output:\n")[2] or text
