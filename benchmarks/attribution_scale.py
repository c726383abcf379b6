"""What attribution costs a run, from ten thousand runs to a million.

`python -m benchmarks.attribution_scale --runs 10000 100000 --seed 101`. Each run asks
in words of its own for one of some hundred things, or for what nobody else asks
for; the bank covers some of them. Timed are the lookup of needs, filing under labels,
events, and what a round tells of its traffic; printed are microseconds a run and their
ratio to those of the smallest number.
"""

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import GoldenCase, ReplaySet
from skillbank.evidence.attribute import Graded, attribute, unlabelled
from skillbank.evidence.labels import Labels
from skillbank.evidence.ledger import Ledger
from skillbank.evidence.survey import survey, with_open_needs
from skillbank.params import Params
from skillbank.records import SidedRun
from skillbank.rounds.needs import with_needs
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Card
from skillbank.skills.skill import Skill
from skillbank.traces.world import Traces
from skillbank.traffic.run import Run

T = TypeVar("T")
_SYLLABLES = ("ka", "lo", "mi", "ru", "te", "vo", "sa", "ne", "pi", "du", "fa", "ge")
_THINGS, _COVERED, _CASES = 100, 20, 50
_ALONE = 0.1  # of runs that ask for what nobody else asks for


def main() -> None:
    """Print the costs by phase and number of runs."""
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--runs", type=int, nargs="+", default=[10_000, 100_000])
    given.add_argument("--seed", type=int, default=101)
    asked = given.parse_args()
    first: dict[str, float] = {}
    for n in asked.runs:
        took = _round(n, asked.seed)
        took["all"] = sum(took.values())
        each = {phase: 1e6 * seconds / n for phase, seconds in took.items()}
        first = first or each
        told = ", ".join(
            f"{phase} {one:.0f} us ({one / first[phase]:.2f})"
            for phase, one in each.items()
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{n:>9,} runs: {told}; {took['all']:.0f} s, {peak:.1f} GB at most")


def _round(n: int, seed: int) -> dict[str, float]:
    params = Params(world="traces")
    world, rng = Traces(params), Random(seed)
    things = [_words(rng, 6) for _ in range(_THINGS)]
    rows = [_run(rng, number, things) for number in range(n)]
    took: dict[str, float] = {}

    def timed(phase: str, work: Callable[[], T]) -> T:
        began = time.perf_counter()
        made = work()
        took[phase] = time.perf_counter() - began
        return made

    cards = tuple(map(_card, things[:_COVERED]))
    shelf = BankShelf(cards, params.recall)
    versions = {card.name: card.version for card in cards}
    seen = timed("needs", lambda: with_needs(rows, world, shelf, versions))
    graded = [_graded(row) for row in seen]
    same = params.attribute.same_label
    labels = timed(
        "labels",
        lambda: Labels().file(
            unlabelled(graded), world.labeller, same_label=same, round="r0002"
        ),
    )
    events = timed("events", lambda: attribute(graded, labels, 0.6))
    now, before = _halves(seen)
    cases = ReplaySet(cases=tuple(map(_case, before[:_CASES])))
    told = timed(
        "survey",
        lambda: with_open_needs(
            survey(now, ("r0001", before), cases, params.attribute, seed),
            Ledger(events=events, labels=labels),
            "r0002",
            params.propose,
        ),
    )
    found = len(told.needs) + told.needs_beyond
    print(f"{n:>9,} runs: {len(labels.known)} labels, {found} open needs", flush=True)
    return took


def _words(rng: Random, n: int) -> list[str]:
    return ["".join(rng.choices(_SYLLABLES, k=3)) for _ in range(n)]


def _run(rng: Random, number: int, things: Sequence[Sequence[str]]) -> SidedRun:
    if rng.random() < _ALONE:
        said = _words(rng, 8)
    else:
        said = [*rng.sample(rng.choice(things), k=5), *_words(rng, 2)]
        rng.shuffle(said)
    brief = Brief(id=f"b{number}", text=" ".join(said))
    run = Run(run_id=f"r{number}", brief=brief, session=f"s{number}")
    return SidedRun(run=run, side="teach")


def _card(words: Sequence[str]) -> Card:
    skill = Skill.compose(words[0], f"Use when {' '.join(words)}.", "\n# A card\n")
    return Card(skill=skill, version=1)


def _graded(row: SidedRun) -> Graded:
    run = row.run
    return Graded(
        id=run.run_id,
        brief=run.brief,
        round="r0002",
        session=run.session,
        score=None,
        recalls=run.recalls,
        uncovered=run.uncovered,
    )


def _halves(rows: Sequence[SidedRun]) -> tuple[list[Run], list[Run]]:
    runs = [row.run for row in rows]
    return runs[: len(runs) // 2], runs[len(runs) // 2 :]


def _case(run: Run) -> GoldenCase:
    return GoldenCase(
        brief=run.brief, skill="a", subtask="task", round="r0001", proposal="p"
    )


if __name__ == "__main__":
    main()
