"""Runs that are one conversation, parts of one, or forks of one.

What two runs share is told by the ids of their calls and of the model's messages, and
by the words of their user; never by their order.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from skillbank.codec import fields_of
from skillbank.traffic.beginnings import Beginnings
from skillbank.traffic.readers.values import LARGEST, each_once, recalls_of
from skillbank.traffic.run import Misfit, Reply, Run, Spent, TracedStep
from skillbank.traffic.sameness import filled
from skillbank.traffic.tally import Tally, content_of, when

_Key = tuple[str, ...]


def continued(runs: Sequence[Run], tally: Tally) -> list[Run]:
    """Runs of which none goes on in another one.

    What a trajectory tells in several files is one use: it began as the first says,
    did what all say, and ended as the last says.
    """
    left = []
    for group in _by_conversation(runs, with_parent=True):
        parts = {run.part: run for run in sorted(group, key=_length)}
        if len(parts) == 1:
            left += group
            continue
        first, *others = (
            parts[number]
            for number in sorted(parts, key=lambda told: (len(told), told))
        )
        whole = _in_a_row(first, others)
        tally.turn(first, whole)
        for run in others:
            tally.add(run, whole, "resumed")
        left.append(whole)
        left += [run for run in group if run is not parts[run.part]]
    return left


def _in_a_row(first: Run, others: Sequence[Run]) -> Run:
    told = [first, *others]
    uses = each_once(use for run in told for use in run.skills)
    return replace(
        others[-1],
        run_id=first.run_id,
        session=first.session,
        started=first.started,
        source=first.source,
        part="",
        steps=tuple(step for run in told for step in run.steps),
        followups=tuple(text for run in told for text in run.followups),
        skills=uses,
        recalls=recalls_of(uses),
        usage=_sum([run.usage for run in told]),
        replies=tuple(reply for run in told for reply in run.replies),
    )


def joined(runs: Sequence[Run], tally: Tally) -> list[Run]:
    """Runs of which none is the beginning of another one of its conversation.

    The longest stands: the one with the most messages of the model, then with the most
    that the user said, then the most calls.
    """
    left = []
    for group in _by_conversation(runs, with_parent=True):
        if len(group) == 1:
            left += group
            continue
        left += _without_parts(group, tally)
    return left


def _without_parts(group: Sequence[Run], tally: Tally) -> list[Run]:
    trees = (Beginnings(), Beginnings(), Beginnings())
    through: tuple[dict[int, list[Run]], ...] = tuple(defaultdict(list) for _ in trees)
    ways: dict[int, list[list[int]]] = {}
    again: dict[int, list[Run]] = defaultdict(list)  # the same, as long
    whole: list[Run] = []
    for run in sorted(group, key=_length, reverse=True):
        own = [tree.way(part) for tree, part in zip(trees, _told(run), strict=True)]
        # a run whose messages another tells in full ends in what its user took back:
        # that led to nothing, and its cost is told there
        respects = range(2 if run.replies else 0, 3)
        # those that begin as it does in one respect, the one in which they are fewest
        rivals = min((through[n].get(own[n][-1], []) for n in respects), key=len)
        for other in rivals:
            if all(_begins(own[n], ways[id(other)][n]) for n in respects):
                tally.add(run, other, "resumed")
                if all(len(ways[id(other)][n]) == len(own[n]) for n in range(3)):
                    again[id(other)].append(run)
                break
        else:
            whole.append(run)
            ways[id(run)] = own
            for held, way in zip(through, own, strict=True):
                for place in way:
                    held[place].append(run)
    return [_filled(run, again[id(run)], tally) for run in whole]


def _filled(run: Run, again: Sequence[Run], tally: Tally) -> Run:
    """A run with what only those tell that tell all of it again."""
    whole = reduce(filled, again, run)
    tally.turn(run, whole)
    return whole


def _begins(part: list[int], whole: list[int]) -> bool:
    return len(part) <= len(whole) and whole[len(part) - 1] == part[-1]


def _length(run: Run) -> tuple[int, int, int, int, object, str, str, str]:
    """Longest last; the rest makes the order of equally long ones their own."""
    return (
        len(run.replies),
        len(run.followups),
        len(run.steps),
        len(run.output),
        when(run),
        content_of(run),
        run.run_id,
        run.source,
    )


def _told(run: Run) -> tuple[tuple[object, ...], ...]:
    """What the user said, what was called, and which messages the model wrote.

    Not what came of a call: a part may not tell that yet.
    """
    return (
        (run.brief.text, *run.followups),
        tuple(
            (step.call,) if step.call else (step.tool, *_flat(step.arguments))
            for step in run.steps
        ),
        tuple(reply.id for reply in run.replies),
    )


def _flat(arguments: Mapping[str, str]) -> Iterable[str]:
    return (part for pair in sorted(arguments.items()) for part in pair)


def _by_conversation(runs: Iterable[Run], with_parent: bool) -> list[list[Run]]:
    """Runs that began with the same message; one without an origin is alone."""
    found: dict[_Key, list[Run]] = defaultdict(list)
    for number, run in enumerate(runs):
        parent = run.parent if with_parent else ""
        own = () if run.origin else (str(number),)
        began = (run.origin, run.brief.text, run.tenant, run.user, run.trial, parent)
        found[(*began, *own)].append(run)
    return list(found.values())


def attached(
    runs: Sequence[Run], tally: Tally, known_ids: frozenset[str]
) -> tuple[list[Run], list[Misfit]]:
    """Runs with the work of their sub-agents, and a note for each that has no parent.

    A sub-agent that an earlier round counted is counted there and nowhere else. One
    whose parent an earlier round counted belongs to that one.
    """
    by_id = tally.standing() | {run.run_id: run for run in runs}
    above = {run.run_id: _above(run, by_id) for run in runs if run.parent}
    _without_circles(above)
    workers: dict[str, list[Run]] = defaultdict(list)
    left, notes = [], []
    for run in runs:
        top = _top(run.run_id, above)
        if top and run.run_id in known_ids:
            tally.add(run, run.run_id, "known")
        elif top:
            workers[top].append(run)
        else:
            left.append(run)
    kept = []
    for run in left:
        own = workers[run.run_id]
        if run.parent and run.parent in known_ids and run.run_id not in known_ids:
            for worker in (run, *own):
                tally.add(worker, run.parent, "sub-agent")
            continue
        kept.append(_with(run, own, tally))
        if run.parent:
            notes.append(_note(run))
    return kept, notes


def _above(run: Run, by_id: Mapping[str, Run]) -> str:
    parent = by_id.get(run.parent)
    return "" if parent is None or parent is run else parent.run_id


def _without_circles(above: dict[str, str]) -> None:
    """Cut each circle of runs that work for each other at the least of their ids."""
    done: set[str] = set()
    for start in sorted(above):
        way: dict[str, None] = {}
        at = start
        while at in above and at not in done and at not in way:
            way[at] = None
            at = above[at]
        if at in way:
            ring = list(way)[list(way).index(at) :]
            above[min(ring)] = ""
        done.update(way)


def _top(run_id: str, above: dict[str, str]) -> str:
    """The run that all the work was for; empty: the run is nobody's sub-agent."""
    way = []
    top = run_id
    while above.get(top):
        way.append(top)
        top = above[top]
    for passed in way:  # the next one from here has one step to go
        above[passed] = top
    return top if way else ""


