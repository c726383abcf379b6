"""A sample of an Inspect log as a run: what was asked, called, answered and scored."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from skillbank.codec import Json
from skillbank.traffic.readers.drafts import Draft
from skillbank.traffic.readers.inspect_scores import ratings_of
from skillbank.traffic.readers.ratings import only_score
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
    total,
    written,
)
from skillbank.traffic.run import Misfit, Run, Spent

_REFERENCE = re.compile(r"(?:attachment|tc)://([0-9a-f]{1,128})")
_MOST_MESSAGES = 100_000  # that references may name
_MOST_FOLLOWUPS = 1000
_LONGEST = 10**6  # characters that one reference may stand for


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """What the header of a log tells of all its samples."""

    id: str = ""
    task: str = ""
    model: str = ""
    program: str = "inspect_ai"
    created: str = ""
    revision: str = ""
    repeated: bool = False
    """Whether each sample was tried more than once."""
    accurate: frozenset[str] = frozenset()
    """Names of the scorers whose mean is told as an accuracy: higher is better."""

    @classmethod
    def of(cls, header: Mapping[str, Json]) -> Self:
        """Of the header as it is in the file; what it lacks is not told."""
        told = as_dict(header.get("eval"))
        version = as_text(as_dict(told.get("packages")).get("inspect_ai"))
        run = f"{as_text(told.get('run_id'))}-{as_text(told.get('task_id'))}"
        scorers = map(as_dict, as_list(as_dict(header.get("results")).get("scores")))
        return cls(
            id=as_text(told.get("eval_id")) or run.strip("-"),
            task=as_text(told.get("task"))[:100],
            model=as_text(told.get("model")),
            program=f"inspect_ai {version}".strip(),
            created=iso_of(told.get("created")),
            revision=as_text(as_dict(told.get("revision")).get("commit"))[:40],
            repeated=(count_of(as_dict(told.get("config")).get("epochs")) or 1) > 1,
            accurate=frozenset(
                as_text(scorer.get("name"))
                for scorer in scorers
                if "accuracy" in as_dict(scorer.get("metrics"))
            ),
        )


def run_of(sample: Mapping[str, Json], log: Log, source: str) -> Run | Misfit:
    """The run of a sample in one of its epochs."""
    texts = _Texts(sample)
    messages = _messages(sample)
    draft = Draft(started=iso_of(sample.get("started_at")))
    _ask(draft, sample, messages, texts)
    _act(draft, sample, messages, texts)
    draft.started = draft.started or log.created
    output = as_dict(sample.get("output"))
    choices = as_list(output.get("choices"))
    answer = as_dict(as_dict(choices[0] if choices else {}).get("message"))
    draft.output = texts.of(answer.get("content")) or texts.of(output.get("completion"))
    _end(draft, sample, output)
    label = _label(sample.get("id"))
    epoch = count_of(sample.get("epoch"))
    run = draft.run(
        source,
        run_id=as_text(sample.get("uuid")) or f"{log.id}-{label}-{epoch}",
        brief_id=f"{log.task}/{label}" if log.task and label else "",
        usage=_usage(sample, output, messages),
    )
    if isinstance(run, Misfit):
        return run
    ratings = ratings_of(as_dict(sample.get("scores")), log.accurate)
    score, provenance = only_score(ratings)
    if run.ending == "fault":
        score, provenance = None, "none"
    return replace(
        run,
        ratings=ratings,
        score=score,
        provenance=provenance,
        evaluator="" if score is None else log.revision,
        model=log.model or as_text(output.get("model")),
        agent=log.program,
        trial=str(epoch) if epoch is not None and (log.repeated or epoch > 1) else "",
    )


def _label(value: Json) -> str:
    number = number_of(value)
    return as_text(value)[:80] if number is None else str(count_of(value) or value)


class _Texts:
    """Texts of a sample, with those in its place that are kept apart from it."""

    def __init__(self, sample: Mapping[str, Json]) -> None:
        older = as_dict(as_dict(sample.get("transcript")).get("content"))
        self._held = {**older, **as_dict(sample.get("attachments"))}

    def _whole(self, text: str) -> str:
        found = _REFERENCE.fullmatch(text)
        held = self._held.get(found[1]) if found else None
        return held[:_LONGEST] if isinstance(held, str) else text

    def of(self, content: Json) -> str:
        """The words of a message, a line for each part."""
        if isinstance(content, str):
            return self._whole(content)
        parts = [
            as_text(part.get("text")) if isinstance(part, dict) else as_text(part)
            for part in as_list(content)[:_MOST_MESSAGES]
        ]
        return "\n".join(self._whole(part) for part in parts if part)

    def arguments(self, value: Json) -> dict[str, str]:
        """A call's arguments, each whole."""
        held = {
            name: self._whole(told) if isinstance(told, str) else told
            for name, told in as_dict(value).items()
        }
        return arguments_of(held or value)


def _messages(sample: Mapping[str, Json]) -> list[dict[str, Json]]:
    """The conversation; where it is not told, what the last model call had of it."""
    if told := [message for message in as_list(sample.get("messages")) if message]:
        return [as_dict(message) for message in told]
    calls = [event for event in _events(sample) if event.get("event") == "model"]
    if not calls:
        return []
    pool = as_list(sample.get("message_pool"))
    found = as_list(calls[-1].get("input"))
    for span in as_list(calls[-1].get("input_refs")):
        ends = [count_of(end) for end in as_list(span)]
        if len(ends) == 2 and len(found) < _MOST_MESSAGES:
            found = [*found, *pool[ends[0] or 0 : ends[1]]][:_MOST_MESSAGES]
    return [as_dict(message) for message in found]


