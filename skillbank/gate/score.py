"""The rule on votes that were made elsewhere, such as a file of somebody's judge."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from skillbank.codec import Json
from skillbank.errors import GateError
from skillbank.gate.plan import Case, Plan, Risk
from skillbank.gate.trial import Trial
from skillbank.gate.verdict import Verdict
from skillbank.gate.votes import Vote, Votes

Order = Literal["candidate_first", "current_first"]
COLUMNS = ("case", "context", "order", "vote")
_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "order": get_args(Order),
    "vote": get_args(Vote),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRow:
    """One answer of a judge."""

    case: str
    context: str
    order: Order
    vote: Vote


def read_rows(rows: Iterable[Mapping[str, Json]]) -> tuple[VoteRow, ...]:
    """Rows of a JSON list, a CSV or a table as values; further columns are ignored.

    Raises:
        GateError: If a row lacks a column or holds what is no vote; it names the row,
            the first being 1.
    """
    return tuple(_row(number, row) for number, row in enumerate(rows, start=1))


def score_votes(
    rows: Iterable[Mapping[str, Json]],
    *,
    band: Fraction = Fraction(1, 10),
    contexts: int | None = None,
    required: int = 1,
    risk: Risk = "low",
) -> Verdict:
    """Apply the full published rule to votes; the verdict holds each case's state.

    Args:
        rows: Objects with case, context, order and vote, in any order.
        band: Half-width of the tie band.
        contexts: Planned contexts of a case; None: as many as the largest case has.
            A context that is missing or invalid counts as void.
        required: Cases without which nothing is decided.
        risk: As of a plan.

    Raises:
        GateError: If a row is bad or doubled, a context has one order only, belongs to
            two cases, or a case has more contexts than planned.
    """
    pairs = _paired(read_rows(rows))
    most = max((len(found) for found in pairs.values()), default=1)
    planned = most if contexts is None else contexts
    plan = Plan(
        proposal="votes",
        cases=tuple(
            _case(case, tuple(found), planned) for case, found in pairs.items()
        ),
        band=band,
        contexts=planned,
        required=required,
        risk=risk,
    )
    trial = Trial(plan, curtail=False)
    for case in plan.cases:
        for context in case.contexts:
            votes = pairs[case.id].get(context, Votes(void="no votes: context missing"))
            if trial.verdict is None:
                trial.tell(context, votes)
    if trial.verdict is None:
        raise AssertionError("a trial that was told everything has a verdict")
    return trial.verdict


def _row(number: int, row: Mapping[str, Json]) -> VoteRow:
    values = {}
    for column in COLUMNS:
        value = row.get(column)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # CSV readers make numbers of ids
        if not isinstance(value, str) or not value:
            raise _bad(number, f"{column} = {value!r}", "a text that is not empty")
        allowed = _ALLOWED.get(column)
        if allowed and value not in allowed:
            raise _bad(number, f"{column} = {value!r}", f"one of {', '.join(allowed)}")
        values[column] = value
    return VoteRow(**values)  # type: ignore[arg-type]  # checked against _ALLOWED above


def _paired(rows: tuple[VoteRow, ...]) -> dict[str, dict[str, Votes]]:
    owner: dict[str, str] = {}
    seen: dict[str, dict[Order, tuple[int, Vote]]] = {}
    for number, row in enumerate(rows, start=1):
        if owner.setdefault(row.context, row.case) != row.case:
            was = f"context {row.context!r} of {row.case!r} and {owner[row.context]!r}"
            raise _bad(number, was, "each context in one case")
        votes = seen.setdefault(row.context, {})
        if row.order in votes:
            was = f"{row.context!r} {row.order} again (row {votes[row.order][0]})"
            raise _bad(number, was, "one vote for each context and order")
        votes[row.order] = (number, row.vote)
    pairs: dict[str, dict[str, Votes]] = {}
    for context, votes in seen.items():
        if len(votes) < len(get_args(Order)):
            ((order, (number, _)),) = votes.items()
            was = f"context {context!r} only {order}"
            raise _bad(number, was, "a vote in each order: a lone vote never stands")
        both = Votes(votes["candidate_first"][1], votes["current_first"][1])
        pairs.setdefault(owner[context], {})[context] = both
    return pairs


def _case(case: str, contexts: tuple[str, ...], planned: int) -> Case:
    if len(contexts) > planned:
        raise GateError(
            f"votes, case {case!r}",
            seen=f"{len(contexts)} contexts",
            expected=f"at most the {planned} planned ones",
            remedy="plan for as many contexts, or leave the others out",
        )
    missing = tuple(f"{case}, missing {i}" for i in range(planned - len(contexts)))
    return Case(id=case, brief=case, contexts=contexts + missing)


def _bad(number: int, seen: str, expected: str) -> GateError:
    remedy = f"correct row {number} and score the file again"
    return GateError(
        f"votes, row {number}", seen=seen, expected=expected, remedy=remedy
    )
