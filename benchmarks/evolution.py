"""Five rounds under the gate, under accept-all and under a mean-score rule, by seed.

Prints, for each seed, completeness of the seed bank and of the bank after the last
round on the sealed briefs, paired; then the paired differences between rules over the
seeds; then what each rule did with proposals that are truly good, indistinguishable or
harmful, measured after the fact. Run: `python -m benchmarks.evolution --seeds 101-108`.
"""

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import get_args

import numpy as np
from scipy import stats

from benchmarks.rival_gates import accept_all, mean_score
from benchmarks.weeks import traffic
from skillbank.agents.jobs import Job, do
from skillbank.briefs.benchmark import compare, read_benchmark
from skillbank.briefs.brief import Brief
from skillbank.codec import dump, seed_of
from skillbank.gate.settle import Asked
from skillbank.models.journal import NoJournal
from skillbank.params import Params, read_params
from skillbank.records import Measured
from skillbank.rounds.arms import candidate_card
from skillbank.rounds.docket import Docket
from skillbank.rounds.memory import Done, Gate, Rounds, State
from skillbank.rounds.record import rule_counts, ruled_by
from skillbank.rounds.replay import hear
from skillbank.skills.bank import Bank
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Shelf
from skillbank.skills.store import seed_bank
from studio.world import Studio

ROOT = Path(__file__).resolve().parents[1]
GATES: dict[str, Gate] = {
    "published": hear,
    "accept-all": accept_all,
    "mean-score": mean_score,
}
TRUTH_PAIRS = 32  # at least 30 pairs decide what a proposal truly does


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a proposal truly does, beside what a rule did with it."""

    kind: str
    committed: bool
    pairs: int
    briefs: int
    """The independent units."""
    mean: float
    """Mean paired difference of score over briefs on which it shows."""
    se: float
    """Standard error of that, over briefs."""

    @property
    def verdict(self) -> str:
        """Good or harmful beyond two standard errors, else indistinguishable."""
        if self.briefs < 2 or abs(self.mean) <= max(2 * self.se, 0.004):
            return "indistinguishable"
        return "good" if self.mean > 0 else "harmful"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One rule on one seed."""

    gate: str
    seed: int
    sealed_seed: float
    sealed_end: float
    sealed_hand: float
    """Completeness under the best bank written by hand: the ceiling."""
    gain: float
    low: float
    high: float
    benchmark: tuple[float, ...]
    """Completeness on the benchmark after each round, the seed bank first."""
    proposed: int
    committed: int
    undecided: int
    dropped: int
    planned: int
    spent: int
    mode: Asked
    """Of the gate itself; rivals have none."""
    rules: tuple[tuple[str, int, int], ...]
    """Rule that decided, verdicts, commits: over all rounds."""
    rewrites: tuple[tuple[int, int], ...]
    """Of each round: heard, and of these with too few held-out prompts."""
    truths: tuple[Truth, ...]
    seconds: float


def evolve(
    gate: str, seed: int, rounds: int, truths: bool, mode: Asked = "published"
) -> Outcome:
    """Run rounds under one rule and measure what came of them."""
    began = perf_counter()
    params = _params(gate, seed, mode)
    world = Studio(params)
    fixed = read_benchmark(ROOT / "data/benchmark/benchmark.jsonl")
    sealed = read_benchmark(ROOT / "data/benchmark/sealed.jsonl")
    runner = Rounds(
        world=world,
        params=params,
        benchmark=fixed,
        traffic=traffic(world, params),
        gate=GATES[gate],
    )
    first = replace(seed_bank(ROOT / "data/bank/seed", "operator"), number=1)
    state, done = State(bank=first), []
    curve = [_mean(runner, first, fixed, 0)]
    for number in range(rounds):
        done.append(runner.round(state))
        state = done[-1].state
        curve.append(_mean(runner, state.bank, fixed, number + 1))
    found = compare(
        _measured(runner, first, sealed, "seed"),
        _measured(runner, state.bank, sealed, "end"),
        seed=seed,
    )
    fates = [decision.fate for one in done for decision in one.decisions]
    records = [heard.record for one in done for heard in one.heard]
    verdicts = [record.verdict for record in records]
    return Outcome(
        gate=gate,
        seed=seed,
        sealed_seed=found.current.completeness,
        sealed_end=found.candidate.completeness,
        sealed_hand=_mean_of(_measured(runner, _hand(), sealed, "hand")),
        gain=found.completeness.estimate,
        low=found.completeness.low,
        high=found.completeness.high,
        benchmark=tuple(curve),
        proposed=len(fates),
        committed=fates.count("committed"),
        undecided=fates.count("undecided"),
        dropped=fates.count("dropped"),
        planned=sum(one.planned for one in verdicts),
        spent=sum(one.spent for one in verdicts),
        mode=mode,
        rules=tuple((r.rule, r.heard, r.committed) for r in rule_counts(records)),
        rewrites=tuple(map(_rewrites, done)),
        truths=tuple(t for one in done for t in _truths(one, world)) if truths else (),
        seconds=perf_counter() - began,
    )


