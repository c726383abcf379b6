"""Steps 8 and 9: the candidate bank, measured whole; what did harm is undone."""

from collections.abc import Collection, Mapping, Sequence

from skillbank.agents.jobs import Checked, Job
from skillbank.briefs.benchmark import (
    Suspicion,
    differences,
    firing,
    read_benchmark,
    regressed,
    suspects,
)
from skillbank.briefs.brief import Brief
from skillbank.records import Arm, BriefSet, Measured, Suspect
from skillbank.rounds.benchmark import (
    Arms,
    fixed_jobs,
    measured,
    suspect_jobs,
    verdict_on,
)
from skillbank.rounds.commit import changes, next_bank, with_open
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Change
from skillbank.skills.shelf import FixedShelf
from skillbank.tables import (
    EVENTS,
    GOLDEN,
    HEADLINE,
    MEASURED,
    PAIRS,
    PROPOSALS,
    SCREENINGS,
    SUSPECTS,
    VERDICTS,
)
from tasks.memory import golden
from tasks.setting import Setting, step


@step("benchmark")
def benchmark(setting: Setting) -> str:
    """Measure candidate, previous bank and no skills in one batch, paired."""
    at = setting.step(
        __file__,
        reads=[PROPOSALS, SCREENINGS, VERDICTS, PAIRS, EVENTS],
        earlier=[EVENTS, GOLDEN],
        files=setting.workspace.fixed,
        depends=[setting.params, setting.bank.digest],
    )
    rows = at.table(MEASURED, lambda: _measure(setting))
    tried = at.table(SUSPECTS, lambda: _try_suspects(setting, rows))
    dropped = [one for one in tried if one.dropped]
    at.table(HEADLINE, lambda: _headline(setting, bool(dropped)))
    return setting.say(
        f"benchmark: {len(tried)} suspects replayed with and without, "
        f"{len(dropped)} dropped"
    )


def accepted(setting: Setting) -> Mapping[str, Change]:
    """What the gate let in, by proposal id."""
    return changes(
        setting.read(PROPOSALS),
        setting.read(VERDICTS),
        setting.read(PAIRS),
        setting.params.benchmark.success,
    )


def bank_without(setting: Setting, without: Collection[str] = ()) -> Bank:
    """The candidate bank, less some of what the gate let in."""
    let_in = {id: c for id, c in accepted(setting).items() if id not in without}
    reasons = {one.proposal: "; ".join(one.reasons) for one in setting.read(SCREENINGS)}
    open_ids = set()
    for record in setting.read(VERDICTS):
        reasons[record.plan.proposal] = record.verdict.reason
        if record.verdict.decision == "undecided":
            open_ids.add(record.plan.proposal)
    for id in without:
        reasons[id] = "did harm on the benchmark"
    aside = [
        (proposal, reasons[proposal.id])
        for proposal in setting.read(PROPOSALS)
        if proposal.id not in let_in and not proposal.placebo
    ]
    bank = next_bank(
        setting.bank,
        let_in,
        [one for one in aside if one[0].id not in open_ids],
        events=(*setting.earlier(EVENTS), *setting.read(EVENTS)),
        round=setting.opening.round,
        suspend_after=setting.params.lifecycle.suspend_after,
    )
    return with_open(bank, [one for one in aside if one[0].id in open_ids])


def bank_after(setting: Setting) -> Bank:
    """The bank that the round ends with: the candidate less what was dropped."""
    dropped = [one.proposal for one in setting.read(SUSPECTS) if one.dropped]
    return bank_without(setting, dropped)


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


def _try_suspects(setting: Setting, rows: Sequence[Measured]) -> tuple[Suspect, ...]:
    let_in = accepted(setting)
    candidate = bank_without(setting)
    briefs = {
        brief.id: brief
        for brief in (
            *read_benchmark(setting.workspace.benchmark("benchmark")),
            *_golden_briefs(setting),
        )
    }
    tried = []
    for suspicion in _suspects(setting, rows, candidate, let_in):
        rest = bank_without(setting, [suspicion.commit])
        arms = _arms(setting, "with", "without", **{"with": candidate, "without": rest})
        jobs = suspect_jobs(
            suspicion,
            briefs,
            arms,
            setting.world,
            setting.params.benchmark.repeats,
            setting.seed("suspects"),
        )
        made = setting.workers.do([job for _, job in jobs])
        paired: list[tuple[Arm, Checked]] = [
            (arm, checked) for (arm, _), checked in zip(jobs, made, strict=True)
        ]
        skill = let_in[suspicion.commit].skill.name
        tried.append(verdict_on(suspicion, skill, paired, setting.params.benchmark))
    return tuple(tried)


def _suspects(
    setting: Setting,
    rows: Sequence[Measured],
    candidate: Bank,
    let_in: Mapping[str, Change],
) -> tuple[Suspicion, ...]:
    refs = {
        id: entry.ref
        for id, change in let_in.items()
        if (entry := candidate.find(change.skill.name)) is not None
    }
    new = [row for row in rows if row.arm == "candidate"]
    old = [row for row in rows if row.arm == "previous"]
    lost = regressed(
        [row for row in old if row.set == "golden"],
        [row for row in new if row.set == "golden"],
    )
    n = setting.params.benchmark.suspects
    return suspects(firing(new, refs), differences(old, new), lost, n)


def _headline(setting: Setting, undone: bool) -> tuple[Measured, ...]:
    """The bank after the round on the sealed briefs, and again where it changed."""
    kept = bank_after(setting)
    world, seed = setting.world, setting.seed("headline")
    sealed = read_benchmark(setting.workspace.benchmark("sealed"))
    arms = _arms(setting, "kept", "none", "seed", kept=kept)
    rows = _run(setting, "sealed", fixed_jobs(sealed, arms, world, "sealed", seed))
    if not undone:
        return rows
    fixed = read_benchmark(setting.workspace.benchmark("benchmark"))
    again = fixed_jobs(
        fixed, _arms(setting, "kept", kept=kept), world, "benchmark", seed
    )
    return (*rows, *_run(setting, "benchmark", again))
