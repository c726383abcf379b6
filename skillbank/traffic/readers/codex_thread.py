"""One thread of Codex, put together from its records."""

import re

from skillbank.agents.agent import Ending
from skillbank.codec import Json, digest
from skillbank.traffic.readers.calls import Calls
from skillbank.traffic.readers.codex_output import (
    failure,
    mcp_result,
    output_of,
    parts_of,
    patch_error,
)
from skillbank.traffic.readers.codex_script import calls_in
from skillbank.traffic.readers.codex_usage import Meter
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.skill_use import used, version_of
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    bounded,
    brief_of,
    each_once,
    error_line,
    id_of,
    recalls_of,
    seconds_between,
    skill_name,
    text_of,
    total,
    written,
)
from skillbank.traffic.run import Misfit, Reply, Run, SkillUse, Spent

_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "<turn_aborted>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<collaboration_mode>",
    "<skills_instructions>",
    "<system-reminder>",
    "<INSTRUCTIONS>",
    "<skill>",
    "# AGENTS.md instructions",
)
"""How texts begin that are in the user's place and that no user wrote."""
_ASKED_BELOW = "## My request for Codex:"  # editors put their context above it
_SKILL = re.compile(r"<skill>\s{0,20}<name>([^<]{1,100})</name>")
_SCRIPTS = ("exec", "functions.exec")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")
_NAMED = {
    "local_shell_call": ("local_shell", "action"),
    "tool_search_call": ("tool_search", "arguments"),
    "web_search_call": ("web_search", "action"),
    "image_generation_call": ("image_generation", "revised_prompt"),
}
"""Calls whose type is their name, and where their arguments are."""
_Said = tuple[str, int, str]
"""What a user said, its line and its time."""