def _rewrites(done: Done) -> tuple[int, int]:
    ruled = [
        ruled_by(heard.record)
        for docket, heard in zip(done.dockets, done.heard, strict=True)
        if docket.proposal.base is not None
    ]
    return len(ruled), ruled.count("uncertifiable")


def _params(gate: str, seed: int, mode: Asked) -> Params:
    """params.yaml with this seed and mode; accept-all also skips the undo."""
    params = read_params(ROOT / "params.yaml")
    undo = gate != "accept-all"
    return params.model_copy(
        update={
            "evolve": params.evolve.model_copy(update={"seed": seed}),
            "gate": params.gate.model_copy(update={"mode": mode}),
            "benchmark": params.benchmark.model_copy(update={"undo": undo}),
        }
    )


def _measured(
    runner: Rounds, bank: Bank, briefs: Sequence[Brief], name: str
) -> tuple[Measured, ...]:
    cards = bank.cards(runner.params.recall.prior_trials)
    arms = {"kept": (BankShelf(cards, runner.params.recall), bank.digest)}
    where = seed_of(runner.params.evolve.seed, "measure", name)
    return runner.measure(briefs, arms, "sealed", where)  # type: ignore[arg-type] # one arm


def _mean(runner: Rounds, bank: Bank, briefs: Sequence[Brief], name: int) -> float:
    return _mean_of(_measured(runner, bank, briefs, f"round {name}"))


def _mean_of(rows: Sequence[Measured]) -> float:
    return float(np.mean([row.completeness for row in rows]))


def _hand() -> Bank:
    bank = seed_bank(ROOT / "tests/fixtures/hand_bank", "operator")
    return replace(bank, number=1)


def _truths(done: Done, world: Studio) -> list[Truth]:
    committed = {one.proposal for one in done.decisions if one.fate == "committed"}
    return [
        _truth(docket, docket.proposal.id in committed, world)
        for docket in done.dockets
    ]


def _truth(docket: Docket, committed: bool, world: Studio) -> Truth:
    """Replay a proposal on its cases and on fresh briefs of the benchmark's kind.

    The briefs are those of the frozen benchmark on which it shows, so that a card that
    only fits its own cases is found out; whole-bank shelves, fresh seeds, one context
    each, repeated until there are enough pairs.
    """
    bank = BankShelf(docket.cards, docket.params.recall)
    by_brief: dict[str, list[float]] = {}
    places = _places(docket, bank, world)
    turn = 0
    while places and turn * len(places) < TRUTH_PAIRS:
        for brief, current, candidate in places:
            context = world.contexts(brief, 1, seed_of("truth", brief.id, turn))[0]
            scores = []
            for arm, skills in (("current", current), ("candidate", candidate)):
                seed = seed_of(
                    docket.seed, "truth", docket.proposal.id, arm, turn, brief.id
                )
                job = Job(
                    brief=brief, context=context, skills=skills, under=arm, seed=seed
                )
                score = do(job, world, NoJournal()).score
                if score is None:
                    raise SystemExit("an attempt could not be measured: none is a 0")
                scores.append(score)
            by_brief.setdefault(brief.id, []).append(scores[1] - scores[0])
        turn += 1
    # pairs on one brief are alike: briefs are the units, each with as many pairs
    means = [float(np.mean(found)) for found in by_brief.values()]
    return Truth(
        kind=docket.proposal.kind,
        committed=committed,
        pairs=turn * len(places),
        briefs=len(means),
        mean=float(np.mean(means)) if means else 0.0,
        se=float(stats.sem(means)) if len(means) > 1 else 0.0,
    )


def _places(
    docket: Docket, bank: Shelf, world: Studio
) -> list[tuple[Brief, Shelf, Shelf]]:
    """Benchmark briefs on which the change shows in the whole bank, at most 32."""
    new = candidate_card(docket.proposal, None)
    gone = {docket.proposal.skill, *docket.proposal.drops}
    cards = tuple(card for card in docket.cards if card.name not in gone)
    after = BankShelf((*cards, new), docket.params.recall)
    found: list[tuple[Brief, Shelf, Shelf]] = []
    for brief in read_benchmark(ROOT / "data/benchmark/benchmark.jsonl"):
        shown = any(
            new in after.recall(part, brief.facts).cards for part in world.plan(brief)
        )
        if shown:
            found.append((brief, bank, after))
    return found[:TRUTH_PAIRS]


