"""The section `gate` of params.yaml."""

from fractions import Fraction
from typing import Literal

from skillbank.section import Band, Count, Level, Limit, Positive, Rate, Section


class CertifiedParams(Section):
    """The certified rule: evidence of a gain on cases that the writer never saw.

    Source of the rule: the gate study, 3.1; where ours differs from it, docs/gate says
    what that gains.
    """

    least: Positive = 6
    """Held-out prompts, of each card, below which nothing is certified. Study."""
    held_out: Positive = 16
    """Held-out cases drawn at most. Ours (study: 8 to 12)."""
    ample: Positive = 12
    """Held-out cases from which no screen is needed. Ours."""
    bar: Band = Fraction(50)
    """Evidence that shows a gain without a screen. Ours: no-ops pass as rarely as after
    the study's screen at 20."""
    screened_bar: Band = Fraction(20)
    """Evidence that shows a gain after a screen. Study."""
    screen_cases: Positive = 4
    """Origin cases of the screen. Study."""
    screen_contexts: Positive = 2
    """Contexts of each of them. Study."""
    floor: Band = Fraction(8, 25)
    """Evidence at which a gain is given up without a screen. Ours: what is saved pays
    for a longer horizon."""
    screened_floor: Band = Fraction(1, 5)
    """Evidence at which a gain is given up after a screen. Study."""
    hope: Band = Fraction(1, 2)
    """Given up too if winning this share of what is left would not reach the bar. Ours
    (1: only what is impossible)."""
    win: Band = Fraction(3, 2)
    """A win multiplies the evidence by this. Study."""
    loss: Band = Fraction(1, 2)
    """A loss multiplies it by this; with `win` at most 2. Study."""
    horizon: Positive = 72
    """Held-out contexts of a proposal at most. Ours (study: 32 or 36)."""
    per_case: Positive = 5
    """Of one held-out case at most, before the guard. Ours (study: 3 or 4)."""
    guard: Count = 6
    """Further contexts of a case that lost more than it won. Ours (study: 4)."""
    regress: Positive = 4
    """Losses less wins, in all, that are a confirmed regress. Ours (study: 3)."""
    harm_bar: Band = Fraction(5)
    """Evidence of harm on neighbours that refuses. Study."""
    harm_floor: Band = Fraction(2, 5)
    """Evidence of harm at which the neighbours are clear. Study."""
    budget: Band = Fraction(2)
    """No-ops that may pass in a round, on average: evidence must reach N / budget for N
    proposals. Study."""
    fdr: Band = Fraction(0)
    """Share of false commits that e-LOND holds; 0: the budget decides. Study: 1/5."""


Force = Literal["hard", "soft", "off"]


class ConstraintParams(Section):
    """What may refuse a change although its votes would ship it.

    hard refuses, soft is told in verdict and report, off is not looked at.
    """

    strata: Level = Fraction(1, 20)
    """Chance that noise alone refuses a no-op because a stratum seems to regress; 0: no
    stratum is judged. Ours."""
    strata_contexts: Positive = 6
    """Planned contexts from which a stratum is judged. Ours."""
    turns: Force = "soft"
    """The agent's turns. Ours."""
    turns_ratio: Limit = Fraction(3, 2)
    """The candidate's turns over the current bank's at most; 0: no limit. Ours."""
    turns_most: Limit = Fraction(0)
    """The candidate's turns of an attempt at most, on average; 0: no limit. Ours."""
    usd: Force = "soft"
    """US dollars that attempts cost. Ours."""
    usd_ratio: Limit = Fraction(3, 2)
    """The candidate's dollars over the current bank's at most; 0: no limit. Ours."""
    usd_most: Limit = Fraction(0)
    """The candidate's dollars of an attempt at most, on average; 0: no limit. Ours."""


class GateParams(Section):
    """The matched replay gate."""

    mode: Literal["published", "certified", "auto"] = "auto"
    """Which rule decides; auto: certified where there are held-out prompts enough, else
    published, and flagged."""
    cases: Positive = 4
    """Briefs that a proposal is replayed on. Published."""
    contexts: Positive = 3
    """Frozen contexts of a case. Ours: the published text gives none."""
    spares: Count = 1
    """Contexts of a case drawn before any vote is read, used after voids. Ours."""
    band: Band = Fraction(1, 10)
    """Half-width of the tie band around 1/2. Ours: the published text gives none."""
    aa_contexts: Count = 12
    """Least A/A control contexts a round. Ours."""
    aa_share: Rate = 0.05
    """A/A controls as a share of the round's gate contexts, if that is more. Ours."""
    bank_contexts: Count = 4
    """Contexts of a mint compared under the whole bank; reported only. Ours."""
    forbidden_tools: tuple[str, ...] = ()
    """Tools whose use counts as a forbidden action, by name. Ours."""
    constraints: ConstraintParams = ConstraintParams()
    """Strata, turns and costs."""
    certified: CertifiedParams = CertifiedParams()
    """Numbers of the certified rule."""
