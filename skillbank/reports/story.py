"""What happened in a round, in sentences."""

from skillbank.records import Arm, BriefSet
from skillbank.reports.numbers import between, counted, gained, points, typeset
from skillbank.summary import RoundSummary


def story(said: RoundSummary, confidence: float) -> tuple[str, ...]:
    """What became of the proposals, what the bank is worth, and what it cost.

    Args:
        said: The round.
        confidence: Of the printed intervals.
    """
    sentences = (_became(said), _beside(said), _worth(said, confidence), _cost(said))
    return tuple(sentence for sentence in sentences if sentence)


def _became(said: RoundSummary) -> str:
    def total(name: str) -> int:
        return sum(getattr(counts, name) for counts in said.axes)

    proposed = total("proposed")
    if not proposed:
        return "Nothing was proposed this round, and the bank stays as it was."
    parts = [f"{total('committed') or 'none'} went into the bank"]
    for name, words in _FATES:
        if n := total(name):
            parts.append(f"{n} {'was' if n == 1 else 'were'} {words}")
    return (
        f"Of {counted(proposed, 'proposal')} {_joined(parts)}. The bank had "
        f"{counted(said.skills_before, 'skill')} and now has {said.skills_after}."
    )


_FATES = (
    ("refused", "refused by the gate"),
    ("undecided", "left undecided"),
    ("dropped", "let in and undone by the benchmark"),
    ("screened_out", "screened out"),
)


def _beside(said: RoundSummary) -> str:
    """How the bank stands beside the one before it; silent where nothing was let in."""
    test = said.test
    if test is None or not (test.held or said.bank_changed):
        return ""
    if test.standing == "regressed":
        kept = "none of it was put in use" if test.held else "it is in use all the same"
        return f"As a whole it made the bank worse than the one before: {kept}."
    if test.standing == "non-inferior":
        return (
            f"Beside the bank before, a loss of {points(test.margin)} points or more "
            "is excluded."
        )
    return (
        f"Whether the bank lost {points(test.margin)} points against the one before "
        f"cannot be told from {counted(test.briefs, 'brief')}."
    )


def _worth(said: RoundSummary, confidence: float) -> str:
    sets: tuple[BriefSet, ...] = ("sealed", "benchmark")
    for set in sets:
        figure = said.figure(set, "kept")
        if figure is None:
            continue
        words = {"sealed": "sealed briefs", "benchmark": "benchmark"}[set]
        over = _over(said, set, "seed", "the seed bank", confidence)
        bare = _over(said, set, "none", "no skills", confidence)
        compared = _joined([one for one in (over, bare) if one])
        return (
            f"On the {words} the agent now meets {points(figure.completeness)}% of all "
            f"requirements" + (f": {compared}." if compared else ".")
        )
    return ""


def _over(
    said: RoundSummary, set: BriefSet, arm: Arm, words: str, confidence: float
) -> str:
    gain = said.gain(set, arm, "completeness")
    if gain is None:
        return ""
    ends = between(gain.low, gain.high)
    level = f"{100 * confidence:.0f}% interval"
    return typeset(f"{gained(gain.mean)} points over {words} ({level} {ends})")


def _cost(said: RoundSummary) -> str:
    if not said.runs_planned:
        return ""
    share = said.runs_saved / said.runs_planned
    return (
        f"The gate made {said.runs_spent:,} of {said.runs_planned:,} planned agent "
        f"runs; stopping as soon as a verdict was certain saved {100 * share:.0f}%."
    )


def _joined(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
