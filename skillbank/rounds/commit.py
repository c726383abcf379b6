"""Steps 8 and 9: the candidate bank, what is undone of it, and what each came to."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import GoldenCase
from skillbank.evidence.event import Event
from skillbank.evidence.ledger import text_digest
from skillbank.gate.replay import Pair
from skillbank.proposals.proposal import Proposal
from skillbank.records import BankTest, Decision, Fate, Suspect
from skillbank.roundid import round_number
from skillbank.rounds.replay import GateRecord
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Change, Outcome
from skillbank.skills.lifecycle import RoundRecalls, suspend_unused
from skillbank.skills.screen import Screening


def changes(
    proposals: Sequence[Proposal],
    records: Sequence[GateRecord],
    pairs: Sequence[Pair],
    success_at: float,
) -> Mapping[str, Change]:
    """What the gate let in, by proposal id, with its promotion trials.

    Args:
        proposals: The round's proposals.
        records: The gate's records.
        pairs: The gate's pairs; the candidate arms are the promotion trials.
        success_at: Score from which a trial is passed, in [0, 1].
    """
    verdicts = {one.plan.proposal: one.verdict for one in records}
    accepted = {}
    for proposal in proposals:
        verdict = verdicts.get(proposal.id)
        if proposal.placebo or verdict is None or verdict.decision != "commit":
            continue
        scores = [
            pair.candidate_score
            for pair in pairs
            if pair.proposal == proposal.id and pair.candidate_score is not None
        ]
        accepted[proposal.id] = Change.of(
            proposal,
            trials=len(scores),
            passes=sum(score >= success_at for score in scores),
            reason=verdict.reason,
        )
    return accepted


def outcomes(events: Iterable[Event]) -> tuple[Outcome, ...]:
    """How this round's runs went for the card versions that they recalled."""
    return tuple(
        Outcome(
            skill=event.skill,
            version=event.version,
            trials=1,
            passes=int(event.kind == "use"),
        )
        for event in events
        if event.kind in ("use", "failure") and event.version is not None
    )


def recalls(events: Iterable[Event]) -> tuple[RoundRecalls, ...]:
    """Which cards were recalled in each round, oldest first."""
    names: dict[str, set[str]] = {}
    for event in events:
        if event.kind in ("use", "failure"):
            names.setdefault(event.round, set()).add(event.skill)
    return tuple(
        RoundRecalls(round=round, names=frozenset(names[round]))
        for round in sorted(names, key=round_number)
    )


def next_bank(
    bank: Bank,
    accepted: Mapping[str, Change],
    turned_down: Sequence[tuple[Proposal, str]],
    *,
    events: Sequence[Event],
    round: str,
    suspend_after: int | None,
) -> Bank:
    """The bank after a round: outcomes recorded, changes let in, the rest kept aside.

    Cards that nobody recalled for some rounds are suspended: by lifecycle, not by the
    gate.

    Args:
        bank: The bank that the round began with.
        accepted: What is let in, by proposal id.
        turned_down: What is not, with the reason: kept quarantined, never recalled.
        events: Of all rounds so far.
        round: The round's id.
        suspend_after: Rounds without a recall after which a card is suspended; None
            suspends none.
    """
    mine = (event for event in events if event.round == round)
    after = bank.record(outcomes(mine)).with_commits(list(accepted.values()), round)
    if suspend_after is not None:
        after = suspend_unused(after, recalls(events), suspend_after)
    for proposal, reason in turned_down:
        after = after.with_kept(proposal, "quarantined", reason)
    return after


def with_open(bank: Bank, undecided: Iterable[tuple[Proposal, str]]) -> Bank:
    """The bank with what the gate could not decide: it stays proposed, never recalled.

    Args:
        bank: The bank after the round.
        undecided: Proposals, each with the reason.
    """
    for proposal, reason in undecided:
        bank = bank.with_kept(proposal, "proposed", reason)
    return bank


def undone(
    suspects: Sequence[Suspect], test: BankTest | None, let_in: Collection[str]
) -> Mapping[str, str]:
    """What the benchmark takes out again, by proposal id, each with the reason.

    Args:
        suspects: Those that were replayed with and without.
        test: Of the bank as a whole.
        let_in: Ids of what the gate let in.
    """
    reasons = {
        one.proposal: f"replayed without: {one.losses} losses, {one.wins} wins"
        for one in suspects
        if one.dropped
    }
    if test is not None and test.held:
        for id in let_in:
            reasons.setdefault(id, _HELD)
    return reasons


_HELD = (
    "held back: the bank as a whole regressed on the benchmark, and no single "
    "change of the round could be shown to be the cause"
)


def decisions(
    proposals: Sequence[Proposal],
    screenings: Sequence[Screening],
    records: Sequence[GateRecord],
    after: Bank,
    undone: Mapping[str, str],
) -> tuple[Decision, ...]:
    """One fate for each proposal of the round, with its reason.

    A proposal that passed the screen and was never heard is undecided: without a
    behavioural gate nothing passes.

    Args:
        proposals: Of the round; placebos have no fate.
        screenings: One for each.
        records: Of the gate.
        after: The bank that the round ends with.
        undone: What the benchmark took out again (`undone`).
    """
    screened = {one.proposal: one for one in screenings}
    verdicts = {one.plan.proposal: one.verdict for one in records}
    made = []
    for proposal in proposals:
        if proposal.placebo:
            continue
        screening = screened[proposal.id]
        verdict = verdicts.get(proposal.id)
        fate: Fate = "undecided"
        reason = "passed the screen, not heard by the gate"
        if not screening.passed:
            fate, reason = "screened out", "; ".join(screening.reasons)
        elif proposal.id in undone:
            fate, reason = "dropped", undone[proposal.id]
        elif verdict is not None:
            fate, reason = _FATES[verdict.decision], verdict.reason
        entered = after.find(proposal.skill)
        made.append(
            Decision(
                proposal=proposal.id,
                round=proposal.round,
                axis=proposal.axis,
                kind=proposal.kind,
                skill=proposal.skill,
                base=proposal.base,
                fate=fate,
                reason=reason,
                security=screening.security,
                text_digest=text_digest(proposal.text),
                drops=proposal.drops,
                version=entered.version if fate == "committed" and entered else None,
            )
        )
    return tuple(made)


_FATES: Mapping[str, Fate] = {
    "commit": "committed",
    "refuse": "refused",
    "undecided": "undecided",
}


def new_golden(
    proposals: Sequence[Proposal],
    made: Sequence[Decision],
    briefs: Mapping[str, Brief],
) -> tuple[GoldenCase, ...]:
    """The cases of what was committed: they are replayed in later rounds."""
    committed = {one.proposal for one in made if one.fate == "committed"}
    return tuple(
        GoldenCase(
            brief=briefs[case.brief],
            skill=proposal.skill,
            subtask=case.subtask,
            round=proposal.round,
            proposal=proposal.id,
        )
        for proposal in proposals
        if proposal.id in committed
        for case in proposal.cases
    )
