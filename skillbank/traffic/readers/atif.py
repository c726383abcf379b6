"""ATIF, the interchange format of the Harbor framework, versions 1.0 to 1.7.

Read here and not by Harbor's own models: they forbid what they do not know, of which
every producer has something, and come with the whole framework.

A trajectory has no score. Where it lies in the folder of a trial, `harbor_trial` reads
what was scored beside it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.documents import document
from skillbank.traffic.readers.drafts import Draft
from skillbank.traffic.readers.harbor_trial import has_trajectory, scored, trial_of
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    iso_of,
    text_of,
    written,
)
from skillbank.traffic.run import Misfit, Run, Spent

_SIGN = re.compile(rb'"schema_version"\s*:\s*"ATIF-v')
_PLACEHOLDER = re.compile(r"NORMALIZED_\w{1,60}")  # of files made comparable
_CHILD = re.compile(r"\.summarization-\d{1,6}-\w{1,40}(?=\.json)")
_NEXT = re.compile(r"-cont-(\d{1,6})$")
_TASK = ("Task Description:\n", "\nCurrent terminal state:")
"""Between what terminus, Harbor's own agent, puts the task."""


@dataclass(slots=True)
class _Told:
    """What the steps of a trajectory and its embedded children cost."""

    turns: int = 0
    model: str = ""
    metrics: list[Mapping[str, Json]] = field(default_factory=list)
    alone: bool = True
    """Whether no child is in a file of its own, and the trajectory goes on in none."""


def sign(head: bytes) -> str:
    """Why the beginning of a file is a trajectory, or a trial's result."""
    if _SIGN.search(head):
        return "a schema_version of ATIF"
    if b'"trial_name"' in head and b'"verifier_result"' in head:
        return "the result of a trial, with verifier_result"
    return ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield the run of a trajectory; of a trial's result only that it stands alone.

    Args:
        path: The file; what was scored is looked for beside it.
        name: What to call it in `source`; its own name where empty.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    value = document(path, name)
    if isinstance(value, Misfit):
        yield value
    elif isinstance(value, dict) and isinstance(value.get("steps"), list):
        yield _run(value, path, name)
    elif "verifier_result" not in as_dict(value):
        yield misfit(name, "missing field", "no list of steps; expected one")
    elif not has_trajectory(path):
        problem = "a trial's result without its trajectory; expected it beside"
        yield misfit(name, "no text", problem)


def _run(value: Mapping[str, Json], path: Path, name: str) -> Run | Misfit:
    continues = _continues(value)
    draft, told = Draft(), _Told(alone=not continues)
    _walk(value, draft, told, "")
    trial = trial_of(path)
    session = _id(value.get("session_id"))
    parent = _parent(value, path, name)
    run = draft.run(
        name,
        run_id=_id(value.get("trajectory_id")) or session,
        brief_id="" if parent else as_text(trial.result.get("task_name")),
        usage=_usage(as_dict(value.get("final_metrics")), told, draft.seconds()),
    )
    if isinstance(run, Misfit):
        return run
    agent = as_dict(value.get("agent"))
    next_one = None if parent or not continues else _NEXT.search(session)
    program = f"{as_text(agent.get('name'))} {as_text(agent.get('version'))}".strip()
    run = replace(
        run,
        session=session,
        model=told.model or as_text(agent.get("model_name")),
        agent=program,
        parent="" if parent == run.run_id else parent,
        part=next_one[1] if next_one else "",
        origin="" if parent or not continues else _NEXT.sub("", session),
    )
    return run if parent else scored(run, trial)


def _id(value: Json) -> str:
    text = as_text(value)
    return "" if _PLACEHOLDER.fullmatch(text) else text


def _parent(value: Mapping[str, Json], path: Path, name: str) -> str:
    """Run id of the trajectory that this one summed up or answered for."""
    extra = as_dict(as_dict(value.get("agent")).get("extra"))
    told = as_text(extra.get("parent_session_id"))
    beside = path.with_name(_CHILD.sub("", path.name))
    if _id(told) or not told or beside == path or beside.is_symlink():
        return told
    whole = document(beside, name) if beside.is_file() else None
    if isinstance(whole, dict) and isinstance(whole.get("steps"), list):
        run = _run(whole, beside, name)
        return run.run_id if isinstance(run, Run) else told
    return told


