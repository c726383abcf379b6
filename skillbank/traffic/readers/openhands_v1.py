"""OpenHands' second generation, the software agent SDK: events with a `kind`.

A conversation is a folder with `base_state.json` and one file an event, or the events
as lines or as a list.
"""

import re
from collections.abc import Mapping

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

_FAULTS = re.compile(
    r"timeout|ratelimit|unavailable|authentic|credential|connection|internalserver"
    r"|badgateway|outofmemory|container",
    re.IGNORECASE,
)
"""Errors of a conversation that are not the agent's doing."""


class Conversation:
    """Gathers a run from the events of a conversation, given in their order."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.id = ""
        """Of the conversation, where the state tells it."""
        self.first = ""
        """Id of the first event."""
        self.origin = ""
        """Id of the first message."""
        self.model = ""
        self._responses: set[str] = set()
        self._stats: Mapping[str, Json] = {}
        self._status = ""

    def add_state(self, state: Mapping[str, Json]) -> None:
        """Take a state: of `base_state.json`, or told whole by an event."""
        self.id = as_text(state.get("id")) or self.id
        agent = as_dict(state.get("agent"))
        self.model = as_text(as_dict(agent.get("llm")).get("model")) or self.model
        for skill in as_list(as_dict(agent.get("agent_context")).get("skills")):
            self.draft.use(as_text(as_dict(skill).get("name")), "offered")
        for name in as_list(state.get("activated_knowledge_skills")):
            self.draft.use(as_text(name), "opened")
        for name in as_list(state.get("invoked_skills")):
            self.draft.use(as_text(name), "applied")
        for key in ("stats", "execution_status"):
            self._update(key, state.get(key))

    def _update(self, key: str, value: Json) -> None:
        if key == "stats" and as_dict(as_dict(value).get("usage_to_metrics")):
            self._stats = as_dict(as_dict(value).get("usage_to_metrics"))
        elif key == "execution_status":
            self._status = as_text(value) or self._status
        elif key == "full_state":
            self.add_state(as_dict(value))

    def add(self, event: Mapping[str, Json]) -> None:
        """Take one event; kinds that are not known say nothing of the run."""
        self.first = self.first or as_text(event.get("id"))
        self.draft.at(iso_of(event.get("timestamp")))
        if response := as_text(event.get("llm_response_id")):
            self._responses.add(response)
        kind = event.get("kind")
        if kind == "MessageEvent":
            self._message(event)
        elif kind == "ActionEvent":
            self._act(event)
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            self._observe(event)
        elif kind == "SystemPromptEvent":
            self.draft.instructions += [
                text_of(event.get("system_prompt")),
                text_of(event.get("dynamic_context")),
            ]
        elif kind == "ConversationStateUpdateEvent":
            self._update(as_text(event.get("key")), event.get("value"))
        elif kind == "ConversationErrorEvent":
            code = as_text(event.get("code"))
            told = f"{code}: {as_text(event.get('detail'))}"
            self.draft.reason = error_line(told)
            self.draft.ending = "fault" if _FAULTS.search(code) else "broken"

    def _message(self, event: Mapping[str, Json]) -> None:
        message = as_dict(event.get("llm_message"))
        text = text_of(message.get("content"))
        for name in as_list(event.get("activated_skills")):
            self.draft.use(as_text(name), "opened")
        if event.get("source") == "user":
            self.origin = self.origin or as_text(event.get("id"))
            self.draft.ask(text)
        elif message.get("role") == "assistant" and text.strip():
            self.draft.output = text

    def _act(self, event: Mapping[str, Json]) -> None:
        call = as_dict(event.get("tool_call"))
        written = call.get("arguments")
        arguments = arguments_of(event.get("action") if written is None else written)
        if event.get("tool_name") == "finish":
            self.draft.output = arguments.get("message") or self.draft.output
            return
        self.draft.call(
            as_text(event.get("tool_name")),
            {name: text for name, text in arguments.items() if name not in _OURS},
            call=as_text(event.get("tool_call_id")),
            started=iso_of(event.get("timestamp")),
        )

    def _observe(self, event: Mapping[str, Json]) -> None:
        seen = as_dict(event.get("observation"))
        if (
            event.get("tool_name") == "finish"
            or seen.get("kind") == "FinishObservation"
        ):
            return
        error, result = _outcome(event, seen)
        call = as_text(event.get("tool_call_id"))
        if call not in self.draft.calls:
            # the event of the action is not in the file; what it did is known
            given = {"command": seen["command"]} if as_text(seen.get("command")) else {}
            self.draft.call(
                as_text(event.get("tool_name")),
                arguments_of(given),
                call=call,
                started=iso_of(event.get("timestamp")),
            )
        self.draft.calls.answer(call, result, error)

    def usage(self) -> Spent:
        """What all models of the conversation cost, of the last totals told."""
        metrics = [as_dict(told) for told in self._stats.values()]
        tokens = [as_dict(told.get("accumulated_token_usage")) for told in metrics]
        costs = [amount_of(told.get("accumulated_cost")) for told in metrics]
        return Spent(
            turns=len(self._responses) or None,
            input_tokens=total(*(count_of(t.get("prompt_tokens")) for t in tokens)),
            cached_tokens=total(
                *(count_of(t.get("cache_read_tokens")) for t in tokens)
            ),
            output_tokens=total(
                *(count_of(t.get("completion_tokens")) for t in tokens)
            ),
            # a model without a known price is told as 0.0
            usd=sum(cost for cost in costs if cost) or None,
            seconds=self.draft.seconds(),
        )

    def end(self) -> None:
        """Say how it ended, of the last status that was told."""
        for told in self._stats.values():
            name = as_text(as_dict(told).get("model_name"))
            self.model = self.model or name
        if self._status in ("error", "stuck") and self.draft.ending == "ok":
            self.draft.ending = "broken"
            self.draft.reason = f"execution status {self._status}"


_OURS = frozenset({"security_risk", "summary", "kind"})
"""Arguments that every tool has for the program's own use."""


def _outcome(event: Mapping[str, Json], seen: Mapping[str, Json]) -> tuple[str, str]:
    """The error, empty if there is none, and the result."""
    if event.get("kind") == "AgentErrorEvent":
        told = as_text(event.get("error"))
        return told or "error", told
    if event.get("kind") == "UserRejectObservation":
        told = f"rejected: {as_text(event.get('rejection_reason'))}"
        return told, told
    result = text_of(seen.get("content")) or text_of(seen.get("output"))
    if seen.get("is_error") is True or as_text(seen.get("error")):
        return result or as_text(seen.get("error")) or "error", result
    code = count_of(seen.get("exit_code"))
    return (f"exit code {code}: {error_line(result)}" if code else ""), result
