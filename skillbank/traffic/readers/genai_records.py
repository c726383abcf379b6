"""Model calls that only log records tell of, because their spans were not exported.

The conventions of OpenTelemetry have the messages of a call in records of the call's
span: one a message (`gen_ai.user.message`, `gen_ai.choice`), or later one for the whole
call (`gen_ai.client.inference.operation.details`).
"""

import re
from collections.abc import Collection, Iterable, Iterator

from skillbank.codec import Json
from skillbank.traffic.readers.otlp import Event, Raw
from skillbank.traffic.readers.values import as_text

NAMES = re.compile(
    r"gen_ai\.(?:(?:system|user|assistant|tool)\.message|choice"
    r"|client\.inference\.operation\.details)"
)
"""Names of records that have messages."""
_CHOICE, _WHOLE = "gen_ai.choice", "gen_ai.client.inference.operation.details"


def trace_of(record: Event) -> str:
    """The trace, else the conversation, that a record of messages belongs to."""
    return record.trace or as_text(record.held.get("gen_ai.conversation.id"))


def has_messages(record: Event) -> bool:
    """Whether a record tells messages of a model call."""
    return bool(NAMES.fullmatch(record.name))


def untold(records: Iterable[Event], known: Collection[str]) -> Iterator[Raw]:
    """Yield a span for each model call that no span tells of.

    Args:
        records: Of one trace, in the order of time.
        known: Ids of the spans that are there.
    """
    calls: dict[str, list[Event]] = {}
    number, last = 0, ""
    for record in filter(has_messages, records):
        if record.span and record.span in known:
            continue
        if not record.span:  # then choices end a call, and there may be several
            ended = last in (_CHOICE, _WHOLE) and record.name != _CHOICE
            number += ended or record.name == _WHOLE
            last = record.name
        calls.setdefault(record.span or f"#call-{number}", []).append(record)
    for id, told in calls.items():
        held: dict[str, Json] = {"gen_ai.operation.name": "chat"}
        for record in told:
            held |= record.held
        held.pop("body", None)
        yield Raw(
            trace=trace_of(told[0]),
            id=id,
            parent="",
            name=told[0].name,
            began=told[0].at,
            ended=told[-1].at,
            held=held,
            events=tuple(told),
            status="ERROR" if as_text(held.get("error.type")) else "",
            message="",
            resource=told[0].resource,
        )
