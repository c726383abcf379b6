"""pass^k of both arms, from attempts that the gate made anyway; it decides nothing.

A trial that stops early leaves fewer contexts in some cases than in others, so that
these figures lean: they say how steady an arm is, not how large an effect is.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from skillbank.agents.agent import Attempt
from skillbank.gate.intervals import pass_hat_k
from skillbank.gate.replay import Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePasses:
    """How many attempts on one case passed, of those scored in both arms."""

    case: str
    n: int
    current: int
    candidate: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PassHat:
    """pass^k: chance that k attempts on one case all pass; mean over cases."""

    k: int
    cases: int
    """Cases with at least k contexts scored in both arms."""
    current: Fraction
    """In [0, 1]."""
    candidate: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Both arms of one trial."""

    cases: tuple[CasePasses, ...] = ()
    """In the order in which they were first replayed."""
    pooled: tuple[PassHat, ...] = ()
    """By k from 1, as far as a case has as many contexts."""


def reliability(pairs: Iterable[Pair], *, success_at: float, most: int) -> Reliability:
    """Count the passes of each arm.

    Args:
        pairs: Of one trial; void ones do not count.
        success_at: Score from which an attempt with an output passes, in [0, 1].
        most: Largest k.

    Source:
        Yao et al. 2024, tau-bench: C(passes, k) / C(n, k), unbiased for each case; the
        mean over cases.
    """
    found: dict[str, list[tuple[bool, bool]]] = {}
    for pair in pairs:
        old, new = pair.current_score, pair.candidate_score
        if pair.outcome == "void" or old is None or new is None:
            continue
        passed = (
            _passed(pair.current, old, success_at),
            _passed(pair.candidate, new, success_at),
        )
        found.setdefault(pair.case, []).append(passed)
    cases = tuple(
        CasePasses(
            case=case,
            n=len(rows),
            current=sum(old for old, _ in rows),
            candidate=sum(new for _, new in rows),
        )
        for case, rows in found.items()
    )
    return Reliability(cases=cases, pooled=tuple(_pooled(cases, most)))


def _pooled(cases: tuple[CasePasses, ...], most: int) -> Iterable[PassHat]:
    for k in range(1, most + 1):
        mine = [case for case in cases if case.n >= k]
        if not mine:
            return
        yield PassHat(
            k=k,
            cases=len(mine),
            current=_mean([pass_hat_k(one.current, one.n, k) for one in mine]),
            candidate=_mean([pass_hat_k(one.candidate, one.n, k) for one in mine]),
        )


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _passed(attempt: Attempt | None, score: float, success_at: float) -> bool:
    return attempt is not None and attempt.ending == "ok" and score >= success_at
