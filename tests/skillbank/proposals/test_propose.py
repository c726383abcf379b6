from dataclasses import replace

import pytest

from skillbank.briefs.brief import Brief
from skillbank.briefs.replay_set import GoldenCase, ReplaySet
from skillbank.evidence.event import Event, decided
from skillbank.evidence.ledger import Ledger, text_digest
from skillbank.gate_params import GateParams
from skillbank.params import AttributeParams, Params, ProposeParams
from skillbank.proposals.proposal import Draft, Proposal
from skillbank.proposals.propose import TURNED_DOWN, Known, Proposed, propose
from skillbank.proposals.writer import Evidence
from skillbank.skills.shelf import Subtask
from tests.skillbank.evidence.builders import (
    FixedWriter,
    brief,
    card,
    event,
    evidence,
    ids,
    recall,
    sighting,
    text,
)

PARAMS = Params()


def failing(skill: str, *scores: float) -> tuple[list[Event], list[Evidence]]:
    runs = [f"{skill}-f{n}" for n in range(len(scores))]
    return (
        [event(run=r, skill=skill, score=s) for r, s in zip(runs, scores, strict=True)],
        [
            evidence(r, recall(skill), score=s)
            for r, s in zip(runs, scores, strict=True)
        ],
    )


def known(*skills: str, labels: tuple[str, ...] = (), **given: object) -> Known:
    """Cards that fail twice each, the later the milder, and labels seen four times."""
    events: list[Event] = []
    pool: list[Evidence] = []
    for place, skill in enumerate(skills):
        more, seen = failing(skill, 0.1 + place / 10, 0.1 + place / 10)
        events += more
        pool += [
            *seen,
            *(evidence(f"{skill}-s{n}", recall(skill), score=0.9) for n in (1, 2)),
        ]
    for label in labels:
        runs = [f"{label}-{n}" for n in range(4)]
        events += [sighting(run, label) for run in runs]
        pool += [evidence(run, score=0.5) for run in runs]
    fields = {
        "ledger": Ledger(events=tuple(events)),
        "cards": tuple(card(skill) for skill in skills),
        "evidence": tuple(pool),
    }
    return Known(**{**fields, **given})  # type: ignore[arg-type]


def made(
    some: Known, writer: FixedWriter | None = None, params: Params = PARAMS
) -> Proposed:
    return propose(some, writer or FixedWriter(), params, round="r0002", seed=7)


def subjects(proposed: Proposed) -> list[str]:
    return [one.skill for one in proposed.proposals]


def reasons(proposed: Proposed) -> dict[str, str]:
    return {one.subject: one.reason for one in proposed.skipped}


def test_failing_cards_come_worst_first_and_labels_after_them():
    proposed = made(known("hero", "headline", labels=("sponsors",)))

    assert subjects(proposed) == ["hero", "headline", "sponsors-card"]
    assert [one.axis for one in proposed.proposals] == ["deepening"] * 2 + ["widening"]
    assert proposed.skipped == ()


def test_the_same_knowledge_and_seed_give_the_same_proposals():
    some = known("hero", "headline", labels=("sponsors",))
    turned = replace(some, evidence=some.evidence[::-1], cards=some.cards[::-1])

    assert made(some) == made(turned)


def test_a_rewrite_has_its_cases_and_names_what_the_writer_was_shown():
    (one,) = made(known("hero")).proposals

    assert [case.brief for case in one.cases] == [
        "b-hero-f0", "b-hero-f1", "b-hero-s1", "b-hero-s2",
    ]  # fmt: skip
    assert set(one.evidence) == {"hero-f0", "hero-f1", "hero-s1", "hero-s2"}
    assert one.base == 1


def test_golden_cases_of_a_card_and_of_those_it_superseded_come_before_successes():
    merge = Proposal(
        round="r0001",
        axis="deepening",
        kind="edit",
        skill="hero",
        base=1,
        text="",
        drops=("picture",),
    )
    golden = ReplaySet(
        cases=tuple(
            GoldenCase(
                brief=brief(f"g-{skill}"),
                skill=skill,
                subtask=skill,
                round="r0001",
                proposal="p",
            )
            for skill in ("hero", "picture", "price")
        )
    )
    some = known("hero", golden=golden)
    ledger = some.ledger.add([decided(merge, "committed", "d")])

    (one,) = made(replace(some, ledger=ledger)).proposals

    assert {case.brief for case in one.cases[2:4]} == {"g-hero", "g-picture"}


@pytest.mark.parametrize("view", ["fail_only", "success_only"])
def test_queue_and_cases_are_the_same_whatever_the_writer_is_shown(view):
    some = known("hero", "headline", labels=("sponsors",))
    params = Params(propose=ProposeParams(feedback=view))

    seen, all_ = made(some, params=params), made(some)

    assert subjects(seen) == subjects(all_)
    assert [p.cases for p in seen.proposals] == [p.cases for p in all_.proposals]
    assert seen.proposals[0].evidence != all_.proposals[0].evidence


