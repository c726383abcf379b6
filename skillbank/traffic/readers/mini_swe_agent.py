"""mini-swe-agent: messages in which commands are code blocks, or calls of one tool."""

import re
from collections.abc import Mapping
from dataclasses import replace

from skillbank.codec import Json
from skillbank.traffic.readers.drafts import Draft
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    error_line,
    iso_of,
    text_of,
    total,
)
from skillbank.traffic.run import Misfit, Run, Spent

_BLOCKS = ("```mswea_bash_command", "```bash")
_CODE = re.compile(r"<returncode>(-?\d{1,10})</returncode>")
_FRAMES = (
    ("\nISSUE:\n", "\n\nINSTRUCTIONS:"),
    ("Please solve this issue: ", "\n\nYou can execute bash commands"),
    ("<pr_description>", "</pr_description>"),
)
"""Between what these programs' own templates put the task."""
_FAULTS = re.compile(
    r"timeout|ratelimit|unavailable|authentic|connection|internalserver|apierror",
    re.IGNORECASE,
)


def told_by(text: str) -> str:
    """The task in a message, without the template around it."""
    for opening, closing in _FRAMES:
        start = text.find(opening)
        end = text.find(closing, start + len(opening))
        if start >= 0 and end >= 0:
            return text[start + len(opening) : end].strip() or text
    return text


def read_mini(value: Json, name: str) -> Run | Misfit:
    """The run of a list of messages, or of an object with `info` and `messages`."""
    messages = as_list(value) or as_list(as_dict(value).get("messages"))
    info = as_dict(as_dict(value).get("info"))
    draft = Draft()
    usages = []
    for message in map(as_dict, messages):
        extra = as_dict(message.get("extra"))
        draft.at(iso_of(message.get("timestamp") or extra.get("timestamp")))
        if message.get("role") == "system":
            draft.instructions.append(text_of(message.get("content")))
        elif message.get("role") == "assistant":
            usages.append(as_dict(as_dict(extra.get("response")).get("usage")))
            _act(draft, message)
        elif not draft.asked:
            if message.get("role") == "user":
                draft.ask(told_by(text_of(message.get("content"))))
        elif message.get("role") in ("user", "tool"):
            _observe(draft, message, extra)
    draft.output = _submission(info, messages)
    _end(draft, info)
    run = draft.run(
        name,
        brief_id=as_text(as_dict(value).get("instance_id")),
        usage=_usage(draft, info, usages),
    )
    if isinstance(run, Misfit):
        return run
    model = as_dict(as_dict(info.get("config")).get("model")).get("model_name")
    version = as_text(info.get("mini_version"))
    agent = f"mini-swe-agent {version}".strip()
    return replace(run, agent=agent, model=as_text(model))


def _act(draft: Draft, message: Mapping[str, Json]) -> None:
    calls = as_list(message.get("tool_calls"))
    started = draft.ended
    for call in map(as_dict, calls):
        function = as_dict(call.get("function"))
        draft.call(
            as_text(function.get("name")),
            arguments_of(function.get("arguments")),
            call=as_text(call.get("id")),
            started=started,
        )
    command = "" if calls else _command(text_of(message.get("content")))
    if command:
        draft.call("bash", arguments_of({"command": command}), started=started)


def _command(text: str) -> str:
    for opening in _BLOCKS:
        start = text.find(opening)
        end = text.find("```", start + len(opening))
        if start >= 0 and end >= 0:
            return text[start + len(opening) : end].strip()
    return ""


def _observe(
    draft: Draft, message: Mapping[str, Json], extra: Mapping[str, Json]
) -> None:
    text = text_of(message.get("content"))
    told = _CODE.search(text[:1000])
    code = int(told[1]) if told else extra.get("returncode")
    error = ""
    if isinstance(code, int) and code:
        output = text.partition("<output>")[2] or text
        error = f"exit code {code}: {error_line(output)}"[:200]
    # what answers no command is the program's complaint about the format
    draft.calls.answer(as_text(message.get("tool_call_id")), text, error)


def _submission(info: Mapping[str, Json], messages: list[Json]) -> str:
    if told := as_text(info.get("submission")):
        return told
    last = as_dict(messages[-1]) if messages else {}
    extra = as_dict(last.get("extra"))
    if told := as_text(extra.get("submission")):
        return told
    text = text_of(last.get("content"))
    ended = last.get("role") == "exit" or not _CODE.search(text[:1000])
    return text if ended and last.get("role") in ("user", "exit") else ""


def _end(draft: Draft, info: Mapping[str, Json]) -> None:
    status = as_text(info.get("exit_status"))[:200]
    if not info or status == "Submitted":
        return
    draft.reason = status or "no exit status"
    draft.ending = "fault" if _FAULTS.search(status) else "broken"


def _usage(
    draft: Draft, info: Mapping[str, Json], usages: list[dict[str, Json]]
) -> Spent:
    stats = as_dict(info.get("model_stats"))
    details = [as_dict(use.get("prompt_tokens_details")) for use in usages]
    return Spent(
        turns=count_of(stats.get("api_calls")) or len(usages) or None,
        input_tokens=total(*(count_of(use.get("prompt_tokens")) for use in usages)),
        cached_tokens=total(*(count_of(held.get("cached_tokens")) for held in details)),
        output_tokens=total(
            *(count_of(use.get("completion_tokens")) for use in usages)
        ),
        usd=amount_of(stats.get("instance_cost")) or None,
        seconds=draft.seconds(),
    )
