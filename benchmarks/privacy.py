"""What masking finds, what it takes for private, and what it costs.

On texts that are made from a seed: some hold one private value, in surroundings from a
brief to base64 in a URL; some only look so. Beside our detectors stand the searches of
the libraries that they lean on, each on the same texts. Writes the tables into
docs/privacy.md.

    python -m benchmarks.privacy [--seed 101] [--each 1120] [--write]
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from skillbank.briefs.brief import Brief
from skillbank.gate.intervals import wilson
from skillbank.traffic import phones, tokens
from skillbank.traffic.files import read
from skillbank.traffic.privacy import mask_all
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.corpus.cases import KINDS, PLACES, Planted, planted
from tests.skillbank.traffic.corpus.lookalikes import LOOKALIKES, lookalikes

PAGE = Path(__file__).resolve().parent.parent / "docs" / "privacy.md"
KEY = b"benchmark-of-privacy"
HIDDEN = ("base64", "query", "data URL", "thrice", "in JSON")
Find = Callable[[str], Iterable[str]]


def masked(texts: Sequence[str]) -> list[str]:
    """Texts as outputs of runs, masked as traffic is."""
    brief = Brief(id="b", text="A poster")
    runs = (Run(run_id="r", brief=brief, output=text) for text in texts)
    return [one.output for one in mask_all(runs, KEY) if isinstance(one, Run)]


def rate(k: int, n: int) -> str:
    """A share with its 95% interval."""
    found = wilson(k, n)
    return f"{k / n:.4f} [{found.low:.4f}, {found.high:.4f}]"


def table(*rows: Sequence[object]) -> Iterator[str]:
    """Lines of Markdown, the first row as the head."""
    for number, row in enumerate(rows):
        yield f"| {' | '.join(map(str, row))} |"
        if not number:
            yield "|" + "---|" * len(row)
    yield ""


def recall(seed: int, n: int) -> Iterator[str]:
    """Yield a table of what is found, by kind."""
    rows: list[Sequence[object]] = [
        ("kind", "texts", "found [95%]", "missed, by place")
    ]
    for kind in KINDS:
        cases = list(planted(kind, n, seed))
        after = masked([case.text for case in cases])
        missed = [c for c, text in zip(cases, after, strict=True) if c.leaks_in(text)]
        where = Counter(f"{case.family} in {case.place}" for case in missed)
        told = ", ".join(f"{name}: {k}" for name, k in where.most_common(4)) or "-"
        rows.append((kind, n, rate(n - len(missed), n), told))
    yield from table(*rows)


def wrong(seed: int, n: int) -> Iterator[str]:
    """Yield a table of what only looks private, by what it was taken for."""
    names, texts = zip(*lookalikes(n, seed), strict=True)
    found: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for name, after, text in zip(names, masked(texts), texts, strict=True):
        for kind in (
            set(re.findall(r"<([a-z]+):[0-9a-f]{8}>", after)) if after != text else ()
        ):
            found[kind] += 1
            of[f"{kind}: {name}"] += 1
    rows = [(kind, n, rate(found[kind], n)) for kind in KINDS]
    yield from table(("taken for", "texts", "wrongly [95%]"), *rows)
    most = ", ".join(f"{name} ({k})" for name, k in of.most_common(5))
    yield f"Of these: {most or 'none'}."
    yield ""


def spans(find: Callable[[str], Iterator[tuple[int, int]]]) -> Find:
    """A search of ours as one that gives texts."""
    return lambda text: [text[start:end] for start, end in find(text)]


def matcher(*regions: str | None, leniency: int) -> Find:
    """Libphonenumber's own search, for each of some regions."""
    from phonenumbers import PhoneNumberMatcher

    return lambda text: [
        hit.raw_string
        for region in regions
        for hit in PhoneNumberMatcher(text, region, leniency=leniency)
    ]


def scanner(*left_out: str) -> Find:
    """detect-secrets' own search of lines, less some of its plugins."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: dict[str, Any] = get_mapping_from_secret_type_to_class()
    left = {"IPPublicDetector", *left_out}
    plugins = [one() for one in classes.values() if one.__name__ not in left]

    def find(text: str) -> list[str]:
        return [
            hit.secret_value or ""
            for line in text.split("\n")
            for plugin in plugins
            for hit in plugin.analyze_line(filename="a.yaml", line=line, line_number=1)
        ]

    return find


def side_by_side(seed: int, n: int) -> Iterator[str]:
    """Yield a table of our searches and of the libraries' own, on plain texts."""
    from phonenumbers import Leniency

    keywords = ("KeywordDetector", "Base64HighEntropyString", "HexHighEntropyString")
    searches: dict[str, dict[str, Find]] = {
        "phone": {
            "ours, with libphonenumber's word": spans(phones.find),
            "libphonenumber, no region, possible": matcher(
                None, leniency=Leniency.POSSIBLE
            ),
            "libphonenumber, 5 regions, valid": matcher(
                *("US", "GB", "DE", "FR", "JP"), leniency=Leniency.VALID
            ),
        },
        "secret": {
            "ours, with detect-secrets' patterns": spans(tokens.find),
            "detect-secrets, tokens of vendors": scanner(*keywords),
            "detect-secrets, all but public addresses": scanner(),
        },
    }
    rows: list[Sequence[object]] = [
        ("kind", "search", "found [95%]", "wrongly [95%]", "MB/s")
    ]
    like = [text for _, text in lookalikes(n, seed)]
    for kind, finds in searches.items():
        cases = [one for one in planted(kind, 2 * n, seed) if not hides(one)]
        size = sum(len(text) for text in [*like, *(one.text for one in cases)])
        for name, find in finds.items():
            start = time.process_time()
            k = sum(covers(one, find(one.text)) for one in cases)
            bad = sum(bool(list(find(text))) for text in like)
            speed = size / 1e6 / (time.process_time() - start)
            rows.append(
                (kind, name, rate(k, len(cases)), rate(bad, len(like)), f"{speed:.2f}")
            )
    yield from table(*rows)


