"""Tool calls and their results, which traces tell apart from each other.

Knows no format: readers say what was called and what came back, in the file's order.
"""

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from skillbank.traffic.readers.values import bounded, error_line
from skillbank.traffic.run import TracedStep


@dataclass(slots=True)
class _Open:
    tool: str
    arguments: Mapping[str, str]
    call: str
    started: str
    agent: str
    result: str = ""
    error: str = ""
    answered: bool = False


@dataclass(slots=True)
class Calls:
    """The calls of one run, in their order, each with the result that belongs to it."""

    repeated: bool = True
    """Whether a trace may tell a call twice; where it does not, each is another one."""
    _made: list[_Open] = field(default_factory=list)
    _seen: set[tuple[str, str, tuple[tuple[str, str], ...]]] = field(
        default_factory=set
    )
    _by_id: dict[str, list[_Open]] = field(default_factory=lambda: defaultdict(list))
    _waiting: dict[str, deque[_Open]] = field(
        default_factory=lambda: defaultdict(deque)
    )
    _of_tool: dict[str, deque[_Open]] = field(
        default_factory=lambda: defaultdict(deque)
    )
    _of_any: deque[_Open] = field(default_factory=deque)
    _sorted: int = 0  # calls that are in these two

    def add(
        self,
        tool: str,
        arguments: Mapping[str, str],
        call: str = "",
        started: str = "",
        agent: str = "",
    ) -> None:
        """Note a call; the same call told again, under its id, is one call.

        Another call under an id that was used before gets an id of its own, so that a
        call is known by its id.
        """
        own = call
        if call:
            what = (call, tool, tuple(arguments.items()))
            if self.repeated and what in self._seen:
                return
            self._seen.add(what)
            same = self._by_id[call]
            own = f"{call}__{len(same) + 1}" if same else call
        made = _Open(tool, arguments, own, started, agent)
        self._made.append(made)
        self._waiting[call].append(made)
        if call:
            same.append(made)

    def answer(self, call: str, text: str, error: str = "") -> None:
        """Give a result to the first call of that id that has none.

        A result without an id goes to the first call without an id that has none. One
        that no call waits for is dropped: it was told before, or its call was cut off.
        """
        if made := _first(self._waiting[call]):
            _give(made, text, error)

    def answer_next(self, tool: str, text: str, error: str = "") -> None:
        """Give a result that has no id to the first call of a tool that has none.

        Where no call of that tool waits, to the first call that has none.
        """
        for made in self._made[self._sorted :]:
            self._of_tool[made.tool].append(made)
            self._of_any.append(made)
        self._sorted = len(self._made)
        if waited := _first(self._of_tool[tool]) or _first(self._of_any):
            _give(waited, text, error)

    def amend(self, call: str, text: str, error: str) -> None:
        """Tell more of a call: its result if it has none, an error if it has none."""
        for made in self._by_id.get(call, ())[-1:]:
            made.result = made.result or bounded(text)
            made.error = made.error or error_line(error)

    def __len__(self) -> int:
        """Calls so far."""
        return len(self._made)

    def __contains__(self, call: str) -> bool:
        """Whether there is a call of that id."""
        return bool(self._by_id.get(call))

    def steps(self) -> tuple[TracedStep, ...]:
        """The calls as steps of a run."""
        return tuple(
            TracedStep(
                subtask="",
                tool=made.tool,
                arguments=made.arguments,
                call=made.call,
                result=made.result,
                error=made.error,
                started=made.started,
                agent=made.agent,
            )
            for made in self._made
        )


def _first(waiting: deque[_Open]) -> _Open | None:
    """The first of them that has no result, which waits no more."""
    while waiting:
        made = waiting.popleft()
        if not made.answered:
            return made
    return None


def _give(made: _Open, text: str, error: str) -> None:
    made.answered = True
    made.result = bounded(text)
    made.error = error_line(error)
