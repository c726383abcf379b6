"""SWE-agent: `.traj` files of three generations, and those of mini-swe-agent.

Read here and not by either program's own package: both run agents, and neither has a
reader of the older generations.

A `.traj` tells no time and no score; what SWE-bench said of it lies near it, and
`swe_bench` reads that. Predictions (`all_preds.jsonl`) repeat what a
`.traj` submitted without what was asked, so they are put aside.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.documents import document, objects, spread
from skillbank.traffic.readers.drafts import Draft
from skillbank.traffic.readers.lines import head, misfit
from skillbank.traffic.readers.mini_swe_agent import read_mini, told_by
from skillbank.traffic.readers.swe_bench import (
    has_trajectory,
    is_results,
    judged,
    sign_results,
)
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    parsed,
    text_of,
)
from skillbank.traffic.run import Misfit, Run, Spent

_STEP = re.compile(rb'"trajectory"\s*:\s*\[')
_MINI = (
    b'"mini_version"',
    b"mswea_bash_command",
    b"COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
    b"MINI_SWE_AGENT_FINAL_OUTPUT",
)
_NO_ACTIONS = re.compile(r"exit_\w+|skip")
_COMMANDS = frozenset(
    {
        "create",
        "edit",
        "exit_forfeit",
        "find_file",
        "goto",
        "insert",
        "open",
        "scroll_down",
        "scroll_up",
        "search_dir",
        "search_file",
        "str_replace_editor",
        "submit",
    }
)
"""What the program adds to a shell; in older files only the first word tells it."""
_INSTANCE = re.compile(r"[\w.-]{1,80}__[\w.-]{1,80}-\d{1,8}")
_FAULTS = ("exit_environment_error", "exit_api", "exit_error")


def sign(head: bytes) -> str:
    """Why the beginning of a file is of SWE-agent; empty if it does not look so."""
    if _STEP.search(head[:4096]) and b'"action"' in head and b'"observation"' in head:
        return "a trajectory of actions and observations"
    if b'"role"' in head and any(word in head for word in _MINI):
        return "messages with a command of mini-swe-agent"
    if b'"model_patch"' in head and b'"instance_id"' in head:
        return "predictions with model_patch"
    return sign_results(head)


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield the run of a file, or why there is none; of results that they stand alone.

    Args:
        path: The file; the id of the instance may be its name, and results near it.
        name: What to call it in `source`; its own name where empty.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    if not spread(head(path)) and b'"model_patch"' in head(path):
        for line in objects(path, name):
            yield line if isinstance(line, Misfit) else _guess(f"{name}:{line[0]}")
        return
    value = document(path, name)
    if isinstance(value, Misfit):
        yield value
    elif isinstance(value, list) or "messages" in as_dict(value):
        run = read_mini(value, name)
        known = as_text(as_dict(value).get("instance_id")) or _stem(path)
        yield run if isinstance(run, Misfit) else judged(run, path, known)
    elif isinstance(value, dict) and "trajectory" in value:
        yield _run(value, path, name)
    elif b'"model_patch"' in head(path):
        yield _guess(name)
    elif is_results(as_dict(value)):
        if not has_trajectory(path, as_dict(value)):
            problem = "results of SWE-bench without their .traj; expected it near them"
            yield misfit(name, "no text", problem)
    else:
        problem = "no trajectory and no messages; expected either"
        yield misfit(name, "missing field", problem)


def _guess(source: str) -> Misfit:
    problem = "a prediction, without what was asked; expected the instance's .traj"
    return misfit(source, "no text", problem)


def _run(value: Mapping[str, Json], path: Path, name: str) -> Run | Misfit:
    config = value.get("replay_config")
    config = as_dict(parsed(config) if isinstance(config, str) else config)
    problem = as_dict(config.get("problem_statement"))
    history = [
        message
        for message in map(as_dict, as_list(value.get("history")))
        if message.get("is_demo") is not True
    ]
    info = as_dict(value.get("info"))
    draft = Draft()
    draft.instructions = [
        text_of(message.get("content"))
        for message in history
        if message.get("role") == "system"
    ]
    draft.ask(as_text(problem.get("text")) or _asked(history))
    _steps(draft, as_list(value.get("trajectory")), history)
    draft.output = as_text(info.get("submission"))
    _end(draft, info)
    stem = _stem(path)
    task = as_text(problem.get("id"))
    run = draft.run(
        name,
        brief_id=task or (stem if _INSTANCE.fullmatch(stem) else ""),
        usage=_usage(as_dict(info.get("model_stats"))),
    )
    if isinstance(run, Misfit):
        return run
    model = as_dict(as_dict(config.get("agent")).get("model")).get("name")
    version = as_text(info.get("swe_agent_version"))
    agent = f"swe-agent {version}".strip()
    run = replace(run, agent=agent, model=as_text(model))
    return judged(run, path, task or stem)


def _stem(path: Path) -> str:
    return path.name.split(".traj")[0]


def _asked(history: list[dict[str, Json]]) -> str:
    for message in history:
        if message.get("role") == "user" and (text := text_of(message.get("content"))):
            return told_by(text)
    return ""


def _steps(
    draft: Draft, trajectory: list[Json], history: list[dict[str, Json]]
) -> None:
    """Steps of the trajectory, with the calls that the history tells of them."""
    acted = [message for message in history if message.get("role") == "assistant"]
    place = 0
    for step in map(as_dict, trajectory):
        action = as_text(step.get("action"))
        call: Mapping[str, Json] = {}
        for ahead, message in enumerate(acted[place : place + 3], start=place):
            if message.get("action") == step.get("action"):
                calls = as_list(message.get("tool_calls"))
                call = as_dict(calls[0]) if calls else {}
                place = ahead + 1
                break
        if not action.strip() or _NO_ACTIONS.fullmatch(action.strip()):
            continue
        function = as_dict(call.get("function"))
        if tool := as_text(function.get("name")):
            arguments = arguments_of(function.get("arguments"))
        else:
            first = action.split(maxsplit=1)[0]
            tool = first if first in _COMMANDS else "bash"
            arguments = arguments_of({"command": action})
        id = as_text(call.get("id"))
        id = "" if id in draft.calls else id  # a replay has some of them twice
        draft.call(tool, arguments, call=id)
        draft.calls.answer(id, text_of(step.get("observation")))


def _end(draft: Draft, info: Mapping[str, Json]) -> None:
    status = as_text(info.get("exit_status"))[:200]
    draft.reason = "" if status == "submitted" else status or "no exit status"
    if not status.startswith("submitted"):
        draft.ending = "fault" if status in _FAULTS else "broken"


def _usage(stats: Mapping[str, Json]) -> Spent:
    """What the model cost; a replay tells 0, which is not known."""
    return Spent(
        turns=count_of(stats.get("api_calls")) or None,
        input_tokens=count_of(stats.get("tokens_sent")) or None,
        output_tokens=count_of(stats.get("tokens_received")) or None,
        usd=amount_of(stats.get("instance_cost")) or None,
    )
