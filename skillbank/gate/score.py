"""The rule on votes that were made elsewhere, such as a file of somebody's judge."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, islice
from typing import Literal, NamedTuple, get_args

from skillbank.codec import Json, is_text
from skillbank.errors import GateError
from skillbank.gate.case import Rule
from skillbank.gate.limits import Limits
from skillbank.gate.plan import Case, Mode, Plan
from skillbank.gate.published import Code
from skillbank.gate.trial import Trial
from skillbank.gate.verdict import Verdict
from skillbank.gate.votes import Vote, Votes
from skillbank.gate_params import GateParams

Order = Literal["candidate_first", "current_first"]
COLUMNS = ("case", "context", "order", "vote")
_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "order": get_args(Order),
    "vote": get_args(Vote),
}
_SHIPPED = Rule()
_UNCERTIFIABLE: Code = "undecided:uncertifiable"
_MISSING = Votes(void="no votes: context missing")
_MOST = 5_000
"""Contexts that are scored at once, those that are missing too: a proposal has dozens,
and a table of another kind shall not keep the machine busy for hours."""


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


class Scored(NamedTuple):
    """A verdict on votes made elsewhere, and the rule that gave it."""

    mode: Mode
    numbers: Rule | Limits
    """Those of the rule; contexts, or those of a case, no more than there are."""
    verdict: Verdict


def gate_votes(rows: Iterable[Mapping[str, Json]], params: GateParams) -> Scored:
    """Apply the rule that params.yaml asks for, by its numbers.

    Args:
        rows: Objects with case, context, order and vote, in any order.
        params: Mode, band, cases and the numbers of the certified rule. In certified
            and auto mode all cases are taken to be held out: a file does not say which
            of them the writer saw. Auto: the published rule, flagged, where the votes
            are too few to certify anything.

    Raises:
        GateError: As `score_votes` and `certify_votes`.
    """
    given = _bounded(rows)
    if params.mode != "published":
        found = _certified(given, Limits.of(params.certified, held_out=0, origin=0))
        if params.mode == "certified" or found.verdict.code != _UNCERTIFIABLE:
            return found
    found = _published(given, None, params.cases, params.band)
    flagged = replace(found.verdict, uncertifiable=params.mode == "auto")
    return found._replace(verdict=flagged)


def score_votes(
    rows: Iterable[Mapping[str, Json]],
    *,
    band: Fraction = _SHIPPED.band,
    contexts: int | None = None,
    required: int = _SHIPPED.cases,
) -> Verdict:
    """Apply the full published rule to votes; the verdict holds each case's state.

    Args:
        rows: Objects with case, context, order and vote, in any order.
        band: Half-width of the tie band.
        contexts: Planned contexts of a case; None: as many as the largest case has.
            A context that is missing or invalid counts as void; one beyond the planned
            ones is the spare of a void one.
        required: Cases without which nothing is decided.

    Raises:
        GateError: If a row is bad or doubled, a context has one order only, belongs to
            two cases, or a case has more valid contexts than planned; if there are more
            votes than one proposal can have.
    """
    return _published(_bounded(rows), contexts, required, band).verdict


def _published(
    given: tuple[VoteRow, ...], contexts: int | None, required: int, band: Fraction
) -> Scored:
    pairs = _paired(given)
    votes = {context: both for case in pairs.values() for context, both in case.items()}
    most = max((len(found) for found in pairs.values()), default=1)
    planned = most if contexts is None else contexts
    rule = Rule(cases=required, contexts=planned, band=band)
    _check_size(len(pairs) * planned)
    plan = Plan(
        proposal="votes",
        cases=tuple(
            _case(case, found, planned, votes) for case, found in pairs.items()
        ),
        band=band,
        contexts=planned,
        required=1,  # so that each case's state is known although there are too few
    )
    trial = Trial(plan, curtail=False)
    while asked := trial.ask(1):
        trial.tell(asked[0], votes.get(asked[0], _MISSING))
    if trial.verdict is None:
        raise AssertionError("a trial that was told everything has a verdict")
    verdict = _required(replace(trial.verdict, plan=""), rule.cases)
    return Scored("published", rule, verdict)


def certify_votes(
    rows: Iterable[Mapping[str, Json]], *, limits: Limits | None = None
) -> Verdict:
    """Apply the certified rule to votes on held-out cases that were made elsewhere.

    Contexts are looked at in rounds over the cases, in the order of the file; there is
    no screen. A case that lost and has no further contexts for the guard leaves the
    verdict undecided.

    Args:
        rows: Objects with case, context, order and vote, in any order. An invalid
            context counts as void.
        limits: The numbers; horizon and contexts of a case no more than there are.

    Raises:
        GateError: If a row is bad or doubled, a context has one order only, or belongs
            to two cases; if there are more votes than one proposal can have.
    """
    return _certified(_bounded(rows), limits or Limits()).verdict


def _certified(given: tuple[VoteRow, ...], limits: Limits) -> Scored:
    pairs = _paired(given)
    votes = {context: both for case in pairs.values() for context, both in case.items()}
    most = max((len(found) for found in pairs.values()), default=1)
    numbers = replace(limits, screen=0, per_case=min(limits.per_case, most))
    deep = numbers.rounds(len(pairs)) + numbers.guard
    _check_size(len(pairs) * max(deep, most))
    plan = Plan(
        proposal="votes",
        mode="certified",
        limits=numbers,
        cases=tuple(
            Case(
                id=case,
                brief=case,
                origin=False,
                contexts=(*found, *_absent(case, deep - len(found), votes)),
            )
            for case, found in pairs.items()
        ),
    )
    trial = Trial(plan)
    while asked := trial.ask(1):
        trial.tell(asked[0], votes.get(asked[0], _MISSING))
    if trial.verdict is None:
        raise AssertionError("a trial that was told everything has a verdict")
    return Scored("certified", numbers, replace(trial.verdict, plan=""))


def _bounded(rows: Iterable[Mapping[str, Json]]) -> tuple[VoteRow, ...]:
    read = read_rows(islice(rows, 2 * _MOST + 1))
    _check_size(-(-len(read) // 2))
    return read


def _check_size(contexts: int) -> None:
    if contexts > _MOST:
        raise GateError(
            "votes",
            seen=f"more than {_MOST} contexts, counting those that cases lack",
            expected="the votes of one proposal",
            remedy="score each proposal in a file of its own",
        )


def _absent(case: str, n: int, given: Container[str]) -> tuple[str, ...]:
    """Ids for contexts that a case lacks, none of them one of the file's."""
    names = (f"{case}, missing {i}" for i in count())
    return tuple(islice((name for name in names if name not in given), max(n, 0)))


