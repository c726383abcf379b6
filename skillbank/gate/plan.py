"""What a trial is to replay and by which numbers, fixed before any replay."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from skillbank.codec import digest, fields_of
from skillbank.errors import GateError
from skillbank.gate.case import Rule
from skillbank.gate.guards import Guards
from skillbank.gate.limits import Limits
from skillbank.skills.shelf import Risk

Mode = Literal["published", "certified"]
Role = Literal["origin", "held-out", "neighbour"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One replayed brief with its contexts."""

    id: str
    brief: str
    """Id of the brief; several cases may share one."""
    revision: str = ""
    """Hash of the brief and its requirements as they are replayed."""
    stratum: str = ""
    """Cohort, or kind of case, in which the change must not do harm; empty: none."""
    origin: bool = True
    """True: the writer saw it; False: held out."""
    card: str = ""
    """Card concerned: a merge needs enough cases of each card it replaces."""
    contexts: tuple[str, ...]
    """Ids of the planned contexts, in the order of replay."""
    spares: tuple[str, ...] = ()
    """Ids of contexts that take the place of void ones, drawn with the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One proposal's trial: cases, numbers, and what stands beside the verdict.

    A value that survives JSON (`codec.dump`, `codec.load`) and knows its hash: a plan
    that was edited afterwards is refused.

    Raises:
        GateError: If ids repeat, a case has not the planned contexts, the numbers make
            no gate, the hash is not the one of the rest, or JSON cannot hold a value.
    """

    proposal: str
    mode: Mode = "published"
    cases: tuple[Case, ...]
    band: Fraction = Fraction(1, 10)
    """Half-width of the tie band around 1/2; in [0, 1/2)."""
    contexts: int = 3
    """Planned contexts of each case (C)."""
    required: int = 4
    """Cases without which nothing is decided, for each card concerned (K)."""
    limits: Limits | None = None
    """The numbers of certified mode, which band, contexts and required are not for."""
    neighbours: tuple[str, ...] = ()
    """Ids of the cases where the card fires without being meant to; certified mode."""
    stratum: str = ""
    """Kind of briefs that a narrow change is certified on; empty: all of its card's."""
    uncertifiable: bool = False
    """Gated as published because there were too few held-out prompts to certify."""
    risk: Risk = "low"
    """high: any forbidden action of the candidate refuses at once."""
    candidate: str = ""
    """Hash of the candidate as rendered."""
    models: tuple[str, ...] = ()
    """Ids of the models that answer in this trial."""
    tools: str = ""
    """Hash of the tools' schemas."""
    judge: str = ""
    """Revision of the judge."""
    policy: str = ""
    """Digest of the gate's parameters."""
    guards: Guards | None = None
    """What is asked beside the votes; None: forbidden actions alone."""
    hash: str = ""
    """SHA-256 over everything else; filled in where it is empty."""

    def __post_init__(self) -> None:
        """Check the plan and seal it."""
        _ = self.rule
        if (self.mode == "certified") != (self.limits is not None):
            raise GateError(
                f"plan of proposal {self.proposal!r}",
                seen=f"mode {self.mode} with limits {self.limits}",
                expected="limits in certified mode, and only there",
                remedy="draw the plan up again",
            )
        _check_ids(self)
        sealed = _hashed(self)
        if self.hash and self.hash != sealed:
            raise GateError(
                f"plan of proposal {self.proposal!r}",
                seen=f"hash {self.hash[:12]} over a plan of {sealed[:12]}",
                expected="the plan that was hashed before the first replay",
                remedy="restore the plan as it was, or start another trial",
            )
        object.__setattr__(self, "hash", sealed)

    @property
    def rule(self) -> Rule:
        """The numbers of the rule."""
        return Rule(cases=self.required, contexts=self.contexts, band=self.band)

    def role(self, case: Case) -> Role:
        """What a case is for in certified mode."""
        if case.id in self.neighbours:
            return "neighbour"
        return "origin" if case.origin else "held-out"

    @property
    def planned(self) -> int:
        """Contexts that are replayed if nothing is curtailed and nothing void.

        In certified mode those of the screen and all that may weigh a gain.
        """
        if self.limits is None:
            return len(self.cases) * self.contexts
        roles = [self.role(case) for case in self.cases]
        screen = roles.count("origin") * self.limits.screen
        return screen + self.limits.contexts(roles.count("held-out"))

    def lacking(self) -> dict[str, int]:
        """Cases of each card that has fewer than required: card to number of cases.

        In certified mode held-out prompts, each counted once.
        """
        briefs: dict[str, list[str]] = {}
        for case in self.cases:
            role = self.role(case)
            if role != "neighbour":
                mine = briefs.setdefault(case.card, [])
                if self.limits is None or role == "held-out":
                    mine.append(case.brief)
        if self.limits is None:
            counts = {card: len(mine) for card, mine in briefs.items()}
            return {card: n for card, n in sorted(counts.items()) if n < self.required}
        counts = {card: len(set(mine)) for card, mine in briefs.items()}
        return {card: n for card, n in sorted(counts.items()) if n < self.limits.least}


def _check_ids(plan: Plan) -> None:
    for name in plan.neighbours:
        if plan.mode == "published" or all(case.id != name for case in plan.cases):
            expected = "a case of a plan in certified mode"
            raise _misfit(plan, name, "a neighbour", expected)
    cases: set[str] = set()
    contexts: set[str] = set()
    for case in plan.cases:
        planned, n = plan.contexts, len(case.contexts)
        if plan.mode == "published" and n != planned:
            raise _misfit(plan, case.id, f"{n} contexts", f"{planned}")
        if not n:
            raise _misfit(plan, case.id, "no contexts", "at least one")
        if case.id in cases:
            raise _misfit(plan, case.id, "the id twice", "one case an id")
        cases.add(case.id)
        for context in (*case.contexts, *case.spares):
            if context in contexts:
                seen = f"context {context!r} twice"
                raise _misfit(plan, case.id, seen, "each context in one place")
            contexts.add(context)


def _hashed(plan: Plan) -> str:
    try:
        return digest("plan", _sealed(plan))
    except TypeError as error:  # of the JSON library, for text as for numbers
        raise GateError(
            f"plan of proposal {plan.proposal!r}",
            seen=str(error),
            expected="values that JSON can hold: text without lone surrogates, "
            "whole numbers of 64 bits",
            remedy="correct what was put into the plan",
        ) from error


def _sealed(plan: Plan) -> dict[str, Any]:
    """What the hash is over; what a plan does without leaves its hash as it was."""
    values = fields_of(plan)
    del values["hash"]
    for name in ("limits", "neighbours", "stratum", "uncertifiable", "guards"):
        if not values[name]:
            del values[name]
    return values


def _misfit(plan: Plan, case: str, seen: str, expected: str) -> GateError:
    return GateError(
        f"plan of proposal {plan.proposal!r}, case {case!r}",
        seen=seen,
        expected=expected,
        remedy="draw the cases and their contexts again",
    )
