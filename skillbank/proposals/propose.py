"""One round's proposals, from everything that is known: pure but for the writer.

In this order: what was undecided is asked again, then the failing cards worst first,
then the labels, most often seen first. A card has at most one open proposal, and none
if a merge would drop it. What does not become a proposal is told with its reason.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import ReplaySet
from skillbank.briefs.strata import within
from skillbank.codec import seed_of
from skillbank.errors import WorldError
from skillbank.evidence.ledger import Due, Ledger, Queued, text_digest
from skillbank.params import Params
from skillbank.proposals.cases import Planner
from skillbank.proposals.deepen import Contrast, contrast, neighbours, revision
from skillbank.proposals.draft import mint_name, mint_problem, revision_problem
from skillbank.proposals.finder import Finder
from skillbank.proposals.pool import Pool
from skillbank.proposals.proposal import Axis, Proposal
from skillbank.proposals.widen import absorber, gather
from skillbank.proposals.writer import Evidence, SkillWriter
from skillbank.skills.shelf import Card, Subtask

ASKED_LIMIT = 3  # then its card is free for another draft
TURNED_DOWN = "the same text was turned down before, and nothing new speaks for it"


def _no_plan(brief: Brief) -> tuple[Subtask, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything that proposals are made from."""

    ledger: Ledger
    cards: tuple[Card, ...]
    """The bank's verified cards."""
    taken: frozenset[str] = frozenset()
    """Names in the bank at any status, besides the cards' own."""
    evidence: tuple[Evidence, ...] = ()
    """Teach side, all rounds (`skillbank.evidence.attribute.evidence`)."""
    golden: ReplaySet = field(default_factory=ReplaySet)
    variants: tuple[Brief, ...] = ()
    """Teach side, all rounds: they fill up cases."""
    pending: tuple[Proposal, ...] = ()
    """What the last round left undecided."""
    plan: Planner = _no_plan
    """The world's plan of a brief; without one no variant fills up cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """What did not become a proposal, and why."""

    axis: Axis
    subject: str
    """Name of the card, or the label."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A round's proposals in queue order, and what was skipped on the way."""

    proposals: tuple[Proposal, ...]
    skipped: tuple[Skipped, ...]


def propose(
    known: Known, writer: SkillWriter, params: Params, *, round: str, seed: int
) -> Proposed:
    """Make a round's proposals.

    Args:
        known: Ledger, bank, evidence and golden cases.
        writer: Who writes the drafts; `study` is called once, before any draft, and is
            never given what is set aside from the clusters that are due.
        params: Sections propose, attribute and gate are read.
        round: The round's id.
        seed: Seed of the drafts and of the choice of golden cases.
    """
    desk = _Desk(known, writer, params, round, seed)
    desk.study()
    for proposal in known.pending:
        desk.ask_again(proposal)
    for queued in desk.queue:
        desk.deepen(queued)
    for due in desk.due:
        desk.widen(due)
    return Proposed(proposals=tuple(desk.proposals), skipped=tuple(desk.skipped))


def _replayable(known: Known) -> Iterator[Evidence]:
    """The evidence whose brief the world can set up: no other can be a case."""
    for one in known.evidence:
        try:
            known.plan(one.brief)
        except WorldError:
            continue
        yield one


def _narrow(stratum: str, shown: Contrast) -> str:
    """The stratum that a writer names, if it has failures and leaves something out."""
    failed = [within(one.brief, stratum) for one in shown.failures]
    inside = [*failed, *(within(one.brief, stratum) for one in shown.successes)]
    return stratum if any(failed) and not all(inside) else ""


