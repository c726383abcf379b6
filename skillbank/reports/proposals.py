"""The proposals of a round as blocks of the page, the committed ones first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

from skillbank.briefs.brief import Brief
from skillbank.gate.ceilings import CeilingState
from skillbank.gate.plan import Case
from skillbank.gate.reliability import PassHat
from skillbank.gate.replay import Pair
from skillbank.gate.strata import StratumState
from skillbank.gate.verdict import CaseState
from skillbank.gate.votes import ARMS
from skillbank.proposals.proposal import Proposal
from skillbank.records import Decision, Fate
from skillbank.reports.telling import Album
from skillbank.reports.text import diff, shown
from skillbank.reports.view import CaseBlock, ProposalBlock, TriggerBlock, VoteRow
from skillbank.rounds.replay import GateRecord
from skillbank.skills.bank import Bank
from skillbank.skills.screen import Screening

FATES: tuple[Fate, ...] = (
    "committed",
    "refused",
    "undecided",
    "dropped",
    "screened out",
)
IN_BANK = "bank-"
"""What the pairs of a mint beside the whole bank put before its id."""
CONTROL = "aa-"
"""What the A/A pairs put before the id of the proposal that they are drawn from."""
_SHORT = 80  # characters of a name or a label
_DECLARED = 2000  # characters of what was declared
_BRIEF = 400  # characters of a case's brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a round wrote down about its proposals."""

    bank: Bank
    """The one that the round began with."""
    proposals: Sequence[Proposal] = ()
    decisions: Sequence[Decision] = ()
    screenings: Sequence[Screening] = ()
    records: Sequence[GateRecord] = ()
    pairs: Sequence[Pair] = ()
    briefs: Mapping[str, Brief] = field(default_factory=dict)
    """By id, as far as they are still held."""


def blocks(heard: Heard, album: Album) -> tuple[ProposalBlock, ...]:
    """One block for each decision, by fate, then axis, skill and id.

    Args:
        heard: The round's tables.
        album: Draws the telling pairs, in the order of the page.
    """
    proposals = {one.id: one for one in heard.proposals}
    order = sorted(
        (one for one in heard.decisions if one.proposal in proposals),
        key=lambda one: (FATES.index(one.fate), one.axis, one.skill, one.proposal),
    )
    records = {one.plan.proposal: one for one in heard.records}
    reasons = {one.proposal: one.reasons for one in heard.screenings}
    pairs: dict[str, list[Pair]] = {}
    for pair in heard.pairs:
        pairs.setdefault(pair.proposal, []).append(pair)
    return tuple(
        _block(
            proposals[one.proposal],
            one,
            records.get(one.proposal),
            reasons.get(one.proposal, ()),
            pairs,
            (heard, album),
        )
        for one in order
    )


def _block(
    proposal: Proposal,
    decision: Decision,
    record: GateRecord | None,
    screened: tuple[str, ...],
    pairs: Mapping[str, Sequence[Pair]],
    by: tuple[Heard, Album],
) -> ProposalBlock:
    heard, album = by
    mine = pairs.get(proposal.id, ())
    verdict = record.verdict if record else None
    cases = record.plan.cases if record else ()
    names = _names(cases)
    reasons = screened if decision.fate == "screened out" else ()
    return ProposalBlock(
        id=proposal.id,
        fate=decision.fate,
        security=decision.security,
        axis=proposal.axis,
        kind=proposal.kind,
        skill=shown(proposal.skill, _SHORT),
        versions=_versions(proposal, decision),
        label=shown(proposal.label, _SHORT),
        drops=tuple(shown(name, _SHORT) for name in proposal.drops),
        note=shown(proposal.note),
        reasons=tuple(shown(text) for text in reasons or (decision.reason,)),
        ruling=shown(verdict.reason) if verdict else "",
        code=verdict.code if verdict else "",
        planned=verdict.planned if verdict else 0,
        spent=verdict.spent if verdict else 0,
        forbidden=forbidden([record] if record else []),
        diff=diff(_base(proposal, heard.bank), proposal.text),
        cases=_cases(cases, verdict.cases if verdict else (), mine, heard.briefs),
        showing=album.showing(decision.fate, mine, heard.briefs, names),
        in_bank=tuple(
            _row(pair, names) for pair in pairs.get(IN_BANK + proposal.id, ())
        ),
        **_beside(record),
    )


