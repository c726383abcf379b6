"""From a tree of spans to a run: what was asked, done, answered and spent.

The agent that writes the first model message is the run's own; what happens within its
tool calls, and under agents of another name, is work of sub-agents: their steps and
tokens count, their conversations are nobody's brief.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum

from skillbank.agents.agent import Ending
from skillbank.codec import Json
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.messages import Call, Message, Result
from skillbank.traffic.readers.ratings import only_score
from skillbank.traffic.readers.skill_use import used
from skillbank.traffic.readers.spans import Span, Tree
from skillbank.traffic.readers.values import (
    amount_of,
    as_text,
    bounded,
    brief_of,
    error_line,
    iso_of,
    recalls_of,
    total,
)
from skillbank.traffic.run import SAMPLE, Misfit, Rating, Run, Spent, TracedStep

OUTAGE = re.compile(
    r"time[d]?[ -]?out|rate.?limit|overloaded|unavailable|connection|\b(?:429|5\d\d)\b",
    re.IGNORECASE,
)
"""What a model's provider says when it did not answer: no failure of the agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a format tells of a trace beside its spans."""

    run_id: str
    source: str
    task: str = ""
    """Id of the task; empty: none is told."""
    asked: tuple[Message, ...] = ()
    said: tuple[Message, ...] = ()
    made: str = ""
    """What came out as text, whatever it is."""
    error: str = ""
    started: str = ""
    seconds: float | None = None
    session: str = ""
    user: str = ""
    tenant: str = ""
    cohort: str = ""
    agent: str = ""
    trial: str = ""
    ratings: tuple[Rating, ...] = ()
    tokens: Spent = field(default_factory=Spent)
    """Of the whole trace; used for what its spans do not tell."""


def named(held: Mapping[str, Json], name: str) -> str:
    """A text that metadata has under a usual spelling of a name; empty: it has none."""
    for key in (name, f"{name}_id", f"{name}.id", f"{name}Id"):
        if text := as_text(held.get(key)).strip():
            return text
    return ""


def run_of(facts: Facts, spans: Iterable[Span]) -> Run | Misfit:
    """The run that a trace tells of, or that nobody asked anything in it.

    Args:
        facts: What is told of the trace as a whole; it comes before what spans say.
        spans: All spans of the trace, in any order.
    """
    trace = _Trace(Tree(spans))
    text, later = trace.talk(facts.asked)
    brief = brief_of(text, facts.task[:SAMPLE])
    if brief is None:
        n_spans = len(trace.tree.spans)
        problem = f"{n_spans} span(s) without a user's words; expected what was asked"
        return misfit(facts.source, "no text", problem)
    ending, reason = trace.ending(facts.error)
    steps = tuple(trace.steps())
    skills = used(steps, trace.instructions())
    score, provenance = only_score(facts.ratings)
    if ending == "fault":
        score, provenance = None, "none"
    return Run(
        run_id=facts.run_id,
        brief=brief,
        session=facts.session,
        user=facts.user,
        tenant=facts.tenant,
        cohort=facts.cohort,
        started=facts.started or trace.started,
        steps=steps,
        recalls=recalls_of(skills),
        output=trace.output(facts),
        ending=ending,
        reason=reason,
        score=score,
        provenance=provenance,
        usage=trace.usage(facts),
        source=facts.source,
        followups=later,
        skills=skills,
        ratings=facts.ratings,
        model=trace.model,
        agent=facts.agent,
        trial=facts.trial,
    )