def test_an_edit_may_not_change_the_description():
    draft = Draft(text=text("hero", "when anything is due"), note="", kind="edit")

    proposed = made(known("hero"), FixedWriter(hero=draft))

    assert proposed.proposals == ()
    assert reasons(proposed) == {"hero": "an edit may not change the description"}


def test_a_draft_that_changes_nothing_is_dropped_before_it_costs_anything():
    same = card("hero").skill.text.replace("\n", "\r\n")

    proposed = made(
        known("hero"), FixedWriter(hero=Draft(text=same, note="", kind="edit"))
    )

    assert reasons(proposed) == {"hero": "changes nothing"}


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (None, "no idea"),
        (Draft(text=text("other"), note="", kind="edit"), "renames"),
        (Draft(text=text("hero", body="x"), note="", kind="mint"), "cannot be a mint"),
        (
            Draft(text=text("hero", body="x"), note="", kind="overhaul"),
            "before its time",
        ),
        (
            Draft(text=text("hero"), note="", kind="edit", drops=("ghost",)),
            "not offered: ghost",
        ),
        (
            Draft(text=text("hero"), note="", kind="edit", drops=("hero",)),
            "not offered: hero",
        ),
    ],
)
def test_a_draft_that_oversteps_is_skipped_with_its_reason(draft, reason):
    proposed = made(known("hero"), FixedWriter(hero=draft))

    assert proposed.proposals == ()
    assert reason in reasons(proposed)["hero"]


def test_a_draft_that_cannot_be_read_goes_to_the_screen_which_keeps_it():
    broken = Draft(text="no front matter", note="", kind="edit")

    (one,) = made(known("hero"), FixedWriter(hero=broken)).proposals

    assert one.text == "no front matter"


def test_after_two_refused_edits_of_a_version_the_card_is_rewritten_whole():
    some = known("hero")
    refused = [
        decided(
            Proposal(
                round="r0001",
                axis="deepening",
                kind="edit",
                skill="hero",
                base=1,
                text=t,
            ),
            "refused",
            t,
        )
        for t in "ab"
    ]
    writer = FixedWriter()

    (one,) = made(replace(some, ledger=some.ledger.add(refused)), writer).proposals

    assert writer.revisions[0].overhaul
    assert one.kind == "overhaul"
    once = made(replace(some, ledger=some.ledger.add(refused[:1])))
    assert once.proposals[0].kind == "edit"


def near_cards(*names: str) -> Known:
    some = known(*names)
    cards = tuple(
        card(name, description="when a row of sponsors is due") for name in names
    )
    return replace(some, cards=cards)


def test_a_merge_has_cases_for_every_card_and_the_dropped_one_gets_no_proposal():
    merge = Draft(
        text=text("hero", body="both"), note="", kind="edit", drops=("title",)
    )

    proposed = made(near_cards("hero", "title", "price"), FixedWriter(hero=merge))

    assert subjects(proposed) == ["hero", "price"]
    assert reasons(proposed) == {"title": "a merge into hero would drop title"}
    cases = proposed.proposals[0].cases
    assert [case.card for case in cases] == ["hero"] * 4 + ["title"] * 4
    assert len({case.brief for case in cases}) == len(cases)


def test_a_card_that_has_a_proposal_is_not_offered_to_a_later_merge():
    writer = FixedWriter()

    made(near_cards("hero", "title"), writer)

    offered = [[one.name for one in asked.neighbours] for asked in writer.revisions]
    assert offered == [["title"], []]


def test_the_writer_never_sees_what_is_set_aside_of_a_cluster():
    writer = FixedWriter()

    (one,) = made(known(labels=("sponsors",)), writer).proposals

    shown = set(ids(writer.clusters[0].members))
    assert len(shown) == 2
    assert set(ids(writer.studied)) == shown == set(one.evidence)
    assert sorted(case.origin for case in one.cases) == [False, False, True, True]


def test_a_label_whose_card_is_in_the_bank_becomes_an_overhaul_of_that_card():
    mint = Proposal(
        round="r0000",
        axis="widening",
        kind="mint",
        skill="sponsors-row",
        base=None,
        text="",
        label="sponsors",
    )
    some = known(labels=("sponsors",), cards=(card("sponsors-row"),))
    ledger = some.ledger.add([decided(mint, "committed", "d")])
    writer = FixedWriter()

    (one,) = made(replace(some, ledger=ledger), writer).proposals

    assert (one.axis, one.kind, one.base) == ("deepening", "overhaul", 1)
    assert (one.skill, one.label) == ("sponsors-row", "sponsors")
    assert writer.clusters == []
    assert {case.subtask for case in one.cases} == {"sponsors"}


def test_what_a_card_was_minted_from_is_no_reason_to_rewrite_it():
    mint = Proposal(
        round="r0001",
        axis="widening",
        kind="mint",
        skill="sponsors-row",
        base=None,
        text="",
        label="sponsors",
    )
    some = known(labels=("sponsors",), cards=(card("sponsors-row"),))
    ledger = some.ledger.add([decided(mint, "committed", "d")])

    proposed = made(replace(some, ledger=ledger), FixedWriter())

    assert proposed.proposals == ()
    assert proposed.skipped == ()


