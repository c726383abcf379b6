"""What happened in a round, in sentences."""

from skillbank.evidence.survey import Survey
from skillbank.prose import joined
from skillbank.records import Arm, BriefSet
from skillbank.reports.numbers import (
    between,
    counted,
    gained,
    p_value,
    points,
    typeset,
)
from skillbank.summary import RoundSummary

_UNLIKELY = 0.05  # p from which on two weeks are taken to ask for much the same


def story(said: RoundSummary, confidence: float) -> tuple[str, ...]:
    """What became of the proposals, what the bank is worth, and what it cost.

    Args:
        said: The round.
        confidence: Of the printed intervals.
    """
    sentences = (
        _became(said),
        _untried(said),
        _beside(said),
        _worth(said, confidence),
        _cost(said),
        _asked(said),
    )
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
        f"Of {counted(proposed, 'proposal')} {joined(parts)}. The bank had "
        f"{counted(said.skills_before, 'skill')} and now has {said.skills_after}."
    )


_FATES = (
    ("refused", "refused by the gate"),
    ("undecided", "left undecided"),
    ("dropped", "let in and undone by the benchmark"),
    ("screened_out", "screened out"),
)


def _untried(said: RoundSummary) -> str:
    """What it means that nothing could be replayed."""
    if not said.unable:
        return ""
    left = sum(counts.undecided for counts in said.axes)
    decided = (
        f"{counted(left, 'change')} that passed the screen "
        f"{'stays' if left == 1 else 'stay'} undecided, and"
        if left
        else "Even what passes the screen would stay undecided, and"
    )
    why = said.unable[:1].upper() + said.unable[1:]
    return f"{why}. {decided} no skill in the bank was changed.{_needed(said.survey)}"


def _needed(told: Survey) -> str:
    needs = len(told.needs) + told.needs_beyond
    if not needs:
        return ""
    due = sum(one.count >= told.due_at for one in told.needs)
    return (
        f" Runs showed {counted(needs, 'need')} that no skill covers, {due or 'none'} "
        f"of them the {told.due_at} times that a proposal takes."
    )


def _asked(said: RoundSummary) -> str:
    """How the week's traffic stands beside the one before it."""
    drift = said.survey.drift
    if drift is None:
        return ""
    differ = (
        "asked for other things than"
        if drift.p <= _UNLIKELY
        else "asked for much the same as"
    )
    new = f", with {counted(len(drift.new), 'new need')}" if drift.new else ""
    return (
        f"This week's runs {differ} those of {said.survey.before}{new} (drift "
        f"{drift.distance:.2f}; chance alone makes {drift.by_chance:.2f}, "
        f"p {p_value(drift.p)})."
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
        compared = joined([one for one in (over, bare) if one])
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
