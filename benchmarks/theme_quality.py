"""How well themes found in words agree with labels that people gave.

`SKILLBANK_SAMPLES=... python -m benchmarks.theme_quality`. Labelled are a hundred
requests written for this (ten things asked in ten ways), sentences of skills (label:
the skill), and, of public prompt lists, those of T2I-CompBench (label: its part) and
PartiPrompts (label: its category; these are styles and worlds more than words). Of each
set samples of several sizes are drawn, about as many labels as the root of their
number; printed are means over the samples: purity of what has a theme, adjusted Rand
index with every text without a theme as its own, and the share without.
"""

import argparse
import csv
import math
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from sklearn.metrics import adjusted_rand_score

from skillbank.errors import SkillError
from skillbank.evidence.labels import Labels
from skillbank.evidence.themes import ThemeLabeller
from skillbank.skills.skill import Skill

Texts = Sequence[tuple[str, str]]
"""Text and its label."""
_HERE = Path(__file__).parent
_SIZES = (12, 50, 200, 2000)
_SHORTEST = 5  # words of a sentence that can be told from others at all
_PERIOD = ". "


def requests() -> Iterator[tuple[str, str]]:
    """Those written for this."""
    with (_HERE / "requests.csv").open(encoding="utf-8", newline="") as file:
        yield from ((row["text"], row["label"]) for row in csv.DictReader(file))


def skills(samples: Path) -> Iterator[tuple[str, str]]:
    """Sentences of skills, each labelled with its skill's name."""
    for path in sorted(samples.glob("skills-*/**/SKILL.md")):
        try:
            skill = Skill.parse(path.read_bytes())
        except (SkillError, UnicodeError):
            continue
        for line in f"{skill.description}\n{skill.body}".splitlines():
            for text in line.strip("#-*> 0123456789.").split(_PERIOD):
                if len(text.split()) >= _SHORTEST:
                    yield text, skill.name


def compbench(samples: Path) -> Iterator[tuple[str, str]]:
    """Prompts of T2I-CompBench, labelled with its part."""
    for path in sorted((samples / "t2i-compbench").rglob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield line.strip(), path.stem


def partiprompts(samples: Path) -> Iterator[tuple[str, str]]:
    """PartiPrompts, labelled with their category."""
    for path in sorted((samples / "partiprompts").glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                yield row["Prompt"], row["Category"]


def drawn(texts: Texts, n: int, rng: Random) -> Texts:
    """About `n` texts of about root `n` labels, as evenly as there are."""
    by_label: dict[str, list[str]] = defaultdict(list)
    for text, label in dict(texts).items():
        by_label[label].append(text)
    wanted = max(3, round(math.sqrt(n)))
    each = math.ceil(n / min(wanted, len(by_label)))
    large = sorted(name for name, held in by_label.items() if len(held) >= each)
    names = large or sorted(by_label)
    chosen = rng.sample(names, min(wanted, len(names)))
    some = [
        (text, name)
        for name in sorted(chosen)
        for text in rng.sample(by_label[name], min(each, len(by_label[name])))
    ]
    return rng.sample(some, min(n, len(some)))


def agreement(found: Mapping[str, str], texts: Texts) -> tuple[float, float, float]:
    """Purity of what has a theme, adjusted Rand index, and share without a theme.

    Args:
        found: Label that each text was filed under.
        texts: With their true labels.
    """
    sizes = Counter(found.values())
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for text, label in texts:
        if sizes[found[text]] > 1:
            groups[found[text]][label] += 1
    inside = sum(group.total() for group in groups.values())
    right = sum(max(group.values()) for group in groups.values())
    rand = adjusted_rand_score(
        [label for _, label in texts], [found[text] for text, _ in texts]
    )
    return right / inside if inside else math.nan, rand, 1 - inside / len(texts)


def filed(texts: Texts, seed: int) -> dict[str, str]:
    """The canonical label of each text, as a round of traces files it."""
    phrases = [text for text, _ in texts]
    made = Labels().file(
        phrases, ThemeLabeller(seed=seed), same_label=0.5, round="r0001"
    )
    return {phrase: made.of(phrase) for phrase in phrases}


def main() -> None:
    """Print a line a set and size."""
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--draws", type=int, default=20)
    given.add_argument("--seed", type=int, default=1)
    asked = given.parse_args()
    samples = os.environ.get("SKILLBANK_SAMPLES")
    sets: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {"requests": requests}
    if samples:
        at = Path(samples)
        sets |= {
            "skills": lambda: skills(at),
            "compbench": lambda: compbench(at),
            "partiprompts": lambda: partiprompts(at),
        }
    print(f"{'set':<14}{'n':>6} {'labels':>7} {'purity':>7} {'Rand':>6} {'alone':>6}")
    for name, read in sets.items():
        _print(name, list(read()), asked.draws, asked.seed)


def _print(name: str, texts: Texts, draws: int, seed: int) -> None:
    known = len(dict(texts))
    for n in (n for n in _SIZES if n <= known):
        rows, labels, began = [], 0, time.perf_counter()
        times = max(1, draws if n <= 200 else draws // 10)
        for draw in range(times):
            some = drawn(texts, n, Random(f"{seed} {name} {n} {draw}"))
            labels = max(labels, len({label for _, label in some}))
            rows.append(agreement(filed(some, seed), some))
        pure = [row[0] for row in rows if not math.isnan(row[0])]
        purity = sum(pure) / len(pure) if pure else math.nan
        rand, alone = (sum(row[at] for row in rows) / times for at in (1, 2))
        took = (time.perf_counter() - began) / times
        print(
            f"{name:<14}{n:>6} {labels:>7} {purity:>7.2f} {rand:>6.2f} {alone:>6.2f}"
            f"   {1000 * took / n:.1f} ms a text"
        )


if __name__ == "__main__":
    main()
