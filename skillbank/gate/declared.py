"""What a plan will ship and refuse, said before any replay: in words and for machines.

Derived from the plan alone and sealed with its hash, so that nobody can say afterwards
that another bar was meant.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from skillbank.codec import digest
from skillbank.gate.guards import Ceiling
from skillbank.gate.limits import Limits
from skillbank.gate.plan import Mode, Plan
from skillbank.gate.published import Code
from skillbank.gate.strata import Strata

Quantity = Literal[
    "cases",
    "held_out_prompts",
    "regressed_cases",
    "short_cases",
    "won_cases",
    "screen_net",
    "gain",
    "harm",
    "stratum_p",
    "forbidden",
    "forbidden_more",
    "ratio",
    "mean",
]
"""cases, held_out_prompts: of each card; short: with too few valid contexts; gain and
harm: e-values; forbidden: of the candidate, `_more`: less those of the current bank;
ratio, mean: what the candidate spent over the current arm, and of an attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What must hold of a number, and what is decided where it does not."""

    what: Quantity
    of: str = ""
    """Stratum, or what is spent; empty: the whole trial."""
    relation: Literal["at least", "at most", "above", "below"]
    bar: Fraction
    otherwise: Code
    words: str
    """The condition in plain words."""

    def holds(self, value: Fraction | int) -> bool:
        """Whether a number meets it."""
        return {
            "at least": value >= self.bar,
            "at most": value <= self.bar,
            "above": value > self.bar,
            "below": value < self.bar,
        }[self.relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The decision of a plan before it is made.

    It ships if every condition holds; else the first that does not names what is said.
    """

    plan: str
    """Hash of the plan that it is derived from."""
    mode: Mode
    conditions: tuple[Condition, ...]
    """In the order in which they are looked at."""
    sentence: str
    hash: str
    """SHA-256 over all of this."""


def declare(plan: Plan) -> Declared:
    """The decision that a plan stands for."""
    conditions = tuple(_conditions(plan))
    sentence = f"Ships if {'; '.join(one.words for one in conditions)}."
    return Declared(
        plan=plan.hash,
        mode=plan.mode,
        conditions=conditions,
        sentence=sentence,
        hash=digest("declared", plan.hash, plan.mode, conditions, sentence),
    )


def _conditions(plan: Plan) -> Iterator[Condition]:
    if plan.risk == "high":
        yield Condition(
            what="forbidden",
            relation="at most",
            bar=Fraction(0),
            otherwise="refuse:forbidden",
            words="no replay of the candidate takes a forbidden action",
        )
    if plan.limits is None:
        yield from _published(plan)
    else:
        yield from _certified(plan, plan.limits)
    yield from _strata(plan)
    yield Condition(
        what="forbidden_more",
        relation="at most",
        bar=Fraction(0),
        otherwise="refuse:forbidden",
        words="the candidate takes no more forbidden actions than the current bank",
    )
    for ceiling in plan.guards.ceilings if plan.guards else ():
        if ceiling.force == "hard":
            yield from _ceiling(ceiling)


def _published(plan: Plan) -> Iterator[Condition]:
    rule = plan.rule
    low, high = Fraction(1, 2) - rule.band, Fraction(1, 2) + rule.band
    yield Condition(
        what="cases",
        relation="at least",
        bar=Fraction(rule.cases),
        otherwise="undecided:too_few_cases",
        words=f"there are {_counted(rule.cases, 'case')} of each card concerned",
    )
    yield Condition(
        what="regressed_cases",
        relation="at most",
        bar=Fraction(0),
        otherwise="refuse:regressed",
        words=f"no case regresses (a rate below {low}, a tie counting half)",
    )
    yield Condition(
        what="short_cases",
        relation="at most",
        bar=Fraction(0),
        otherwise="undecided:inconclusive",
        words=f"every case has {_counted(rule.quorum, 'valid context')}",
    )
    yield Condition(
        what="won_cases",
        relation="at least",
        bar=Fraction(1),
        otherwise="refuse:all_ties",
        words=(
            f"at least one case is won (a rate above {high}, and more than half of "
            f"its {_counted(rule.contexts, 'planned context')})"
        ),
    )


def _certified(plan: Plan, limits: Limits) -> Iterator[Condition]:
    yield Condition(
        what="held_out_prompts",
        relation="at least",
        bar=Fraction(limits.least),
        otherwise="undecided:uncertifiable",
        words=f"there are {_counted(limits.least, 'held-out prompt')} of each card",
    )
    if limits.screen:
        yield Condition(
            what="screen_net",
            relation="above",
            bar=Fraction(0),
            otherwise="refuse:screen",
            words="it wins more than it loses on the cases that its writer saw",
        )
    where = f" of {plan.stratum[:80]}" if plan.stratum else ""
    yield Condition(
        what="gain",
        relation="at least",
        bar=Fraction(limits.bar),
        otherwise="refuse:no_gain",
        words=(
            f"the evidence of a gain on held-out cases{where} reaches "
            f"{float(limits.bar):g} "
            f"(a win times {limits.win}, a loss times {limits.loss}) before it falls "
            f"to {float(limits.floor):g} or loses hope"
        ),
    )
    yield Condition(
        what="regressed_cases",
        relation="at most",
        bar=Fraction(0),
        otherwise="refuse:regressed",
        words=(
            f"no case loses {limits.regress} more than it wins, when those that lost "
            "are looked at again"
        ),
    )
    if plan.neighbours:
        yield Condition(
            what="harm",
            relation="below",
            bar=Fraction(limits.harm_bar),
            otherwise="refuse:neighbours",
            words=(
                f"the evidence of harm on {_counted(len(plan.neighbours), 'neighbour')}"
                f" stays below {float(limits.harm_bar):g}"
            ),
        )


def _strata(plan: Plan) -> Iterator[Condition]:
    strata = Strata(plan)
    for name in strata.judged:
        yield Condition(
            what="stratum_p",
            of=name,
            relation="above",
            bar=strata.bar,
            otherwise="refuse:stratum",
            words=(
                f"stratum {name[:80]!r} does not lose more than noise would make it "
                f"(exact p above {float(strata.bar):.3g})"
            ),
        )


def _ceiling(ceiling: Ceiling) -> Iterator[Condition]:
    unit = "turns" if ceiling.what == "turns" else "US dollars"
    limits = (
        ("ratio", ceiling.ratio, "times those of the current bank"),
        ("mean", ceiling.most, "an attempt"),
    )
    for what, bar, words in limits:
        if bar is not None:
            yield Condition(
                what=what,  # type: ignore[arg-type]  # one of the two above
                of=ceiling.what,
                relation="at most",
                bar=bar,
                otherwise="refuse:ceiling",
                words=f"the candidate's {unit} are at most {float(bar):g} {words}",
            )


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")