class _Beside(TypedDict, total=False):
    declared: str
    sealed: str
    stratum: str
    strata: tuple[StratumState, ...]
    ceilings: tuple[CeilingState, ...]
    passes: tuple[PassHat, ...]
    trigger: TriggerBlock | None


def _beside(record: GateRecord | None) -> _Beside:
    """What stands beside plan and verdict."""
    if record is None:
        return {}
    declared, reach = record.declared, record.reach
    return {
        "declared": shown(declared.sentence, _DECLARED) if declared else "",
        "sealed": declared.hash[:12] if declared else "",
        "stratum": shown(record.plan.stratum, _SHORT),
        "strata": tuple(
            replace(one, stratum=shown(one.stratum, _SHORT))
            for one in record.verdict.strata
        ),
        "ceilings": record.verdict.ceilings,
        "passes": record.passes.pooled,
        "trigger": None
        if reach is None
        else TriggerBlock(
            looked=len(reach.looked),
            firing=len(reach.firing),
            needed=len(reach.needed),
            met=len(reach.met),
        ),
    }


def forbidden(records: Sequence[GateRecord]) -> tuple[int, int]:
    """Forbidden actions over trials: in the current arm, in the candidate arm."""
    current, candidate = (
        sum(record.verdict.forbidden.get(arm, 0) for record in records) for arm in ARMS
    )
    return current, candidate


def _versions(proposal: Proposal, decision: Decision) -> str:
    if proposal.base is None:
        return "new"
    version = decision.version or proposal.base + 1
    return f"version {proposal.base} → {version}"


def _base(proposal: Proposal, bank: Bank) -> str:
    entry = bank.find(proposal.skill, proposal.base) if proposal.base else None
    return entry.skill.text if entry else ""


def _names(cases: Sequence[Case]) -> dict[str, str]:
    names = {}
    for case in cases:
        for number, context in enumerate(case.contexts, start=1):
            names[context] = str(number)
        for number, context in enumerate(case.spares, start=1):
            names[context] = f"spare {number}"
    return names


def _cases(
    cases: Sequence[Case],
    states: Sequence[CaseState],
    pairs: Sequence[Pair],
    briefs: Mapping[str, Brief],
) -> tuple[CaseBlock, ...]:
    names = _names(cases)
    stood = {state.case: state for state in states}
    return tuple(
        _case(
            case,
            stood.get(case.id, CaseState(case=case.id)),
            tuple(_row(pair, names) for pair in pairs if pair.case == case.id),
            briefs.get(case.brief),
        )
        for case in cases
    )


def _case(
    case: Case, state: CaseState, rows: tuple[VoteRow, ...], brief: Brief | None
) -> CaseBlock:
    return CaseBlock(
        brief=shown(case.brief, _SHORT),
        text=shown(brief.text, _BRIEF) if brief else "",
        origin=case.origin,
        card=shown(case.card, _SHORT),
        state=state.verdict,
        wins=state.wins,
        ties=state.ties,
        losses=state.losses,
        voids=state.voids,
        leaning=state.leaning,
        rows=rows,
    )


def _row(pair: Pair, names: Mapping[str, str]) -> VoteRow:
    votes = pair.votes
    return VoteRow(
        context=names.get(pair.context, "?"),
        id=shown(pair.context, _SHORT),
        first=votes.first or "not asked",
        second=votes.second or "not asked",
        outcome=pair.outcome,
        notes=tuple(_notes(pair)),
        current_score=pair.current_score,
        candidate_score=pair.candidate_score,
    )


def _notes(pair: Pair) -> list[str]:
    votes = pair.votes
    notes = []
    if votes.cause:
        notes.append(shown(f"void: {votes.cause}", _BRIEF))
    for arm in ARMS:
        if arm in votes.broken:
            attempt = pair.current if arm == "current" else pair.candidate
            why = attempt.reason if attempt else ""
            notes.append(shown(f"{arm} broken: {why or 'no output'}", _BRIEF))
        if votes.forbidden_in(arm):
            attempt = pair.current if arm == "current" else pair.candidate
            named = ", ".join(sorted(set(attempt.forbidden))) if attempt else ""
            count = votes.forbidden_in(arm)
            notes.append(shown(f"{arm}: {count} forbidden ({named})", _BRIEF))
    if votes.leaning:
        notes.append("one vote and one “same”")
    return notes
