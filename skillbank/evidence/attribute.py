"""From graded runs to events: who is to blame, and what nobody has a skill for.

A score below the bar is a failure of every skill that the run recalled, at the version
that it recalled; the other recalls are uses. A missing score says nothing of a skill;
that nobody had one for a need is seen without a score too. What a fault of ours ended
says nothing at all; what was made to explore feeds the writer and is never an event.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Brief, Check
from skillbank.evidence.event import Event
from skillbank.evidence.labels import Labels
from skillbank.proposals.writer import Evidence
from skillbank.records import Side
from skillbank.skills.shelf import Recall, Subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """A run or an attempt of ours, with its checks and its score."""

    id: str
    """Run id, or attempt id."""
    brief: Brief
    round: str
    session: str = ""
    """A variant's is the session of the run that it varies; empty: one of its own."""
    user: str = ""
    side: Side = "teach"
    exploring: bool = False
    ended: bool = True
    """False: a fault of the infrastructure ended it."""
    score: float | None
    """In [0, 1]; None: it could not be measured."""
    recalls: tuple[Recall, ...] = ()
    uncovered: tuple[Subtask, ...] = ()
    steps: tuple[Step, ...] = ()
    checks: tuple[Check, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether what it needed counts, whoever scored it."""
        return self.ended and not self.exploring


def attribute(
    graded: Iterable[Graded], labels: Labels, fail_below: float
) -> tuple[Event, ...]:
    """The events of graded runs and attempts, ordered by their key.

    Args:
        graded: Runs and attempts of both sides, in any order. What the test side says
            is marked: it counts as outcome, never towards a queue or a label.
        labels: Filed labels; a phrase that was not filed gets a label of its own words.
        fail_below: Score below which a run is a failure, in [0, 1].
    Source:
        The published method: below 0.6 is a failure of every skill retrieved.
    """
    events = [
        event
        for one in graded
        if one.counts
        for event in (*_outcomes(one, fail_below), *_sightings(one, labels))
    ]
    return tuple(sorted(events, key=Event.order))


def unlabelled(graded: Iterable[Graded]) -> tuple[str, ...]:
    """The phrases of uncovered subtasks that count, sorted, each once: what to file."""
    return tuple(
        sorted(
            {
                _phrase(subtask)
                for one in graded
                if one.counts and one.side == "teach"
                for subtask in one.uncovered
            }
        )
    )


def evidence(graded: Iterable[Graded]) -> tuple[Evidence, ...]:
    """What a writer may see: runs and attempts of the teach side, by id.

    Those that were scored, and those that show a need although nobody scored them.
    """
    seen = {
        one.id: Evidence(
            id=one.id,
            brief=one.brief,
            steps=one.steps,
            checks=one.checks,
            score=one.score,
            recalls=one.recalls,
            exploring=one.exploring,
        )
        for one in graded
        if one.side == "teach"
        and (one.score is not None or (one.counts and one.uncovered))
    }
    return tuple(seen[id] for id in sorted(seen))


def _outcomes(one: Graded, fail_below: float) -> Iterable[Event]:
    if one.score is None:
        return
    failed = one.score < fail_below
    by_card: dict[tuple[str, int], list[str]] = {}
    for recall in one.recalls:
        by_card.setdefault((recall.skill, recall.version), []).append(recall.subtask)
    for (skill, version), subtasks in by_card.items():
        yield Event(
            kind="failure" if failed else "use",
            run=one.id,
            round=one.round,
            root=one.brief.root,
            brief=one.brief.id,
            session=one.session or one.id,
            user=one.user,
            side=one.side,
            skill=skill,
            version=version,
            subtasks=tuple(dict.fromkeys(subtasks)),
            score=one.score,
        )


def _sightings(one: Graded, labels: Labels) -> Iterable[Event]:
    by_label: dict[str, list[Subtask]] = {}
    for subtask in one.uncovered:
        by_label.setdefault(labels.of(_phrase(subtask)), []).append(subtask)
    for label, subtasks in by_label.items():
        yield Event(
            kind="uncovered",
            run=one.id,
            round=one.round,
            root=one.brief.root,
            brief=one.brief.id,
            session=one.session or one.id,
            user=one.user,
            side=one.side,
            label=label,
            subtasks=tuple(dict.fromkeys(subtask.name for subtask in subtasks)),
            phrase=_phrase(subtasks[0]),
            score=one.score,
        )


def _phrase(subtask: Subtask) -> str:
    return subtask.phrase.strip() or subtask.name