def hides(one: Planted) -> bool:
    """Whether its place writes it so that a plain search cannot see it."""
    return any(word in one.place for word in HIDDEN)


def covers(one: Planted, found: Iterable[str]) -> bool:
    """Whether what was found leaves none of the value."""
    text = one.text
    for value in sorted(found, key=len, reverse=True):
        text = text.replace(value, "\x00")
    return not one.leaks_in(text)


_WORDS = (
    "please make poster banner for our shop sale with logo and price on the left "
    "blue big text legal line red green small card story"
)


def ordinary(n: int, seed: int) -> Iterator[bytes]:
    """Yield lines of traffic of 2 kB each with nothing private, as most are."""
    rng = Random(seed)
    words = _WORDS.split(" ")

    def said(k: int) -> str:
        return " ".join(rng.choices(words, k=k))

    for i in range(n):
        steps = [
            {
                "subtask": "head",
                "tool": f"tool_{rng.randrange(30)}",
                "arguments": {"x": str(rng.random()), "text": said(8)},
                "call": f"c{j}",
                "result": said(12),
            }
            for j in range(6)
        ]
        yield orjson.dumps(
            {
                "run_id": f"run-{seed}-{i:08d}",
                "brief": {"id": f"b{i}", "text": said(30), "cohort": "retail"},
                "session": f"s{i // 3}",
                "user": f"u{rng.randrange(50_000)}",
                "started": "2026-01-05T09:00:00Z",
                "steps": steps,
                "output": said(40),
                "score": round(rng.random(), 3),
                "provenance": "check",
            }
        )


def with_private(lines: Iterable[bytes], seed: int) -> Iterator[bytes]:
    """Yield the lines, every second one with something private in its output."""
    cases = [case for kind in KINDS for case in planted(kind, 400, seed)]
    for number, line in enumerate(lines):
        held = orjson.loads(line)
        if number % 2:
            held["output"] += f" {cases[number % len(cases)].text}"
        yield orjson.dumps(held)


def speed(n: int, seed: int) -> Iterator[str]:
    """Yield a table of what masking costs, of processor time, in one process."""
    rows: list[Sequence[object]] = [
        ("traffic", "MB", "read, MB/s", "mask, MB/s", "read and mask, MB/s", "ratio")
    ]
    kinds = {
        "ordinary": ordinary(n, seed),
        "every second run private": with_private(ordinary(n, seed), seed),
    }
    for name, lines in kinds.items():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "t.jsonl"
            path.write_bytes(b"\n".join(lines) + b"\n")
            mb = path.stat().st_size / 1e6
            reading, masking = [], []
            for _ in range(3):  # the least of three: others use the machine, too
                start = time.process_time()
                runs: list[Run | Misfit] = list(read(path))
                reading.append(time.process_time() - start)
                start = time.process_time()
                list(mask_all(runs, KEY))
                masking.append(time.process_time() - start)
        one, other = min(reading), min(masking)
        figures = [mb / one, mb / other, mb / (one + other)]
        shown = [f"{figure:.1f}" for figure in figures]
        rows.append((name, f"{mb:.1f}", *shown, f"{(one + other) / one:.2f}"))
    yield from table(*rows)


def main() -> None:
    """Print the tables; with `--write` into the page, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=101, help="1, 7, 8: for choosing")
    parser.add_argument("--each", type=int, default=40 * len(PLACES))
    parser.add_argument("--lines", type=int, default=6000)
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    n_like = 40 * len(LOOKALIKES)
    list(mask_all([Misfit(source="f", reason="not JSON", problem="")], KEY))  # warm
    lines = [
        f"Seed {told.seed}; brackets are 95% intervals (Wilson).",
        "",
        *recall(told.seed, told.each),
        *wrong(told.seed, n_like),
        *side_by_side(told.seed, n_like),
        *speed(told.lines, told.seed),
    ]
    figures = "\n".join(lines).rstrip()
    print(figures)
    if told.write:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- figures -->")
        tail = rest.partition("<!-- end -->")[2]
        made = f"{head}<!-- figures -->\n\n{figures}\n\n<!-- end -->{tail}"
        PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
