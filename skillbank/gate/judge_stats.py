"""Health of a judge from its swapped pairs; goes into the report, never into a verdict.

cc, rr: both orders for the candidate, both for the current arm. ff, ss: the output in
the first slot twice, the one in the second slot twice.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from scipy import integrate, optimize, stats

from skillbank.gate.intervals import sign_test_two_sided
from skillbank.gate.votes import Votes


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapCounts:
    """How a judge answered pairs that it saw in both orders."""

    cc: int = 0
    rr: int = 0
    ff: int = 0
    ss: int = 0
    leaning: int = 0
    """Pairs with one vote and one "same"; in none of the statistics."""
    same: int = 0
    """Pairs called the same twice; in none of the statistics."""
    unreadable: int = 0
    """Pairs void because an answer could not be read."""

    @property
    def n(self) -> int:
        """Pairs with two votes."""
        return self.cc + self.rr + self.ff + self.ss

    def __add__(self, other: "SwapCounts") -> "SwapCounts":
        """Pool two sets of pairs."""
        return SwapCounts(
            cc=self.cc + other.cc,
            rr=self.rr + other.rr,
            ff=self.ff + other.ff,
            ss=self.ss + other.ss,
            leaning=self.leaning + other.leaning,
            same=self.same + other.same,
            unreadable=self.unreadable + other.unreadable,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeHealth:
    """What swapped pairs say about a judge; None where they cannot tell.

    Source:
        The gate study, section 5; the probit trio takes votes as signs of a normal
        variate with a shift of +-b by slot.
    """

    n: int
    flip_rate: Fraction | None
    """Share of pairs whose two votes disagree, in [0, 1]."""
    consistency: Fraction | None
    net_first_bias: Fraction | None
    """(ff - ss) / n, in [-1, 1]; above 0 the first slot is favoured."""
    first_share: Fraction | None
    """Share of votes for the first slot, in [0, 1]."""
    bias_p: float
    """Two-sided exact p of ff against ss; 1 without flips."""
    candidate_rate: Fraction | None
    """Share of votes for the candidate, in [0, 1]."""
    bias: float | None
    """Position bias in units of the judge's noise: (z(p1) - z(p2)) / 2."""
    quality: float | None
    """Net preference for the candidate in the same units: (z(p1) + z(p2)) / 2."""
    repeatability: float | None
    """Tetrachoric correlation of the two votes of a pair, in [-1, 1]."""


def swap_counts(pairs: Iterable[Votes]) -> SwapCounts:
    """Count the pairs that a judge saw; pairs it never saw are left out."""
    found = dict.fromkeys(("cc", "rr", "ff", "ss", "leaning", "same", "unreadable"), 0)
    for votes in pairs:
        kind = _kind(votes)
        if kind:
            found[kind] += 1
    return SwapCounts(**found)


def judge_health(counts: SwapCounts) -> JudgeHealth:
    """All statistics of a judge from its counts."""
    n, flips = counts.n, counts.ff + counts.ss
    net = counts.ff - counts.ss

    def share(part: int, whole: int = n) -> Fraction | None:
        return Fraction(part, whole) if whole else None

    bias, quality = _probit(counts)
    return JudgeHealth(
        n=n,
        flip_rate=share(flips),
        consistency=share(n - flips),
        net_first_bias=share(net),
        first_share=share(n + net, 2 * n),
        bias_p=float(sign_test_two_sided(counts.ff, counts.ss)),
        candidate_rate=share(2 * counts.cc + flips, 2 * n),
        bias=bias,
        quality=quality,
        repeatability=_tetrachoric(counts),
    )


def _kind(votes: Votes) -> str:
    if votes.broken or votes.first is None:
        return ""
    if "invalid" in (votes.first, votes.second):
        return "unreadable"
    if votes.second is None:
        return ""
    if votes.first == votes.second:
        return {"candidate": "cc", "current": "rr"}.get(votes.first, "same")
    if "same" in (votes.first, votes.second):
        return "leaning"
    return "ff" if votes.first == "candidate" else "ss"


def _probit(counts: SwapCounts) -> tuple[float | None, float | None]:
    n = counts.n
    first, second = counts.cc + counts.ff, counts.cc + counts.ss
    if not (0 < first < n and 0 < second < n):
        return None, None
    z1 = float(stats.norm.ppf(first / n))
    z2 = float(stats.norm.ppf(second / n))
    return (z1 - z2) / 2, (z1 + z2) / 2


def _tetrachoric(counts: SwapCounts) -> float | None:
    """Correlation of two normals cut at the margins that gives the share cc / n."""
    n = counts.n
    first, second = counts.cc + counts.ff, counts.cc + counts.ss
    if not (0 < first < n and 0 < second < n):
        return None
    z1 = float(stats.norm.ppf(first / n))
    z2 = float(stats.norm.ppf(second / n))
    independent = first * second / n**2

    def density(r: float) -> float:
        rest = 1 - r * r
        power = (z1 * z1 - 2 * r * z1 * z2 + z2 * z2) / (2 * rest)
        return math.exp(-power) / (2 * math.pi * math.sqrt(rest))

    def excess(r: float) -> float:
        grown, _ = integrate.quad(density, 0.0, r)
        return independent + float(grown) - counts.cc / n

    limit = 1 - 1e-6  # the density has a pole at 1
    if excess(limit) <= 0:
        return 1.0
    if excess(-limit) >= 0:
        return -1.0
    return float(optimize.brentq(excess, -limit, limit))