class _Trace:
    """One trace, with what is asked of it several times found once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        agents = (span for span in tree.spans if span.kind == "agent")
        first = next(iter(tree.messages), None) or next(agents, None)
        self.above: list[Span] = []
        """From the root to the agent that writes the first message."""
        self.agent: Span | None = None
        if first is not None:
            path = [*tree.path(first), *([first] if first.kind == "agent" else [])]
            self.above = [span for span in path if span.kind != "model"]
            bounds = [span for span in path if span.kind in ("agent", "tool")]
            self.agent = bounds[-1] if bounds else None
        elif tree.spans:
            self.above = [*tree.path(tree.spans[0]), tree.spans[0]]
        self._above = {span.id for span in self.above}

    def _worker(self, span: Span) -> str:
        """Who did it: empty for the run's own agent, else the sub-agent's name."""
        around = self.tree.place(span).around
        if around is None or around.id in self._above:
            return ""
        if self.agent is not None and around.kind == "agent":
            mine, its = self.tree.place(self.agent), self.tree.place(around)
            if around.label == self.agent.label and mine.tools == its.tools:
                return ""
        return around.label or around.id

    @cached_property
    def own(self) -> list[Span]:
        """The messages of the run's own agent."""
        return [span for span in self.tree.messages if not self._worker(span)]

    def talk(self, asked: Sequence[Message]) -> tuple[str, tuple[str, ...]]:
        """What was asked, and what the user said after that."""
        before = [asked, *(span.asked for span in self.above)]
        brief = next((text for one in before if (text := _request(one))), "")
        known: list[tuple[str, ...]] = []
        later: list[str] = []
        for span in self.own:
            told = [message for message in span.asked if message.role != "system"]
            keys = [_key(message) for message in told]
            shared = _overlap(known, keys)
            heard = set() if shared or not known else set(known)
            fresh = [
                message
                for message, key in zip(told[shared:], keys[shared:], strict=True)
                if key not in heard
            ]
            users = [one.text for one in fresh if one.role == "user" and one.text]
            if known:
                later += users
            elif not brief:
                brief = users[-1] if users else ""
            known += [_key(message) for message in (*fresh, *span.said)]
        return brief, tuple(text for text in later if text.strip() != brief.strip())

    def instructions(self) -> Iterator[str]:
        """System texts of the run's own agent."""
        seen = set()
        for span in (*self.above, *self.own):
            for message in span.asked:
                if message.role == "system" and message.text not in seen:
                    seen.add(message.text)
                    yield message.text

    def output(self, facts: Facts) -> str:
        """The final answer: of the whole, else of the last message that has words."""
        spoken = [facts.said, *(span.said for span in self.above)]
        spoken += [span.said for span in reversed(self.own)]
        for messages in spoken:
            for message in reversed(messages):
                if message.role == "assistant" and message.text.strip():
                    return message.text
        made = [facts.made, *(span.made for span in self.above)]
        return next((text for text in made if text), "")

    def ending(self, error: str) -> tuple[Ending, str]:
        """How the whole ended; a call that failed within it is no end."""
        errors = [error, *(span.error for span in self.above)]
        reason = next((text for text in errors if text), "")
        last = self.own[-1] if self.own else None
        silent = last is not None and last.error and not last.said
        if not reason and not (silent and not self.above):
            return "ok", ""
        reason = reason or (last.error if last else "")
        if silent and last is not None and OUTAGE.search(last.error):
            return "fault", reason
        return "broken", reason

    @property
    def started(self) -> str:
        """When the first span began; empty if none says."""
        told = [span.began for span in self.tree.spans if span.began]
        return iso_of(min(told)) if told else ""

    @property
    def model(self) -> str:
        """The model of the run's own last message."""
        told = [*self.above, *(self.own or self.tree.messages)]
        return next((span.model for span in reversed(told) if span.model), "")

    def usage(self, facts: Facts) -> Spent:
        """What the run cost, each message counted once."""
        whole = facts.tokens
        told = [span.tokens for span in self.tree.tellers()]
        costs = [one.usd for one in told if one.usd is not None]
        first = min((span.began for span in self.tree.spans if span.began), default=0)
        last = max((span.ended for span in self.tree.spans), default=0)
        seconds = (last - first) / 1e9 if first and last >= first else None
        sums = {
            "turns": len(self.tree.messages) or None,
            "input_tokens": total(*(one.input for one in told)),
            "cached_tokens": total(*(one.cached for one in told)),
            "output_tokens": total(*(one.output for one in told)),
        }
        sums = {
            name: getattr(whole, name) if told is None else told
            for name, told in sums.items()
        }
        return Spent(
            **sums,
            usd=amount_of(fsum(costs)) if costs else whole.usd,
            seconds=facts.seconds if facts.seconds is not None else seconds,
        )

    def steps(self) -> Iterator[TracedStep]:
        """Tool calls by the time they began, each once.

        A call is told by the model that wrote it, by the span of the tool, or by both.
        """
        calls = _Calls(self.tree.messages)
        found: list[tuple[int, TracedStep]] = []
        for span in self.tree.spans:
            if span.kind == "tool":
                written = calls.take(span)
                found.append((span.began, self._step(span, span, written, calls)))
        for written, by in calls.left():
            span = Span(id=by.id, label=written.tool, began=by.ended)
            step = self._step(span, by, written, calls)
            found.append((by.ended, step))
        ordered = sorted(found, key=lambda pair: pair[0])
        yield from (step for _, step in ordered if step.tool)

    def _step(
        self, span: Span, by: Span, written: Call | None, calls: "_Calls"
    ) -> TracedStep:
        call = span.call or (written.id if written else "")
        told = calls.result(call)
        result = span.result or (told.text if told else "")
        failed = told is not None and told.failed
        return TracedStep(
            subtask="",
            tool=span.label,
            arguments=span.arguments or (written.arguments if written else {}),
            error=span.error or (error_line(result) or "failed" if failed else ""),
            call=call,
            result=bounded(result),
            started=iso_of(span.began),
            agent=self._worker(by),
        )


