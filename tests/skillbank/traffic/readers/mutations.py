"""Damaged trace files, and what every reader must do with them.

By hand, over real files:

    python -m tests.skillbank.traffic.readers.mutations FORMAT FILES... --n 10000
"""

import argparse
import gzip
import io
import json
import random
import re
import resource
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from skillbank.codec import dump, load
from skillbank.traffic.files import NO_COLUMNS
from skillbank.traffic.readers import READERS, readers_for
from skillbank.traffic.readers.lines import HEAD
from skillbank.traffic.readers.values import LARGEST, RESULT_LIMIT
from skillbank.traffic.run import SAMPLE, Misfit, Run

LIMIT_S = 1.0
"""Most time that a reader may take for a small file, of a processor that is its own."""
GROWTH_MB = 400
"""Most memory that a whole series may add to the process."""
_DEEP = "@@deep@@"
_KEY = re.compile(rb'"[A-Za-z_.]{1,40}"\s*:')
_NUMBER = re.compile(rb"(?<=[:\[, ])-?\d+(?:\.\d+)?")

Mutation = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


# --- of bytes ---------------------------------------------------------------------


def _span(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + int(rng.expovariate(1 / 200)) + 1)


def cut_short(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flipped(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    held = bytearray(data)
    for _i in range(min(len(held), rng.choice((1, 1, 3, 30)))):
        held[rng.randrange(len(held))] = rng.randrange(256)
    return bytes(held)


def lost(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[end:]


def repeated(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, rng)
    return data[:end] + data[start:end] * rng.choice((1, 5)) + data[end:]


def spliced(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    start, end = _span(data, rng)
    other = rng.choice(others)
    first, last = _span(other, rng)
    return data[:start] + other[first:last] + data[end:]


def littered(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    junk = (
        b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\n", b"\r\n", b"\xef\xbb\xbf",
        b"\\ud800", b"NaN", b"-Infinity", b"{", b"]", b'"', b"[" * 3000, b'{"a":' * 500,
    )  # fmt: skip
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(junk) + data[place:]


def twice_told(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """A key that is given twice, with another value."""
    found = list(_KEY.finditer(data))
    if not found:
        return data
    key = rng.choice(found)
    value = rng.choice((b"null", b"[]", b'"x"', b"1", b"{}", b"true"))
    return data[: key.start()] + key[0] + value + b"," + data[key.start() :]


def renumbered(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    number = rng.choice(found)
    odd = (b"9" * 400, b"9" * 5000, b"-1", b"1e999", b"NaN", b"Infinity", b"1e308",
           b"9223372036854775808", b"18446744073709551616", b"0.1", b"-0")  # fmt: skip
    return data[: number.start()] + rng.choice(odd) + data[number.end() :]


# --- of values --------------------------------------------------------------------


def reshaped(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """The document, or one of its lines, with some values changed."""
    whole = _parsed(data)
    if whole is not None:
        return _changed(whole, rng, others)
    lines = data.split(b"\n")
    place = rng.randrange(len(lines))
    value = _parsed(lines[place])
    if value is not None:
        lines[place] = _changed(value, rng, others)
    return b"\n".join(lines)


def reordered(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """Lines or list items in another order, some twice, some not at all."""
    whole = _parsed(data)
    lists = [held for held in _nodes([whole]) if isinstance(held, list) and held]
    if whole is None or not lists:
        lines = data.split(b"\n")
        return b"\n".join(rng.choices(lines, k=len(lines)))
    held = rng.choice(lists)
    held[:] = rng.choices(held, k=rng.choice((len(held), 2 * len(held), 1)))
    return _written(whole, rng)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _nodes(roots: list[Any]) -> list[Any]:
    """All containers below, in order."""
    found, left = [], list(roots)
    while left:
        held = left.pop()
        if isinstance(held, dict | list):
            found.append(held)
            left.extend(held.values() if isinstance(held, dict) else held)
    return found


def _odd(rng: random.Random, others: Sequence[bytes]) -> Any:
    """Something that nobody expected there."""
    other = _parsed(rng.choice(others).split(b"\n")[0]) or _parsed(rng.choice(others))
    nodes = _nodes([other])
    foreign = rng.choice(nodes) if nodes else "foreign"
    return rng.choice(
        (
            None, True, False, 0, -1, 0.5, 2**53 + 1, 10**30, 1e308, float("nan"),
            float("inf"), "", " ", "x", "\x00", "\ud800", "[trimmed for fixture]",
            "NORMALIZED_TIMESTAMP", "2026-13-45T99:99", "{}", "[1", "../../etc/passwd",
            "attachment://0", "é" * 100_000, "1" * 50, [], {}, [[]], [None], [1, "x"],
            {"": ""}, {"type": "text", "text": None}, {"a": {"b": {}}}, _DEEP, foreign,
        )
    )  # fmt: skip


def _changed(value: Any, rng: random.Random, others: Sequence[bytes]) -> bytes:
    box = [value]
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        held = rng.choice([node for node in _nodes(box) if node])
        if isinstance(held, list):
            place: Any = rng.randrange(len(held))
        else:
            place = rng.choice(list(held))
        way = rng.choice(("odd", "odd", "odd", "lose", "wrap", "swap", "rename", "add"))
        if way == "odd":
            held[place] = _odd(rng, others)
        elif way == "lose" and len(held) > 1:
            del held[place]
        elif way == "wrap":
            held[place] = rng.choice(([held[place]], {"value": held[place]}))
        elif way == "swap":
            _swap(held, place, rng)
        elif way == "rename" and isinstance(held, dict):
            held[rng.choice(("content", "type", "id", "x"))] = held.pop(place)
        elif isinstance(held, dict):
            held[rng.choice(("content", "id", "kind", "error"))] = _odd(rng, others)
    return _written(box[0] if box else None, rng)


def _swap(held: Any, place: Any, rng: random.Random) -> None:
    other = rng.choice(list(held) if isinstance(held, dict) else range(len(held)))
    held[place], held[other] = held[other], held[place]


def _written(value: Any, rng: random.Random) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=rng.random() < 0.7)
    except (ValueError, RecursionError):  # a value that was put into itself
        return b"null"
    deep = rng.choice((50, 99, 120, 300, 2000))
    text = text.replace(f'"{_DEEP}"', "[" * deep + "]" * deep)
    return text.encode(errors="surrogatepass")


MUTATIONS: tuple[Mutation, ...] = (
    cut_short, flipped, lost, repeated, spliced, littered, twice_told, renumbered,
    reshaped, reshaped, reshaped, reshaped, reshaped, reordered,
)  # fmt: skip


def mutated(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """A file with one kind of damage; often only what is packed in it has it."""
    if data.startswith(b"PK") and rng.random() < 0.8:
        return _packed(data, rng, others)
    if data.startswith(b"\x1f\x8b") and rng.random() < 0.8:
        return gzip.compress(rng.choice(MUTATIONS)(gzip.decompress(data), rng, others))
    return rng.choice(MUTATIONS)(data, rng, others)


def _packed(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        names = old.namelist()
        chosen = rng.choice(names)
        texts = [old.read(name) for name in names]
        for name, text in zip(names, texts, strict=True):
            if name == chosen:
                text = rng.choice(MUTATIONS)(text, rng, [*texts, *others])
                if rng.random() < 0.1:
                    name = rng.choice(("../out.json", "/abs.json", name + "x", "C:/x"))
                elif rng.random() < 0.1:
                    continue
            new.writestr(name, text)
    return out.getvalue()


# --- the claim --------------------------------------------------------------------


def faults_of(value: object) -> list[str]:
    """What a value that a reader yielded breaks of the promises; empty: nothing."""
    if isinstance(value, Misfit):
        found = [] if value.source else ["a misfit without a source"]
        if max(len(value.problem), len(value.sample)) > SAMPLE:
            found.append("an unbounded misfit")
        return found + _round_trip(value)
    if not isinstance(value, Run):
        return [f"a {type(value).__name__}"]
    spent = value.usage
    counts = (spent.turns, spent.input_tokens, spent.cached_tokens, spent.output_tokens)
    amounts = [*counts, spent.usd, spent.seconds]
    promises = {
        "no run id": 0 < len(value.run_id) <= SAMPLE,
        "no brief": bool(value.brief.text.strip() and value.brief.id),
        "no source": bool(value.source),
        "an odd score": value.score is None or 0 <= value.score <= 1,
        "a score of a fault": value.ending != "fault" or value.score is None,
        "an odd amount": all(a is None or 0 <= a <= LARGEST for a in amounts),
        "a long result": all(len(s.result) <= RESULT_LIMIT for s in value.steps),
        "a long error": all(len(s.error) <= SAMPLE for s in value.steps),
        "a long reason": len(value.reason) <= SAMPLE,
        "a tool without a name": all(step.tool for step in value.steps),
        "a skill without a name": all(use.skill for use in value.skills),
    }
    return [name for name, kept in promises.items() if not kept] + _round_trip(value)


def _round_trip(value: Run | Misfit) -> list[str]:
    try:
        same = load(type(value), dump(value)) == value
    except (TypeError, ValueError) as error:
        return [f"cannot be written and read: {error}"[:SAMPLE]]
    return [] if same else ["another value after writing and reading"]


def assert_reads(
    format: str, path: Path, columns: Mapping[str, str] = NO_COLUMNS
) -> list[Run | Misfit]:
    """All values of a file, each of them as promised, in little time."""
    reader = readers_for(columns)[format]
    start = time.process_time()
    assert isinstance(reader.sign(path.read_bytes()[:HEAD]), str)
    values = list(reader.read(path, path.name))
    took = time.process_time() - start

    assert took < LIMIT_S, f"{path}: {took:.2f} s"
    for value in values:
        assert not (faults := faults_of(value)), f"{path}: {faults}"
    return values


def assert_survives(
    format: str,
    files: Sequence[Path],
    folder: Path,
    *,
    n: int,
    seed: int,
    columns: Mapping[str, str] = NO_COLUMNS,
) -> Counter[str]:
    """Damage files in `n` ways and read each; count what came of them.

    Args:
        format: Name of the reader.
        files: Files that it reads.
        folder: Where the damaged file is written; it stays there if the claim fails.
        n: How many.
        seed: Of the damage; each of the `n` has a generator of its own.
        columns: Where the format is `mapped`: what a run has to its column.
    """
    held = [(path.name, path.read_bytes()) for path in files]
    others = [data for _, data in held]
    before = _memory_mb()
    seen: Counter[str] = Counter()
    for number in range(n):
        rng = random.Random(f"{seed}:{number}")
        name, data = rng.choice(held)
        path = folder / name
        path.write_bytes(mutated(data, rng, others))
        for value in assert_reads(format, path, columns):
            seen["run" if isinstance(value, Run) else value.reason] += 1
        path.unlink()
    grown = _memory_mb() - before
    assert grown < GROWTH_MB, f"{grown:.0f} MB more than before"
    return seen


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("format", choices=[*sorted(READERS), "mapped"])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--columns", default="", help="of mapped: KEY=COLUMN,...")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mutations-"))
    start = time.perf_counter()
    seen = assert_survives(
        asked.format,
        asked.files,
        folder,
        n=asked.n,
        seed=asked.seed,
        columns=dict(re.findall(r"(\w+)=([^,]+)", asked.columns)),
    )
    folder.rmdir()
    took = time.perf_counter() - start
    print(f"{asked.format}: {asked.n} mutations in {took:.0f} s, {dict(seen)}")  # noqa: T201


if __name__ == "__main__":
    main()