def _required(verdict: Verdict, required: int) -> Verdict:
    n = len(verdict.cases)
    if not 0 < n < required:
        return verdict
    return replace(
        verdict,
        decision="undecided",
        code="undecided:too_few_cases",
        reason=f"{n} case(s) where {required} are required",
    )


def _row(number: int, row: Mapping[str, Json]) -> VoteRow:
    if not isinstance(row, Mapping):
        raise _bad(number, f"{row!r}", f"an object with {', '.join(COLUMNS)}")
    values = {}
    for column in COLUMNS:
        value = row.get(column)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # CSV readers make numbers of ids
        if not isinstance(value, str) or not value or not is_text(value):
            expected = "a text that is not empty, and that UTF-8 can hold"
            raise _bad(number, f"{column} = {value!r}", expected)
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


def _case(
    case: str, found: Mapping[str, Votes], planned: int, given: Container[str]
) -> Case:
    # void ones first: each of them calls for one of those beyond the planned
    void = [context for context, votes in found.items() if votes.cause]
    valid = [context for context, votes in found.items() if not votes.cause]
    if len(valid) > planned:
        raise GateError(
            f"votes, case {case!r}",
            seen=f"{len(valid)} valid contexts",
            expected=f"at most the {planned} planned ones",
            remedy="plan for as many contexts, or leave the others out",
        )
    ids = (*void, *valid, *_absent(case, planned - len(found), given))
    return Case(id=case, brief=case, contexts=ids[:planned], spares=ids[planned:])


def _bad(number: int, seen: str, expected: str) -> GateError:
    remedy = f"correct row {number} and score the file again"
    return GateError(
        f"votes, row {number}", seen=seen, expected=expected, remedy=remedy
    )