class _Calls:
    """The calls that models wrote, until a tool's span is found for them."""

    def __init__(self, messages: Sequence[Span]) -> None:
        self._left: dict[int, tuple[Call, Span]] = {}
        self._ids: dict[str, int] = {}
        self._names: dict[str, deque[int]] = defaultdict(deque)
        self._results: dict[str, Result] = {}
        for span in messages:
            for message in (*span.asked, *span.said):
                for result in message.results:
                    if result.call:
                        self._results.setdefault(result.call, result)
            for message in span.said:
                for call in message.calls:
                    self._add(call, span)

    def _add(self, call: Call, span: Span) -> None:
        if call.id in self._ids or not call.tool:
            return
        number = len(self._left)
        self._left[number] = (call, span)
        self._names[call.tool].append(number)
        if call.id:
            self._ids[call.id] = number

    def take(self, span: Span) -> Call | None:
        """The call that a tool's span is of, by its id, else the next of its name."""
        number = self._ids.get(span.call)
        if number is None and not span.call:
            waiting = self._names.get(span.label, deque())
            while waiting and waiting[0] not in self._left:
                waiting.popleft()
            number = waiting[0] if waiting else None
        found = self._left.pop(number, None) if number is not None else None
        return found[0] if found else None

    def left(self) -> Iterator[tuple[Call, Span]]:
        """Calls that no span was found for, with the message that wrote them."""
        yield from self._left.values()

    def result(self, call: str) -> Result | None:
        """What the model was told that a call gave back."""
        return self._results.get(call) if call else None


def _request(messages: Sequence[Message]) -> str:
    """What is asked by messages: the first of a whole talk, the last of an open one."""
    spoken = [one for one in messages if one.role != "system"]
    users = [one.text for one in spoken if one.role == "user" and one.text.strip()]
    if not users:
        return ""
    return users[-1] if spoken[-1].role == "user" else users[0]


def _key(message: Message) -> tuple[str, ...]:
    """What is the same when a message is told again; ids of calls may change."""
    return (
        message.role,
        message.text.strip(),
        *(call.tool for call in message.calls),
        *(result.text for result in message.results),
    )


def _overlap(known: Sequence[object], told: Sequence[object]) -> int:
    """Length of the longest beginning of `told` that `known` ends with.

    Source:
        Knuth, Morris and Pratt 1977, "Fast pattern matching in strings".
    """
    text = [*told, None, *known[-len(told) :]] if told else []
    borders = [0] * len(text)
    for place in range(1, len(text)):
        length = borders[place - 1]
        while length and text[place] != text[length]:
            length = borders[length - 1]
        borders[place] = length + (text[place] == text[length])
    return borders[-1] if borders else 0
