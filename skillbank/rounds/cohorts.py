"""Fixed briefs by cohort, and what triggers came to: for summary and report only."""

from collections.abc import Mapping, Sequence

from skillbank.codec import seed_of
from skillbank.gate.cohorts import CohortGain, PairedBrief, by_cohort
from skillbank.records import BriefSet, Measured
from skillbank.rounds.replay import GateRecord
from skillbank.summary import TriggerCounts

COHORT_SETS: tuple[BriefSet, ...] = ("benchmark", "golden")


def cohort_gains(
    rows: Sequence[Measured],
    cohorts: Mapping[str, str],
    *,
    confidence: float,
    seed: int,
) -> Mapping[BriefSet, tuple[CohortGain, ...]]:
    """The candidate bank against the one before, by set and cohort.

    Args:
        rows: Measurements of a round; those of other arms are left out.
        cohorts: Cohort by id of brief; a brief without one is in none.
        confidence: Coverage of the intervals, in (0, 1).
        seed: Seed of the bootstrap.
    """
    found: dict[BriefSet, tuple[CohortGain, ...]] = {}
    for set in COHORT_SETS:
        mine = [row for row in rows if row.set == set]
        old = {row.brief: row for row in mine if row.arm == "previous"}
        new = {row.brief: row for row in mine if row.arm == "candidate"}
        pairs: dict[str, list[PairedBrief]] = {}
        for brief in sorted(old.keys() & new.keys()):
            before, after = old[brief], new[brief]
            cohort = cohorts.get(brief, "")
            if not cohort or before.completeness is None or after.completeness is None:
                continue
            pair = PairedBrief(
                before.completeness, after.completeness, before.success, after.success
            )
            pairs.setdefault(cohort, []).append(pair)
        gains = by_cohort(pairs, confidence=confidence, seed=seed_of(seed, set))
        if gains:
            found[set] = gains
    return found


def trigger_counts(records: Sequence[GateRecord]) -> TriggerCounts | None:
    """The firings of all new and changed triggers together; None without labels."""
    told = [one.reach.trigger for one in records if one.reach is not None]
    known = [trigger for trigger in told if trigger is not None]
    if not known:
        return None
    return TriggerCounts(
        proposals=len(known),
        fired=sum(one.fired for one in known),
        should=sum(one.should for one in known),
        hit=sum(one.hit for one in known),
    )
