"""Headroom of the studio: no skills, the seed bank, the best bank written by hand.

Prints completeness, score and success on the benchmark briefs, the agent's within-brief
standard deviation, and the time of an attempt. Sealed briefs are never read here.

    python benchmarks/headroom.py [--attempts 3] [--kinds]
"""

import argparse
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from skillbank.briefs.brief import Brief, completeness, score
from skillbank.codec import seed_of
from skillbank.params import Params
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Card, Shelf
from skillbank.skills.skill import Skill
from studio.briefs import fixed
from studio.world import Studio

ROOT = Path(__file__).resolve().parent.parent
BANKS = {
    "none": None,
    "seed": ROOT / "data/bank/seed",
    "hand": ROOT / "tests/fixtures/hand_bank",
}


def shelf(folder: Path | None) -> Shelf:
    """A shelf with every card of a folder, all equally successful."""
    folders = sorted(folder.iterdir()) if folder is not None else []
    cards = tuple(
        Card(skill=Skill.read(each), version=1) for each in folders if each.is_dir()
    )
    return BankShelf(cards, Params().recall)


def play(
    world: Studio, brief: Brief, skills: Shelf, seed: int
) -> tuple[float, float, dict[str, bool], int]:
    """Score, completeness, what was met, and forbidden actions of one attempt."""
    context = world.contexts(brief, 1, seed_of("fixed", brief.id))[0]
    made = world.agent.attempt(brief, context, skills, seed_of(seed, brief.id))
    forbidden = len(made.forbidden)
    if made.ending != "ok":
        return 0.0, 0.0, {}, forbidden
    checks = world.verify(brief, made.output)
    met = {check.requirement: check.outcome == "met" for check in checks}
    return score(brief, checks), completeness(brief, checks), met, forbidden


def measure(name: str, briefs: Sequence[Brief], attempts: int, kinds: bool) -> None:
    """Print one bank's line, and with `kinds` the share met of every demand."""
    world, skills = Studio(Params()), shelf(BANKS[name])
    scores, complete, spread, forbidden = [], [], [], 0
    by_kind: dict[str, list[bool]] = defaultdict(list)
    started = time.perf_counter()
    for brief in briefs:
        own = []
        for seed in range(attempts):
            value, share, met, broken_rules = play(world, brief, skills, seed)
            own.append(value)
            complete.append(share)
            forbidden += broken_rules > 0
            for need, is_met in met.items():
                by_kind[need].append(is_met)
        scores.extend(own)
        spread.append(statistics.variance(own) if attempts > 1 else 0.0)
    n = len(scores)
    print(
        f"{name:5} completeness {statistics.fmean(complete):.3f}"
        f"  score {statistics.fmean(scores):.3f}"
        f"  >=.6 {sum(s >= 0.6 for s in scores) / n:.2f}"
        f"  >=.8 {sum(s >= 0.8 for s in complete) / n:.2f}"
        f"  <.3 {sum(s < 0.3 for s in complete) / n:.3f}"
        f"  forbidden {forbidden / n:.3f}"
        f"  sd within {math.sqrt(statistics.fmean(spread)):.3f}"
        f"  {1000 * (time.perf_counter() - started) / n:.2f} ms"
    )
    if kinds:
        for need, values in sorted(by_kind.items()):
            print(f"    {need:28} {statistics.fmean(values):.2f}  of {len(values)}")


def main() -> None:
    """Measure the three banks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=3)
    parser.add_argument("--banks", nargs="+", default=list(BANKS))
    parser.add_argument("--kinds", action="store_true")
    options = parser.parse_args()
    briefs = fixed("benchmark", 80)
    for name in options.banks:
        measure(name, briefs, options.attempts, options.kinds)


if __name__ == "__main__":
    main()
