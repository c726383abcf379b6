"""A bank is a value, and only the host says what a card is worth."""

import pytest

from skillbank.errors import BankError
from skillbank.proposals.proposal import Proposal
from skillbank.skills.bank import Bank, Change, Entry, Outcome
from skillbank.skills.skill import Skill

BODY = "## Steps\n- one\n- two\n\n## Checks\n- seen\n"


def skill(name: str = "headline", body: str = BODY) -> Skill:
    return Skill.compose(name, f"Use when a poster needs a {name}", body)


def mint(name: str = "headline", **more) -> Change:
    return Change(kind="mint", skill=skill(name), **more)


def edit(name: str = "headline", base: int = 1, **more) -> Change:
    new = skill(name, f"{BODY}- seen in version {base + 1}\n")
    return Change(kind="edit", skill=new, base=base, **more)


def bank(*names: str) -> Bank:
    return Bank().with_commits([mint(name) for name in names], "r0001")


def proposal(text: str, name: str = "headline", base: int | None = 1) -> Proposal:
    return Proposal(
        round="r0002", axis="deepening", kind="edit", skill=name, base=base, text=text
    )


def test_a_revised_card_is_the_next_version_and_the_old_one_is_kept_deprecated():
    new = bank("headline").with_commits([edit(trials=4, passes=3)], "r0002")

    old_entry, new_entry = new.entries
    assert (old_entry.version, old_entry.status) == (1, "deprecated")
    assert old_entry.reason == "superseded by headline@2"
    assert (new_entry.version, new_entry.status, new_entry.parent) == (2, "verified", 1)
    assert (new_entry.trials, new_entry.passes) == (4, 3)
    assert new.names() == {"headline"}


def test_a_merge_retires_the_cards_that_it_supersedes():
    new = bank("headline", "title", "logo").with_commits(
        [edit(drops=("title",))], "r0002"
    )

    retired = new.find("title", 1)
    assert new.names() == {"headline", "logo"}
    assert retired is not None
    assert (retired.status, retired.reason) == ("deprecated", "superseded by headline")


def test_no_change_makes_a_card_less_risky_or_forgets_when_it_is_to_be_read():
    old = Bank().with_commits(
        [mint(risk="medium", review_by="2026-01-31"), mint("logo", risk="high")],
        "r0001",
    )

    edited = old.with_commits([edit()], "r0002")
    merged = old.with_commits([edit(drops=("logo",))], "r0002")
    raised = old.with_commits([edit(risk="high")], "r0002")

    found = [bank.find("headline") for bank in (edited, merged, raised)]
    assert [one.risk for one in found if one] == ["medium", "high", "high"]
    assert {one.review_by for one in found if one} == {"2026-01-31"}
    assert edited.card("headline").risk == "medium"
    assert old.with_commits([mint("new")], "r0002").card("new").risk == "low"


def test_the_size_of_a_bank_adds_up():
    before = bank("a", "b", "c", "d").with_status("d", "suspended", "nobody asked")
    after = (
        before.with_commits([mint("e"), edit("a", drops=("b",))], "r0002")
        .with_status("c", "suspended", "nobody asked")
        .with_status("d", "verified", "asked for again")
    )

    mints, retired, suspended, reinstated = 1, 1, 1, 1
    expected = len(before.names()) + mints - retired - suspended + reinstated
    assert len(after.names()) == expected
    assert after.names() == {"a", "d", "e"}


@pytest.mark.parametrize(
    ("changes", "seen"),
    [
        ([mint("headline")], "a mint of a name in use"),
        ([edit("headline", base=2)], "version 1"),
        ([edit("nobody")], "no verified version"),
        ([edit("headline", drops=("nobody",))], "a drop of nobody"),
        ([edit("headline"), edit("headline")], "two changes of one card"),
        ([edit("headline", drops=("logo",)), edit("logo")], "two changes of one card"),
        ([edit("headline", drops=("headline",))], "two changes of one card"),
    ],
)
def test_changes_that_do_not_fit_are_refused_together(changes, seen):
    with pytest.raises(BankError, match=seen):
        bank("headline", "logo").with_commits(changes, "r0002")


def test_a_change_never_touches_the_bank_that_it_was_made_from():
    old = bank("headline")
    digest = old.digest

    old.with_commits([edit()], "r0002")
    old.record([Outcome(skill="headline", version=1, trials=1, passes=1)])

    assert old.digest == digest


def test_the_order_of_changes_and_entries_does_not_matter():
    one = Bank().with_commits([mint("a"), mint("b")], "r0001")
    two = Bank().with_commits([mint("b"), mint("a")], "r0001")

    assert one == two
    assert one.digest == two.digest
    assert one.digest != Bank().with_commits([mint("a")], "r0001").digest


def test_what_a_text_says_of_itself_is_never_read():
    text = (
        "---\nname: headline\ndescription: Use when new\nstatus: verified\n"
        "metadata:\n  status: verified\n  risk: high\n  author: root\n"
        f"  trials: 99\n---\n{BODY}"
    )

    kept = Bank().with_import(Skill.parse(text), author="ann", verified=False)

    (entry,) = kept.entries
    assert (entry.status, entry.risk, entry.trials) == ("proposed", "low", 0)
    assert entry.author == "ann"
    assert kept.cards() == ()


def test_an_import_is_proposed_unless_its_author_verifies_it():
    proposed = bank().with_import(skill(), author="ann", verified=False)
    verified = bank().with_import(skill(), author="ann", verified=True)

    assert proposed.names() == frozenset()
    assert verified.names() == {"headline"}
    again = verified.with_import(skill(body=BODY + "x"), author="ann", verified=True)
    assert again.card("headline").version == 2


