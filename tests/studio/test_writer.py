"""Claims about the offline writer: it learns from contrasts and from nothing else."""

from collections.abc import Iterator

import pytest

from skillbank.briefs.brief import score
from skillbank.codec import seed_of
from skillbank.params import Params
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.writer import Cluster, Evidence, Revision
from skillbank.skills.bank import Bank
from skillbank.skills.calls import parse_call
from skillbank.skills.screen import screen
from skillbank.skills.shelf import Card, Shelf
from skillbank.skills.skill import Skill
from studio.mining import Feature, Mine
from studio.writer import ContrastWriter
from tests.studio.playing import (
    HAND,
    NOTHING,
    SEED,
    brief,
    cards,
    context,
    shelf,
    studio,
)


def evidence(
    n: int, skills: Shelf = NOTHING, explore: bool = False
) -> Iterator[Evidence]:
    """Attempts on fresh briefs, checked."""
    act = studio().explore if explore else studio().agent.attempt
    for number in range(n):
        one = brief(number, 8)
        made = act(one, context(one), skills, seed_of("evidence", number, explore))
        if made.ending != "ok":
            continue
        checks = studio().verify(one, made.output)
        yield Evidence(
            id=f"e{number}-{explore}",
            brief=one,
            steps=made.steps,
            checks=checks,
            score=score(one, checks),
            recalls=made.recalls,
            exploring=explore,
        )


@pytest.fixture(scope="module")
def pool() -> tuple[Evidence, ...]:
    held = shelf(*cards(SEED))
    return (*evidence(60, held), *evidence(120, held, explore=True))


def revision(pool: tuple[Evidence, ...], name: str, **more: object) -> Revision:
    card = next(card for card in cards(SEED) if card.name == name)
    mine = [e for e in pool if any(r.skill == name for r in e.recalls)]
    return Revision(
        card=card,
        failures=tuple(e for e in mine if e.rank < 0.6)[:4],
        successes=tuple(e for e in mine if e.rank >= 0.6)[:4],
        **more,  # type: ignore[arg-type]  # fields of Revision by name
    )


def calm(pool: tuple[Evidence, ...]) -> ContrastWriter:
    writer = ContrastWriter(wild=0.0)
    writer.study(pool)
    return writer


def drawn(draft_text: str, label: str, n: int = 30) -> float:
    """Share met of a label's own requirements with the card of this text."""
    held = shelf(
        *(c for c in cards(SEED) if c.name != Skill.parse(draft_text).name),
        Card(skill=Skill.parse(draft_text), version=2),
    )
    met = []
    for number in range(n):
        one = brief(number, 21)
        if label not in one.facts["plan"]:
            continue
        made = studio().agent.attempt(one, context(one), held, number)
        checks = {c.requirement: c for c in studio().verify(one, made.output)}
        met += [
            checks[need.id].outcome == "met"
            for need in one.requirements
            if need.subtask == label
        ]
    return sum(met) / len(met)


def test_mining_finds_what_the_rules_reward_without_being_told():
    mine = Mine()
    mine.learn(tuple(evidence(400)))

    for label in ("headline", "details"):
        good = mine.effect(
            label, "contrast", Feature("place_text", "colour", "kit.ink")
        )
        poor = mine.effect(
            label, "contrast", Feature("place_text", "colour", "kit.muted")
        )
        assert good > poor + 0.2


def test_what_all_attempts_of_a_card_do_alike_says_nothing():
    mine = Mine()
    mine.learn(tuple(evidence(60, shelf(*cards(HAND)))))

    usual = Feature("place_button", "fill", "kit.ink")

    assert mine.support("action", usual) == 0
    assert mine.effect("action", "contrast", usual) == pytest.approx(0.0)


def test_an_edit_changes_one_to_three_things_and_not_the_description(pool):
    found = revision(pool, "call-to-action")

    draft = calm(pool).revise(found, seed=1)

    assert draft is not None
    assert draft.kind == "edit"
    skill = Skill.parse(draft.text)
    assert skill.description == found.card.skill.description
    old, new = set(found.card.skill.calls), set(skill.calls)
    assert old != new
    assert len(old - new) <= 3
    assert len(new - old) <= 3
    assert any("Learned" in text for text in skill.pitfalls)


def test_most_edits_of_poor_cards_make_them_better(pool):
    better = 0
    for name, label in (
        ("call-to-action", "action"),
        ("feature-cells", "features"),
        ("price-badge", "price"),
        ("sponsors-row", "sponsors"),
    ):
        found = revision(pool, name)
        draft = calm(pool).revise(found, seed=2)
        if draft is not None:
            better += drawn(draft.text, label) > drawn(found.card.skill.text, label)

    assert better >= 2


def test_the_same_evidence_and_seed_give_the_same_draft_whoever_writes_it(pool):
    writer = calm(pool)
    writer.study(pool[:40])
    writer.study(pool)

    assert writer.revise(revision(pool, "big-title"), 3) == calm(pool).revise(
        revision(pool, "big-title"), 3
    )


def test_an_overhaul_may_supersede_a_neighbour_that_does_the_same_work(pool):
    others = tuple(card for card in cards(SEED) if card.name == "place-details")
    found = revision(pool, "details-of-date", overhaul=True, neighbours=others)

    draft = calm(pool).revise(found, seed=4)

    assert draft is not None
    assert draft.kind == "overhaul"
    assert draft.drops == ("place-details",)


def test_a_mint_is_named_after_its_label_and_triggered_by_its_phrases(pool):
    members = tuple(e for e in pool if any(s.subtask == "qr" for s in e.steps))
    cluster = Cluster(
        label="qr",
        phrases=("place the qr code with its note", "add the scan code for the link"),
        members=members,
        taken=frozenset({"qr"}),
    )

    draft = calm(pool).mint(cluster, seed=5)

    assert draft is not None
    skill = Skill.parse(draft.text)
    assert skill.name == "qr-2"
    assert "code" in skill.description
    assert all(parse_call(line).tool in studio().tools for line in skill.calls)


def test_nothing_is_minted_from_nothing():
    writer = calm(())

    assert writer.mint(Cluster(label="x", phrases=("x",), members=()), 1) is None
    assert writer.revise(
        Revision(card=cards(SEED)[0], failures=(), successes=()), 1
    ) is (None)


def test_careless_drafts_pass_the_screen_mostly_but_not_always(pool):
    bank = Bank()
    for card in cards(SEED):
        bank = bank.with_import(card.skill, author="operator", verified=True)
    hasty = ContrastWriter(wild=1.0)
    hasty.study(pool)
    passed = []
    for card in cards(SEED):
        for seed in range(4):
            draft = hasty.revise(revision(pool, card.name), seed)
            if draft is None:
                continue
            proposal = Proposal(
                round="r0001",
                axis="deepening",
                kind="edit",
                skill=card.name,
                base=1,
                text=draft.text,
            )
            seen = screen(proposal, bank, studio().tools, Params().screen)
            passed.append(seen.passed)

    assert 0 < passed.count(False) < len(passed) / 2


@pytest.mark.parametrize("folder", [SEED, HAND], ids=["seed", "hand"])
def test_every_card_of_the_fixed_banks_passes_the_screen(folder):
    for card in cards(folder):
        proposal = Proposal(
            round="r0001",
            axis="widening",
            kind="mint",
            skill=card.name,
            base=None,
            text=card.skill.text,
        )
        found = screen(proposal, Bank(), studio().tools, Params().screen)

        assert found.passed, found.reasons
