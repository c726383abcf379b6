"""What a trial is to replay and by which numbers, fixed before any replay."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from skillbank.codec import digest, fields_of
from skillbank.errors import GateError
from skillbank.gate.case import Rule

Mode = Literal["published"]
Risk = Literal["low", "medium", "high"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One replayed brief with its contexts."""

    id: str
    brief: str
    """Id of the brief; several cases may share one."""
    revision: str = ""
    """Hash of the brief and its requirements as they are replayed."""
    stratum: str = ""
    """Kind of case that the verdict is about; empty: all of them."""
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
            no gate, or the hash is not the one of the rest.
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
    """Revision of the gate's own code and parameters."""
    hash: str = ""
    """SHA-256 over everything else; filled in where it is empty."""

    def __post_init__(self) -> None:
        """Check the plan and seal it."""
        _ = self.rule
        _check_ids(self)
        values = fields_of(self)
        del values["hash"]
        sealed = digest("plan", values)
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

    @property
    def planned(self) -> int:
        """Contexts that are replayed if nothing is curtailed and nothing void."""
        return len(self.cases) * self.contexts

    def lacking(self) -> dict[str, int]:
        """Cases of each card that has fewer than required: card to number of cases."""
        counts: dict[str, int] = {}
        for case in self.cases:
            counts[case.card] = counts.get(case.card, 0) + 1
        return {card: n for card, n in sorted(counts.items()) if n < self.required}


def _check_ids(plan: Plan) -> None:
    cases: set[str] = set()
    contexts: set[str] = set()
    for case in plan.cases:
        if len(case.contexts) != plan.contexts:
            raise _misfit(
                plan, case.id, f"{len(case.contexts)} contexts", f"{plan.contexts}"
            )
        if case.id in cases:
            raise _misfit(plan, case.id, "the id twice", "one case an id")
        cases.add(case.id)
        for context in (*case.contexts, *case.spares):
            if context in contexts:
                seen = f"context {context!r} twice"
                raise _misfit(plan, case.id, seen, "each context in one place")
            contexts.add(context)


def _misfit(plan: Plan, case: str, seen: str, expected: str) -> GateError:
    return GateError(
        f"plan of proposal {plan.proposal!r}, case {case!r}",
        seen=seen,
        expected=expected,
        remedy="draw the cases and their contexts again",
    )
