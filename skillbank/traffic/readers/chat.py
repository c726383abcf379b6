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
from dataclasses import dataclass, field, replace
from pathlib import Path

from skillbank.codec import Json, digest
from skillbank.traffic.readers.documents import document, objects
from skillbank.traffic.readers.lines import lines, misfit
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    bounded,
    brief_of,
    count_of,
    each_once,
    error_line,
    iso_of,
    number_of,
    parsed,
    recalls_of,
    skills_read,
    text_of,
    total,
    written,
)
from skillbank.traffic.run import Misfit, Rating, Run, SkillUse, Spent, TracedStep

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
    if start[:1] not in (b"{", b"["):
        return ""
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
        if isinstance(whole, Misfit):
            yield whole
            return
        records = whole if isinstance(whole, list) else [whole]
        for number, record in enumerate(records, start=1):
            source = f"{name}#{number}" if isinstance(whole, list) else name
            yield from _record(record, source)
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


@dataclass(slots=True)
class _Told:
    """What a conversation's messages tell, one after the other."""

    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    steps: list[TracedStep] = field(default_factory=list)
    turns: int = 0

    def message(self, message: Mapping[str, Json]) -> None:
        """Take a message in; what has no known role is left out."""
        role = as_text(message.get("role")) or as_text(message.get("from"))
        role = _ROLES.get(role, role)
        content = message.get("content", message.get("value"))
        if role == "user":
            if text := _words(content).strip():
                self.asked.append(text)
        elif role == "assistant":
            self.turns += 1
            if text := _words(content).strip():
                self.said.append(text)
            self._calls(_calls_of(message, content))
        elif role == "function_call":
            self._calls([as_dict(parsed(as_text(content)))])
        elif role == "tool":
            self._result(message, written(content) if content else "")

    def _calls(self, calls: Sequence[Mapping[str, Json]]) -> None:
        for call in calls:
            told = as_dict(call.get("function")) or call
            self.steps.append(
                TracedStep(
                    subtask="",
                    tool=as_text(told.get("name")),
                    arguments=arguments_of(told.get("arguments")),
                    call=as_text(call.get("id")),
                )
            )

    def _result(self, message: Mapping[str, Json], text: str) -> None:
        """Give a result to the call of its id, or to the first without one."""
        id, name = as_text(message.get("tool_call_id")), as_text(message.get("name"))
        waiting = [i for i, step in enumerate(self.steps) if not step.result]
        mine = [i for i in waiting if id and self.steps[i].call == id]
        named = [i for i in waiting if not id and name == self.steps[i].tool]
        place = next(iter(mine or named or ([] if id else waiting)), None)
        if place is not None:
            failed = text.lstrip()[:6].lower() == "error:"
            self.steps[place] = replace(
                self.steps[place],
                result=bounded(text),
                error=error_line(text) if failed else "",
            )


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
    told = _Told()
    for message in messages[:_MOST]:
        told.message(as_dict(message))
    brief = brief_of(told.asked[0]) if told.asked else None
    if brief is None:
        problem = "no message of a user; expected what was asked"
        return misfit(source, "no text", problem, written(list(messages[:3])))
    id = as_text(record.get("run_id")) or as_text(record.get("id"))
    uses = each_once(
        SkillUse(skill=skill, how="opened")
        for step in told.steps
        for argument in step.arguments.values()
        for skill in skills_read(argument)
    )
    return Run(
        run_id=id or f"chat-{digest(messages)[:16]}",
        brief=brief,
        session=as_text(record.get("session_id"))
        or as_text(record.get("conversation_id"))
        or as_text(record.get("trial_name")),
        user=as_text(record.get("user")),
        started=iso_of(record.get("created") or record.get("timestamp")),
        steps=tuple(told.steps),
        skills=uses,
        recalls=recalls_of(uses),
        output=told.said[-1] if told.said else "",
        usage=_spent(record, told.turns),
        followups=tuple(told.asked[1:]),
        model=as_text(record.get("model")),
        agent=as_text(record.get("agent")),
        source=source,
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
    number = written(record.get("task_id"))
    hidden = digest(task.get("instruction"), number)[:8]
    trial = written(record.get("trial"))
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
        run_id=f"{made.run_id}-{trial}" if trial else made.run_id,
        brief=brief,
        user=as_text(task.get("user_id")),
        trial=trial,
        score=reward if measured else None,
        provenance="check" if measured else "none",
        ratings=tuple(ratings),
    )
