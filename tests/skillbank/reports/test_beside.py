"""What stands beside a verdict, as the page tells it."""

from dataclasses import replace

from skillbank.gate.declared import declare
from skillbank.reports.build import view_of
from skillbank.reports.page import render
from skillbank.reports.view import ProposalBlock
from skillbank.rounds.replay import GateRecord
from tests.skillbank.reports.builders import (
    Tried,
    draw,
    material,
    proposal,
    summary,
    trials,
    tried,
)

ATTACK = "</td><script>alert(1)</script>"


def page(*made: Tried) -> str:
    return render(view_of(material(made), draw))


def block(made: Tried) -> ProposalBlock:
    (found,) = view_of(material([made]), draw).proposals
    return found


def recorded(made: Tried, **more: object) -> Tried:
    assert made.record is not None
    return replace(made, record=replace(made.record, **more))  # type: ignore[arg-type]


def test_what_was_declared_is_on_the_page_with_its_hash():
    made = tried(proposal(), "committed", ["ww", "tww", "ts", "t"])
    assert made.record is not None
    said = declare(made.record.plan)

    found = block(made)

    assert found.declared == said.sentence
    assert found.sealed == said.hash[:12]
    assert said.hash[:12] in page(made)
    assert "at least one case is won" in page(made)


def test_each_stratum_is_told_with_its_counts_and_whether_it_was_judged():
    found = block(tried(proposal(), "refused", ["lll", "ttt", "www", "w"]))

    told = [
        (s.stratum, s.cases, s.wins, s.ties, s.losses, s.judged) for s in found.strata
    ]
    assert told == [("culture", 2, 4, 0, 0, True), ("retail", 2, 0, 3, 3, True)]


def test_a_ceiling_that_is_exceeded_is_told_without_opening_anything():
    made = tried(proposal(), "committed", ["ww", "tww", "ts", "t"])

    before, _, inside = page(made).partition('<details class="declared">')

    assert "<dt>soft ceiling</dt>" in before
    assert "112 turns against 72 of the current bank over 8 contexts" in before
    assert "turns, a soft ceiling, exceeded" in inside


def test_pass_to_the_k_of_both_arms_is_told_for_each_k():
    found = block(tried(proposal(), "committed", ["www", "www", "ttt", "ttt"]))

    assert [row.k for row in found.passes] == [1, 2, 3]
    # wins go from .52 to .81, ties are .61 in both arms: the bar is .6
    assert found.passes[2].current * 2 == found.passes[2].candidate == 1


def test_a_new_trigger_is_told_with_what_it_reaches_and_a_kept_one_is_not():
    mint = tried(proposal("ribbon", "mint"), "committed", ["ww", "wtw", "ww", "tt"])
    edit = tried(proposal(), "committed", ["ww", "tww", "ts", "t"])

    assert "fires on 2 of the 20 nearest briefs" in page(mint)
    assert "on 2 of 3 that need it" in page(mint)
    assert block(edit).trigger is None


def test_a_narrow_change_says_on_what_it_was_certified():
    made = tried(proposal(), "committed", ["ww", "tww", "ts", "t"])
    assert made.record is not None
    plan = replace(made.record.plan, stratum="cohort=retail", hash="")

    assert "<dt>certified on</dt><dd>cohort=retail</dd>" in page(
        recorded(made, plan=plan)
    )


def test_a_record_of_an_older_round_has_nothing_beside_its_verdict():
    made = tried(proposal(), "committed", ["ww", "tww", "ts", "t"])
    assert made.record is not None
    old = GateRecord(plan=made.record.plan, verdict=made.record.verdict)

    found = block(replace(made, record=old))

    assert (found.declared, found.passes, found.trigger) == ("", (), None)
    assert '<details class="declared">' not in page(replace(made, record=old))


def test_cohorts_are_told_with_their_interval_and_a_p_for_all_of_them():
    text = render(view_of(material(), draw))

    assert "By cohort: the candidate bank against the one before" in text
    assert "50 → 51" in text
    assert "0.041" in text
    assert "new triggers: firings that were right" in text


def test_hostile_names_of_cohorts_and_strata_stay_text():
    made = tried(proposal(), "committed", ["ww", "tww", "ts", "t"])
    assert made.record is not None
    strata = tuple(replace(s, stratum=ATTACK) for s in made.record.verdict.strata)
    verdict = replace(made.record.verdict, strata=strata)
    gains = summary().cohorts["benchmark"]
    said = summary(
        cohorts={"benchmark": tuple(replace(g, cohort=ATTACK) for g in gains)}
    )

    text = render(
        view_of(material([recorded(made, verdict=verdict)], summary=said), draw)
    )

    assert "<script>" not in text
    assert text.count("&lt;script&gt;") >= 4


def test_a_round_without_cohorts_and_labels_has_no_such_tables():
    said = summary(cohorts={}, triggers=None)

    text = render(view_of(material(trials(), summary=said), draw))

    assert "By cohort: the candidate bank" not in text
    assert "new triggers" not in text
