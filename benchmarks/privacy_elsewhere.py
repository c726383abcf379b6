"""What masking finds of what other people made up, who never saw our detectors.

Values of Faker in twenty-three languages; texts drawn from the rules of two scanners of
secrets (one of them those of gitleaks); the sentences and people of presidio's
evaluator. None is a dependency of ours, and nothing of theirs is copied:

    pip install faker==40.63.0
    pip install --no-deps classifinder-engine==0.1.2 agentsweep==0.1.9 \
        presidio-evaluator==0.3.2
    python -m benchmarks.privacy_elsewhere [--seed 5]
"""

import argparse
import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from string import ascii_letters, digits
from typing import Any

from benchmarks.privacy import masked, rate, table

LANGUAGES = (
    "en_US en_GB de_DE fr_FR es_ES it_IT pt_BR pl_PL nl_NL sv_SE da_DK ru_RU tr_TR "
    "ja_JP zh_CN ko_KR hi_IN ar_SA cs_CZ el_GR fi_FI uk_UA he_IL"
)
AROUND = {
    "ascii_email": ("write {} now",),
    "phone_number": ("you find me under {} most days", "Tel: {}"),
    "iban": ("pay {} soon",),
    "credit_card_number": ("it is {} here", "the card {} was lost"),
    "user_name": ("/home/{}/x", r"cd C:\Users\{}\x"),
}
Row = Sequence[object]


def of_faker(seed: int, each: int = 100) -> Iterator[Row]:
    """Yield what is found of Faker's values, by kind and what stands around."""
    faker: Any = import_module("faker")
    for kind, places in AROUND.items():
        for around in places:
            found, n, least = 0, 0, (1.0, "")
            for language in LANGUAGES.split():
                made = faker.Faker(language)
                made.seed_instance(seed)
                values = [getattr(made, kind)() for _ in range(each)]
                after = masked([around.format(value) for value in values])
                k = sum(v not in text for v, text in zip(values, after, strict=True))
                found, n, least = found + k, n + each, min(least, (k / each, language))
            told = f"{least[1]} {least[0]:.2f}" if least[1] else "-"
            yield f"Faker, `{around.format(kind)}`", rate(found, n), told


# --- rules of scanners --------------------------------------------------------------

_FIRST = re.compile(r"[A-Za-z0-9]")


def of_rules(seed: int, each: int = 25) -> Iterator[Row]:
    """Yield what is found of texts drawn from rules, by who wrote them."""
    rng = Random(seed)
    for name, rules in (
        ("classifinder", _classifinder()),
        ("agentsweep", _agentsweep()),
    ):
        found = n = 0
        missed: Counter[str] = Counter()
        for rule, pattern in rules:
            drawn = list(_drawn(pattern, rng, each))
            after = masked([f"We use {text} here" for text, _ in drawn])
            leaks = sum(
                any(value[i : i + 12] in text for i in range(max(1, len(value) - 11)))
                for (_, value), text in zip(drawn, after, strict=True)
            )
            found, n = found + len(drawn) - leaks, n + len(drawn)
            missed[rule] = leaks
        told = ", ".join(rule for rule, k in missed.most_common(5) if k) or "-"
        yield f"rules of {name}", rate(found, n), told


def _classifinder() -> list[tuple[str, re.Pattern[str]]]:
    for name in ("ai", "vcs", "cloud", "payment", "generic", "database", "comms"):
        import_module(f"classifinder_engine.patterns.{name}")
    registry = import_module("classifinder_engine.patterns.registry")
    return [(one.id, one.regex) for one in registry.PATTERN_REGISTRY]


def _agentsweep() -> list[tuple[str, re.Pattern[str]]]:
    held = vars(import_module("agentsweep.scanner")).values()
    tables = [one for one in held if isinstance(one, list | tuple) and len(one) > 20]
    rows = [row for one in tables for row in one if isinstance(row, tuple)]
    patterns = [(row[0], p) for row in rows for p in row if isinstance(p, re.Pattern)]
    return [(str(name), pattern) for name, pattern in patterns]