def _note(run: Run) -> Misfit:
    return Misfit(
        source=run.source,
        reason="no parent",
        problem=f"a sub-agent of {run.parent[:100]!r}, which the traffic does not tell",
        kept=True,
    )


def _with(run: Run, workers: Sequence[Run], tally: Tally) -> Run:
    """The run with what its sub-agents did and spent, less what it tells itself."""
    if not workers:
        return run
    counted = _Counted(run)
    parts = [
        (worker, counted.rest_of(worker))
        for worker in sorted(workers, key=lambda one: (when(one), one.run_id))
    ]
    recalled = {recall.skill for recall in run.recalls}
    recalls = list(run.recalls)
    for _, rest in parts:
        recalls += [one for one in rest.recalls if one.skill not in recalled]
        recalled |= {one.skill for one in rest.recalls}
    whole = replace(
        run,
        steps=run.steps
        + tuple(
            replace(step, agent=step.agent or worker.run_id)
            for worker, rest in parts
            for step in rest.steps
        ),
        skills=each_once([*run.skills, *(u for _, rest in parts for u in rest.skills)]),
        recalls=tuple(recalls),
        usage=replace(
            _sum([run.usage, *(rest.usage for _, rest in parts)]),
            seconds=run.usage.seconds,
        ),
        replies=run.replies
        + tuple(reply for _, rest in parts for reply in rest.replies),
    )
    tally.turn(run, whole)
    for worker, _ in parts:
        tally.add(worker, whole, "sub-agent")
    return whole


