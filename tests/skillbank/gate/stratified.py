"""Plans with strata, and the votes that each of their contexts would give."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import strategies as st

from skillbank.gate import Case, Plan, Trial, Verdict, Votes
from skillbank.gate.guards import Guards

WIN = Votes("candidate", "candidate")
LOSS = Votes("current", "current")
TIE = Votes("candidate", "current")
VOID = Votes(void="current: outage")
WIDE = Fraction(3, 10)
ANY = Guards(level=Fraction(1, 4), least=1)
"""Judges strata so small that they can be enumerated."""


@dataclass(frozen=True)
class Played:
    """A plan with the votes that each of its contexts would give."""

    plan: Plan
    votes: Mapping[str, Votes]


def plan_of(
    strata: Sequence[str],
    contexts: int,
    band: Fraction,
    guards: Guards,
    spares: int = 0,
) -> Plan:
    return Plan(
        proposal="p",
        cases=tuple(
            Case(
                id=f"c{i}",
                brief=f"b{i}",
                stratum=stratum,
                contexts=tuple(f"c{i}/{j}" for j in range(contexts)),
                spares=tuple(f"c{i}/s{j}" for j in range(spares)),
            )
            for i, stratum in enumerate(strata)
        ),
        band=band,
        contexts=contexts,
        required=len(strata),
        guards=guards,
    )


def decided(
    game: Played, *, curtail: bool = True, wave: int = 1, seed: int = 0
) -> Trial:
    trial = Trial(game.plan, curtail=curtail)
    while asked := list(trial.ask(wave)):
        random.Random(seed).shuffle(asked)
        for context in asked:
            if trial.verdict is None:
                trial.tell(context, game.votes[context])
    return trial


def verdict(game: Played, **more: bool) -> Verdict:
    found = decided(game, **more).verdict
    assert found is not None
    return found


@st.composite
def played(draw: st.DrawFn) -> Played:
    plan = plan_of(
        draw(st.lists(st.sampled_from(["", "a", "b"]), min_size=1, max_size=4)),
        draw(st.integers(1, 7)),
        draw(st.sampled_from((Fraction(1, 10), WIDE, Fraction(9, 20)))),
        replace(ANY, level=draw(st.sampled_from((Fraction(1, 2), Fraction(1, 20))))),
        draw(st.integers(0, 1)),
    )
    # mostly losses: a stratum that regresses is what it is about
    some = st.sampled_from((WIN, TIE, LOSS, LOSS, VOID))
    ids = [c for case in plan.cases for c in (*case.contexts, *case.spares)]
    return Played(plan, {context: draw(some) for context in ids})
