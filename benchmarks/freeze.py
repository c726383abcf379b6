"""Write the benchmarks and the sealed briefs as text files, once, and never again.

Generation is fixed by seed and vocabulary, so that a file which differs from what this
script writes says that the world has changed. `--check` compares without writing.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

from skillbank.codec import dump
from studio.briefs import fixed
from studio.words import Source

DATA = Path(__file__).resolve().parent.parent / "data"
SIZES: Mapping[str, tuple[tuple[Source, int], ...]] = {
    "benchmark": (("benchmark", 80), ("sealed", 40)),
    "benchmark-full": (("benchmark", 200), ("sealed", 100)),
}
"""By folder; the larger files begin with the briefs of the smaller ones."""


def main() -> None:
    """Write or check all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    for folder, sizes in SIZES.items():
        (DATA / folder).mkdir(parents=True, exist_ok=True)
        for source, n in sizes:
            path = DATA / folder / f"{source}.jsonl"
            text = "".join(f"{dump(brief)}\n" for brief in fixed(source, n))
            if check and path.read_text(encoding="utf-8") != text:
                raise SystemExit(f"{path} is not what the studio generates now")
            if not check:
                path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