def shared_once(runs: Sequence[Run], tally: Tally) -> list[Run]:
    """Forks of one conversation, each less what an earlier one tells already.

    The first to begin keeps what they share; of those, the least by id.
    """
    left = []
    for group in _by_conversation(runs, with_parent=False):
        first, *forks = sorted(group, key=lambda one: (when(one), one.run_id))
        left.append(first)
        if forks:
            counted = _Counted(first)
            for fork in forks:
                rest = counted.rest_of(fork)
                tally.turn(fork, rest)
                left.append(rest)
    return left


class _Counted:
    """Calls and messages that were counted; those without an id are never the same."""

    def __init__(self, run: Run) -> None:
        self._calls: set[_Key] = set()
        self._replies: set[str] = set()
        self._add(run.steps, run.replies)

    def _add(self, steps: Iterable[TracedStep], replies: Iterable[Reply]) -> None:
        self._calls.update(_call(step) for step in steps if step.call)
        self._replies.update(reply.id for reply in replies)

    def rest_of(self, run: Run) -> Run:
        """The run less what was counted; the rest counts from now on."""
        steps = tuple(
            one for one in run.steps if not one.call or _call(one) not in self._calls
        )
        replies = tuple(one for one in run.replies if one.id not in self._replies)
        again = [one for one in run.replies if one.id in self._replies]
        self._add(steps, replies)
        if len(steps) == len(run.steps) and not again:
            return run
        return replace(run, steps=steps, replies=replies, usage=_less(run.usage, again))


def _call(step: TracedStep) -> _Key:
    """A call by its id, and by what it is: some formats count ids from 1 in a file."""
    return (step.call, step.tool, *_flat(step.arguments))


def _sum(all_spent: Sequence[Spent]) -> Spent:
    """What is told, added up; what nobody tells stays untold."""
    held: dict[str, float | None] = {}
    for name in fields_of(all_spent[0]):
        told = [getattr(one, name) for one in all_spent]
        known = [amount for amount in told if amount is not None]
        held[name] = sum(known) if known and sum(known) <= LARGEST else None
    return Spent(**held)  # type: ignore[arg-type]  # whole numbers add up to such


def _less(spent: Spent, replies: Sequence[Reply]) -> Spent:
    """What is left of what was spent without some messages of the model."""

    def rest(amount: int | None, parts: Iterable[int | None]) -> int | None:
        return None if amount is None else max(0, amount - sum(p or 0 for p in parts))

    return replace(
        spent,
        turns=rest(spent.turns, [1] * len(replies)),
        input_tokens=rest(spent.input_tokens, (one.input_tokens for one in replies)),
        cached_tokens=rest(spent.cached_tokens, (one.cached_tokens for one in replies)),
        output_tokens=rest(spent.output_tokens, (one.output_tokens for one in replies)),
    )