class Thread:
    """Takes the records of a thread in order; `run` tells what it was.

    A rollout tells most things twice, as items and as events. Calls are taken from its
    items, and from its events only where it has no calls among its items; what users
    said is taken from its events, and from its items only where no event tells it.
    """

    def __init__(self, name: str) -> None:
        """Nothing was said yet. `name`: of the file, for the run's source."""
        self._name = name
        self._line = 0
        self._begun = False
        self._metas: dict[str, dict[str, Json]] = {}
        self._events: list[_Said] = []
        self._items: list[_Said] = []
        self._passed_on: list[_Said] = []  # by another agent, to a sub-agent
        self._calls = Calls()
        self._side = Calls()  # as the events tell them
        self._more: list[tuple[str, str, str]] = []  # what events tell of calls
        self._scripts: dict[str, int] = {}
        self._uses: list[SkillUse] = []
        self._meter = Meter()
        self._model = ""
        self._output = ""
        self._trouble: tuple[Ending, str] = ("ok", "")
        self._times = ("", "")
        self._ms: float | None = None

    def take(self, line: int, kind: str, payload: dict[str, Json], time: str) -> None:
        """Learn what a record says."""
        self._line = self._line or line
        if kind == "meta":
            self._metas.setdefault(as_text(payload.get("id")), payload)
            self._offer(as_text(payload.get("instructions")))
            return
        self._times = (self._times[0] or time, time or self._times[1])
        if kind == "context":
            context = as_dict(payload.get("turn_context")) or payload
            self._model = as_text(context.get("model")) or self._model
            self._offer(as_text(context.get("user_instructions")))
        elif kind == "item":
            self._begun = True
            self._item(line, payload, time)
        else:
            self._begun = True
            self._event(line, payload, time)

    @property
    def is_whole(self) -> bool:
        """Whether it has a description and more: another one is another thread's."""
        return self._begun and bool(self._metas)

    # --- items ----------------------------------------------------------------------

    def _item(self, line: int, item: dict[str, Json], time: str) -> None:
        kind = as_text(item.get("type"))
        call = as_text(item.get("call_id")) or as_text(item.get("id"))
        if kind == "message":
            self._message(line, item, time)
        elif kind == "function_call":
            self._call(as_text(item.get("name")), item.get("arguments"), call, time)
        elif kind == "custom_tool_call":
            self._call(as_text(item.get("name")), item.get("input"), call, time)
        elif kind in _NAMED:
            tool, key = _NAMED[kind]
            self._calls.add(tool, arguments_of(item.get(key)), call, time)
        elif kind in _OUTPUTS:
            self._result(call, item.get("output", item.get("tools")))
        elif kind == "agent_message":
            self._heard(self._passed_on, text_of(item.get("content")), line, time)
        elif kind == "token_count":
            self._meter.take(item.get("info") or item)

    def _message(self, line: int, item: dict[str, Json], time: str) -> None:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self._answered(text_of(content), item.get("phase"))
            return
        for part in as_list(content) or [content]:
            text = text_of(part)
            if role == "user":
                for name in _SKILL.findall(text[:10_000])[:1]:
                    version = version_of(text)
                    use = SkillUse(
                        skill=skill_name(name), how="applied", version=version
                    )
                    self._uses.append(use)
                self._heard(self._items, text, line, time)
            self._offer(text)

    def _call(self, tool: str, arguments: Json, call: str, time: str) -> None:
        held = arguments_of(arguments)
        if tool in _SCRIPTS:
            whole = parsed_script(arguments)
            made = calls_in(whole)
            for place, (inner, inner_arguments) in enumerate(made, start=1):
                self._calls.add(inner, inner_arguments, f"{call}#{place}", time)
            if made:
                self._scripts[call] = len(made)
                return
        self._calls.add(tool or "unnamed", held, call, time)

    def _result(self, call: str, output: Json) -> None:
        if n_calls := self._scripts.get(call):
            for place, (text, error) in enumerate(parts_of(output, n_calls), start=1):
                self._calls.answer(f"{call}#{place}", text, error)
        elif isinstance(output, list) and not text_of(output):
            self._calls.answer(call, written(output) if output else "")
        else:
            self._calls.answer(call, *output_of(output))

    # --- events ---------------------------------------------------------------------

    def _event(self, line: int, event: dict[str, Json], time: str) -> None:
        kind = as_text(event.get("type"))
        if kind == "user_message":
            if event.get("kind") not in ("user_instructions", "environment_context"):
                self._heard(self._events, as_text(event.get("message")), line, time)
                self._trouble = ("ok", "")
        elif kind == "agent_message":
            self._answered(as_text(event.get("message")), event.get("phase"))
        elif kind in ("token_count", "turn.completed"):
            self._meter.take(event.get("info") or event.get("usage"))
        elif kind == "task_complete":
            self._completed(event)
        elif kind == "turn_aborted":
            self._trouble = ("broken", error_line(as_text(event.get("reason"))))
        elif kind in ("error", "turn.failed"):
            self._failed(event.get("error") or event)
        elif kind in ("item.started", "item.completed", "item_completed"):
            self._printed(line, as_dict(event.get("item")), time)
        else:
            self._told(kind, event, time)

    def _completed(self, event: dict[str, Json]) -> None:
        if (ms := amount_of(event.get("duration_ms"))) is not None:
            self._ms = (self._ms or 0.0) + ms
        if event.get("error"):
            self._failed(event["error"])
        else:
            self._answered(as_text(event.get("last_agent_message")), "final_answer")

    def _failed(self, error: Json) -> None:
        """All but a full context window is no doing of the agent's."""
        held = as_dict(error)
        message = as_text(error) or as_text(held.get("message"))
        kind = written(held.get("codex_error_info"))
        agent = "context_window" in kind or "context window" in message
        why = error_line(message) or error_line(kind) or "it does not say why"
        self._trouble = ("broken" if agent else "fault", why)

    def _told(self, kind: str, event: dict[str, Json], time: str) -> None:
        """A call, or what came of it, as an event tells it."""
        call = as_text(event.get("call_id"))
        if kind in ("exec_command_begin", "exec_command_end"):
            command = {"command": event.get("command")}
            self._side.add("exec_command", arguments_of(command), call, time)
            if kind.endswith("end"):
                shown = event.get("aggregated_output") or event.get("stdout")
                text = as_text(shown) or as_text(event.get("stderr"))
                self._more.append((call, text, failure(event.get("exit_code"), text)))
        elif kind in ("mcp_tool_call_begin", "mcp_tool_call_end"):
            asked = as_dict(event.get("invocation"))
            tool = f"{as_text(asked.get('server'))}.{as_text(asked.get('tool'))}"
            self._side.add(tool, arguments_of(asked.get("arguments")), call, time)
            if kind.endswith("end"):
                self._more.append((call, *mcp_result(event.get("result"))))
        elif kind == "patch_apply_end":
            changes = arguments_of(event.get("changes"))
            self._side.add("apply_patch", changes, call, time)
            self._more.append((call, as_text(event.get("stdout")), patch_error(event)))
        elif kind == "collab_agent_spawn_end":
            thread = as_text(event.get("new_thread_id"))
            self._more.append((call, f"thread {thread}" if thread else "", ""))

    def _printed(self, line: int, item: dict[str, Json], time: str) -> None:
        """An item as `codex exec --json` prints it, or as late rollouts repeat it."""
        kind, call = as_text(item.get("type")), as_text(item.get("id"))
        if kind == "agent_message":
            self._answered(as_text(item.get("text")), None)
        elif kind == "UserMessage":
            self._heard(self._items, text_of(item.get("content")), line, time)
        elif kind in ("command_execution", "CommandExecution"):
            command = {"command": item.get("command")}
            self._side.add("exec_command", arguments_of(command), call, time)
            text = as_text(item.get("aggregated_output"))
            self._more.append((call, text, failure(item.get("exit_code"), text)))
        elif kind in ("mcp_tool_call", "McpToolCall"):
            tool = f"{as_text(item.get('server'))}.{as_text(item.get('tool'))}"
            self._side.add(tool, arguments_of(item.get("arguments")), call, time)
            error = as_dict(item.get("error")).get("message")
            told = {"Err": error} if error else item.get("result")
            self._more.append((call, *mcp_result(told)))
        elif kind in ("file_change", "FileChange"):
            changes = {"changes": item.get("changes")}
            self._side.add("apply_patch", arguments_of(changes), call, time)
            failed = item.get("status") == "failed"
            self._more.append((call, "", "the patch was not applied" if failed else ""))
        elif kind == "web_search":
            asked = {"query": item.get("query")}
            self._side.add("web_search", arguments_of(asked), call, time)

    # --- both -----------------------------------------------------------------------

    def _heard(self, where: list[_Said], text: str, line: int, time: str) -> None:
        text = text.partition(_ASKED_BELOW)[2] or text
        if text.strip() and not text.lstrip().startswith(_INJECTED):
            where.append((text.strip(), line, time))

    def _answered(self, text: str, phase: Json) -> None:
        """The last text stands, and a remark on the way only if there is no other."""
        if text.strip():
            if phase != "commentary" or not self._output:
                self._output = text
            self._trouble = ("ok", "")

    def _offer(self, text: str) -> None:
        """A list of skills names each with its file; instructions hold such a list."""
        if "SKILL.md)" not in text:
            return
        for entry in text.splitlines():
            if entry.startswith("- ") and "SKILL.md)" in entry:
                name = skill_name(entry[2:].partition(": ")[0])
                if name and len(name) <= 100:
                    self._uses.append(SkillUse(skill=name, how="offered"))

    # --- what it was ----------------------------------------------------------------

    def run(self) -> Run | Misfit:
        """The thread as a run; a misfit if nobody asked anything."""
        id, meta = next(iter(self._metas.items()), ("", {}))
        parent, origin = _parent(meta), self._origin()
        said = self._events or self._items or (self._passed_on if parent else [])
        brief = brief_of(said[0][0]) if said else None
        if brief is None:
            source = f"{self._name}:{self._line}"
            return misfit(source, "no text", "expected a message that a user wrote")
        calls = self._calls if len(self._calls) else self._side
        for call, text, error in self._more:
            calls.amend(call, text, error)
        steps = calls.steps()
        uses = each_once([*self._uses, *used(steps)])
        made = digest([text for text, _, _ in said], steps, self._output)
        replies = tuple(self._meter.replies(origin or made))
        started = said[0][2] or self._times[0]
        ending, reason = self._trouble
        program = as_text(meta.get("originator")) or "codex"
        return Run(
            run_id=id_of(id) or f"codex-{made[:16]}",
            brief=brief,
            session=as_text(meta.get("session_id")) or parent or id,
            started=started,
            steps=steps,
            skills=uses,
            recalls=recalls_of(uses),
            output=self._output,
            ending=ending,
            reason=reason,
            usage=self._spent(replies, started),
            source=f"{self._name}:{said[0][1]}",
            followups=tuple(bounded(text) for text, _, _ in said[1:]),
            model=self._model,
            agent=f"{program} {as_text(meta.get('cli_version'))}".strip(),
            parent="" if parent == id_of(id) else parent,
            origin=origin,
            replies=replies,
        )

    def _origin(self) -> str:
        """The thread that this one was first forked from, or itself."""
        ids = list(self._metas)
        id = ids[0] if ids else ""
        seen = set()
        while id in self._metas and id not in seen:
            seen.add(id)
            id = as_text(self._metas[id].get("forked_from_id")) or id
        if id == (ids[0] if ids else "") and len(ids) > 1:
            return ids[-1]
        return id

    def _spent(self, replies: tuple[Reply, ...], started: str) -> Spent:
        seconds = None if self._ms is None else self._ms / 1000
        if seconds is None:
            seconds = seconds_between(started, self._times[1])
        return Spent(
            turns=len(replies) or None,
            input_tokens=total(*(reply.input_tokens for reply in replies)),
            cached_tokens=total(*(reply.cached_tokens for reply in replies)),
            output_tokens=total(*(reply.output_tokens for reply in replies)),
            seconds=seconds,
        )


def _parent(meta: dict[str, Json]) -> str:
    """The thread that a sub-agent's thread worked for."""
    source = as_dict(as_dict(meta.get("source")).get("subagent"))
    spawned = as_dict(source.get("thread_spawn"))
    told = meta.get("parent_thread_id") or spawned.get("parent_thread_id")
    return id_of(told)


def parsed_script(arguments: Json) -> str:
    """The script among the arguments of a call that runs one."""
    held = arguments_of(arguments)
    named = (held.get(key, "") for key in ("source", "code", "script", "input"))
    return next((text for text in named if text), "")
