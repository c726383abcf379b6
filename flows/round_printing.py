"""Rounds side by side for people: a row a measure, a column a round, in 60 columns."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from flows.history import RoundRow, row_of
from skillbank.records import Arm, BriefSet, Health, Standing
from skillbank.reports.numbers import (
    MISSING,
    between,
    counted,
    decimal,
    gained,
    percent,
    points,
)
from skillbank.summary import Gain, RoundSummary

_LABEL, _COLUMN = 24, 7  # characters
Cell: TypeAlias = Callable[[RoundRow], str]


def _counts(axis: str) -> tuple[tuple[str, Cell], ...]:
    def count(name: str) -> Cell:
        return lambda row: str(getattr(getattr(row, axis), name))

    names = ("proposed", "committed", "refused", "undecided", "dropped", "screened_out")
    return tuple((name.replace("_", " "), count(name)) for name in names)


def counted_seconds(seconds: float | None) -> str:
    """Whole seconds; a dash where they are not known."""
    return MISSING if seconds is None else f"{seconds:,.0f}"


def _gain(name: str) -> tuple[tuple[str, Cell], ...]:
    def end(field: str) -> Cell:
        def cell(row: RoundRow) -> str:
            found: Gain | None = getattr(row, name)
            return gained(getattr(found, field) if found else None)

        return cell

    return (
        ("completeness", end("mean")),
        ("interval from", end("low")),
        ("to", end("high")),
    )


_STANDINGS: Mapping[Standing | None, str] = {
    "regressed": "regr.",
    "non-inferior": "n-inf.",
    "not shown": "open",
    None: MISSING,
}


Section: TypeAlias = tuple[str, tuple[tuple[str, Cell], ...]]
_COUNTS: tuple[Section, ...] = (
    ("deepening", _counts("deepening")),
    ("widening", _counts("widening")),
    (
        "bank",
        (
            ("version", lambda row: str(row.bank)),
            ("skills", lambda row: str(row.skills)),
        ),
    ),
)
_DECIDED: tuple[Section, ...] = (
    *_COUNTS,
    (
        "benchmark, %",
        (
            ("completeness", lambda row: points(row.completeness)),
            ("success", lambda row: points(row.success)),
        ),
    ),
)
_BESIDE: tuple[Section, ...] = (
    (
        "beside the bank before",
        (
            ("standing", lambda row: _STANDINGS[row.standing]),
            ("held back", lambda row: "yes" if row.held else "no"),
        ),
    ),
)
_RUNS: tuple[Section, ...] = (
    (
        "agent runs of the gate",
        (
            ("planned", lambda row: f"{row.runs_planned:,}"),
            ("spent", lambda row: f"{row.runs_spent:,}"),
            ("saved", lambda row: f"{row.runs_saved:,}"),
        ),
    ),
)
_SECONDS: tuple[Section, ...] = (
    ("time", (("seconds", lambda row: counted_seconds(row.seconds)),)),
)
_FIXED: tuple[Section, ...] = (
    ("over no skills, points", _gain("over_none")),
    ("over seed bank, points", _gain("over_seed")),
)
_GAINS: tuple[Section, ...] = (
    ("over seed bank, points", _gain("over_seed")),
    ("over seed bank, sealed", _gain("sealed_over_seed")),
)


@dataclass(frozen=True)
class Rounds:
    """Rounds side by side, in as many blocks as the terminal's width asks for."""

    rows: Sequence[RoundRow]
    sections: Sequence[Section]

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        """Lay the blocks out."""
        fit = max(1, (options.max_width - _LABEL) // _COLUMN)
        for start in range(0, len(self.rows), fit):
            if start:
                yield Text()
            yield self._block(self.rows[start : start + fit])

    def _block(self, rows: Sequence[RoundRow]) -> Table:
        table = Table(box=None, pad_edge=False, padding=0, header_style="bold")
        table.add_column("", width=_LABEL, no_wrap=True)
        for row in rows:
            table.add_column(row.round, width=_COLUMN, justify="right", no_wrap=True)
        for title, lines in self.sections:
            table.add_row(Text(title, style="bold"))
            for label, cell in lines:
                table.add_row(Text(f"  {label}"), *(Text(cell(row)) for row in rows))
        return table


_TRAFFIC: tuple[Section, ...] = (
    (
        "traffic",
        (
            ("runs", lambda row: f"{row.traffic:,}"),
            ("open needs", lambda row: str(_needs(row))),
            ("drift", lambda row: decimal(_drift(row, "distance"))),
            ("by chance", lambda row: decimal(_drift(row, "by_chance"))),
            ("no case near", lambda row: percent(_uncovered(row))),
        ),
    ),
)


def _needs(row: RoundRow) -> int:
    return len(row.survey.needs) + row.survey.needs_beyond


def _drift(row: RoundRow, name: str) -> float | None:
    found: float | None = getattr(row.survey.drift, name, None)
    return found


def _uncovered(row: RoundRow) -> float | None:
    told = row.survey.coverage
    return told[0].uncovered.estimate if told else None


def rounds_table(rows: Sequence[RoundRow]) -> RenderableType:
    """What `skillbank rounds` prints."""
    sections = (*_DECIDED, *_BESIDE, *_GAINS, *_RUNS, *_TRAFFIC)
    if all(row.unable for row in rows):
        sections = (*_COUNTS, *_TRAFFIC)
    alarms = (Text(line, style="bold red") for line in _alarms(rows))
    return Group(Rounds(rows, sections), *alarms)


def evolve_table(
    summaries: Sequence[RoundSummary],
    seconds: float,
    by_round: Mapping[str, float] = MappingProxyType({}),
) -> RenderableType:
    """What `skillbank evolve` ends with; fits 60 columns.

    Args:
        summaries: The rounds that were run, oldest first.
        seconds: How long they took together.
        by_round: How long each took, by its id, where that is known.
    """
    if not summaries:
        return "no round was run"
    rows = [row_of(said, by_round.get(said.round)) for said in summaries]
    if why := summaries[-1].unable:
        return Group(
            Rounds(rows, (*_COUNTS, *_TRAFFIC, *_SECONDS)),
            Text(),
            Text(f"undecided: {why}"),
        )
    return Group(
        Rounds(rows, (*_DECIDED, *_FIXED, *_RUNS, *_SECONDS)),
        Text(),
        _gains(summaries[-1]),
        Text(),
        *(Text(line) for line in _ending(rows, summaries[-1], seconds)),
        *(Text(line, style="bold red") for line in _alarms(rows)),
        *(Text(f"{one.round}: {note}") for one in summaries for note in one.notes),
    )


def _gains(said: RoundSummary) -> RenderableType:
    """The paired differences of the last bank, benchmark and sealed briefs apart."""
    sets: tuple[BriefSet, ...] = ("benchmark", "sealed")
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column(f"bank {said.bank_after}, points")
    for set in sets:
        figure = said.figure(set, "kept")
        briefs = f"\n{figure.briefs} briefs" if figure else ""
        table.add_column(f"{set}{briefs}", justify="right")
    others: tuple[tuple[Arm, str], ...] = (
        ("none", "over no skills"),
        ("seed", "over seed bank"),
    )
    for over, words in others:
        table.add_row(Text(words, style="bold"))
        for what in ("completeness", "success"):
            cells = [Text(_interval(said.gain(set, over, what))) for set in sets]
            table.add_row(Text(f"  {what}"), *cells)
    return table


def _interval(gain: Gain | None) -> str:
    return f"{gained(gain.mean)} {between(gain.low, gain.high)}" if gain else MISSING


def _ending(rows: Sequence[RoundRow], last: RoundSummary, seconds: float) -> list[str]:
    planned = sum(row.runs_planned for row in rows)
    saved = sum(row.runs_saved for row in rows)
    share = f" ({percent(saved / planned)})" if planned else ""
    controls = sum(row.control_runs for row in rows)
    beside = sum(row.bank_runs for row in rows)
    placebos = sum(row.placebo_runs for row in rows)
    lines = [
        f"agent runs of the gate: {planned:,} planned, {planned - saved:,} spent, "
        f"{saved:,} saved{share}; besides {controls:,} of A/A controls, "
        f"{beside:,} of mints beside the whole bank, {placebos:,} of placebos",
        _beside(rows),
        _false_accepts(last),
        _placebos(last),
        _judge(last),
        f"{counted(len(rows), 'round')} in {seconds:,.0f} s",
    ]
    return [line for line in lines if line]


def _beside(rows: Sequence[RoundRow]) -> str:
    """How often each standing came up, and each round that went wrong."""
    counts = Counter(row.standing for row in rows if row.standing)
    if not counts:
        return ""
    said = ", ".join(f"{standing} {n}" for standing, n in sorted(counts.items()))
    wrong = [
        f"; {row.round} REGRESSED"
        + (", its changes were held back" if row.held else "")
        for row in rows
        if row.standing == "regressed"
    ]
    return f"rounds beside the bank before them: {said}{''.join(wrong)}"


def _false_accepts(said: RoundSummary) -> str:
    accept = said.row("false accept rate")
    if accept is None or accept.value is None:
        return ""
    line = (
        f"the gate ships a change that does nothing about {percent(accept.value)} "
        f"of the time ({_ends(accept)}from {counted(accept.n, 'A/A pair')})"
    )
    certified = said.row("certified false accept rate")
    if certified is None or certified.value is None:
        return line
    return (
        f"{line} by the published rule, and {percent(certified.value)} "
        f"({_ends(certified)}simulated) by the certified one"
    )


def _placebos(said: RoundSummary) -> str:
    """What was counted, beside what A/A pairs let expect."""
    seen = said.row("placebos let in")
    if seen is None or seen.value is None:
        return "no placebo proposal has been decided yet"
    hits = round(seen.value * seen.n)
    return (
        f"placebos let in by the gate, never by the round: {hits} of {seen.n} "
        f"({_ends(seen)}over all rounds)"
    )


def _judge(said: RoundSummary) -> str:
    lost, flips = said.row("degraded lost this round"), said.row("judge flip_rate")
    found = []
    if lost is not None and lost.value is not None:
        hits = round(lost.value * lost.n)
        found.append(f"outputs made worse lost {hits} of {lost.n} decided pairs")
    if flips is not None and flips.value is not None:
        found.append(f"{percent(flips.value)} of {flips.n} answers flip with the order")
    return f"the judge: {', '.join(found)}" if found else ""


def _alarms(rows: Sequence[RoundRow]) -> list[str]:
    """Rounds whose judge may not gate; said last, so that nobody misses it."""
    return [
        f"{row.round}: THE JUDGE MAY NOT GATE, nothing was let in: {fault}"
        for row in rows
        for fault in row.judge_faults
    ]


def _ends(one: Health) -> str:
    if one.low is None or one.high is None:
        return ""
    return f"{percent(one.low)} to {percent(one.high)}, "
