"""Contexts that were replayed in vain: which, by whose fault, for log and report."""

from collections import Counter
from collections.abc import Iterable

from skillbank.gate.replay import Pair

_CAUSES = 5  # that are told apart: an outage has one or two
_SHOWN = 120  # characters of a cause: a server may say anything


def void_lines(pairs: Iterable[Pair]) -> tuple[str, ...]:
    """A line for each cause: the arm (or judge, or upstream), why, and the contexts.

    Args:
        pairs: As they were made; valid ones are passed over.
    """
    found: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.void is not None:
            found.setdefault(_plain(pair.void), []).append(pair.context)
    return tuple(
        f"void, {cause}: {', '.join(contexts)}" for cause, contexts in found.items()
    )


def void_notes(pairs: Iterable[Pair]) -> tuple[str, ...]:
    """How many contexts of a round each cause voided, the most first."""
    made = tuple(pairs)
    causes = Counter(_plain(pair.void) for pair in made if pair.void is not None)
    ranked = sorted(causes.items(), key=lambda item: (-item[1], item[0]))
    notes = [
        f"{count} of {len(made)} replayed contexts are void: {cause}"
        for cause, count in ranked[:_CAUSES]
    ]
    if rest := ranked[_CAUSES:]:
        lost = sum(count for _, count in rest)
        notes.append(f"{lost} more are void for {len(rest)} other causes")
    return tuple(notes)


def _plain(text: str) -> str:
    """On one line, nothing that steers a terminal, and bounded."""
    kept = "".join(c if c.isprintable() else " " for c in text[: 4 * _SHOWN])
    line = " ".join(kept.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