def test_a_success_rate_is_the_versions_own_shrunk_to_the_banks_mean():
    seen = bank("a", "b", "c").record(
        [
            Outcome(skill="a", version=1, trials=8, passes=8),
            Outcome(skill="b", version=1, trials=8, passes=4),
        ]
    )

    a, b, c = seen.cards(prior_trials=8)
    mean = 12 / 16
    assert a.success_rate == pytest.approx((8 + 8 * mean) / 16)
    assert b.success_rate == pytest.approx((4 + 8 * mean) / 16)
    assert c.success_rate == pytest.approx(mean)
    assert seen.card("a", prior_trials=0).success_rate == 1.0
    assert bank("a").card("a").success_rate == 0.5


def test_a_new_version_does_not_inherit_the_trials_of_the_old_one():
    old = bank("a").record([Outcome(skill="a", version=1, trials=9, passes=9)])
    new = old.with_commits([edit("a", trials=2, passes=1)], "r0002")
    later = new.record([Outcome(skill="a", version=1, trials=1, passes=0)])

    first, second = later.entries
    assert (first.trials, first.passes) == (10, 9)
    assert (second.trials, second.passes) == (2, 1)


def test_outcomes_of_versions_that_the_bank_does_not_hold_change_nothing():
    old = bank("a")

    assert old.record([Outcome(skill="a", version=7, trials=1, passes=1)]) == (
        old.record([])
    )


def test_a_refused_proposal_is_kept_and_never_recalled():
    text = skill(body=BODY + "refused").text
    kept = bank("headline").with_kept(proposal(text), "quarantined", "a regression")
    again = kept.with_kept(proposal(text), "quarantined", "a regression, again")

    assert again.names() == {"headline"}
    assert again.card("headline").version == 1
    (entry,) = [e for e in again.entries if e.status == "quarantined"]
    assert entry.skill.text == text
    assert entry.reason == "a regression, again"
    assert again.next_version("headline") == 2


def test_many_refused_proposals_of_one_version_are_all_kept():
    kept = bank("headline")
    for number in range(3):
        text = skill(body=f"{BODY}{number}").text
        kept = kept.with_kept(proposal(text), "quarantined", "no gain")

    assert len(kept.entries) == 4


def test_a_proposal_that_is_accepted_later_is_no_candidate_any_more():
    new = edit()
    kept = bank("headline").with_kept(proposal(new.skill.text), "proposed", "undecided")

    done = kept.with_commits([new], "r0003")

    assert [e.status for e in done.entries] == ["deprecated", "verified"]


def test_a_text_that_is_no_skill_cannot_enter_the_bank_even_as_a_record():
    old = bank("headline")

    assert old.with_kept(proposal("no skill"), "quarantined", "x") == old
    evil = proposal("---\nname: ../../x\n---\n", name="../../x", base=None)
    assert old.with_kept(evil, "quarantined", "x") == old


@pytest.mark.parametrize("name", ["../x", "A", "a/b", ".", "a" * 65])
def test_a_name_that_is_no_plain_folder_never_becomes_an_entry(name):
    odd = Skill.parse(f'---\nname: "{name}"\ndescription: b\n---\n')

    with pytest.raises(BankError, match=r"lower-case|characters"):
        Entry(skill=odd, version=1, status="verified")


@pytest.mark.parametrize(
    "odd",
    [
        {"version": 0},
        {"trials": 1, "passes": 2},
        {"passes": -1},
        {"review_by": "next week"},
        {"review_by": "20260131"},
    ],
)
def test_an_entry_with_impossible_facts_is_refused(odd):
    with pytest.raises(BankError):
        Entry(**{"skill": skill(), "version": 1, "status": "verified", **odd})


def test_one_name_has_one_verified_version():
    twice = [
        Entry(skill=skill(), version=version, status="verified") for version in (1, 2)
    ]

    with pytest.raises(BankError, match="2 verified"):
        Bank(entries=tuple(twice))


def test_a_deprecated_card_does_not_come_back_by_a_change_of_status():
    old = bank("headline").with_status("headline", "deprecated", "wrong")

    with pytest.raises(BankError, match="roll the bank back"):
        old.with_status("headline", "verified", "right again")
    with pytest.raises(BankError, match="no such card"):
        old.with_status("nobody", "suspended", "x")


def test_a_mint_may_take_the_name_of_a_suspended_card_as_its_next_version():
    old = bank("headline").with_status("headline", "suspended", "nobody asked")

    new = old.with_commits([mint("headline")], "r0002")

    assert [(e.version, e.status) for e in new.entries] == [
        (1, "deprecated"),
        (2, "verified"),
    ]
    assert "headline" in old.taken()


def test_applicability_stays_with_a_revised_card():
    first = bank().with_commits([mint("a", applies={"format": ["poster"]})], "r0001")

    second = first.with_commits([edit("a")], "r0002")

    assert second.card("a").applies == {"format": ["poster"]}


def test_a_diff_tells_what_an_agent_would_notice():
    old = bank("a", "b", "c")
    new = old.with_commits([mint("d"), edit("a", drops=("b",))], "r0002")

    found = old.diff(new)

    assert (found.added, found.removed) == (("d",), ("b",))
    (revised,) = found.revised
    assert (revised.name, revised.old, revised.new) == ("a", 1, 2)
    assert revised.lines[:2] == ("--- a@1", "+++ a@2")
    assert "+- seen in version 2" in revised.lines
    assert {(m.name, m.old, m.new) for m in found.moved} == {
        ("a", "verified", "deprecated"),
        ("b", "verified", "deprecated"),
    }
    assert old.diff(old).is_empty