class _Desk:
    """The work of one round: what was proposed so far, and what is busy."""

    def __init__(
        self, known: Known, writer: SkillWriter, params: Params, round: str, seed: int
    ) -> None:
        self.proposals: list[Proposal] = []
        self.skipped: list[Skipped] = []
        self._known = known
        self._writer = writer
        self._params = params.propose
        self._n_cases = params.gate.cases
        self._round = round
        self._seed = seed_of(seed, round, "propose")
        self._cards = {card.name: card for card in known.cards}
        self._taken = known.taken | frozenset(self._cards)
        self._pool = Pool(_replayable(known), params.attribute.fail_below)
        self._finder = Finder(
            known.ledger,
            self._pool,
            known.golden,
            known.variants,
            known.plan,
            self._seed,
        )
        versions = {card.name: card.version for card in known.cards}
        self.queue = known.ledger.queue(versions, self._params)
        self.due = known.ledger.due_labels(self._params)
        self._absorbers = {
            due.label: absorber(due, known.cards, known.ledger, self._params.absorb)
            for due in self.due
        }
        self._gathered = {
            due.label: gather(
                due, self._pool, self._taken, set_aside=self._params.set_aside
            )
            for due in self.due
            if self._absorbers[due.label] is None
        }

    def study(self) -> None:
        """Show the writer all evidence but what is set aside."""
        hidden = {one.id for some in self._gathered.values() for one in some.set_aside}
        self._writer.study(
            tuple(one for one in self._pool.all() if one.id not in hidden)
        )

    def ask_again(self, old: Proposal) -> None:
        """Propose an undecided change once more, with cases of today."""
        if old.placebo:
            return
        asked = self._known.ledger.asked(
            text_digest(old.text), skill=old.skill, base=old.base
        )
        if asked >= ASKED_LIMIT:
            self._skip(old.axis, old.label or old.skill, f"undecided {asked} times")
            return
        if old.base is None:
            label = self._known.ledger.labels.canonical(old.label)
            gathered = self._gathered.get(label)
            if gathered is None or old.skill in self._taken:
                self._skip(old.axis, old.label, "a card serves its label by now")
                return
            cases = self._finder.mint(old.skill, gathered, self._n_cases)
            old = replace(old, label=label)
        else:
            card = self._cards.get(old.skill)
            drops = [self._cards[name] for name in old.drops if name in self._cards]
            if card is None or card.version != old.base or len(drops) < len(old.drops):
                self._skip(old.axis, old.skill, "a card that it changes has changed")
                return
            cases = self._finder.rewrite(
                (card, *drops),
                self._n_cases,
                shown=self._pool.known(old.evidence),
                label=old.label,
            )
        self._add(replace(old, round=self._round, cases=cases))

    def deepen(self, queued: Queued) -> None:
        """Have a failing card revised."""
        card = self._cards[queued.skill]
        refused = self._known.ledger.refused(card.name, card.version)
        overhaul = refused >= self._params.overhaul_after
        self._revise(card, self._finder.failures(card), overhaul=overhaul, label="")

    def widen(self, due: Due) -> None:
        """Have a label absorbed by a card, or a card minted for it."""
        card = self._absorbers[due.label]
        if card is None:
            self._mint(due)
            return
        # a card that was not recalled needs another trigger: no edit may change it
        self._revise(
            card, self._finder.sighted(due.label), overhaul=True, label=due.label
        )

    def _mint(self, due: Due) -> None:
        gathered = self._gathered[due.label]
        names = self._taken | {proposal.skill for proposal in self.proposals}
        cluster = replace(gathered.cluster, taken=names)
        if any(proposal.label == due.label for proposal in self.proposals):
            self._skip("widening", due.label, "it has a proposal this round")
            return
        if self._full("widening", due.label):
            return
        if not cluster.members:
            self._skip("widening", due.label, "its evidence is no longer held")
            return
        draft = self._writer.mint(cluster, seed_of(self._seed, "mint", due.label))
        problem = mint_problem(draft, cluster)
        if draft is None or problem:
            self._skip("widening", due.label, problem)
            return
        name = mint_name(draft, cluster)
        self._add(
            Proposal(
                round=self._round,
                axis="widening",
                kind="mint",
                skill=name,
                base=None,
                text=draft.text,
                label=due.label,
                note=draft.note,
                cases=self._finder.mint(name, gathered, self._n_cases),
                evidence=tuple(one.id for one in cluster.members),
            )
        )

    def _revise(
        self, card: Card, failures: Sequence[Evidence], *, overhaul: bool, label: str
    ) -> None:
        subject = label or card.name
        busy = self._busy()
        if card.name in busy:
            self._skip("deepening", subject, busy[card.name])
            return
        if self._full("deepening", subject):
            return
        if not failures:
            self._skip("deepening", subject, "its evidence is no longer held")
            return
        shown = contrast(card, failures, self._pool, self._params)
        free = [one for one in self._known.cards if one.name not in busy]
        asked = revision(
            card,
            shown,
            neighbours(card, free, self._params.merge),
            overhaul=overhaul,
            params=self._params,
        )
        draft = self._writer.revise(
            asked, seed_of(self._seed, "revise", card.ref, label)
        )
        problem = revision_problem(draft, asked)
        if draft is None or problem:
            self._skip("deepening", subject, problem)
            return
        self._add(
            Proposal(
                round=self._round,
                axis="deepening",
                kind=draft.kind,
                skill=card.name,
                base=card.version,
                text=draft.text,
                drops=draft.drops,
                label=label,
                stratum=_narrow(draft.stratum, shown),
                note=draft.note,
                cases=self._finder.rewrite(
                    (card, *(self._cards[name] for name in draft.drops)),
                    self._n_cases,
                    shown=(*shown.failures, *shown.successes),
                    label=label,
                ),
                evidence=tuple(one.id for one in (*asked.failures, *asked.successes)),
            )
        )

    def _add(self, proposal: Proposal) -> None:
        subject = proposal.label or proposal.skill
        busy = self._busy()
        concerned = [name for name in (proposal.skill, *proposal.drops) if name in busy]
        if concerned:
            self._skip(proposal.axis, subject, busy[concerned[0]])
            return
        if self._full(proposal.axis, subject):
            return
        if self._known.ledger.seen_text(
            text_digest(proposal.text),
            skill=proposal.skill,
            base=proposal.base,
            label=proposal.label,
        ):
            self._skip(proposal.axis, subject, TURNED_DOWN)
            return
        self.proposals.append(proposal)

    def _busy(self) -> dict[str, str]:
        """Cards that this round proposes for or would drop, with the reason to skip."""
        busy = {}
        for proposal in self.proposals:
            busy[proposal.skill] = f"{proposal.skill} has a proposal this round"
            for name in proposal.drops:
                busy[name] = f"a merge into {proposal.skill} would drop {name}"
        return busy

    def _full(self, axis: Axis, subject: str) -> bool:
        full = len(self.proposals) >= self._params.max_per_round
        if full:
            bound = f"{self._params.max_per_round} proposals a round (max_per_round)"
            self._skip(axis, subject, f"beyond the bound of {bound}")
        return full

    def _skip(self, axis: Axis, subject: str, reason: str) -> None:
        self.skipped.append(Skipped(axis=axis, subject=subject, reason=reason))
