"""Conversations of Strands agents, several by name in one document.

Each has `system_prompt` and `messages` in the manner of Bedrock. They have no ids and
no times: a run's id is made of what it says.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from skillbank.codec import Json, digest
from skillbank.traffic.readers.documents import document
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.messages import Message, Result, asked
from skillbank.traffic.readers.skill_use import used
from skillbank.traffic.readers.values import (
    as_dict,
    bounded,
    brief_of,
    error_line,
    recalls_of,
    text_of,
    written,
)
from skillbank.traffic.run import Misfit, Run, Spent, TracedStep

_SIGN = re.compile(
    rb'\A\s*\{\s*(?:"[^"\\]{1,200}"\s*:\s*\{\s*)?"system_prompt"\s*:'
    rb'(?=.*"messages"\s*:)(?=.*"(?:toolUse|toolResult|text)"\s*:)',
    re.DOTALL,
)


def sign(head: bytes) -> str:
    """Why the beginning of a file is of Strands agents; empty if it is not."""
    found = _SIGN.match(head.removeprefix(b"\xef\xbb\xbf"))
    return "it has a system_prompt with messages" if found else ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a conversation, in file order.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    value = document(path, name)
    if isinstance(value, Misfit):
        yield value
        return
    held = as_dict(value)
    talks = {"": held} if "messages" in held else held
    for key, talk in talks.items():
        yield _run(key, as_dict(talk), f"{name}#{key[:64]}" if key else name)
    if not talks:
        yield misfit(name, "no text", "no conversation; expected messages by name")


def _run(key: str, talk: dict[str, Json], source: str) -> Run | Misfit:
    messages = asked(talk.get("messages"))
    said = [m.text for m in messages if m.role == "user" and m.text.strip()]
    brief = brief_of(said[0]) if said else None
    if brief is None:
        problem = f"{len(messages)} message(s) without a user's words"
        return misfit(source, "no text", f"{problem}; expected what was asked")
    steps = tuple(_steps(messages))
    skills = used(steps, [text_of(talk.get("system_prompt"))])
    answers = [m.text for m in messages if m.role == "assistant" and m.text.strip()]
    return Run(
        run_id=digest("strands", key, written(talk.get("messages")))[:32],
        brief=brief,
        steps=steps,
        recalls=recalls_of(skills),
        output=answers[-1] if answers else "",
        usage=Spent(turns=sum(m.role == "assistant" for m in messages) or None),
        source=source,
        followups=tuple(said[1:]),
        skills=skills,
    )


def _steps(messages: Sequence[Message]) -> Iterator[TracedStep]:
    results: dict[str, Result] = {}
    for message in messages:
        for result in message.results:
            results.setdefault(result.call, result)
    used_up: set[str] = set()
    for message in messages:
        for call in message.calls:
            # ids repeat in some recordings: a result belongs to the first call of it
            found = None if call.id in used_up else results.get(call.id)
            used_up.add(call.id)
            text = found.text if found else ""
            failed = found is not None and found.failed
            yield TracedStep(
                subtask="",
                tool=call.tool,
                arguments=call.arguments,
                call=call.id,
                result=bounded(text),
                error=error_line(text) or "failed" if failed else "",
            )
