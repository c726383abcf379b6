"""How far a round's gate and judge can be trusted, as the page shows it."""

from collections.abc import Mapping, Sequence

from skillbank.control_params import ControlParams
from skillbank.records import Health
from skillbank.reports.proposals import forbidden
from skillbank.reports.text import shown
from skillbank.reports.view import Bar, PlaceboRow, Rate, Trust
from skillbank.rounds.controls import PlaceboRecord
from skillbank.rounds.replay import GateRecord
from skillbank.summary import RoundSummary

_LET_IN = (
    ("false accept rate", "a no-op, by A/A pairs: published rule, exact"),
    ("certified false accept rate", "a no-op, by A/A pairs: certified rule, simulated"),
    ("placebos let in", "placebos, counted"),
    ("paraphrases let in", "of them, cards in other words"),
    ("irrelevant cards let in", "of them, cards about something else"),
)
_SHORT = 80  # characters of a name


def trust(
    said: RoundSummary,
    records: Sequence[GateRecord],
    placebos: Sequence[PlaceboRecord],
    controls: ControlParams,
    mode: str,
) -> Trust:
    """The section's values.

    Args:
        said: The round, whose health rows have most of it.
        records: Plans and verdicts of its real proposals.
        placebos: Of this round.
        controls: The judge's bars.
        mode: Of the gate.
    """
    health = {one.name: one for one in said.health}

    def value(name: str) -> float | None:
        return health[name].value if name in health else None

    def count(name: str) -> int:
        return int(value(name) or 0)

    known = ((words, _rate(health, name)) for name, words in _LET_IN)
    planted = _rate(health, "degraded lost this round")
    flips = _rate(health, "judge flip_rate")
    return Trust(
        mode=mode,
        rules=said.rules,
        wins=count("A/A wins"),
        ties=count("A/A ties"),
        losses=count("A/A losses"),
        harness_p=value("A/A harness p"),
        false_accept=_rate(health, "false accept rate"),
        certified_accept=_rate(health, "certified false accept rate"),
        let_in=tuple((words, rate) for words, rate in known if rate is not None),
        placebos=tuple(map(_row, placebos)),
        faults=said.judge_faults,
        degraded_bar=_bar(
            controls.degraded_min, planted, controls.degraded_least, low=True
        ),
        flip_bar=_bar(controls.flip_max, flips, controls.flip_least, low=False),
        degraded=planted,
        degraded_ever=_rate(health, "degraded lost"),
        flip_rate=flips.value if flips else None,
        consistency=value("judge consistency"),
        net_first_bias=value("judge net_first_bias"),
        bias_p=value("judge bias_p"),
        bias=value("judge bias"),
        quality=value("judge quality"),
        repeatability=value("judge repeatability"),
        pairs=flips.n if flips else 0,
        forbidden=forbidden(records),
        refused_for_forbidden=sum(
            one.verdict.code == "refuse:forbidden" for one in records
        ),
    )


def _rate(health: Mapping[str, Health], name: str) -> Rate | None:
    one = health.get(name)
    if one is None or one.value is None:
        return None
    return Rate(value=one.value, low=one.low, high=one.high, n=one.n)


def _bar(at: float, seen: Rate | None, least: int, *, low: bool) -> Bar:
    """Against a bar that is not to be undercut (low) or not to be passed."""
    if seen is None or seen.n < least:
        return Bar(at=at, state="too few pairs")
    met = seen.value >= at if low else seen.value <= at
    return Bar(at=at, state="met" if met else "not met")


def _row(one: PlaceboRecord) -> PlaceboRow:
    verdict = one.record.verdict
    return PlaceboRow(
        kind=one.kind,
        skill=shown(one.proposal.skill, _SHORT),
        let_in=verdict.decision == "commit",
        reason=shown(verdict.reason),
    )
