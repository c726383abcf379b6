"""Steps 8 and 9: the candidate bank, measured whole; what did harm is undone."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from skillbank.agents.jobs import Job
from skillbank.briefs.benchmark import read_benchmark
from skillbank.briefs.brief import Brief
from skillbank.records import Arm, BankTest, BriefSet, Measured, Suspect
from skillbank.rounds.benchmark import Arms, fixed_jobs, measured
from skillbank.rounds.commit import changes, next_bank, undone, with_open
from skillbank.rounds.undo import Bench, measure_again, put_to_test, try_suspects
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Change
from skillbank.skills.shelf import FixedShelf
from skillbank.tables import (
    BANK_TEST,
    EVENTS,
    GOLDEN,
    HEADLINE,
    MEASURED,
    PAIRS,
    PROPOSALS,
    REMEASURED,
    SCREENINGS,
    SUSPECTS,
    VERDICTS,
    Table,
)
from tasks.memory import golden
from tasks.setting import Setting, step
from tasks.tables import Step


@step("benchmark")
def benchmark(setting: Setting) -> str:
    """Measure candidate, previous bank and no skills in one batch, paired.

    Then suspects are tried, what is left is put to the test, and the bank that the
    round ends with is measured on the sealed briefs.
    """
    at = setting.step(
        __file__,
        reads=[PROPOSALS, SCREENINGS, VERDICTS, PAIRS, EVENTS],
        earlier=[EVENTS, GOLDEN],
        files=setting.workspace.fixed,
        depends=[setting.params, setting.bank.digest],
    )
    if setting.world.unable:
        return _not_measured(setting, at)
    rows = at.table(MEASURED, lambda: _measure(setting))
    tried = at.table(SUSPECTS, lambda: _try_suspects(setting, rows))
    again = at.table(REMEASURED, lambda: _measure_again(setting, tried))
    (test,) = at.table(BANK_TEST, lambda: [_test(setting, rows, again)])
    at.table(HEADLINE, lambda: _headline(setting, test))
    dropped = sum(one.dropped for one in tried)
    held = ": the round's changes are held back" if test.held else ""
    return setting.say(
        f"benchmark: {len(tried)} suspects replayed with and without, {dropped} "
        f"dropped; beside the bank before {test.standing}{held}"
    )


def _not_measured(setting: Setting, at: Step) -> str:
    tables: tuple[Table[Any], ...] = (MEASURED, SUSPECTS, REMEASURED, HEADLINE)
    for table in (*tables, BANK_TEST):
        at.table(table, tuple)
    return setting.say(f"benchmark: not measured, {setting.world.unable}")


def accepted(setting: Setting) -> Mapping[str, Change]:
    """What the gate let in, by proposal id."""
    return changes(
        setting.read(PROPOSALS),
        setting.read(VERDICTS),
        setting.read(PAIRS),
        setting.params.benchmark.success,
    )


def bank_without(
    setting: Setting, without: Mapping[str, str] = MappingProxyType({})
) -> Bank:
    """The candidate bank, less some of what the gate let in, each with the reason."""
    return _banks(setting)(without)


def _banks(setting: Setting) -> Callable[[Mapping[str, str]], Bank]:
    """The same for any of what the gate let in; the round's tables are read once."""
    accepted_ones, proposals = accepted(setting), setting.read(PROPOSALS)
    events = (*setting.earlier(EVENTS), *setting.read(EVENTS))
    said = {one.proposal: "; ".join(one.reasons) for one in setting.read(SCREENINGS)}
    open_ids = set()
    for record in setting.read(VERDICTS):
        said[record.plan.proposal] = record.verdict.reason
        if record.verdict.decision == "undecided":
            open_ids.add(record.plan.proposal)

    def bank(without: Mapping[str, str]) -> Bank:
        let_in = {id: c for id, c in accepted_ones.items() if id not in without}
        reasons = {**said, **without}
        aside = [
            (proposal, reasons[proposal.id])
            for proposal in proposals
            if proposal.id not in let_in and not proposal.placebo
        ]
        made = next_bank(
            setting.bank,
            let_in,
            [one for one in aside if one[0].id not in open_ids],
            events=events,
            round=setting.opening.round,
            suspend_after=_suspend_after(setting),
        )
        return with_open(made, [one for one in aside if one[0].id in open_ids])

    return bank


def _suspend_after(setting: Setting) -> int | None:
    """Rounds after which a card is set aside; never where most uses have no score.

    A use is an event only where the run has a score: in traces without scores a card
    that everybody uses would look unused.
    """
    if setting.world.unable:
        return None
    return setting.params.lifecycle.suspend_after


def taken_out(setting: Setting) -> Mapping[str, str]:
    """What the benchmark took out again, by proposal id, each with the reason."""
    test = next(iter(setting.read(BANK_TEST)), None)
    return undone(setting.read(SUSPECTS), test, accepted(setting))


