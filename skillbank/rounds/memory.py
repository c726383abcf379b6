"""Rounds in memory, without tables: what benchmarks and simulations drive.

The same step functions as the tasks call, in the same order; only where values are kept
differs. The gate is an argument, so that another rule can be put in its place.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from skillbank.agents.jobs import Checked, Job, do
from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import ReplaySet
from skillbank.evidence.attribute import Graded, attribute, evidence, unlabelled
from skillbank.evidence.event import decided
from skillbank.evidence.ledger import Ledger
from skillbank.models.journal import Journal, NoJournal
from skillbank.params import Params
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.propose import Known, propose
from skillbank.records import (
    BankTest,
    BriefSet,
    Decision,
    MadeAttempt,
    Measured,
    SidedRun,
    SidedVariant,
    Suspect,
)
from skillbank.rounds.attempt import (
    grade_of,
    grade_run,
    graded_attempt,
    graded_run,
    variant_jobs,
)
from skillbank.rounds.benchmark import Arms, attempted, fixed_jobs
from skillbank.rounds.commit import (
    changes,
    decisions,
    new_golden,
    next_bank,
    undone,
)
from skillbank.rounds.controls import Controlled, controlled
from skillbank.rounds.docket import Docket
from skillbank.rounds.hearing import Hearing
from skillbank.rounds.needs import with_needs
from skillbank.rounds.replay import Heard, hear
from skillbank.rounds.screening import screened
from skillbank.rounds.seeds import round_seed
from skillbank.rounds.summon import Files
from skillbank.rounds.undo import Bench, measure_again, put_to_test, try_suspects
from skillbank.rounds.vary import vary
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Change
from skillbank.skills.recall import BankShelf
from skillbank.skills.screen import Screening
from skillbank.skills.shelf import Card, Shelf
from skillbank.world import World

Gate = Callable[[Docket, World, Journal], Heard]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a round leaves to the next."""

    bank: Bank
    number: int = 0
    """Rounds done."""
    ledger: Ledger = field(default_factory=Ledger)
    graded: tuple[Graded, ...] = ()
    variants: tuple[SidedVariant, ...] = ()
    golden: ReplaySet = field(default_factory=ReplaySet)
    briefs: tuple[Brief, ...] = ()
    """Every brief that a case may name."""
    undecided: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A round in memory: what it decided and what was measured on the way."""

    state: State
    proposals: tuple[Proposal, ...]
    heard: tuple[Heard, ...]
    suspects: tuple[Suspect, ...]
    test: BankTest | None
    """Of the bank as a whole; None: nothing was let in, or harm is not undone."""
    decisions: tuple[Decision, ...]
    dockets: tuple[Docket, ...]
    """Of the proposals that were heard; placebos have none here."""
    controlled: Controlled
    """The same trials with the round's controls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """A world, its parameters and its gate: runs rounds one after another."""

    world: World
    params: Params
    benchmark: tuple[Brief, ...]
    traffic: Callable[[int, Shelf, int], Sequence[SidedRun]]
    """Round number, shelf and seed to the round's runs."""
    gate: Gate = hear
    journal: Journal = field(default_factory=NoJournal)

    def round(self, state: State) -> Done:
        """One round."""
        number = state.number + 1
        round_id = f"r{number:04d}"
        shelf = self._shelf(state.bank)
        runs = with_needs(
            self.traffic(number, shelf[0], self._seed(round_id, "play")),
            self.world,
            shelf[0],
            {entry.name: entry.version for entry in state.bank.verified()},
        )
        variants = vary(
            runs,
            self.world.variants,
            self.params.vary,
            self._seed(round_id, "vary"),
            [brief.text for brief in self.benchmark],
        )
        graded = self._graded(runs, variants, shelf, round_id)
        ledger = self._attributed(state.ledger, graded, round_id)
        state = replace(
            state,
            number=number,
            ledger=ledger,
            graded=(*state.graded, *graded),
            variants=(*state.variants, *variants),
            briefs=(
                *state.briefs,
                *(row.run.brief for row in runs),
                *(row.brief for row in variants),
            ),
        )
        return self._decide(state, round_id)

    def _seed(self, round_id: str, step: str) -> int:
        return round_seed(self.params.evolve.seed, round_id, step)

    def _shelf(self, bank: Bank) -> tuple[Shelf, str]:
        cards = bank.cards(self.params.recall.prior_trials)
        return BankShelf(cards, self.params.recall), bank.digest

    def _do(self, jobs: Sequence[Job]) -> list[Checked]:
        return [do(job, self.world, self.journal) for job in jobs]

    def _graded(
        self,
        runs: Sequence[SidedRun],
        variants: Sequence[SidedVariant],
        shelf: tuple[Shelf, str],
        round_id: str,
    ) -> tuple[Graded, ...]:
        found = [
            graded_run(row, grade_run(row.run, self.world), round_id) for row in runs
        ]
        jobs = variant_jobs(
            variants,
            self.world,
            shelf,
            self.params.attempt,
            self._seed(round_id, "attempt"),
        )
        by_id = {row.brief.id: row for row in variants}
        for job, made in zip(jobs, self._do(jobs), strict=True):
            grade = grade_of(made, made.attempt.id, self.world.revision)
            row = MadeAttempt(attempt=made.attempt, exploring=job.exploring)
            found.append(graded_attempt(row, by_id[job.brief.id], grade, round_id))
        return tuple(found)

    def _attributed(
        self, ledger: Ledger, graded: Sequence[Graded], round_id: str
    ) -> Ledger:
        section = self.params.attribute
        labels = ledger.labels.file(
            unlabelled(graded),
            self.world.labeller,
            same_label=section.same_label,
            round=round_id,
        )
        events = attribute(graded, labels, section.fail_below)
        return ledger.with_labels(labels).add(events)

    def _decide(self, state: State, round_id: str) -> Done:
        bank, cards = state.bank, state.bank.cards(self.params.recall.prior_trials)
        known = Known(
            ledger=state.ledger,
            cards=cards,
            taken=bank.taken(),
            evidence=evidence(state.graded),
            golden=state.golden,
            variants=tuple(row.brief for row in state.variants if row.side == "teach"),
            pending=state.undecided,
            plan=self.world.plan,
        )
        proposals = propose(
            known,
            self.world.writer,
            self.params,
            round=round_id,
            seed=self._seed(round_id, "propose"),
        ).proposals
        screenings = tuple(
            screened(one, bank, self.world, self.params) for one in proposals
        )
        passed = [
            proposal
            for proposal, screening in zip(proposals, screenings, strict=True)
            if screening.passed
        ]
        made, found = self._heard(passed, _files(state, cards), bank, round_id)
        return self._closed(state, round_id, (proposals, screenings, found, made))

    def _heard(
        self, passed: Sequence[Proposal], files: Files, bank: Bank, round_id: str
    ) -> tuple[tuple[Docket, ...], Controlled]:
        """Every trial of the round, placebos among them, and then its controls."""
        world, journal = self.world, self.journal
        hearing = Hearing(
            world=world,
            params=self.params,
            seed=lambda step: self._seed(round_id, step),
            hear=lambda some: [self.gate(one, world, journal) for one in some],
            control=lambda work: [
                pair
                for docket, places in work
                for pair in controlled(docket, places, world, journal)
            ],
        )
        return hearing.of(passed, files, bank)

    def _closed(
        self,
        state: State,
        round_id: str,
        made: tuple[
            tuple[Proposal, ...],
            tuple[Screening, ...],
            Controlled,
            tuple[Docket, ...],
        ],
    ) -> Done:
        proposals, screenings, found, tried_on = made
        heard = found.heard
        records = [one.record for one in heard]
        pairs = [pair for one in heard for pair in one.pairs]
        let_in = changes(proposals, records, pairs, self.params.benchmark.success)

        def bank_with(ids: Sequence[str]) -> Bank:
            kept = {id: let_in[id] for id in ids}
            return next_bank(
                state.bank,
                kept,
                (),
                events=state.ledger.events,
                round=round_id,
                suspend_after=self.params.lifecycle.suspend_after,
            )

        tried, test = self._undo(state, let_in, bank_with, round_id)
        gone = {one.proposal for one in tried if one.dropped}
        held = test is not None and test.held
        after = bank_with([id for id in let_in if not held and id not in gone])
        fates = decisions(
            proposals, screenings, records, after, undone(tried, test, let_in)
        )
        by_id = {one.id: one for one in proposals}
        briefs = {brief.id: brief for brief in state.briefs}
        ledger = state.ledger.add(
            decided(by_id[one.proposal], one.fate, one.text_digest) for one in fates
        )
        left = {one.proposal for one in fates if one.fate == "undecided"}
        fresh = new_golden(proposals, fates, briefs)
        return Done(
            state=replace(
                state,
                bank=replace(after, number=state.number + 1),
                ledger=ledger,
                golden=state.golden.add(fresh),
                undecided=tuple(one for one in proposals if one.id in left),
            ),
            proposals=proposals,
            heard=heard,
            suspects=tried,
            test=test,
            decisions=fates,
            dockets=tried_on,
            controlled=found,
        )

    def _undo(
        self,
        state: State,
        let_in: Mapping[str, Change],
        bank_with: Callable[[Sequence[str]], Bank],
        round_id: str,
    ) -> tuple[tuple[Suspect, ...], BankTest | None]:
        """The suspects, replayed with and without, and the test of what is left."""
        section = self.params.benchmark
        if not section.undo or not let_in:
            return (), None
        sample = state.golden.sample(round_id, section.golden, self.params.evolve.seed)
        cases = tuple({case.brief.id: case.brief for case in sample}.values())

        def without(some: Collection[str]) -> Bank:
            return bank_with([id for id in let_in if id not in some])

        bench = Bench(
            world=self.world,
            params=section,
            briefs={brief.id: brief for brief in (*self.benchmark, *cases)},
            without=without,
            shelf=self._shelf,
            do=self._do,
        )
        arms: Arms = {
            "candidate": self._shelf(without(())),
            "previous": self._shelf(state.bank),
        }
        where = self._seed(round_id, "benchmark")
        rows = [
            *self.measure(self.benchmark, arms, "benchmark", where),
            *self.measure(cases, arms, "golden", where),
        ]
        tried = try_suspects(rows, let_in, bench, self._seed(round_id, "suspects"))
        where = self._seed(round_id, "bank test")
        again: tuple[Measured, ...] = ()
        gone = [one.proposal for one in tried if one.dropped]
        if gone:
            left = without(gone)
            again = measure_again(self.benchmark, left, state.bank, bench, where)
        n_left = len(let_in) - len(gone)
        return tried, put_to_test(rows, again, n_left, section, where)

    def measure(
        self, briefs: Sequence[Brief], arms: Arms, set: BriefSet, seed: int
    ) -> tuple[Measured, ...]:
        """Fixed briefs under several banks."""
        jobs = fixed_jobs(briefs, arms, self.world, set, seed)
        return attempted(set, jobs, self._do, self.params.benchmark.success)


def _files(state: State, cards: tuple[Card, ...]) -> Files:
    return Files(
        briefs={brief.id: brief for brief in state.briefs},
        sides={
            **{one.brief.id: one.side for one in state.graded},
            **{row.brief.id: row.side for row in state.variants},
        },
        golden={case.brief.id for case in state.golden.cases},
        ledger=state.ledger,
        cards=cards,
        bank=state.bank.digest,
    )
