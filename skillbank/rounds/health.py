"""How far gate and judge of a round can be trusted: its controls, in numbers.

A/A pairs, placebos and degraded outputs are pooled over rounds: one round alone has too
few of them. What is said of the judge's votes is of this round.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from skillbank.gate.case import Rule
from skillbank.gate.controls import Tally, control, tally
from skillbank.gate.intervals import Interval, wilson
from skillbank.gate.judge_stats import judge_health, swap_counts
from skillbank.gate.null_rate import certified_null
from skillbank.gate.plan import Plan
from skillbank.gate.replay import Pair
from skillbank.params import Params
from skillbank.proposals.placebo import KINDS
from skillbank.records import Health
from skillbank.rounds.controls import CONTROL, DEGRADED, PlaceboRecord, purpose

TIES = "A/A ties"
_FIGURES = (
    "flip_rate",
    "consistency",
    "net_first_bias",
    "first_share",
    "bias_p",
    "candidate_rate",
    "bias",
    "quality",
    "repeatability",
)
_PLURAL = {"paraphrase": "paraphrases", "irrelevant": "irrelevant cards"}


def judge_rows(pairs: Iterable[Pair]) -> tuple[Health, ...]:
    """Of all pairs of the round, both arms, controls too, but for the degraded ones.

    Those are planted to be easy: with them any judge would look steadier.
    """
    seen = (pair.votes for pair in pairs if purpose(pair) != DEGRADED)
    health = judge_health(swap_counts(seen))
    return tuple(
        Health(name=f"judge {name}", value=_float(getattr(health, name)), n=health.n)
        for name in _FIGURES
    )


def control_rows(
    pairs: Sequence[Pair],
    earlier: Sequence[Pair],
    plans: Sequence[Plan],
    params: Params,
) -> Iterator[Health]:
    """What A/A pairs say of the harness and of the rules.

    Args:
        pairs: Of the round.
        earlier: Of the rounds before it.
        plans: Of the round's real proposals.
        params: Sections gate and benchmark are read.
    """
    pooled = _tally(earlier, CONTROL) + _tally(pairs, CONTROL)
    level, n = params.benchmark.confidence, pooled.valid
    said = control(pooled, Rule.of(params.gate), level)
    yield Health(name="A/A wins", value=float(pooled.wins), n=n)
    yield Health(name="A/A losses", value=float(pooled.losses), n=n)
    yield Health(name=TIES, value=float(pooled.ties), n=n)
    yield Health(
        name="A/A harness p",
        value=said.harness_p,
        n=n,
        note="two-sided, wins against losses; small: one arm is favoured",
    )
    if said.null_accept is None or said.tie_share is None:
        return
    note = "of a change that changes nothing, estimated from the A/A pairs"
    yield _rate("false accept rate", said.null_accept, n, note)
    certified = certified_null(plans, said.tie_share, level)
    if certified is not None:
        yield _rate("certified false accept rate", certified, n, f"{note}, simulated")


def placebo_rows(made: Sequence[PlaceboRecord], confidence: float) -> Iterator[Health]:
    """Placebos that the gate would have let in, of those that it decided.

    Args:
        made: Of all rounds so far.
        confidence: Of the intervals.
    """
    settled = [one for one in made if one.record.verdict.decision != "undecided"]
    note = f"{len(made) - len(settled)} more were left undecided"
    if settled:
        yield _rate("placebos let in", _let_in(settled, confidence), len(settled), note)
    for kind in KINDS:
        mine = [one for one in settled if one.kind == kind]
        if mine:
            found = _let_in(mine, confidence)
            yield _rate(f"{_PLURAL[kind]} let in", found, len(mine))


def degraded_rows(
    pairs: Sequence[Pair], earlier: Sequence[Pair], confidence: float
) -> Iterator[Health]:
    """Degraded outputs that lost, of those that won or lost.

    Args:
        pairs: Of the round.
        earlier: Of the rounds before it.
        confidence: Of the intervals.
    """
    now = _tally(pairs, DEGRADED)
    for name, found in (
        ("degraded lost", _tally(earlier, DEGRADED) + now),
        ("degraded lost this round", now),
    ):
        decided = found.wins + found.losses
        if decided:
            share = wilson(found.losses, decided, confidence)
            yield _rate(name, share, decided, f"{found.ties} more were tied")


def _let_in(made: Sequence[PlaceboRecord], confidence: float) -> Interval:
    fooled = sum(one.record.verdict.decision == "commit" for one in made)
    return wilson(fooled, len(made), confidence)


def _tally(pairs: Iterable[Pair], wanted: str) -> Tally:
    return tally(pair.votes for pair in pairs if purpose(pair) == wanted)


def _rate(name: str, found: Interval, n: int, note: str = "") -> Health:
    value, low, high = found
    return Health(name=name, value=value, low=low, high=high, n=n, note=note)


def _float(value: Fraction | float | None) -> float | None:
    return None if value is None else float(value)
