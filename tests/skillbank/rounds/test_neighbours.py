"""The neighbour guard in a round: what a changed trigger reaches that was not meant."""

from collections.abc import Iterator
from dataclasses import replace

from skillbank.agents.agent import Agent, Attempt, Context
from skillbank.briefs.brief import Brief
from skillbank.judging.judge import Preference
from skillbank.models.journal import NoJournal
from skillbank.rounds.arms import bank_with, beside
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import Heard, hear
from skillbank.rounds.staging import stage
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Shelf
from skillbank.skills.skill import Skill
from studio.world import Studio
from tests.skillbank.rounds.played import rounds, world

MANY = (3, 40)


def heard() -> Iterator[tuple[Docket, Heard]]:
    for done in rounds(*MANY, mode="auto"):
        yield from zip(done.dockets, done.heard, strict=True)


def guarded() -> list[tuple[Docket, Heard]]:
    """Certified proposals with neighbours."""
    return [(d, h) for d, h in heard() if h.record.plan.neighbours]


def recalls(shelf: Shelf, docket: Docket, brief: str, name: str) -> bool:
    found = docket.briefs[brief]
    return any(
        card.name == name
        for part in world().plan(found)
        for card in shelf.recall(part, found.facts).cards
    )


def test_only_a_mint_a_changed_description_or_a_narrow_change_has_neighbours():
    changed = {True: 0, False: 0}
    for docket, _ in heard():
        old = next((c for c in docket.cards if c.name == docket.proposal.skill), None)
        new = Skill.parse(docket.proposal.text).description
        same = old is not None and old.skill.description == new
        changed[same] += bool(docket.neighbours) and not docket.stratum
        assert (docket.reach is None) == same

    assert changed[False] > 0
    assert changed[True] == 0


def test_the_card_fires_on_its_neighbours_and_was_not_meant_for_them():
    assert guarded()
    for docket, _ in guarded():
        name = docket.proposal.skill
        now = BankShelf(docket.cards, docket.params.recall)
        then = bank_with(docket.proposal, docket.cards, docket.params.recall)
        meant = {
            docket.briefs[case.brief].root
            for case in (*docket.proposal.cases, *docket.held_out)
        }
        assert 0 < len(docket.neighbours) <= 8
        for brief in docket.neighbours:
            assert recalls(then, docket, brief, name)
            assert not recalls(now, docket, brief, name)
            assert docket.briefs[brief].root not in meant


def test_neighbours_are_cases_with_the_whole_bank_in_both_arms():
    for docket, found in guarded():
        plan = found.record.plan
        now = BankShelf(docket.cards, docket.params.recall)
        staged = stage(docket, world(), now)
        mine = [case for case in plan.cases if plan.role(case) == "neighbour"]
        assert [case.brief for case in mine] == list(docket.neighbours)
        for case in mine:
            arms, brief = staged.arms[case.id], docket.briefs[case.brief]
            assert arms.current is now
            assert isinstance(arms.candidate, BankShelf)
            assert {c.name for c in arms.candidate.cards} == {
                *(c.name for c in docket.cards if c.name not in docket.proposal.drops),
                docket.proposal.skill,
            }
            parts = [part.name for part in world().plan(brief)]
            assert arms.before in parts


def test_the_guard_is_asked_last_and_its_evidence_stands_in_the_verdict():
    asked = 0
    for _, found in guarded():
        verdict, names = found.record.verdict, found.record.plan.neighbours
        order = [pair.case in names for pair in found.pairs]
        assert order == sorted(order)
        assert verdict.evidence is not None
        assert verdict.evidence.harm is not None
        asked += any(order)

    assert asked


class Marking:
    """The studio's agent; remembers which outputs were made with the new card."""

    def __init__(self, docket: Docket, agent: Agent) -> None:
        self._docket, self._agent = docket, agent
        self.candidates: set[str] = set()

    def attempt(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        made = self._agent.attempt(brief, context, skills, seed)
        if any(recall.skill == self._docket.proposal.skill for recall in made.recalls):
            self.candidates.add(made.output)
        return made


class Partial:
    """Likes the new card where it is meant to act, and whatever else beside it."""

    revision = "partial"

    def __init__(self, agent: Marking, beside: frozenset[str]) -> None:
        self._agent, self._beside = agent, beside

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        new = [output in self._agent.candidates for output in (first, second)]
        if new[0] == new[1]:
            return "same"
        return "first" if new[0] != (brief.id in self._beside) else "second"


def under(docket: Docket, beside: frozenset[str]) -> Heard:
    place = Studio(docket.params)
    agent = Marking(docket, place.agent)
    place.agent, place.judge = agent, Partial(agent, beside)
    return hear(docket, place, NoJournal())


def test_a_mint_that_gains_on_its_own_and_harms_its_neighbours_is_refused_for_that():
    docket = next(d for d, _ in guarded() if d.proposal.kind == "mint")

    harmful = under(docket, frozenset(docket.neighbours)).record.verdict
    benign = under(docket, frozenset()).record.verdict

    assert harmful.code == "refuse:neighbours"
    assert benign.decision == "commit"


def test_banks_that_recall_the_same_have_no_arms():
    docket, _ = next(heard())
    shelf = BankShelf(docket.cards, docket.params.recall)
    brief = next(iter(docket.briefs.values()))

    assert beside(world().plan(brief), brief, shelf, shelf) is None


def test_a_published_plan_has_no_neighbours():
    for _, found in heard():
        if found.record.plan.mode == "published":
            assert not found.record.plan.neighbours
    docket = replace(guarded()[0][0], held_out=())
    plan = hear(docket, world(), NoJournal()).record.plan
    assert (plan.mode, plan.neighbours) == ("published", ())
