"""The spans of a trace as a tree, for every format that is made of spans.

A trace is a tree of what happened, exported in any order: agents, model messages, tool
calls, and noise between them. Formats differ in how a span says what it is; what
follows from it is the same. `tracing` makes a run of it.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from skillbank.codec import Json
from skillbank.traffic.readers.messages import Message
from skillbank.traffic.readers.values import iso_of, time_of

Kind = Literal["agent", "model", "tool", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What one span says that it used; None: it does not say."""

    input: int | None = None
    """Cached ones included."""
    cached: int | None = None
    output: int | None = None
    usd: float | None = None

    def __bool__(self) -> bool:
        """Whether it says anything of tokens."""
        return self.input is not None or self.output is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One thing that happened, as any format tells it."""

    id: str
    parent: str = ""
    kind: Kind = "other"
    label: str = ""
    """Name of the agent or the tool."""
    began: int = 0
    """Nanoseconds since 1970; 0: not told."""
    ended: int = 0
    asked: tuple[Message, ...] = ()
    """What went in, if it is in words."""
    said: tuple[Message, ...] = ()
    """What came out, if it is in words."""
    made: str = ""
    """What came out, as text, whatever it is."""
    call: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    result: str = ""
    error: str = ""
    """First line of why it failed; empty: it did not."""
    tokens: Tokens = field(default_factory=Tokens)
    model: str = ""


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def nanoseconds(value: Json) -> int:
    """A time as nanoseconds since 1970, for comparing; 0 if it is none.

    Args:
        value: ISO text, UTC where it names no zone, or a number as `iso_of` takes it.
    """
    if isinstance(value, int) and 10**17 <= value < 10**19:
        return value
    text = value.strip() if isinstance(value, str) else ""
    if text.isascii() and text.isdecimal() and 18 <= len(text) <= 19:
        return int(text)
    time = time_of(iso_of(value))
    return 0 if time is None else max((time - _EPOCH) // _MICROSECOND * 1000, 0)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a span stands among the others."""

    around: Span | None
    """The nearest agent or tool that it is within."""
    wrapper: Span | None
    """The nearest model span around it that tells of the same message."""
    tools: int
    """Number of tool calls that it is within."""
    summed: bool
    """Whether something around it, that is no tool, says what it used."""


class Tree:
    """The spans of one trace, each once, with what is around them.

    A span whose parent is not there, or which is its own ancestor, is a root.
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        """Take spans in any order; of an id that is given twice the later counts."""
        by_id = {span.id: span for span in spans}
        order = sorted(by_id.values(), key=lambda span: span.began)
        children: dict[str, list[Span]] = defaultdict(list)
        roots = []
        for span in order:
            if span.parent in by_id and span.parent != span.id:
                children[span.parent].append(span)
            else:
                roots.append(span)
        self._parents: dict[str, Span] = {}
        self._places: dict[str, Place] = {}
        for start in (*roots, *order):  # the second time only circles are left
            if start.id not in self._places:
                self._descend(start, children)
        self.spans: tuple[Span, ...] = tuple(order)
        """By the time they began; of equal times as they were given."""
        self.messages = self._leaves()
        """Model spans, one for each message, with what their wrappers know of it."""

    def _descend(self, root: Span, children: Mapping[str, Sequence[Span]]) -> None:
        self._places[root.id] = Place(None, None, 0, False)
        waiting = deque([root])
        while waiting:
            span = waiting.popleft()
            here = self._places[span.id]
            bounds = span.kind in ("agent", "tool")
            model = span if span.kind == "model" else here.wrapper
            place = Place(
                around=span if bounds else here.around,
                wrapper=None if bounds else model,
                tools=here.tools + (span.kind == "tool"),
                summed=here.summed or (span.kind != "tool" and bool(span.tokens)),
            )
            for child in children.get(span.id, ()):
                if child.id not in self._places:
                    self._places[child.id] = place
                    self._parents[child.id] = span
                    waiting.append(child)

    def place(self, span: Span) -> Place:
        """Where a span stands."""
        return self._places[span.id]

    def path(self, span: Span) -> list[Span]:
        """What is around a span, the outermost first; not itself."""
        found: list[Span] = []
        while (above := self._parents.get(span.id)) is not None:
            found.append(above)
            span = above
        return found[::-1]

    def _leaves(self) -> tuple[Span, ...]:
        models = [span for span in self.spans if span.kind == "model"]
        outer = {
            wrapper.id
            for span in models
            if (wrapper := self.place(span).wrapper) is not None
        }
        lent: set[str] = set()
        return tuple(
            self._filled(span, lent) for span in models if span.id not in outer
        )

    def _filled(self, leaf: Span, lent: set[str]) -> Span:
        """A message with what only its wrappers tell; each lends once."""
        wrapper = self.place(leaf).wrapper
        while wrapper is not None and wrapper.id not in lent:
            lent.add(wrapper.id)
            leaf = replace(
                leaf,
                asked=leaf.asked or wrapper.asked,
                said=leaf.said or wrapper.said,
                model=leaf.model or wrapper.model,
                error=leaf.error or wrapper.error,
            )
            wrapper = self.place(wrapper).wrapper
        return leaf

    def tellers(self) -> list[Span]:
        """Spans whose tokens add up to the run's, none of them within another's sum.

        Model spans, each message once; where none of them tells, the outermost agents
        that do, because an agent tells the sum of what is within it.
        """
        told = [span for span in self.spans if span.kind == "model" and span.tokens]
        repeated = set()
        for span in told:
            wrapper = self.place(span).wrapper
            while wrapper is not None and wrapper.id not in repeated:
                repeated.add(wrapper.id)
                wrapper = self.place(wrapper).wrapper
        if told:
            return [span for span in told if span.id not in repeated]
        return [
            span
            for span in self.spans
            if span.kind != "tool" and span.tokens and not self.place(span).summed
        ]
