"""One use of the agent counts once, however often the traffic tells of it.

Copies, resumed sessions and retries of one run become one. The outcome depends on what
the runs hold, never on the order in which they are given.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from skillbank.codec import dump
from skillbank.traffic.beginnings import Beginnings
from skillbank.traffic.conversations import attached, continued, joined, shared_once
from skillbank.traffic.run import SAMPLE, Misfit, Run
from skillbank.traffic.sameness import told_once
from skillbank.traffic.tally import Merge, Tally, content_of, when

_OWN = "~"  # between the id of a run that could not keep it and what tells it apart
Node = str | tuple[str, ...]  # a run id, or a brief in a session of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Collapsed:
    """What is left of the runs; `runs` and `merges` together are all that was given."""

    runs: tuple[Run, ...]
    """By run id; each id once."""
    merges: tuple[Merge, ...]
    """By run id and source."""
    notes: tuple[Misfit, ...]
    """One for each run that was kept under another id than its own, or without the
    run that it worked for."""


def collapse(runs: Iterable[Run], known_ids: frozenset[str] = frozenset()) -> Collapsed:
    """Let one run stand for all that tell of the same use.

    - The same content, under one id or several, is one run: a copy.
    - Of one conversation, what is the beginning of another run is an earlier part of
      it; what forks from it is kept, and the part they share counts once.
    - What one trajectory tells in several files is one run.
    - A run that worked for another, as its sub-agent, is part of that one.
    - Under one id, a run whose steps are the beginning of another's is an earlier part
      of it, and two in which nothing differs that both tell are one use, told by two
      programs. Any other difference keeps both: the later one gets an id of its own and
      a note, because nobody can tell which is right.
    - `retry_of`, or the same brief again in one session of one file, is a retry: the
      last one that could be run stands for the use, as it is what the user got.
    - If any of those was counted in an earlier round, all of them were.

    Args:
        runs: Masked runs of all files of a round.
        known_ids: Ids that the ledger has: of kept runs and of merged ones.
    """
    given = sorted(runs, key=lambda run: (run.run_id, run.source))
    tally = Tally()
    single = _without_copies(given, tally)
    single = joined(continued(single, tally), tally)
    single, notes = _one_an_id(single, tally)
    single, lonely = attached(single, tally, known_ids)
    single = shared_once(single, tally)
    kept = []
    for group, known in _uses(single, known_ids, tally.told_as()):
        if known:
            for run in group:
                tally.add(run, known, "known")
        else:
            kept.append(_last(group, tally))
    return Collapsed(
        runs=tuple(sorted(kept, key=lambda run: run.run_id)),
        merges=tally.merges(),
        notes=(*notes, *lonely),
    )


def ties(run: Run) -> tuple[tuple[str, ...], ...]:
    """All by which a run may touch another: runs that share none never do.

    For those who hold more runs than memory does: what shares no tie, directly or
    through others, can be collapsed apart.
    """
    found = [("id", run.run_id), ("said", *_said(run))]
    found += [("id", id) for id in (run.retry_of, run.parent) if id]
    if run.parent:  # twice: one whose parent is nowhere needs a note, so is not alone
        found.append(("id", run.parent))
    if run.origin:
        found.append(("origin", run.origin))
    if run.session:
        found.append(("sitting", *_sitting(run)))
    return tuple(found)


def _said(run: Run) -> tuple[str, ...]:
    """What copies of a run have in common, and hardly any others."""
    return (run.session, run.started, run.brief.id, run.brief.text, run.output)


def _without_copies(runs: Sequence[Run], tally: Tally) -> list[Run]:
    """Runs of different content; of equal ones the least by id and source."""
    alike: dict[tuple[str, ...], list[Run]] = defaultdict(list)
    for run in runs:
        alike[_said(run)].append(run)
    left = []
    for group in alike.values():
        first: dict[str, Run] = {}
        for run in group:
            content = content_of(run) if len(group) > 1 else ""
            if content in first:
                tally.add(run, first[content], "copy")
            else:
                first[content] = run
                left.append(run)
    return left


def _one_an_id(runs: Sequence[Run], tally: Tally) -> tuple[list[Run], list[Misfit]]:
    """Runs with an id each, and a note for each that could not keep its own."""
    by_id: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_id[run.run_id].append(run)
    left, notes = [], []
    for run_id in sorted(by_id):
        group = by_id[run_id]
        if len(group) > 1:
            # the earliest is taken for the original: copies are changed afterwards
            group = sorted(group, key=lambda run: (when(run), content_of(run)))
            group = told_once(_without_parts(group, tally), tally)
        left.append(group[0])
        for run in group[1:]:
            own = replace(run, run_id=f"{run_id}{_OWN}{content_of(run)[:8]}")
            tally.turn(run, own)
            left.append(own)
            notes.append(_note(own, group[0]))
    return left, notes


def id_as_read(run_id: str) -> str:
    """The id that a run had which could not keep it; any other id as it is."""
    return run_id.rpartition(_OWN)[0] or run_id


def _note(own: Run, original: Run) -> Misfit:
    first = f"{original.run_id!r} of {original.source} has another content"
    return Misfit(
        source=own.source,
        reason="duplicate id",
        problem=f"{first[: SAMPLE - 60]}; kept as {own.run_id[-60:]!r}",
        kept=True,
    )


def _without_parts(group: Sequence[Run], tally: Tally) -> list[Run]:
    tree = Beginnings()
    ways = [
        tree.way([_where(run), *map(dump, run.steps)] if run.steps else [])
        for run in group
    ]
    longest: dict[int, tuple[int, str, int]] = {}
    for number, (run, way) in enumerate(zip(group, ways, strict=True)):
        rank = (len(run.steps), content_of(run), -number)
        for place in way[2:-1]:  # what is as long is no part of it
            longest[place] = max(longest.get(place, rank), rank)
    left = []
    for run, way in zip(group, ways, strict=True):
        if way[-1] in longest:
            tally.add(run, group[-longest[way[-1]][2]], "resumed")
        else:
            left.append(run)
    return left


def _where(run: Run) -> tuple[str, str]:
    return (run.session, dump(run.brief))


def _uses(
    runs: Sequence[Run], known_ids: frozenset[str], told_as: Mapping[int, set[str]]
) -> Iterator[tuple[list[Run], str]]:
    """Runs that tell of one use, and the id that it was counted under before."""
    ties = _Ties()
    for run in runs:
        ties.tie(run.run_id, run.retry_of or run.run_id)
        if run.session:
            ties.tie(run.run_id, _sitting(run))
    groups: dict[Node, list[Run]] = defaultdict(list)
    counted: dict[Node, str] = {}
    for run in runs:
        place = ties.root(run.run_id)
        groups[place].append(run)
        told = {run.run_id, run.retry_of} | told_as.get(id(run), set())
        for known in told & known_ids:
            counted[place] = min(known, counted.get(place, known))
    for place, group in groups.items():
        yield group, counted.get(place, "")


def _sitting(run: Run) -> tuple[str, ...]:
    """Where the same brief again is a retry: file, session and the words asked."""
    file = run.source.rpartition(":")[0]
    words = " ".join(run.brief.text.split()).casefold()
    return (file, run.tenant, run.user, run.session, words)


def _last(group: Sequence[Run], tally: Tally) -> Run:
    if len(group) == 1:
        return group[0]
    stands = max(group, key=lambda r: (r.ending != "fault", when(r), r.run_id))
    for run in group:
        if run is not stands:
            tally.add(run, stands, "retry")
    return stands


class _Ties:
    """Which things belong together: disjoint sets with path halving."""

    def __init__(self) -> None:
        self._parent: dict[Node, Node] = {}

    def root(self, node: Node) -> Node:
        parent = self._parent
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def tie(self, one: Node, other: Node) -> None:
        self._parent[self.root(one)] = self.root(other)
