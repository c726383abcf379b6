"""What a round remembers of the rounds before it: evidence, ledger, golden cases."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from skillbank.briefs.benchmark import read_benchmark
from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import ReplaySet
from skillbank.evidence.attribute import Graded, evidence
from skillbank.evidence.draw import drawn
from skillbank.evidence.event import Event, decided
from skillbank.evidence.labels import Labels
from skillbank.evidence.ledger import Ledger
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.writer import Evidence
from skillbank.records import Decision, Side, SidedRun
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
    Table,
)
from tasks.setting import Setting
from tasks.tables import columns_of, each_of, table_path

T = TypeVar("T")


@dataclass(frozen=True)
class GradedRows:
    """The graded runs and attempts of a round; read anew whenever they are gone over.

    Steps and outputs of a week's runs do not fit into memory at once.
    """

    folder: Path
    round: str
    only: frozenset[str] | None = None
    """Ids of the runs that are wanted; attempts are read all. None: every run."""

    def __iter__(self) -> Iterator[Graded]:
        """Runs by id, then attempts by id."""
        grades = {grade.id: grade for grade in self._each(GRADES, "id", self._graded())}
        for row in self._each(RUNS, "run", self.only):
            yield graded_run(row, grades[row.run.run_id], self.round)
        variants = {row.brief.id: row for row in self._each(VARIANTS)}
        for made in self._each(ATTEMPTS):
            variant = variants[made.attempt.brief]
            yield graded_attempt(made, variant, grades[made.attempt.id], self.round)

    def _graded(self) -> frozenset[str] | None:
        if self.only is None:
            return None
        attempts = columns_of(table_path(self.folder, ATTEMPTS), ATTEMPTS, "attempt")
        return self.only | {id for (id,) in attempts}

    def _each(
        self, table: Table[T], column: str = "", only: frozenset[str] | None = None
    ) -> Iterator[T]:
        wanted = None if only is None else (column, only)
        return each_of(table_path(self.folder, table), table, wanted)


def graded(setting: Setting) -> GradedRows:
    """The graded runs and attempts of this round."""
    return GradedRows(setting.round_dir, setting.opening.round)


def pool(
    setting: Setting, seen: Ledger, shown: Iterable[str] = ()
) -> tuple[Evidence, ...]:
    """What writers may see of all rounds up to this one: all attempts, drawn runs.

    Args:
        setting: The round.
        seen: The ledger up to this round.
        shown: Ids of what an open proposal was written from: it stays evidence.
    """
    workspace = setting.workspace
    rounds = (*workspace.before(setting.opening.round), setting.opening.round)
    folders = {id: workspace.round_dir(id) for id in rounds}
    teach = {
        run
        for folder in folders.values()
        for run, side in columns_of(table_path(folder, RUNS), RUNS, "run", "side")
        if side == "teach"
    }
    wanted = drawn(seen, teach, setting.params.propose.evidence).union(shown)
    return evidence(
        row for id, folder in folders.items() for row in GradedRows(folder, id, wanted)
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    brief: Brief


@dataclass(frozen=True, slots=True, kw_only=True)
class _AskedRun:
    """What is read of a run where only its brief is wanted."""

    run: _Asked
    side: Side


_ASKED: Table[_AskedRun] = Table(
    name=RUNS.name, kind=_AskedRun, model=RUNS.model, key=RUNS.key
)


def briefs_known(
    setting: Setting, only: Collection[str] | None = None
) -> tuple[dict[str, Brief], dict[str, Side]]:
    """Briefs that a case may name, of all rounds and golden; and the sides of traffic.

    Args:
        setting: The round.
        only: Ids of the briefs that are wanted; all by default.
    """
    wanted = None if only is None else ("brief", only)
    briefs = {case.brief.id: case.brief for case in setting.earlier(GOLDEN)}
    sides: dict[str, Side] = {}
    for path in (*setting.earlier_paths(RUNS), setting.path(RUNS)):
        for row in each_of(path, _ASKED, wanted):
            briefs[row.run.brief.id] = row.run.brief
            sides[row.run.brief.id] = row.side
    for path in (*setting.earlier_paths(VARIANTS), setting.path(VARIANTS)):
        for variant in each_of(path, VARIANTS, wanted):
            briefs[variant.brief.id] = variant.brief
            sides[variant.brief.id] = variant.side
    return briefs, sides


def asked(setting: Setting, round_id: str = "") -> tuple[SidedRun, ...]:
    """The runs of a round, this one by default, without what was done and answered."""
    folder = setting.workspace.round_dir(round_id or setting.opening.round)
    return tuple(
        replace(row, run=replace(row.run, steps=(), output=""))
        for row in each_of(table_path(folder, RUNS), RUNS)
    )


def fixed_texts(setting: Setting) -> tuple[str, ...]:
    """Benchmark and sealed briefs in words: nothing that says the same may teach."""
    return tuple(
        brief.text for path in setting.workspace.fixed for brief in read_benchmark(path)
    )


def golden(setting: Setting) -> ReplaySet:
    """The replay set as the rounds before left it."""
    cases = setting.earlier(GOLDEN)
    return ReplaySet(cases=cases)
