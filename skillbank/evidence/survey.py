"""What a week asked for, beside the week before, the bank and the replay set."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from skillbank.briefs.replay_set import ReplaySet
from skillbank.evidence.drift import Coverage, Drift, coverage, drift
from skillbank.evidence.ledger import Ledger
from skillbank.evidence.nearness import Nearness
from skillbank.evidence.themes import themes
from skillbank.params import AttributeParams, ProposeParams
from skillbank.traffic.run import Run

_OPENING = 2000  # characters of a brief that its theme is found by
_EXAMPLE = 300  # characters of an example
_NEEDS = 20  # that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenNeed:
    """Something that runs needed and no card covers."""

    label: str
    count: int
    """Distinct briefs in distinct sessions (or users), of all rounds since a card was
    last let in for it."""
    now: int
    """Runs of this round, of the side that teaches."""
    example: str
    """Words of one of them, bounded and masked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A round's traffic, told by what was asked."""

    before: str = ""
    """Round that the traffic is compared with; empty: there is none before."""
    drift: Drift | None = None
    """None: one of the two weeks has no run."""
    cases: int = 0
    """Briefs of the replay set, as the rounds before left it."""
    coverage: tuple[Coverage, ...] = ()
    needs: tuple[OpenNeed, ...] = ()
    """Most often seen first."""
    needs_beyond: int = 0
    """Needs beyond the bound of the list."""
    due_at: int = 0
    """Count from which a need is due for a proposal."""


def survey(
    now: Sequence[Run],
    before: tuple[str, Sequence[Run]],
    replayed: ReplaySet,
    params: AttributeParams,
    seed: int,
) -> Survey:
    """Compare a week with the one before and with what is replayed.

    Args:
        now: Runs of the round, both sides, masked.
        before: Id of the round before, empty without one, and its runs.
        replayed: Golden cases of the rounds before.
        params: From where on texts are alike.
        seed: Of the samples and deals.
    """
    texts, old = [_asked(run) for run in now], [_asked(run) for run in before[1]]
    found = None
    if texts and old:
        both = [*old, *texts]
        made = themes(both, near=params.near, seed=seed)
        names = {text: one.name for text, one in zip(both, made, strict=True)}
        found = drift(old, texts, names, seed=seed)
    if found is not None:
        needs = (replace(n, example=n.example[:_EXAMPLE]) for n in found.new)
        found = replace(found, new=tuple(needs))
    return Survey(
        before=before[0],
        drift=found,
        cases=len({case.brief.id for case in replayed.cases}),
        coverage=coverage(
            _near(now, replayed),
            [run.cohort or run.brief.cohort for run in now],
            params.replayed,
        ),
    )


def with_open_needs(
    told: Survey, ledger: Ledger, round: str, params: ProposeParams
) -> Survey:
    """The survey with what no card covers.

    Args:
        told: The survey.
        ledger: Of all rounds up to this one.
        round: The round's id.
        params: What makes a need due.
    """
    seen = ledger.open_labels(params)
    return replace(
        told,
        needs=tuple(
            OpenNeed(
                label=one.label,
                count=one.count,
                now=Counter(event.round for event in one.sightings)[round],
                example=one.sightings[-1].phrase[:_EXAMPLE],
            )
            for one in seen[:_NEEDS]
        ),
        needs_beyond=max(0, len(seen) - _NEEDS),
        due_at=params.recurrences,
    )


def _asked(run: Run) -> str:
    return run.brief.text[:_OPENING]


def _near(runs: Sequence[Run], replayed: ReplaySet) -> list[float]:
    """Of each run, how near the nearest replay case is, in [0, 1]."""
    cases = {case.brief.id: case.brief for case in replayed.cases}
    if not cases:
        return [0.0] * len(runs)
    near = Nearness([*cases.values(), *(run.brief for run in runs)]).to(cases)
    return [near[run.brief.id] for run in runs]