def _continues(value: Mapping[str, Json]) -> bool:
    steps = as_list(value.get("steps"))
    copied = bool(steps) and as_dict(steps[0]).get("is_copied_context") is True
    return copied or bool(as_text(value.get("continued_trajectory_ref")))


def _walk(value: Mapping[str, Json], draft: Draft, told: _Told, agent: str) -> None:
    """Take the steps of a trajectory, and those of its children where they are named.

    Args:
        value: The trajectory.
        draft: Of the run; only the outermost trajectory asks and answers.
        told: What the steps cost.
        agent: Id of the child; empty: it is the outermost.
    """
    children = {
        as_text(child.get("trajectory_id")) or f"child {number}": child
        for number, child in enumerate(
            map(as_dict, as_list(value.get("subagent_trajectories"))), 1
        )
    }
    handed_over = False
    for step in map(as_dict, as_list(value.get("steps"))):
        source = step.get("source")
        copied = step.get("is_copied_context") is True
        told_before = copied and bool(draft.asked)
        if not agent and not told_before and not (handed_over and source == "user"):
            _say(draft, step)
        handed_over = handed_over and source != "user"
        if copied:
            continue
        draft.at(iso_of(step.get("timestamp")))
        if source == "agent":
            calls = count_of(step.get("llm_call_count"))
            told.turns += 1 if calls is None else calls
            told.model = as_text(step.get("model_name")) or told.model
            told.metrics.append(as_dict(step.get("metrics")))
        for child in _call(draft, step, agent):
            # what the program says next as the user is what the child made
            handed_over = source == "system"
            if child in children:
                _walk(children.pop(child), draft, told, child)
            else:
                told.alone = False
    for child, steps in children.items():
        _walk(steps, draft, told, child)


def _say(draft: Draft, step: Mapping[str, Json]) -> None:
    text = text_of(step.get("message"))
    if step.get("source") == "system":
        draft.instructions.append(text)
    elif step.get("source") == "user":
        start, end = text.find(_TASK[0]), text.rfind(_TASK[1])
        inner = text[start + len(_TASK[0]) : end] if 0 <= start < end else text
        draft.ask(inner.strip() or text)
    elif step.get("source") == "agent" and text.strip():
        draft.output = text


def _call(draft: Draft, step: Mapping[str, Json], agent: str) -> list[str]:
    """Take a step's calls and results; give the ids of children that they name."""
    waiting = []
    for call in map(as_dict, as_list(step.get("tool_calls"))):
        key = as_text(call.get("tool_call_id"))
        key = f"{agent}/{key}" if agent and key else key
        waiting.append(key)
        draft.call(
            as_text(call.get("function_name")),
            arguments_of(call.get("arguments")),
            call=key,
            started=iso_of(step.get("timestamp")),
            agent=agent,
        )
    found = []
    for result in map(
        as_dict, as_list(as_dict(step.get("observation")).get("results"))
    ):
        refs = as_list(result.get("subagent_trajectory_ref"))
        found += [as_text(as_dict(ref).get("trajectory_id")) for ref in refs]
        key = as_text(result.get("source_call_id"))
        key = f"{agent}/{key}" if agent and key else key
        if not key and waiting:
            key = waiting[0]
        elif key not in waiting:
            continue  # of the environment, not of a call
        waiting.remove(key)
        text = text_of(result.get("content"))
        if not text and refs:
            text = written({"subagent_trajectory_ref": refs})
        draft.calls.answer(key, text)
    return found


def _usage(final: Mapping[str, Json], told: _Told, seconds: float | None) -> Spent:
    """Of the steps, or of the final metrics where these tell more.

    The final metrics know calls that left no step. But those of a parent hold what its
    children's files tell, which are runs of their own, and those of a continuation
    what came before it: then they count only where no step tells anything.
    """

    def spent(step: str, whole: str) -> float | None:
        parts = [amount_of(metrics.get(step)) for metrics in told.metrics]
        known = [part for part in parts if part is not None]
        end = amount_of(final.get(whole))
        if known and (end is None or not told.alone or end < sum(known)):
            return amount_of(sum(known))
        return end

    return Spent(
        turns=told.turns or None,
        input_tokens=count_of(spent("prompt_tokens", "total_prompt_tokens")),
        cached_tokens=count_of(spent("cached_tokens", "total_cached_tokens")),
        output_tokens=count_of(spent("completion_tokens", "total_completion_tokens")),
        usd=spent("cost_usd", "total_cost_usd"),
        seconds=seconds,
    )