def _events(sample: Mapping[str, Json]) -> list[dict[str, Json]]:
    older = as_dict(sample.get("transcript")).get("events")
    return [as_dict(event) for event in as_list(sample.get("events") or older)]


def _ask(
    draft: Draft,
    sample: Mapping[str, Json],
    messages: Sequence[Mapping[str, Json]],
    texts: _Texts,
) -> None:
    """Take what was asked; a program's own prodding within its loop is no asking."""
    given = sample.get("input")
    asked = [
        texts.of(message.get("content"))
        for message in map(as_dict, as_list(given))
        if message.get("role") == "user"
    ]
    if not isinstance(given, list):
        asked = [texts.of(given)]
    choices = [texts.of(choice) for choice in as_list(sample.get("choices"))][:26]
    lines = [f"{chr(65 + place)}) {choice}" for place, choice in enumerate(choices)]
    first = "\n".join([*asked[:1], *lines])
    draft.ask(first if asked and asked[0].strip() else "")
    operator = (
        texts.of(message.get("content"))
        for message in messages
        if message.get("role") == "user" and message.get("source") == "operator"
    )
    for text in [*asked[1:], *operator][:_MOST_FOLLOWUPS]:
        draft.ask(text)
    draft.instructions = [
        texts.of(message.get("content"))
        for message in messages
        if message.get("role") == "system"
    ][:100]


def _act(
    draft: Draft,
    sample: Mapping[str, Json],
    messages: Sequence[Mapping[str, Json]],
    texts: _Texts,
) -> None:
    """Take the calls: of the events, which have those of sub-agents, or the messages.

    Calls in the sample's input are examples that were given, not what the agent did.
    """
    events = _events(sample)
    for event in events:
        draft.at(iso_of(event.get("timestamp")))
    called = [event for event in events if event.get("event") == "tool"]
    for event in called:
        _call(draft, event, texts, iso_of(event.get("timestamp")))
        if event.get("pending") is not True:
            _answer(draft, as_text(event.get("id")), event, event.get("result"), texts)
    if called:
        return
    for message in messages:
        if message.get("source") == "input":
            continue
        for call in map(as_dict, as_list(message.get("tool_calls"))):
            _call(draft, call, texts, "")
        if message.get("role") == "tool":
            key = as_text(message.get("tool_call_id"))
            if key and key not in draft.calls:
                # its call was cut out of the log; that it was made is known
                draft.call(as_text(message.get("function")), {}, call=key)
            _answer(draft, key, message, message.get("content"), texts)


def _call(draft: Draft, call: Mapping[str, Json], texts: _Texts, started: str) -> None:
    draft.call(
        as_text(call.get("function")),
        texts.arguments(call.get("arguments")),
        call=as_text(call.get("id")),
        started=started,
    )


def _answer(
    draft: Draft, key: str, told: Mapping[str, Json], result: Json, texts: _Texts
) -> None:
    error = as_dict(told.get("error"))
    line = f"{as_text(error.get('type'))}: {as_text(error.get('message'))}"
    text = texts.of(result)
    if not text and not isinstance(result, str | list):
        text = written(result)
    draft.calls.answer(key, text, line if error else "")


def _end(draft: Draft, sample: Mapping[str, Json], output: Mapping[str, Json]) -> None:
    error, limit = as_dict(sample.get("error")), as_dict(sample.get("limit"))
    if error:
        draft.ending = "fault"
        draft.reason = error_line(as_text(error.get("message"))) or "error"
    elif limit:
        draft.ending = "broken"
        kind, bound = as_text(limit.get("type")), written(limit.get("limit"))
        draft.reason = error_line(f"limit of {kind}: {bound}")
    elif told := as_text(output.get("error")):
        draft.ending = "broken"
        draft.reason = error_line(told)


def _usage(
    sample: Mapping[str, Json],
    output: Mapping[str, Json],
    messages: Sequence[Mapping[str, Json]],
) -> Spent:
    told = [as_dict(use) for use in as_dict(sample.get("model_usage")).values()]
    told = told or [use for use in [as_dict(output.get("usage"))] if use]
    costs = [amount_of(use.get("total_cost")) for use in told]
    paid = [cost for cost in costs if cost is not None]
    events = _events(sample)
    turns = sum(event.get("event") == "model" for event in events) or sum(
        message.get("role") == "assistant" and message.get("source") != "input"
        for message in messages
    )
    return Spent(
        turns=turns or None,
        input_tokens=total(*map(_input, told)),
        cached_tokens=total(
            *(count_of(use.get("input_tokens_cache_read")) for use in told)
        ),
        output_tokens=total(*(count_of(use.get("output_tokens")) for use in told)),
        usd=amount_of(sum(paid)) if paid else None,
        seconds=amount_of(sample.get("total_time")),
    )


def _input(usage: Mapping[str, Json]) -> int | None:
    """All that was read: providers differ in whether what was cached is among it."""
    read, wrote = (
        count_of(usage.get("input_tokens")),
        count_of(usage.get("output_tokens")),
    )
    whole = count_of(usage.get("total_tokens"))
    if read is None or wrote is None or whole is None:
        return read
    return max(read, whole - wrote)
