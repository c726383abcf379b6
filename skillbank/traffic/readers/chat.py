"""Conversations in the manner of OpenAI's chat API, and what is mixed up with them.

One record a line, or a file that is one record or a list of them. A record is known by
its keys, whatever the lines beside it are:

- `messages`: chat completion and fine-tuning lines, and logs of request and response;
- `traj` with `reward`: repeated trials of tau-bench, whose hidden scenario names the
  task and is never kept: the user's first words are the brief;
- `conversations`: ShareGPT (`from`, `value`), episodes of Harbor (`role`, `content`);
- `chosen_messages` and `rejected_messages`: two answers of which one was preferred.

The official clients parse responses, not files of this kind.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from skillbank.codec import Json, digest
from skillbank.traffic.readers.calls import Calls
from skillbank.traffic.readers.documents import document, in_lines, objects
from skillbank.traffic.readers.drafts import Draft
from skillbank.traffic.readers.lines import lines, misfit
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    id_of,
    iso_of,
    number_of,
    parsed,
    text_of,
    total,
    written,
)
from skillbank.traffic.run import Misfit, Rating, Run, Spent

_TALKS = ("messages", "traj", "conversations", "chosen_messages")
_ROLES = {
    "human": "user",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "model": "assistant",
    "bing": "assistant",
    "developer": "system",
    "function": "tool",
    "observation": "tool",
}
_OPENING = re.compile(
    rb"\[?\s*\{\s*\"(" + "|".join(_TALKS).encode() + rb")\"\s*:\s*\[\s*\{\s*"
    rb"\"(?:role|from|content)\""
)
"""How a document over several lines begins."""
_MOST = 100_000  # messages of a record


def sign(head: bytes) -> str:
    """Why the beginning of a file holds conversations; empty if it does not."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    for number, line in enumerate(start.splitlines()[:20], start=1):
        record = parsed(line)
        if isinstance(record, list):
            record = next(iter(record), None)
        if talk := _talk(record):
            return f"line {number} has {talk} with roles"
    if opening := _OPENING.match(start):
        return f"it begins with {opening[1].decode()} with roles"
    return ""


def _talk(record: Json) -> str:
    """The key of a record's conversation; empty if it has none."""
    if not isinstance(record, dict):
        return ""
    for talk in _TALKS:
        first = next(iter(as_list(record.get(talk))), None)
        if isinstance(first, dict) and ("role" in first or "from" in first):
            return talk
    return "request" if _talk(record.get("request")) else ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value for each record, in file order; two for a preference.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    if _is_document(path):
        whole = document(path, name)
        if not isinstance(whole, Misfit):
            records = whole if isinstance(whole, list) else [whole]
            for number, record in enumerate(records, start=1):
                source = f"{name}#{number}" if isinstance(whole, list) else name
                yield from _record(record, source)
            return
        if not in_lines(path):
            yield whole
            return
    for found in objects(path, name):
        if isinstance(found, Misfit):
            yield found
        else:
            yield from _record(found[1], f"{name}:{found[0]}")


def _is_document(path: Path) -> bool:
    """Whether a file is one JSON document: its first line alone is no record."""
    first = next(lines(path), None)
    if first is None:
        return False
    if first.end == "too long":
        return not first.data.startswith(b"{")
    return not isinstance(parsed(first.data), dict)


def _record(record: Json, source: str) -> Iterator[Run | Misfit]:
    talk = _talk(record)
    if not talk:
        problem = f"no conversation; expected one of {', '.join(_TALKS)}"
        yield misfit(source, "missing field", problem, written(record))
    elif talk == "chosen_messages":
        for kind, value in (("chosen", 1.0), ("rejected", 0.0)):
            made = _run(record, as_list(record.get(f"{kind}_messages")), source)
            if isinstance(made, Run):
                rating = Rating(
                    name="preferred", value=value, higher_is_better=True, text=kind
                )
                made = replace(made, ratings=(rating,), trial=kind)
            yield made
    elif talk == "traj":
        yield _trial(record, source)
    elif talk == "request":
        yield _logged(record, source)
    else:
        yield _run(record, [*as_list(record[talk]), *_answers(record)], source)


def _told(messages: Sequence[Json]) -> tuple[Draft, int]:
    """What a conversation's messages tell, and how many of them are the model's.

    A message is told once: a call under an id that was used before is another one.
    """
    draft, turns = Draft(calls=Calls(repeated=False)), 0
    for message in map(as_dict, messages[:_MOST]):
        role = as_text(message.get("role")) or as_text(message.get("from"))
        role = _ROLES.get(role, role)
        content = message.get("content", message.get("value"))
        if role == "user":
            draft.ask(_words(content).strip())
        elif role == "system":
            draft.instructions.append(_words(content))
        elif role == "assistant":
            turns += 1
            draft.output = _words(content).strip() or draft.output
            _call(draft, _calls_of(message, content))
        elif role == "function_call":
            _call(draft, [as_dict(parsed(as_text(content)))])
        elif role == "tool":
            _answer(draft.calls, message, written(content) if content else "")
    return draft, turns


