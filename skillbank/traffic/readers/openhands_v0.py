"""OpenHands' first generation: events with an action or an observation.

Newer dumps give each event an id, a time and a source; older ones (`history` of the
issue resolver and of evaluations) give none of them, or pair actions and observations.
"""

from collections.abc import Iterable, Mapping

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
from skillbank.traffic.run import Spent

_NO_CALLS = frozenset(
    {"message", "system", "recall", "finish", "change_agent_state", "null"}
)
_OURS = frozenset(
    {
        "action",
        "action_risk",
        "blocking",
        "confirmation_state",
        "hidden",
        "impl_source",
        "is_confirmed",
        "keep_prompt",
        "kernel_init_code",
        "security_risk",
        "thought",
        "translated_ipython_code",
    }
)
"""Arguments that are the program's own bookkeeping."""


class Events:
    """Gathers a run from its events, given in their order."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.model = ""
        self._calls: dict[int, str] = {}
        self._usages: dict[str, Mapping[str, Json]] = {}
        self._metrics: Mapping[str, Json] = {}
        self._state = ""

    def add_all(self, events: Iterable[Json]) -> None:
        """Take events, or pairs of them."""
        for event in events:
            for one in as_list(event) or [event]:
                if isinstance(one, dict):
                    self.add(one)

    def add(self, event: Mapping[str, Json]) -> None:
        """Take one event."""
        self.draft.at(iso_of(event.get("timestamp")))
        self._metrics = as_dict(event.get("llm_metrics")) or self._metrics
        response = as_dict(
            as_dict(event.get("tool_call_metadata")).get("model_response")
        )
        if key := as_text(response.get("id")):
            self._usages[key] = as_dict(response.get("usage"))
            self.model = as_text(response.get("model")) or self.model
        if "observation" in event:
            self._observe(event)
        elif action := as_text(event.get("action")):
            self._act(action, event)

    def _act(self, action: str, event: Mapping[str, Json]) -> None:
        args = as_dict(event.get("args")) or {
            name: held for name, held in event.items() if name not in ("id", "source")
        }
        if action == "system":
            self.draft.instructions.append(text_of(args.get("content")))
        elif action == "message":
            self._message(text_of(args.get("content")), event)
        elif action == "finish":
            self._finish(args)
        elif action not in _NO_CALLS:
            call = f"{_whole(event.get('id'))}"
            self.draft.call(
                as_text(_metadata(event).get("function_name")) or action,
                _arguments(event, args),
                call=call and f"event {call}",
                started=iso_of(event.get("timestamp")),
            )

    def _message(self, text: str, event: Mapping[str, Json]) -> None:
        source = event.get("source")
        if source == "user" or (source is None and not self.draft.asked):
            self.draft.ask(text)
        elif source in ("agent", None) and text.strip():
            self.draft.output = text

    def _finish(self, args: Mapping[str, Json]) -> None:
        outputs = as_dict(args.get("outputs"))
        for said in (
            args.get("final_thought"),
            outputs.get("content"),
            args.get("thought"),
        ):
            if text := text_of(said).strip():
                self.draft.output = text
                break
        self._state = "finished"
        if as_text(args.get("task_completed")) in ("false", "partial"):
            done = as_text(args.get("task_completed"))
            self.draft.reason = f"the agent says of task_completed: {done}"

    def _observe(self, event: Mapping[str, Json]) -> None:
        kind = as_text(event.get("observation"))
        extras = as_dict(event.get("extras"))
        content = text_of(event.get("content"))
        if kind == "agent_state_changed":
            self._state = as_text(extras.get("agent_state"))
            self.draft.reason = error_line(as_text(extras.get("reason")))
        elif kind == "recall":
            for part in as_list(extras.get("microagent_knowledge")):
                self.draft.use(as_text(as_dict(part).get("name")), "opened")
        else:
            cause = _whole(event.get("cause"))
            call = f"event {cause}" if cause else ""
            error = _error(kind, event, extras, content)
            self.draft.calls.answer(call, content, error)

    def usage(self) -> Spent:
        """What the model messages cost; a running total is not added up."""
        if tokens := as_dict(self._metrics.get("accumulated_token_usage")):
            read = count_of(tokens.get("cache_read_tokens"))
            return Spent(
                turns=len(self._usages) or None,
                input_tokens=count_of(tokens.get("prompt_tokens")),
                cached_tokens=read,
                output_tokens=count_of(tokens.get("completion_tokens")),
                usd=amount_of(self._metrics.get("accumulated_cost")) or None,
                seconds=self.draft.seconds(),
            )
        told = self._usages.values()
        return Spent(
            turns=len(told) or None,
            input_tokens=total(*(count_of(use.get("prompt_tokens")) for use in told)),
            cached_tokens=total(*map(_cached, told)),
            output_tokens=total(
                *(count_of(use.get("completion_tokens")) for use in told)
            ),
            usd=amount_of(self._metrics.get("accumulated_cost")) or None,
            seconds=self.draft.seconds(),
        )

    def end(self) -> None:
        """Say how it ended, of the last state that was told."""
        if self._state in ("error", "stopped", "rejected"):
            self.draft.ending = "broken"
            self.draft.reason = self.draft.reason or f"agent state {self._state}"


def _metadata(event: Mapping[str, Json]) -> dict[str, Json]:
    return as_dict(event.get("tool_call_metadata"))


def _whole(value: Json) -> str:
    number = count_of(value)
    return "" if number is None else str(number)


def _arguments(event: Mapping[str, Json], args: Mapping[str, Json]) -> dict[str, str]:
    """As the model wrote them where the event has its message, else as understood."""
    metadata = _metadata(event)
    response = as_dict(metadata.get("model_response"))
    for choice in as_list(response.get("choices")):
        message = as_dict(as_dict(choice).get("message"))
        for call in map(as_dict, as_list(message.get("tool_calls"))):
            if call.get("id") and call.get("id") == metadata.get("tool_call_id"):
                return arguments_of(as_dict(call.get("function")).get("arguments"))
    held = {name: value for name, value in args.items() if name not in _OURS}
    return arguments_of({name: value for name, value in held.items() if value != ""})


def _error(
    kind: str, event: Mapping[str, Json], extras: Mapping[str, Json], content: str
) -> str:
    code = as_dict(extras.get("metadata")).get("exit_code")
    code = code if code is not None else extras.get("exit_code", event.get("exit_code"))
    if kind == "error" or extras.get("error") is True:
        return content or "error"
    if isinstance(code, int) and count_of(code):
        return f"exit code {code}: {error_line(content)}"
    return ""


def _cached(usage: Mapping[str, Json]) -> int | None:
    details = as_dict(usage.get("prompt_tokens_details"))
    read = count_of(usage.get("cache_read_input_tokens"))
    return read if read is not None else count_of(details.get("cached_tokens"))
