"""Step 10: what a round came to, from its tables alone."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from skillbank.briefs.benchmark import compare
from skillbank.codec import seed_of
from skillbank.errors import AccountingError, BriefError
from skillbank.evidence.survey import Survey
from skillbank.gate.intervals import Interval
from skillbank.gate.replay import Pair
from skillbank.params import Params
from skillbank.records import Arm, BankTest, BriefSet, Decision, Health, Measured
from skillbank.rounds.cohorts import cohort_gains, trigger_counts
from skillbank.rounds.controls import (
    CONTROL,
    IN_BANK,
    PLACEBO,
    PlaceboRecord,
    purpose,
    standing_of,
)
from skillbank.rounds.foreseen import plans_of
from skillbank.rounds.health import (
    control_rows,
    degraded_rows,
    judge_rows,
    placebo_rows,
)
from skillbank.rounds.replay import GateRecord
from skillbank.rounds.voids import void_notes
from skillbank.skills.bank import Bank
from skillbank.summary import (
    AxisCounts,
    Figure,
    Gain,
    RoundSummary,
    RuleCounts,
    Ruled,
    axis_counts,
    figure,
)

_ARMS: tuple[Arm, ...] = ("kept", "previous", "seed", "none")
_WORDS: Mapping[Arm, str] = {
    "kept": "the bank after the round",
    "previous": "the bank before it",
    "seed": "the seed bank",
    "none": "no skills",
}
_SETS: tuple[BriefSet, ...] = ("benchmark", "sealed")
_RULES: tuple[Ruled, ...] = ("certified", "published", "uncertifiable")
UNCERTIFIABLE = "undecided:uncertifiable"
_RUNS_A_CONTEXT = 2  # one in each arm


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """What a summary is made of."""

    decisions: Sequence[Decision]
    records: Sequence[GateRecord]
    pairs: Sequence[Pair]
    earlier_pairs: Sequence[Pair]
    """Of the rounds before: controls are pooled over rounds."""
    placebos: Sequence[PlaceboRecord] = ()
    """Of this round and those before."""
    measured: Sequence[Measured]
    headline: Sequence[Measured]
    remeasured: Sequence[Measured] = ()
    """What was left of the bank and the bank before it, where one was dropped."""
    test: BankTest | None = None
    survey: Survey = field(default_factory=Survey)
    unable: str = ""
    """Why nothing could be replayed; empty: it could."""
    traffic: int
    quarantined: int
    cohorts: Mapping[str, str] = field(default_factory=dict)
    """Cohort by id of the fixed briefs that have one."""


def summarise(
    round: str, number: int, banks: tuple[Bank, Bank], tables: Tables, params: Params
) -> RoundSummary:
    """The summary of a finished round.

    Args:
        round: Its id.
        number: Its number.
        banks: The bank before and the bank after.
        tables: The round's tables.
        params: Rule, confidence and seed.
    """
    before, after = banks
    rows = _final(tables)
    controls = [pair for pair in tables.pairs if is_control(pair)]
    return RoundSummary(
        round=round,
        number=number,
        bank_before=before.number,
        bank_after=after.number,
        skills_before=len(before.names()),
        skills_after=len(after.names()),
        axes=_axes(tables.decisions),
        figures=_figures(rows),
        gains=_gains(rows, params),
        runs_planned=_RUNS_A_CONTEXT * sum(r.verdict.planned for r in tables.records),
        runs_spent=_RUNS_A_CONTEXT * sum(r.verdict.spent for r in tables.records),
        control_runs=_RUNS_A_CONTEXT * len(controls),
        bank_runs=_RUNS_A_CONTEXT * sum(map(_is_in_bank, tables.pairs)),
        traffic=tables.traffic,
        quarantined=tables.quarantined,
        placebo_runs=_RUNS_A_CONTEXT * sum(map(_is_placebos, tables.pairs)),
        health=tuple(_health(tables, params)),
        judge_faults=standing_of(tables.pairs, params).faults,
        notes=(*_unmeasured(rows), *void_notes(tables.pairs)),
        rules=rule_counts(tables.records),
        cohorts=cohort_gains(
            tables.measured,
            tables.cohorts,
            confidence=params.benchmark.confidence,
            seed=seed_of(params.evolve.seed, "cohorts"),
        ),
        triggers=trigger_counts(tables.records),
        test=tables.test,
        plans=() if tables.unable else plans_of(tables.earlier_pairs, params.gate),
        survey=tables.survey,
        unable=tables.unable,
    )


def rule_counts(records: Sequence[GateRecord]) -> tuple[RuleCounts, ...]:
    """Verdicts by the rule that decided, each counted once.

    Raises:
        AccountingError: If the verdicts do not add up to the trials.
    """
    by_rule = {
        rule: Counter(one.verdict.decision for one in records if ruled_by(one) == rule)
        for rule in _RULES
    }
    counts = tuple(
        RuleCounts(
            rule=rule,
            heard=found.total(),
            committed=found["commit"],
            refused=found["refuse"],
            undecided=found["undecided"],
        )
        for rule, found in by_rule.items()
        if found
    )
    fates = sum(one.committed + one.refused + one.undecided for one in counts)
    if fates != len(records):
        raise AccountingError(
            "verdicts of the gate",
            seen=f"{len(records)} trials, {fates} verdicts by rule",
            expected="one verdict, by one rule, for each trial",
            remedy="compare the round's tables of proposals and verdicts",
        )
    return counts


def ruled_by(record: GateRecord) -> Ruled:
    """Which rule a verdict is by."""
    if record.verdict.uncertifiable or record.verdict.code == UNCERTIFIABLE:
        return "uncertifiable"
    return record.plan.mode


def _axes(decisions: Sequence[Decision]) -> tuple[AxisCounts, ...]:
    return axis_counts("deepening", decisions), axis_counts("widening", decisions)


def _final(tables: Tables) -> tuple[Measured, ...]:
    """All rows, where `kept` is the bank that the round ended with.

    Where nothing was undone the candidate is that bank. Else it was measured again: a
    held bank with the headline, another beside the bank of before, whose first
    measurement then stands aside, so that the two are of one batch.
    """
    again = tables.remeasured
    if _on_benchmark(tables.headline, "kept"):
        return (*tables.measured, *tables.headline)
    if again:
        first = _on_benchmark(tables.measured, "previous")
        rest = (row for row in tables.measured if row not in first)
        return (*rest, *again, *tables.headline)
    kept = map(_as_kept, _on_benchmark(tables.measured, "candidate"))
    return (*tables.measured, *tables.headline, *kept)


def _on_benchmark(rows: Sequence[Measured], arm: Arm) -> tuple[Measured, ...]:
    return tuple(row for row in rows if (row.set, row.arm) == ("benchmark", arm))


def _as_kept(row: Measured) -> Measured:
    return Measured(
        set=row.set,
        arm="kept",
        brief=row.brief,
        attempt=row.attempt,
        score=row.score,
        completeness=row.completeness,
        success=row.success,
        fired=row.fired,
        forbidden=row.forbidden,
    )


def _figures(rows: Sequence[Measured]) -> tuple[Figure, ...]:
    found = (figure(rows, set, arm) for set in _SETS for arm in _ARMS)
    return tuple(one for one in found if one is not None)


def _unmeasured(rows: Sequence[Measured]) -> Iterator[str]:
    """A sentence for each set and arm with attempts that we failed to measure."""
    for set in _SETS:
        for arm in _ARMS:
            mine = [row for row in rows if (row.set, row.arm) == (set, arm)]
            n = sum(row.completeness is None for row in mine)
            if n:
                yield (
                    f"{set}, {_WORDS[arm]}: {n} of {len(mine)} attempts could not be "
                    "measured and count nowhere"
                )


def _gains(rows: Sequence[Measured], params: Params) -> tuple[Gain, ...]:
    gains: list[Gain] = []
    for set in _SETS:
        kept = [row for row in rows if (row.set, row.arm) == (set, "kept")]
        for over in _ARMS[1:]:
            other = [row for row in rows if (row.set, row.arm) == (set, over)]
            if not kept or not other:
                continue
            try:
                found = compare(
                    other,
                    kept,
                    confidence=params.benchmark.confidence,
                    seed=seed_of(params.evolve.seed, "interval", set, over),
                )
            except BriefError:  # fewer than two pairs: there is no interval
                continue
            gains.append(_gain(set, over, "completeness", found.n, found.completeness))
            gains.append(_gain(set, over, "success", found.n, found.success))
    return tuple(gains)


def _gain(set: BriefSet, over: Arm, what: str, n: int, interval: Interval) -> Gain:
    mean, low, high = interval
    return Gain(set=set, over=over, what=what, briefs=n, mean=mean, low=low, high=high)


def _is_in_bank(pair: Pair) -> bool:
    return purpose(pair) == IN_BANK


def _is_placebos(pair: Pair) -> bool:
    return purpose(pair) == PLACEBO


def is_control(pair: Pair) -> bool:
    """Whether a pair is of an A/A control."""
    return purpose(pair) == CONTROL


def _health(tables: Tables, params: Params) -> Iterator[Health]:
    pairs, earlier = tables.pairs, tables.earlier_pairs
    level = params.benchmark.confidence
    yield from judge_rows(pairs)
    plans = [record.plan for record in tables.records]
    yield from control_rows(pairs, earlier, plans, params)
    yield from placebo_rows(tables.placebos, level)
    yield from degraded_rows(pairs, earlier, level)