def bank_after(setting: Setting) -> Bank:
    """The bank that the round ends with: the candidate less what was taken out."""
    return bank_without(setting, taken_out(setting))


def _arms(setting: Setting, *names: Arm, **banks: Bank) -> Arms:
    store = setting.workspace.bank
    known: dict[str, Bank] = {"previous": setting.bank, **banks}
    if "seed" in names:
        known["seed"] = store.read(min(store.numbers()))
    nothing = (FixedShelf(), "no skills")
    return {
        name: nothing if name == "none" else setting.shelf(known[name])
        for name in names
    }


def _run(
    setting: Setting, set: BriefSet, jobs: Sequence[tuple[Arm, Job]]
) -> tuple[Measured, ...]:
    made = setting.workers.timed([job for _, job in jobs])
    success = setting.params.benchmark.success
    took: dict[Arm, list[float]] = {}
    rows = []
    for (arm, _), (checked, seconds) in zip(jobs, made, strict=True):
        row = measured(set, arm, checked, success)
        rows.append(row)
        if row.success and seconds is not None:
            took.setdefault(arm, []).append(seconds)
    for arm, all_seconds in took.items():
        name = f"latency_s.{set}.{arm}"
        setting.clock(name, sum(all_seconds) / len(all_seconds))
    return tuple(rows)


def _measure(setting: Setting) -> tuple[Measured, ...]:
    candidate = bank_without(setting)
    world, seed = setting.world, setting.seed("benchmark")
    fixed = read_benchmark(setting.workspace.benchmark("benchmark"))
    arms = _arms(setting, "candidate", "previous", "none", "seed", candidate=candidate)
    jobs = fixed_jobs(fixed, arms, world, "benchmark", seed)
    pair = _arms(setting, "candidate", "previous", candidate=candidate)
    cases = _golden_briefs(setting)
    golden_jobs = fixed_jobs(cases, pair, world, "golden", seed)
    return (
        *_run(setting, "benchmark", jobs),
        *_run(setting, "golden", golden_jobs),
    )


def _golden_briefs(setting: Setting) -> tuple[Brief, ...]:
    """The round's sample of the replay set, each brief once."""
    sample = golden(setting).sample(
        setting.opening.round,
        setting.params.benchmark.golden,
        setting.params.evolve.seed,
    )
    return tuple({case.brief.id: case.brief for case in sample}.values())


def _bench(setting: Setting) -> Bench:
    fixed = read_benchmark(setting.workspace.benchmark("benchmark"))

    banks = _banks(setting)

    def without(some: Collection[str]) -> Bank:
        return banks(dict.fromkeys(some, "left out to be compared"))

    return Bench(
        world=setting.world,
        params=setting.params.benchmark,
        briefs={brief.id: brief for brief in (*fixed, *_golden_briefs(setting))},
        without=without,
        shelf=setting.shelf,
        do=setting.workers.do,
    )


def _try_suspects(setting: Setting, rows: Sequence[Measured]) -> tuple[Suspect, ...]:
    return try_suspects(
        rows, accepted(setting), _bench(setting), setting.seed("suspects")
    )


def _measure_again(setting: Setting, tried: Sequence[Suspect]) -> tuple[Measured, ...]:
    """The bank that is left beside the one before; nothing if nothing was dropped."""
    gone = undone(tried, None, ())
    if not gone:
        return ()
    fixed = read_benchmark(setting.workspace.benchmark("benchmark"))
    left = bank_without(setting, gone)
    where = setting.seed("bank test")
    return measure_again(fixed, left, setting.bank, _bench(setting), where)


def _test(
    setting: Setting, rows: Sequence[Measured], again: Sequence[Measured]
) -> BankTest:
    gone = sum(one.dropped for one in setting.read(SUSPECTS))
    left = len(accepted(setting)) - gone
    where = setting.seed("bank test")
    return put_to_test(rows, again, left, setting.params.benchmark, where)


def _headline(setting: Setting, test: BankTest) -> tuple[Measured, ...]:
    """The bank after the round on the sealed briefs, and a held one on the others."""
    kept = bank_after(setting)
    world, seed = setting.world, setting.seed("headline")
    sealed = read_benchmark(setting.workspace.benchmark("sealed"))
    arms = _arms(setting, "kept", "none", "seed", kept=kept)
    rows = _run(setting, "sealed", fixed_jobs(sealed, arms, world, "sealed", seed))
    if not test.held:
        return rows
    fixed = read_benchmark(setting.workspace.benchmark("benchmark"))
    again = fixed_jobs(
        fixed, _arms(setting, "kept", kept=kept), world, "benchmark", seed
    )
    return (*rows, *_run(setting, "benchmark", again))
