"""Runs under one id that are one use, told by programs that tell other things of it.

A session's file and its telemetry, a thread's file and what was printed of it: neither
is a part of the other, and what both tell is the same.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from skillbank.codec import fields_of
from skillbank.traffic.readers.values import each_once
from skillbank.traffic.run import Run, Spent
from skillbank.traffic.tally import Tally, content_of, when

_AS_TOLD = ("user", "tenant", "cohort", "bank", "started", "model", "agent")
_AS_RATED = ("score", "checks", "provenance", "evaluator", "ratings")


def told_once(runs: Sequence[Run], tally: Tally) -> list[Run]:
    """Runs of one id of which no two tell of the same use, the earliest first.

    That two do is told by a call, a message of the model or a sum of tokens that both
    have, where nothing that both tell differs. The one that tells most stands, with
    what only the other tells.
    """
    left: list[Run] = []
    marked: dict[Hashable, int] = {}
    for run in sorted(runs, key=_length, reverse=True):
        marks = list(_marks(run))
        near = {marked[mark]: None for mark in marks if mark in marked}
        same = next((place for place in near if _agree(left[place], run)), None)
        if same is None:
            same = len(left)
            left.append(run)
        else:
            whole = filled(left[same], run)
            tally.turn(left[same], whole)
            tally.add(run, whole, "copy")
            left[same] = whole
        for mark in marks:
            marked.setdefault(mark, same)
    return sorted(left, key=lambda run: (when(run), content_of(run)))


def filled(run: Run, other: Run) -> Run:
    """A run with what only another one of the same use tells; nothing is added up.

    One that tells of less than the user said is an earlier part: what it came to is not
    what the whole came to.
    """
    run = replace(
        run,
        **{name: getattr(run, name) or getattr(other, name) for name in _AS_TOLD},
        skills=each_once((*run.skills, *other.skills)),
        recalls=run.recalls or other.recalls,
    )
    if len(other.followups) < len(run.followups):
        return run
    rated = run if run.score is not None or run.ratings else other
    spent = fields_of(run.usage)
    for name, amount in fields_of(other.usage).items():
        spent[name] = amount if spent[name] is None else spent[name]
    return replace(
        run,
        output=run.output or other.output,
        **{name: getattr(rated, name) for name in _AS_RATED},
        usage=Spent(**spent),
    )


def _length(run: Run) -> tuple[int, int, int, int, str]:
    n_said = len(run.followups)
    return len(run.replies), n_said, len(run.steps), len(run.output), content_of(run)


def _marks(run: Run) -> Iterator[Hashable]:
    """What hardly two uses have in common, where one sitting has its id."""
    if not run.session:
        return
    where = (run.session, run.brief.text, run.trial)
    for step in run.steps:
        if step.call:
            yield (*where, "call", step.call, step.tool)
    for reply in run.replies:
        yield (*where, "reply", reply.id)
    if run.usage.input_tokens and run.usage.output_tokens:
        yield (*where, "spent", run.usage.input_tokens, run.usage.output_tokens)


def _agree(one: Run, other: Run) -> bool:
    """Whether all is the same that both tell."""
    results = {(step.call, step.tool): step.result for step in one.steps if step.call}
    told = [
        *zip(one.followups, other.followups, strict=False),
        *((getattr(one, n), getattr(other, n)) for n in ("user", "tenant")),
        *((results.get((s.call, s.tool), ""), s.result) for s in other.steps),
    ]
    if len(one.followups) == len(other.followups):
        told.append((one.output, other.output))
        told.append((_score(one), _score(other)))
    return not any(first and second and first != second for first, second in told)


def _score(run: Run) -> str:
    return "" if run.score is None else f"{run.score:g}"