def test_a_mint_under_a_name_that_is_taken_is_skipped():
    draft = Draft(text=text("hero"), note="", kind="mint")

    proposed = made(
        known(labels=("sponsors",), taken=frozenset({"hero"})),
        FixedWriter(sponsors=draft),
    )

    assert reasons(proposed) == {"sponsors": "the name 'hero' is taken"}


def test_two_labels_do_not_mint_the_same_name_in_one_round():
    draft = Draft(text=text("thanks"), note="", kind="mint")

    proposed = made(
        known(labels=("patrons", "sponsors")),
        FixedWriter(sponsors=draft, patrons=draft),
    )

    assert len(proposed.proposals) == 1
    assert reasons(proposed) == {"sponsors": "the name 'thanks' is taken"}


def test_the_bound_of_a_round_skips_the_rest_and_says_so():
    params = Params(propose=ProposeParams(max_per_round=1))

    proposed = made(known("hero", "headline", labels=("sponsors",)), params=params)

    assert subjects(proposed) == ["hero"]
    assert set(reasons(proposed)) == {"headline", "sponsors"}
    assert "max_per_round" in reasons(proposed)["headline"]


def test_a_text_that_was_turned_down_is_not_paid_for_again():
    draft = Draft(text=text("hero", body="Better."), note="", kind="edit")
    some = known("hero")
    old = Proposal(
        round="r0001",
        axis="deepening",
        kind="edit",
        skill="hero",
        base=1,
        text=draft.text,
    )
    ledger = some.ledger.add([decided(old, "refused", text_digest(old.text))])

    proposed = made(replace(some, ledger=ledger), FixedWriter(hero=draft))

    assert reasons(proposed) == {"hero": TURNED_DOWN}


def test_an_undecided_proposal_is_asked_again_and_counts_as_one_of_its_round():
    some = known("hero", labels=("sponsors",))
    first = made(some).proposals
    writer = FixedWriter()

    again = propose(replace(some, pending=first), writer, PARAMS, round="r0003", seed=7)

    assert [one.text for one in again.proposals] == [one.text for one in first]
    assert {one.round for one in again.proposals} == {"r0003"}
    assert {one.id for one in again.proposals}.isdisjoint(one.id for one in first)
    assert writer.revisions == []
    assert set(reasons(again)) == {"hero", "sponsors"}


def test_an_undecided_proposal_lapses_when_its_card_has_changed():
    some = known("hero")
    (old,) = made(some).proposals
    changed = replace(some, cards=(card("hero", 2),), pending=(old,))

    proposed = made(changed)

    assert proposed.proposals == ()
    assert reasons(proposed) == {"hero": "a card that it changes has changed"}


def test_a_proposal_that_stays_undecided_frees_its_card_in_the_end():
    some = known("hero")
    (old,) = made(some).proposals
    digest = text_digest(old.text)
    undecided = [
        decided(replace(old, round=round), "undecided", digest)
        for round in ("r0001", "r0002", "r0003")
    ]
    writer = FixedWriter()

    def subjects_after(times: int) -> list[str]:
        ledger = some.ledger.add(undecided[:times])
        again = replace(some, ledger=ledger, pending=(old,))
        return subjects(propose(again, writer, PARAMS, round="r0004", seed=7))

    assert subjects_after(2) == ["hero"]
    assert writer.revisions == []
    assert subjects_after(3) == ["hero"]
    assert len(writer.revisions) == 1


def test_a_placebo_is_never_asked_again():
    some = known("hero")
    (old,) = made(some).proposals

    proposed = made(replace(some, pending=(replace(old, placebo=True),)))

    assert [one.placebo for one in proposed.proposals] == [False]


def test_variants_fill_up_the_cases_of_a_card_that_lacks_briefs():
    events, pool = failing("hero", 0.1, 0.2)
    variants = (brief("v1", root="b-hero-f0"), brief("v2", root="b-hero-f1"))
    some = Known(
        ledger=Ledger(events=tuple(events)),
        cards=(card("hero"),),
        evidence=tuple(pool),
        variants=variants,
    )

    def plan(asked: Brief) -> tuple[Subtask, ...]:
        return (Subtask(name="hero", phrase="show it"),)

    assert len(made(some).proposals[0].cases) == 2
    filled = made(replace(some, plan=plan)).proposals[0].cases
    assert [case.brief for case in filled] == ["b-hero-f0", "b-hero-f1", "v1", "v2"]


def test_a_card_whose_evidence_was_lost_is_told_and_does_not_crash():
    proposed = made(replace(known("hero", labels=("sponsors",)), evidence=()))

    assert proposed.proposals == ()
    assert set(reasons(proposed).values()) == {"its evidence is no longer held"}


def test_more_cases_than_the_gate_asks_for_are_offered_as_spares():
    some = known("hero")
    more = tuple(evidence(f"x{n}", recall("hero"), score=0.9) for n in range(9))
    params = Params(gate=GateParams(cases=2), attribute=AttributeParams())

    (one,) = made(replace(some, evidence=some.evidence + more), params=params).proposals

    assert [case.brief for case in one.cases][:1] == ["b-hero-f0"]
    assert len(one.cases) == 4
