"""OpenHands: both generations of events, and the records of resolver and evaluation.

Read here and not by OpenHands' own package, which brings browsers, a container client
and over a hundred packages with it, and takes none of the older dumps.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from skillbank.codec import Json, digest
from skillbank.traffic.readers.documents import (
    WHOLE,
    document,
    in_lines,
    objects,
    spread,
)
from skillbank.traffic.readers.lines import head, misfit
from skillbank.traffic.readers.openhands_v0 import Events
from skillbank.traffic.readers.openhands_v1 import Conversation
from skillbank.traffic.readers.packed import longer
from skillbank.traffic.readers.values import (
    amount_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    error_line,
    number_of,
    text_of,
)
from skillbank.traffic.run import Misfit, Provenance, Rating, Run

_AGENT = "openhands"
_LINE = 64 * 2**20  # a record of an evaluation holds a whole history
_EVENT_FILES = "event-*.json"
_MOST_FILES = 20_000  # of a conversation; one event each
_V1 = re.compile(
    rb'"kind"\s*:\s*"(?:Action|Observation|Message|SystemPrompt|AgentError'
    rb'|ConversationStateUpdate|ConversationError)Event"'
)
_V0 = re.compile(
    rb'\s*\[?\s*\{\s*"id"\s*:\s*\d+\s*,\s*"timestamp"\s*:\s*"[^"]{0,40}"\s*,'
    rb'\s*"source"\s*:\s*"(?:user|agent|environment)"'
)
_LATE = re.compile(
    rb'\s*\[?\s*\{\s*"id"\s*:\s*"[^"]{0,40}"\s*,\s*"timestamp"\s*:\s*"[^"]{0,40}"\s*,'
    rb'\s*"source"\s*:\s*"(?:user|agent|environment|hook)"\s*,'
)
"""An event with a `kind`, which comes last, behind what may be a very long text."""


def sign(head: bytes) -> str:
    """Why the beginning of a file is of OpenHands; empty if it does not look so."""
    if _V1.search(head):
        return "an event with a kind of the software agent SDK"
    if _V0.match(head) or _LATE.match(head):
        return "an event with id, timestamp and source"
    if b'"git_patch"' in head and b'"instruction"' in head:
        return "a record with instruction and git_patch"
    if b'"execution_status"' in head and b'"activated_knowledge_skills"' in head:
        return "a conversation's state"
    return ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield the runs of a file: one of a conversation, one a line of records.

    A conversation that is a folder is read with its `base_state.json`, or with its
    first event file if there is none; its other files yield nothing of their own.

    Args:
        path: The file.
        name: What to call it in `source`; its own name where empty.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    if spread(head(path)):
        value = document(path, name)
        if not isinstance(value, Misfit):
            yield from _document(value, path, name)
            return
        if not in_lines(path):
            yield value
            return
    yield from _lines(path, name)


def _lines(path: Path, name: str) -> Iterator[Run | Misfit]:
    if longer(path, WHOLE) and b'"git_patch"' not in head(path):
        problem = f"over {WHOLE // 2**20} MB of events; expected one conversation"
        yield misfit(name, "too long", problem)
        return
    events: list[dict[str, Json]] = []
    for line in objects(path, name, _LINE):
        if isinstance(line, Misfit):
            yield line
            continue
        number, value = line
        if "history" in value or "git_patch" in value:
            yield _record(value, f"{name}:{number}")
        else:
            events.append(value)
    if len(events) == 1:
        yield from _document(events[0], path, name)
    elif events:
        yield _conversation(events, name)


def _document(value: Json, path: Path, name: str) -> Iterator[Run | Misfit]:
    if isinstance(value, dict) and "execution_status" in value:
        yield from _folder(path.parent / "events", value, name)
    elif isinstance(value, dict) and "kind" in value and path.match(_EVENT_FILES):
        files = _files(path.parent)
        if not _state_of(path.parent) and files[:1] == [path]:
            yield from _folder(path.parent, {}, name)
    elif isinstance(value, dict) and ("history" in value or "git_patch" in value):
        yield _record(value, name)
    else:
        events = as_list(value) or as_list(as_dict(value).get("events")) or [value]
        yield _conversation(events, name)


def _state_of(events: Path) -> bool:
    state = events.parent / "base_state.json"
    return state.is_file() and not state.is_symlink()


def _files(folder: Path) -> list[Path]:
    if folder.is_symlink() or not folder.is_dir():
        return []
    found = sorted(folder.glob(_EVENT_FILES))
    return [path for path in found if path.is_file() and not path.is_symlink()]


def _folder(
    folder: Path, state: Mapping[str, Json], name: str
) -> Iterator[Run | Misfit]:
    """A conversation of one file an event, in the order of their names."""
    talk = Conversation()
    files = _files(folder)
    if sum(path.stat().st_size for path in files) > WHOLE or len(files) > _MOST_FILES:
        problem = f"over {WHOLE // 2**20} MB or {_MOST_FILES} files of events"
        yield misfit(name, "too long", f"{problem}; expected one conversation")
        return
    for path in files:
        place = f"{name}#{path.name}"
        event = document(path, place)
        if isinstance(event, Misfit):
            yield event
        elif isinstance(event, dict):
            talk.add(event)
        else:
            yield misfit(place, "bad value", "expected an event, an object")
    talk.add_state(state)
    yield _talk(talk, name)


def _conversation(events: Iterable[Json], name: str) -> Run | Misfit:
    events = list(events)
    if any("kind" in as_dict(event) for event in events):
        talk = Conversation()
        for event in events:
            talk.add(as_dict(event))
        return _talk(talk, name)
    told = Events()
    told.add_all(events)
    told.end()
    run = told.draft.run(name, usage=told.usage())
    return (
        run if isinstance(run, Misfit) else replace(run, agent=_AGENT, model=told.model)
    )


def _talk(talk: Conversation, name: str) -> Run | Misfit:
    talk.end()
    run_id = talk.id or talk.first
    run = talk.draft.run(name, run_id=run_id, usage=talk.usage())
    if isinstance(run, Misfit):
        return run
    return replace(
        run, agent=_AGENT, model=talk.model, session=talk.id, origin=talk.origin
    )


def _record(record: Mapping[str, Json], source: str) -> Run | Misfit:
    """A record of the resolver or an evaluation: a task, its history, its outcome."""
    told = Events()
    told.draft.ask(text_of(record.get("instruction")))
    history = as_list(record.get("history"))
    told.add_all(history)
    told.draft.followups = [
        text for text in told.draft.followups if text != told.draft.asked
    ]
    told.end()
    tested = as_dict(record.get("test_result"))
    patch = as_text(record.get("git_patch")) or as_text(tested.get("git_patch"))
    told.draft.output = patch or told.draft.output
    if error := as_text(record.get("error")):
        told.draft.ending = "broken" if len(told.draft.calls) else "fault"
        told.draft.reason = error_line(error)
    metrics = as_dict(record.get("metrics"))
    usage = told.usage()
    usage = replace(
        usage,
        turns=usage.turns or len(as_list(metrics.get("costs"))) or None,
        usd=amount_of(metrics.get("accumulated_cost")),
    )
    task = _task(record)
    run_id = task and f"{task}~{digest(history, patch, metrics)[:8]}"
    run = told.draft.run(source, run_id=run_id, brief_id=task, usage=usage)
    if isinstance(run, Misfit):
        return run
    model = as_text(
        as_dict(as_dict(record.get("metadata")).get("llm_config")).get("model")
    )
    run = replace(run, agent=_AGENT, model=told.model or model)
    return _rated(run, record, tested)


def _task(record: Mapping[str, Json]) -> str:
    issue = as_dict(record.get("issue"))
    number = count_of(issue.get("number"))
    place = f"{as_text(issue.get('owner'))}/{as_text(issue.get('repo'))}"
    made = f"{place}#{number}" if number is not None else ""
    return (as_text(record.get("instance_id")) or made)[:200]


def _rated(run: Run, record: Mapping[str, Json], tested: Mapping[str, Json]) -> Run:
    """With what a model guessed of the outcome, and what the tests said of it."""
    ratings = []
    comments = as_list(record.get("comment_success"))
    why = text_of(record.get("result_explanation"))
    report = as_dict(record.get("report")) or as_dict(tested.get("report"))
    told: list[tuple[str, Json, str, Provenance]] = [
        ("resolved", report.get("resolved"), "", "check"),
        ("success", record.get("success"), why, "model"),
        *((f"comment {n}", value, "", "model") for n, value in enumerate(comments, 1)),
    ]
    for name, value, text, provenance in told:
        number = float(value) if isinstance(value, bool) else number_of(value)
        if number is not None:
            ratings.append(
                Rating(
                    name=name,
                    value=number,
                    text=text,
                    provenance=provenance,
                    higher_is_better=True,
                )
            )
    run = replace(run, ratings=tuple(ratings))
    best = (
        ratings[0] if ratings and ratings[0].name in ("resolved", "success") else None
    )
    if best is None or best.value not in (0.0, 1.0) or run.ending == "fault":
        return run
    return replace(run, score=best.value, provenance=best.provenance)
