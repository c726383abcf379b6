"""What a round remembers of the rounds before it: evidence, ledger, golden cases."""

from collections.abc import Iterable

from skillbank.briefs.benchmark import read_benchmark
from skillbank.briefs.replay_set import ReplaySet
from skillbank.evidence.attribute import Graded, evidence
from skillbank.evidence.event import Event, decided
from skillbank.evidence.labels import Labels
from skillbank.evidence.ledger import Ledger
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.writer import Evidence
from skillbank.records import Decision
from skillbank.rounds.attempt import graded_attempt, graded_run
from skillbank.tables import (
    ATTEMPTS,
    DECISIONS,
    EVENTS,
    FILINGS,
    GOLDEN,
    GRADES,
    MERGES,
    PROPOSALS,
    RUNS,
    VARIANTS,
)
from tasks.setting import Setting
from tasks.tables import read_table, table_path


def graded(setting: Setting, round_id: str | None = None) -> tuple[Graded, ...]:
    """The graded runs and attempts of a round, this one by default."""
    round_id = round_id or setting.opening.round
    folder = setting.workspace.round_dir(round_id)
    grades = {
        grade.id: grade for grade in read_table(table_path(folder, GRADES), GRADES)
    }
    variants = {
        row.brief.id: row for row in read_table(table_path(folder, VARIANTS), VARIANTS)
    }
    runs = read_table(table_path(folder, RUNS), RUNS)
    attempts = read_table(table_path(folder, ATTEMPTS), ATTEMPTS)
    return (
        *(graded_run(row, grades[row.run.run_id], round_id) for row in runs),
        *(
            graded_attempt(
                row, variants[row.attempt.brief], grades[row.attempt.id], round_id
            )
            for row in attempts
        ),
    )


def all_graded(setting: Setting) -> tuple[Graded, ...]:
    """The graded runs and attempts of all rounds up to this one."""
    rounds = (*setting.workspace.before(setting.opening.round), None)
    return tuple(row for round_id in rounds for row in graded(setting, round_id))


def pool(setting: Setting) -> tuple[Evidence, ...]:
    """What writers may see of all rounds up to this one."""
    return evidence(all_graded(setting))


def earlier_labels(setting: Setting) -> Labels:
    """The labels as the rounds before left them."""
    return Labels(filings=setting.earlier(FILINGS), merges=setting.earlier(MERGES))


def ledger(setting: Setting) -> Ledger:
    """Every event up to this round's attribution."""
    labels = earlier_labels(setting)
    now = Labels(
        filings=(*labels.filings, *setting.read(FILINGS)),
        merges=(*labels.merges, *setting.read(MERGES)),
    )
    events = (*setting.earlier(EVENTS), *setting.read(EVENTS), *_fates(setting))
    return Ledger(events=events, labels=now)


def _fates(setting: Setting) -> Iterable[Event]:
    proposals: dict[str, Proposal] = {
        proposal.id: proposal for proposal in setting.earlier(PROPOSALS)
    }
    decisions: tuple[Decision, ...] = setting.earlier(DECISIONS)
    for decision in decisions:
        proposal = proposals[decision.proposal]
        yield decided(proposal, decision.fate, decision.text_digest)


def fixed_texts(setting: Setting) -> tuple[str, ...]:
    """Benchmark and sealed briefs in words: nothing that says the same may teach."""
    return tuple(
        brief.text for path in setting.workspace.fixed for brief in read_benchmark(path)
    )


def golden(setting: Setting) -> ReplaySet:
    """The replay set as the rounds before left it."""
    cases = setting.earlier(GOLDEN)
    return ReplaySet(cases=cases)
