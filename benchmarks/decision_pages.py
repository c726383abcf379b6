"""The table and the plot of `decision_quality`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure as Canvas

from benchmarks.gate_world import Figure, Quality, Tally
from skillbank.gate.intervals import wilson

_KINDS = (
    "no-op",
    "het0",
    "overfit",
    "harm -0.5",
    "harm -1",
    "hurt 1 of 4",
    "hurt 1 of 4, +1",
    "+0.5",
    "+1",
    "+1.5",
    "target +2",
    "N(1, .5)",
)

_INTRO = """# Decision quality of gates

Written by `python -m benchmarks.decision_quality --seed {seed} --n {n} --kinds {kinds}
--write docs/gate`. World, loss and judges are those of the gate study, section 8: half
of the proposals good, three in ten without a gain that counts, two in ten harmful. A
gate sees the votes of the contexts that it asks for.

FA0 is P(ship | no gain), FAH P(ship | harmful), FR P(refuse | good), FR+ P(refuse | +1
or +1.5). Loss is FA0 + 3 FAH + FR by prevalence, DQ is 1 - loss over that of refusing
everything: 0 no better than that, 1 perfect. Runs are agent runs a proposal on the
mixture, CPCD runs over P(correct). Behind each figure the half-width of its 95% Monte
Carlo interval. Efficiency is Wald's bound at +1 over the contexts used.

The judge of a field rule scores each output alone, with twice the noise of a vote;
these rules see cases that the writer saw, as they are used. "non-decrease" compares
numbers of passed checks.

`certified` is the default of certified mode with 16 held-out cases; `study` are the
numbers of the gate study, 3.1. What differs: no screen on origin cases where there are
twelve held-out ones or more (bar 50 instead of 20), up to 72 held-out contexts instead
of 36, giving up at evidence of .32 instead of .2 and when winning half of what is left
would not reach the bar, and a guard of 6 further contexts with a regress of 4 instead
of 4 and 3. With fewer than twelve held-out cases the study's screen, bar and floor are
kept, with up to 5 contexts a case.

A round of N proposals asks for N / 2 if that is more: below 40 proposals `study` and a
mint stay at 20 and below 100 `certified` at 50, so that their rows are those of a round
of 20; the rows of rounds of 60 and 120 are beside them.
"""
_NEAR = """
## The neighbour guard

P(refuse), %, of a mint that fires on eight prompts outside its cluster, by what it does
to them, and the mean contexts that it takes.
"""
_CURVE = """
## No-gain accepts against clear-gain refusals

![Curves at 16, 32 and 64 runs](decision_quality.svg)

Judge `ref`, at most so many runs on average. `certified` on 16 held-out cases: bar and
horizon vary, the best points are shown. `mean > k standard errors` on as many held-out
outputs: k from 0 to 3.
"""


class Point(NamedTuple):
    """A gate on the curve."""

    accepted: float
    """P(ship | no gain)."""
    refused: float
    """P(refuse | clear gain)."""
    runs: float


@dataclass(frozen=True, slots=True)
class Curve:
    """What can be had for so many runs."""

    budget: int
    ours: tuple[Point, ...]
    errors: tuple[Point, ...]
    published: tuple[tuple[str, Point], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A gate under one judge."""

    name: str
    regime: str
    tallies: Mapping[str, Tally]
    quality: Quality
    efficiency: float | None = None


class Spared(NamedTuple):
    """What the neighbour guard refused, under one judge."""

    regime: str
    name: str
    refused: Tally


def page(
    rows: Sequence[Row],
    near: Sequence[Spared],
    curves: Sequence[Curve],
    *,
    seed: int,
    n: int,
    kinds: int,
) -> str:
    """The whole page, in Markdown."""
    regimes = list(dict.fromkeys(row.regime for row in rows))
    parts = [_INTRO.format(seed=seed, n=n, kinds=kinds)]
    for regime in regimes:
        mine = [row for row in rows if row.regime == regime]
        parts += [f"\n## Judge `{regime}`\n\n", _qualities(mine), "\n", _kinds(mine)]
    parts += [_NEAR, "\n", _neighbours(near), _CURVE, "\n", _points(curves)]
    return "".join(parts)


