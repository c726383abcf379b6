"""Which ratings of a run make its score: chosen in params.yaml, each with its range.

A higher value is not always better, and readers cannot know: toxicity runs from 1,
the worst, to 0, the best. What was not rated has no score, which is not 0.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from skillbank.params import ScoreRange
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import Misfit, Provenance, Rating, Run

_AUTHORITY: tuple[Provenance, ...] = ("none", "model", "check", "human")


def scored(
    values: Iterable[Run | Misfit], chosen: Mapping[str, ScoreRange]
) -> Iterator[Run | Misfit]:
    """Give each run the score that its chosen ratings make.

    The score is the mean of the chosen ratings, each moved to [0, 1] from its worst to
    its best value; its provenance is that of the least authority among them. Of several
    ratings of one name the last counts.

    Args:
        values: Runs, and misfits, which pass.
        chosen: Name of a rating to its range; empty: runs keep the score that their
            reader found.

    Yields:
        The runs, each followed by a note if a chosen rating is not within its range:
        it is left out.
    """
    for value in values:
        if isinstance(value, Misfit) or not chosen:
            yield value
            continue
        ratings = {
            one.name: one
            for one in value.ratings
            if one.name in chosen and one.value is not None
        }
        fitting = {
            name: one for name, one in ratings.items() if _within(one, chosen[name])
        }
        yield _with_score(value, fitting, chosen)
        for name in sorted(ratings.keys() - fitting.keys()):
            yield _note(value, ratings[name], chosen[name])


def _within(one: Rating, range: ScoreRange) -> bool:
    low, high = sorted((range.worst, range.best))
    return one.value is not None and low <= one.value <= high


def _with_score(
    run: Run, ratings: Mapping[str, Rating], chosen: Mapping[str, ScoreRange]
) -> Run:
    if not ratings:
        return replace(run, score=None, provenance="none")
    shares = [chosen[name].share(one.value or 0.0) for name, one in ratings.items()]
    least = min((one.provenance for one in ratings.values()), key=_AUTHORITY.index)
    return replace(run, score=math.fsum(shares) / len(shares), provenance=least)


def _note(run: Run, rating: Rating, range: ScoreRange) -> Misfit:
    seen = f"rating {rating.name!r}: {rating.value:g}"
    expected = f"expected {range.worst:g} (worst) to {range.best:g} (best)"
    return replace(
        misfit(run.source, "bad value", f"{seen}; {expected}; not counted"), kept=True
    )