def _drawn(pattern: re.Pattern[str], rng: Random, n: int) -> Iterator[tuple[str, str]]:
    """Yield texts that a pattern matches, each with the part that is secret."""
    parser: Any = import_module("re._parser")
    parsed = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    left = n
    for _ in range(30 * n):
        text = "".join(_written(parsed, rng))
        hit = pattern.search(f"{text} ")
        if hit and left:
            left -= 1
            named = hit.groupdict().get("secret")
            yield text, named or next((g for g in hit.groups() if g and g[7:]), hit[0])


def _written(parsed: Any, rng: Random) -> Iterator[str]:
    for code, held in parsed:
        match str(code):
            case "LITERAL":
                yield chr(held)
            case "NOT_LITERAL" | "ANY":
                yield rng.choice(ascii_letters + digits)
            case "IN":
                yield _one_of(held, rng)
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, inner = held
                more = most > least and least <= 2 and rng.random() < 0.5
                for _ in range(least + more):
                    yield from _written(inner, rng)
            case "SUBPATTERN":
                yield from _written(held[-1], rng)
            case "BRANCH":
                yield from _written(rng.choice(held[1]), rng)
            case "ATOMIC_GROUP":
                yield from _written(held, rng)


def _one_of(held: Any, rng: Random) -> str:
    """A letter of a class, one of a word where it has any."""
    shown = "".join(map(chr, range(32, 127)))
    signs = ""
    for code, value in held:
        match str(code):
            case "LITERAL":
                signs += chr(value)
            case "RANGE":
                signs += "".join(c for c in shown if value[0] <= ord(c) <= value[1])
            case "CATEGORY":
                signs += _category(str(value))
    if str(held[0][0]) == "NEGATE":
        signs = "".join(c for c in shown if c not in signs)
    words = "".join(_FIRST.findall(signs))
    return rng.choice(words if words and rng.random() < 0.97 else signs or "a")


def _category(name: str) -> str:
    if "NOT" in name:
        return "-."
    return digits if "DIGIT" in name else " " if "SPACE" in name else ascii_letters


# --- sentences ----------------------------------------------------------------------


def of_presidio(seed: int) -> Iterator[Row]:
    """Yield what is found in presidio's sentences about its invented people."""
    spec = find_spec("presidio_evaluator")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "data_generator" / "raw_data"
    with (folder / "FakeNameGenerator.com_3000.csv").open(encoding="utf-8-sig") as file:
        people = list(csv.DictReader(file))
    sentences = (folder / "templates.txt").read_text(errors="replace").split("\n")
    faker: Any = import_module("faker").Faker("en_US")
    faker.seed_instance(seed)
    rng = Random(seed)
    values: dict[str, Callable[[dict[str, str]], str]] = {
        "email": lambda one: one["EmailAddress"],
        "iban": lambda _: str(faker.iban()),
        "credit_card_number": lambda _: str(faker.credit_card_number()),
        "phone_number": lambda one: (
            f"+{one['TelephoneCountryCode']} {one['TelephoneNumber']}"
        ),
    }
    found: Counter[str] = Counter()
    n: Counter[str] = Counter()
    for sentence in [one for one in sentences for _ in range(10)]:
        person = rng.choice(people)
        told = {kind: make(person) for kind, make in values.items()}
        parts = re.split(r"\{\{(\w+)\}\}", sentence)
        parts[1::2] = [told.get(kind, "that") for kind in parts[1::2]]
        text = "".join(parts)
        after = masked([text])[0]
        for kind, value in told.items():
            if value in text:
                n[kind] += 1
                found[kind] += value not in after
        if text == sentence and text:
            n["nothing"] += 1
            found["nothing"] += after == text
    for kind in (*values, "nothing"):
        yield f"presidio's sentences, {kind}", rate(found[kind], n[kind]), "-"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=5)
    seed = parser.parse_args().seed
    head: Row = ("of whom", "found [95%]", "least, or missed")
    rows = [*of_faker(seed), *of_rules(seed), *of_presidio(seed)]
    print("\n".join(table(head, *rows)))


if __name__ == "__main__":
    main()