def main() -> None:
    """Run what the command line asks for, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="101-108", help="such as 1-5 or 101,105")
    parser.add_argument("--gates", default=",".join(GATES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-truth", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, help="Where to keep the figures.")
    parser.add_argument(
        "--mode", default="published", choices=get_args(Asked), help="Of the gate."
    )
    given = parser.parse_args()
    todo = [
        (gate, seed, given.rounds, not given.no_truth, given.mode)
        for seed in _seeds(given.seeds)
        for gate in given.gates.split(",")
    ]
    outcomes = []
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        for outcome in pool.map(_evolve, todo):
            outcomes.append(outcome)
            print(_line(outcome), flush=True)
            if given.json:
                given.json.write_text(dump(outcomes), encoding="utf-8")
    print(_differences(outcomes))
    print(_table(outcomes))


def _evolve(todo: tuple[str, int, int, bool, Asked]) -> Outcome:
    return evolve(*todo)


def _seeds(text: str) -> list[int]:
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def _line(one: Outcome) -> str:
    curve = " ".join(f"{value:.3f}" for value in one.benchmark)
    spent = one.spent / one.planned if one.planned else 0.0
    return (
        f"seed {one.seed} {_name(one):<10} sealed {one.sealed_seed:.3f} > "
        f"{one.sealed_end:.3f} gain {100 * one.gain:+.1f} "
        f"[{100 * one.low:+.1f}, {100 * one.high:+.1f}]  benchmark {curve}  "
        f"proposed {one.proposed} committed {one.committed} undecided {one.undecided} "
        f"dropped {one.dropped}  gate runs {spent:.0%} of planned  {one.seconds:.0f} s"
        f"{_ruled(one)}"
    )


def _name(one: Outcome) -> str:
    return one.mode if one.gate == "published" else one.gate


def _ruled(one: Outcome) -> str:
    """Who decided, where it was not always the published rule."""
    if _name(one) in GATES:
        return ""
    by = ", ".join(f"{rule} {n} ({let_in} let in)" for rule, n, let_in in one.rules)
    lacking = ", ".join(f"{few} of {n}" for n, few in one.rewrites)
    return (
        f"\n  {one.mode}: {by}; rewrites uncertifiable by round: {lacking}; gate runs "
        f"{2 * one.spent} of {2 * one.planned}, {2 * one.spent / one.proposed:.1f} "
        "a proposal"
    )


def _differences(outcomes: Sequence[Outcome]) -> str:
    gains: dict[str, dict[int, float]] = {}
    for one in outcomes:
        gains.setdefault(one.gate, {})[one.seed] = 100 * one.gain
    room = [100 * (one.sealed_hand - one.sealed_seed) for one in outcomes]
    lines = [
        "",
        f"headroom, seed bank to the best bank by hand: {np.mean(room):.1f} points",
        "gain on the sealed briefs, points, mean over seeds",
    ]
    for gate, by_seed in gains.items():
        values = list(by_seed.values())
        lines.append(
            f"  {gate:<10} {np.mean(values):+.1f} (sd {np.std(values, ddof=1):.1f})"
            if len(values) > 1
            else f"  {gate:<10} {values[0]:+.1f}"
        )
    first = next(iter(gains))
    for gate in list(gains)[1:]:
        both = sorted(gains[first].keys() & gains[gate].keys())
        differ = [gains[first][seed] - gains[gate][seed] for seed in both]
        if len(differ) < 2:
            continue
        half = stats.t.ppf(0.975, len(differ) - 1) * stats.sem(differ)
        better = sum(value > 0 for value in differ)
        lines.append(
            f"  {first} minus {gate}: {np.mean(differ):+.1f} "
            f"[{np.mean(differ) - half:+.1f}, {np.mean(differ) + half:+.1f}] "
            f"(paired t over {len(differ)} seeds), better in {better}"
        )
    return "\n".join(lines)


def _table(outcomes: Iterable[Outcome]) -> str:
    lines = ["", "what proposals truly do, and the share that each rule let in"]
    for gate in dict.fromkeys(one.gate for one in outcomes):
        truths = [t for one in outcomes if one.gate == gate for t in one.truths]
        if not truths:
            continue
        lines.append(f"  {gate} ({len(truths)} replayed proposals)")
        for verdict in ("good", "indistinguishable", "harmful"):
            mine = [t for t in truths if t.verdict == verdict]
            let_in = sum(t.committed for t in mine)
            share = f"{let_in / len(mine):.0%}" if mine else "-"
            lines.append(
                f"    {verdict:<18} {len(mine):>4} ({len(mine) / len(truths):.0%}), "
                f"let in {let_in} ({share})"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