def _call(draft: Draft, calls: Sequence[Mapping[str, Json]]) -> None:
    for call in calls:
        told = as_dict(call.get("function")) or call
        draft.call(
            as_text(told.get("name")),
            arguments_of(told.get("arguments")),
            call=as_text(call.get("id")),
        )


def _answer(calls: Calls, message: Mapping[str, Json], text: str) -> None:
    """Give a result to the call of its id, or to the first that waits without one."""
    error = text if text.lstrip()[:6].lower() == "error:" else ""
    if id := as_text(message.get("tool_call_id")):
        calls.answer(id, text, error)
    else:
        calls.answer_next(as_text(message.get("name")), text, error)


def _words(content: Json) -> str:
    """The words of a content; parts say `text`, or `value` beside their type."""
    if isinstance(content, list):
        content = [
            part.get("value", part.get("text"))
            if isinstance(part, dict) and part.get("type", "text") == "text"
            else part
            for part in content
            if not isinstance(part, dict) or part.get("type", "text") == "text"
        ]
    return text_of(content)


def _calls_of(message: Mapping[str, Json], content: Json) -> list[Mapping[str, Json]]:
    calls = [*as_list(message.get("tool_calls")), message.get("function_call")]
    for part in as_list(content):
        if isinstance(part, dict) and part.get("type") == "tool_calls":
            held = parsed(as_text(part.get("value")))
            calls += as_list(held) or [held]
    return [one for one in calls if isinstance(one, dict)]


def _answers(record: Mapping[str, Json]) -> list[Json]:
    """The message of a response, where a record holds one beside its messages."""
    logged = as_dict(record.get("response"))
    response = as_dict(logged.get("body")) or logged or record
    choice = as_dict(next(iter(as_list(response.get("choices"))), None))
    return [choice["message"]] if isinstance(choice.get("message"), dict) else []


def _run(
    record: Mapping[str, Json], messages: Sequence[Json], source: str
) -> Run | Misfit:
    draft, turns = _told(messages)
    if not draft.asked:
        problem = "no message of a user; expected what was asked"
        return misfit(source, "no text", problem, written(list(messages[:3])))
    draft.started = iso_of(record.get("created") or record.get("timestamp"))
    id = as_text(record.get("run_id")) or as_text(record.get("id"))
    made = draft.run(
        source,
        run_id=id or f"chat-{digest(messages)[:16]}",
        usage=_spent(record, turns),
    )
    if isinstance(made, Misfit):
        return made
    return replace(
        made,
        session=as_text(record.get("session_id"))
        or as_text(record.get("conversation_id"))
        or as_text(record.get("trial_name")),
        user=as_text(record.get("user")),
        model=as_text(record.get("model")),
        agent=as_text(record.get("agent")),
    )


def _spent(record: Mapping[str, Json], turns: int) -> Spent:
    response = as_dict(record.get("response"))
    usage = as_dict(
        record.get("usage")
        or response.get("usage")
        or as_dict(response.get("body")).get("usage")
    )
    read = count_of(usage.get("prompt_tokens"))
    cached = as_dict(usage.get("prompt_tokens_details")).get("cached_tokens")
    return Spent(
        turns=turns,
        input_tokens=total(read),
        cached_tokens=count_of(cached),
        output_tokens=count_of(usage.get("completion_tokens")),
    )


def _logged(record: Mapping[str, Json], source: str) -> Run | Misfit:
    """A request with its response, as gateways log them."""
    request = as_dict(record.get("request"))
    messages = [*as_list(request.get("messages")), *_answers(record)]
    about = {"model": request.get("model"), "user": request.get("user"), **record}
    return _run(about, messages, source)


def _trial(record: Mapping[str, Json], source: str) -> Run | Misfit:
    """A trial of tau-bench: the reward is the state of its database, checked."""
    made = _run({}, as_list(record.get("traj")), source)
    if isinstance(made, Misfit):
        return made
    task = as_dict(as_dict(record.get("info")).get("task"))
    number = id_of(written(record.get("task_id")))
    hidden = digest(task.get("instruction"), number)[:8]
    trial = id_of(written(record.get("trial")))
    reward = number_of(record.get("reward"))
    measured = reward is not None and 0 <= reward <= 1
    cost = amount_of(as_dict(record.get("info")).get("user_cost"))
    ratings = [
        Rating(name="reward", value=reward, provenance="check", higher_is_better=True)
    ]
    if cost is not None:  # of the simulated user, not of the agent
        ratings.append(Rating(name="user_cost", value=cost, higher_is_better=False))
    brief = replace(made.brief, id=f"task-{number}-{hidden}", root="")
    return replace(
        made,
        run_id=id_of(f"{made.run_id}-{trial}") if trial else made.run_id,
        brief=brief,
        user=as_text(task.get("user_id")),
        trial=trial,
        score=reward if measured else None,
        provenance="check" if measured else "none",
        ratings=tuple(ratings),
    )