def _qualities(rows: Sequence[Row]) -> str:
    head = ("gate", "FA0", "FAH", "FR", "FR+", "DQ", "runs", "CPCD", "efficiency")
    lines = [
        (
            row.name,
            *(_share(one) for one in (row.quality.fa0, row.quality.fah)),
            *(_share(one) for one in (row.quality.fr, row.quality.fr_clear)),
            f"{row.quality.dq.value:.3f} ± {row.quality.dq.reach:.3f}",
            f"{row.quality.runs:.1f}",
            f"{row.quality.per_correct:.1f}",
            "" if row.efficiency is None else f"{row.efficiency:.2f}",
        )
        for row in rows
    ]
    return _table(head, lines)


def _kinds(rows: Sequence[Row]) -> str:
    """P(ship) by kind, with the interval of each figure below 10% of interest."""
    lines = [(row.name, *(_rate(row.tallies[kind]) for kind in _KINDS)) for row in rows]
    return "P(ship) by kind, %, and the ends of Wilson's 95% interval:\n\n" + _table(
        ("gate", *_KINDS), lines
    )


def _neighbours(near: Sequence[Spared]) -> str:
    names = list(dict.fromkeys(one.name for one in near))
    lines = []
    for regime in dict.fromkeys(one.regime for one in near):
        mine = {one.name: one.refused for one in near if one.regime == regime}
        cells = [f"{_rate(mine[name])}, {mine[name].contexts:.1f}" for name in names]
        lines.append((regime, *cells))
    return _table(("judge", *names), lines)


def _points(curves: Sequence[Curve]) -> str:
    lines = []
    for curve in curves:
        named = [("certified", point) for point in curve.ours]
        named += [("mean > k errors", point) for point in curve.errors]
        named += [(f"published {name}", point) for name, point in curve.published]
        for name, (accepted, refused, runs) in named:
            lines.append(
                (
                    f"{curve.budget}",
                    name,
                    f"{accepted:.1%}",
                    f"{refused:.1%}",
                    f"{runs:.1f}",
                )
            )
    return _table(("at most", "gate", "FA0", "FR+", "runs"), lines)


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    all_lines = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in all_lines)


def _share(figure: Figure) -> str:
    return f"{100 * figure.value:.1f} ± {100 * figure.reach:.1f}"


def _rate(tally: Tally) -> str:
    low, high = wilson(tally.ships, tally.n)[1:]
    return f"{100 * tally.rate:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def plot(curves: Sequence[Curve], path: Path) -> None:
    """Draw the curves, the same bytes for the same figures."""
    with mpl.rc_context(
        {"svg.hashsalt": "decision quality", "svg.fonttype": "none", "font.size": 9}
    ):
        canvas = Canvas(figsize=(10, 3.6), layout="constrained")
        axes = canvas.subplots(1, len(curves), sharey=True)
        for axis, curve in zip(axes, curves, strict=True):
            for points, name, mark in (
                (curve.ours, "certified", "o-"),
                (curve.errors, "mean > k standard errors", "s--"),
            ):
                xs = [max(point.accepted, 5e-4) for point in points]
                axis.plot(xs, [point.refused for point in points], mark, label=name)
            for name, point in curve.published:
                axis.plot(point.accepted, point.refused, "k^")
                axis.annotate(
                    f"published {name}  ",
                    (point.accepted, point.refused),
                    ha="right",
                    va="center",
                )
            axis.set(
                xscale="log",
                xlim=(5e-4, 0.8),
                ylim=(0, 1),
                title=f"at most {curve.budget} runs",
                xlabel="P(ship | no gain)",
            )
            axis.grid(alpha=0.3)
        axes[0].set_ylabel("P(refuse | +1 or +1.5)")
        axes[0].legend()
        canvas.savefig(path, metadata={"Date": None, "Creator": None})
