"""The section `controls` of params.yaml."""

from skillbank.section import Positive, Rate, Section


class ControlParams(Section):
    """Controls that measure the gate and its judge, and never decide a proposal."""

    placebo_share: Rate = 0.05
    """Placebo proposals as a share of those that the gate hears. The gate study."""
    placebo_least: Positive = 8
    """Proposals heard from which a round has a placebo at least; none below. Ours."""
    degraded_min: Rate = 0.9
    """Share of decided pairs that planted degraded outputs must lose; below it the
    judge may not gate. Ours."""
    degraded_least: Positive = 8
    """Decided degraded pairs from which that bar holds. Ours: 0.2% of judges that are
    right 99 times in 100 fall below it over 24 pairs, 96% of coins do."""
    flip_max: Rate = 0.45
    """Share of pairs called differently in the other order, above which the judge may
    not gate. Ours."""
    flip_least: Positive = 40
    """Swapped pairs from which that bar holds. Ours: of judges that flip on 26% of
    pairs, as the studio's does on A/A pairs, 0.3% go beyond it over 40."""
