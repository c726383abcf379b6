"""Fixed briefs: how they are read, and how two banks compare on them.

A missing score is never 0: its brief is left out of the pairs and counted.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import orjson
from pydantic import ValidationError

from skillbank.briefs.brief import Brief
from skillbank.codec import load
from skillbank.errors import BriefError
from skillbank.gate.intervals import (
    Interval,
    Paired,
    bootstrap_mean,
    newcombe_paired,
)
from skillbank.records import Measured

_KEYS = frozenset(field.name for field in fields(Brief))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one bank came to on the briefs of a comparison."""

    completeness: float
    """Mean, in [0, 1]."""
    success_rate: float
    """Share of briefs, in [0, 1]."""
    quality: float | None
    """Mean score of the successes; None without one. Read it beside the rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two banks on the same briefs; differences are candidate less current."""

    n: int
    """Briefs measured under both: the independent units."""
    missing: int
    """Briefs left out: not measured under one bank or both."""
    current: Figures
    candidate: Figures
    completeness: Interval
    """Mean difference with its paired bootstrap interval over briefs."""
    success: Interval
    """Difference of the success rates with Newcombe's paired interval."""
    gained: int
    """Briefs on which only the candidate succeeded."""
    lost: int
    """Briefs on which only the current bank succeeded."""


def read_benchmark(path: Path) -> tuple[Brief, ...]:
    """Read fixed briefs: one JSON object a line, in file order, blank lines aside.

    Raises:
        BriefError: If the file cannot be read or holds no brief, or a line is not a
            brief with requirements, has a key that no brief has or repeats an id.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise _unfit(path.name, f"{type(error).__name__}: {error}") from error
    briefs: dict[str, Brief] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.name}:{number}"
        brief = _brief(place, line)
        if brief.id in briefs:
            raise _unfit(place, f"the id {brief.id!r} a second time")
        briefs[brief.id] = brief
    if not briefs:
        raise _unfit(path.name, "no brief")
    return tuple(briefs.values())


def compare(
    current: Sequence[Measured],
    candidate: Sequence[Measured],
    *,
    confidence: float = 0.95,
    seed: int,
) -> Comparison:
    """Compare two banks on the briefs that were measured under both.

    Args:
        current: One measurement a brief under the bank to compare with.
        candidate: One measurement a brief under the other bank, in any order.
        confidence: Coverage of the intervals, in (0, 1).
        seed: Seed of the bootstrap.

    Raises:
        BriefError: If fewer than two briefs were measured under both, or a brief was
            attempted twice under one.
    Source:
        Miller 2024, "Adding Error Bars to Evals", arXiv:2411.00640: briefs are the
        units. Newcombe 1998, method 10, for the success rates.
    """
    both_ways = pairs(current, candidate)
    briefs = {one.brief for one in (*current, *candidate)}
    if len(both_ways) < 2:
        raise BriefError(
            "comparison of two banks",
            seen=f"{len(both_ways)} of {len(briefs)} briefs measured under both",
            expected="at least two",
            remedy="run the briefs again that could not be measured",
        )
    gained = sum(new.success and not old.success for old, new in both_ways)
    lost = sum(old.success and not new.success for old, new in both_ways)
    both = sum(old.success and new.success for old, new in both_ways)
    table = Paired(both, gained, lost, len(both_ways) - both - gained - lost)
    return Comparison(
        n=len(both_ways),
        missing=len(briefs) - len(both_ways),
        current=_figures([old for old, _ in both_ways]),
        candidate=_figures([new for _, new in both_ways]),
        completeness=bootstrap_mean(
            [_of(new) - _of(old) for old, new in both_ways],
            seed=seed,
            confidence=confidence,
        ),
        success=newcombe_paired(table, confidence),
        gained=gained,
        lost=lost,
    )


def differences(
    current: Sequence[Measured], candidate: Sequence[Measured]
) -> Mapping[str, float]:
    """Difference of the score by brief, where both were measured, sorted."""
    return {
        new.brief: (new.score or 0.0) - (old.score or 0.0)
        for old, new in pairs(current, candidate)
    }


def pairs(
    current: Sequence[Measured], candidate: Sequence[Measured]
) -> tuple[tuple[Measured, Measured], ...]:
    """Both measurements of each brief that was measured under both, by brief.

    Raises:
        BriefError: If a brief was attempted twice under one bank.
    """
    old, new = _by_brief(current), _by_brief(candidate)
    return tuple(
        (old[brief], new[brief])
        for brief in sorted(old.keys() & new.keys())
        if _whole(old[brief]) and _whole(new[brief])
    )


def regressed(
    current: Sequence[Measured], candidate: Sequence[Measured]
) -> frozenset[str]:
    """Briefs that succeeded under the current bank and no longer do."""
    old, new = _by_brief(current), _by_brief(candidate)
    return frozenset(
        brief
        for brief in old.keys() & new.keys()
        if _whole(new[brief]) and old[brief].success and not new[brief].success
    )


def _by_brief(measured: Sequence[Measured]) -> dict[str, Measured]:
    by_brief: dict[str, Measured] = {}
    for one in measured:
        if by_brief.setdefault(one.brief, one) != one:
            raise BriefError(
                f"brief {one.brief!r} under {one.arm}",
                seen="two attempts",
                expected="one: attempts of one brief are not independent",
                remedy="compare one set and one attempt a brief at a time",
            )
    return by_brief


def _whole(one: Measured | None) -> bool:
    return one is not None and not any(
        value is None or math.isnan(value) for value in (one.score, one.completeness)
    )


def _of(one: Measured) -> float:
    return math.nan if one.completeness is None else one.completeness


def _figures(measured: Sequence[Measured]) -> Figures:
    scores = [one.score for one in measured if one.success and one.score is not None]
    return Figures(
        completeness=math.fsum(map(_of, measured)) / len(measured),
        success_rate=sum(one.success for one in measured) / len(measured),
        quality=math.fsum(scores) / len(scores) if scores else None,
    )


def _brief(place: str, line: str) -> Brief:
    try:
        keys = orjson.loads(line)
        if not isinstance(keys, dict):
            raise _unfit(place, f"a {type(keys).__name__}")
        odd = sorted(keys.keys() - _KEYS)
        if odd:
            raise _unfit(place, f"the unknown key {odd[0]!r}")
        brief = load(Brief, line)
    except orjson.JSONDecodeError as error:
        raise _unfit(place, f"no JSON ({error})") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise _unfit(place, f"{where}: {first['msg']}") from error
    except BriefError as error:
        if error.place.startswith(place):
            raise
        raise _unfit(place, f"{error.place}: {error.seen}") from error
    ids = [need.id for need in brief.requirements]
    if not ids or len(set(ids)) != len(ids):
        raise _unfit(place, "no requirement, or two of one id")
    if any(not need.weight > 0 for need in brief.requirements):
        raise _unfit(place, "a requirement whose weight is not above 0")
    return brief


def _unfit(place: str, seen: str) -> BriefError:
    return BriefError(
        place,
        seen=seen,
        expected="a brief with id, text and requirements as one JSON object a line",
        remedy="mend or remove the line; the briefs are fixed, so restore the file from"
        " git if nobody meant to change it",
    )
