import re
import time
from dataclasses import replace
from html.parser import HTMLParser
from random import Random

from skillbank.gate.foresight import Ties, foresee
from skillbank.gate_params import GateParams
from skillbank.proposals.propose import Skipped
from skillbank.records import Standing
from skillbank.reports.build import view_of
from skillbank.reports.page import render
from skillbank.summary import RuleCounts
from skillbank.traffic.run import Misfit
from tests.skillbank.reports.builders import (
    BODY,
    Outputs,
    bank_test,
    draw,
    material,
    pair,
    proposal,
    sided,
    skill,
    summary,
    tried,
)

ATTACK = "</div></style><script>alert(1)</script><img src=x onerror='alert(2)'>\""


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and whether all are closed."""

    VOID = frozenset({"meta", "img", "br", "line"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def page(**more) -> str:
    return render(view_of(material(**more), draw))


def test_the_same_tables_give_the_same_bytes():
    assert page() == page()


def test_the_page_is_whole_and_every_anchor_leads_somewhere():
    tags = Tags(page())
    ids = [values["id"] for _, values in tags.seen if "id" in values]
    links = [values["href"] for tag, values in tags.seen if tag == "a"]

    assert tags.open == []
    assert len(ids) == len(set(ids))
    assert {link for link in links if link} == {f"#{id}" for id in ids}


def test_the_page_takes_nothing_from_anywhere_and_runs_no_script():
    text = page()
    tags = Tags(text)
    names = {tag for tag, _ in tags.seen}
    pictures = [values["src"] for tag, values in tags.seen if tag == "img"]

    assert not names & {"script", "link", "iframe", "object", "form", "base"}
    assert pictures
    assert all(src and src.startswith("data:image/png;base64,") for src in pictures)
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert not [key for _, values in tags.seen for key in values if key[:2] == "on"]


def test_what_traffic_models_and_skills_say_is_never_markup():
    hostile = proposal(
        text=skill("headline", BODY + ATTACK).text, note=ATTACK, label=ATTACK
    )
    made = tried(hostile, "refused", ["lb", "v"])
    made.reason = ATTACK
    dropped = tried(proposal("photo", note=ATTACK), "screened out")
    dropped.reason = ATTACK
    run = sided(1, cohort=ATTACK)
    found = material(
        [made, dropped],
        skipped=[Skipped(axis="widening", subject=ATTACK, reason=ATTACK)],
        runs=[run],
        misfits=[
            Misfit(source=ATTACK, reason="not JSON", problem=ATTACK, sample=ATTACK)
        ],
        summary=summary(notes=(ATTACK,)),
    )
    briefs = {
        id: replace(brief, text=ATTACK) for id, brief in found.heard.briefs.items()
    }
    found = replace(found, heard=replace(found.heard, briefs=briefs))

    text = render(view_of(found, draw))

    tags = Tags(text)
    assert text.count("alert(1)") > 8
    assert tags.open == []
    assert not {tag for tag, _ in tags.seen} & {"script"}
    assert not [values for tag, values in tags.seen if "onerror" in values]
    assert "<script" not in text


def test_huge_texts_do_not_make_a_huge_page():
    long = "words and words " * 20_000
    made = tried(
        proposal(text=skill("headline", long).text, note=long), "committed", ["w"]
    )

    text = page(
        made=[made],
        skipped=[
            Skipped(axis="widening", subject=long, reason=long) for _ in range(500)
        ],
        misfits=[
            Misfit(source=f"f:{n}", reason="too long", problem=long, sample=long)
            for n in range(500)
        ],
    )

    assert len(text) < 200_000
    assert "and 440 more" in text
    assert "and 497 more" in text


def test_thirty_proposals_make_a_page_below_four_megabytes_in_three_seconds():
    noise = Random(1)
    made = [
        tried(proposal(f"skill-{n}"), ("committed", "refused")[n % 2], ["wlt"] * 4)
        for n in range(30)
    ]
    found = material(made)
    began = time.perf_counter()

    text = render(view_of(found, lambda output: noise.randbytes(90_000)))

    assert time.perf_counter() - began < 3
    assert 1_000_000 < len(text.encode()) < 4_000_000
    assert "left out: the page has as many pictures as it may" in text


def test_a_page_holds_no_clock_host_or_path():
    text = re.sub(r"base64,[A-Za-z0-9+/=]+", "", page())

    assert not re.search(r"\b20\d\d-\d\d|\d\d:\d\d:\d\d|localhost|/home|/tmp", text)


def test_the_page_says_that_the_briefs_are_generated_and_by_which_bank_it_is_measured():
    text = page()

    assert "generated by code" in text
    assert "bank after the round" in text
    assert "generated by code" not in page(generated=False)


def test_the_page_says_how_often_a_no_op_is_shipped_and_on_how_many_pairs_that_rests():
    text = re.sub(r"<[^>]+>", "", page())

    assert (
        "published mode ships a change that does nothing about 13% of the time" in text
    )
    assert "estimated from 42 A/A pairs" in text


def test_the_page_of_a_published_round_has_no_table_of_rules():
    published = RuleCounts(rule="published", heard=6, committed=2, refused=4)

    assert page(summary=summary(rules=(published,))) == page(summary=summary())


def test_the_page_counts_certified_and_uncertifiable_verdicts_apart():
    rules = (
        RuleCounts(rule="certified", heard=9, committed=2, refused=7),
        RuleCounts(rule="uncertifiable", heard=4, committed=1, undecided=3),
    )

    text = page(summary=summary(rules=rules), mode="auto")

    words = re.sub(r"<[^>]+>", " ", text)
    rows = re.findall(r"(certified|uncertifiable)\s+(\d+)\s+(\d+)\s+(\d+)", words)
    assert rows == [("certified", "9", "2", "7"), ("uncertifiable", "4", "1", "0")]
    assert "so the published rule decided" in words
    assert re.search(r"published\s+mode ships a change that does nothing", words)
    certified = page(summary=summary(rules=rules), mode="certified")
    assert "so nothing was decided" in certified


def test_the_page_says_on_which_attempts_the_benchmark_figure_rests():
    kept = re.sub(r"<[^>]+>", "", page(suspects=()))
    undone = re.sub(r"<[^>]+>", "", page())

    assert "these figures may lean upwards; those above do not" in kept
    assert "rests on the attempts by which the suspects were chosen" in kept
    assert "measured again, with attempts of its own" in undone


def said_of_the_whole(standing: Standing, *, held: bool = False) -> str:
    text = page(summary=summary(test=bank_test(standing, held=held)))
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))
    return words.replace("\N{MINUS SIGN}", "-")


def test_a_bank_that_regressed_is_said_loudly_and_whether_it_is_in_use():
    held = said_of_the_whole("regressed", held=True)
    used = said_of_the_whole("regressed")

    assert "The bank regressed." in held
    assert "None of its changes was put in use" in held
    assert "It was put in use all the same" in used
    assert "The bank regressed." not in said_of_the_whole("non-inferior")


def test_the_two_tests_and_every_threshold_are_shown_with_their_counts():
    words = said_of_the_whole("regressed")

    assert "McNemar, mid-p -12.5 [-20.0, -6.0] 1 11 0.004" in words
    assert "sign-flips over briefs -8.8 [-11.7, -5.8] 21 54 &lt; 0.001" in words
    assert "60% 48 33 2 17 0.021" in words


def test_what_was_not_shown_is_not_called_harmless():
    words = said_of_the_whole("not shown")

    assert "Neither a loss was found nor one of 5.0 points excluded" in words


def test_a_round_of_before_there_was_a_test_has_a_page_too():
    assert "Not tested this round." in page(summary=summary(test=None))


def test_a_suspect_stands_with_its_effect_or_with_how_it_was_found():
    words = re.sub(r"<[^>]+>", "", page()).replace("\N{MINUS SIGN}", "-")
    (one, *rest) = material().suspects
    halved = page(suspects=[replace(one, coefficient=None, error=None), *rest])

    assert "-12.4± 4.2" in words
    assert "found by<br>halving" in halved


def test_no_case_is_said_to_be_held_out_that_the_writer_may_have_studied():
    assert "held out" not in page()


def test_scores_are_marked_as_not_seen_by_the_gate():
    assert "not seen by the gate" in page()


def test_a_round_in_which_nothing_happened_has_a_page_too():
    text = render(
        view_of(
            material(
                [],
                skipped=[],
                runs=[],
                grades=[],
                misfits=[],
                measured=[],
                summary=summary(
                    figures=(), gains=(), health=(), runs_planned=0, runs_spent=0
                ),
            ),
            draw,
        )
    )

    assert Tags(text).open == []
    assert "Nothing was proposed this round" in text
    assert "None:" in text


def test_a_void_context_says_why_and_a_lost_arm_says_how():
    made = tried(proposal(), "undecided", ["vv", "b"])
    text = page(made=[made])

    assert "void: candidate: the server went away" in text
    assert "candidate broken: seven calls were refused" in text


def test_a_forbidden_action_stands_beside_the_votes():
    outputs = Outputs()
    lost = pair("p", "p-1", "c", "l", outputs)

    assert lost.votes.forbidden_in("candidate") == 1
    assert "candidate: 1 forbidden (delete the legal line)" in page()


def test_what_was_to_be_expected_of_the_gate_stands_beside_what_came_of_it():
    plans = foresee(GateParams(mode="auto"), Ties())

    text = page(summary=summary(plans=plans))

    assert "what <code>certified</code> mode ships, if 26% of A/A" in text
    assert '<tr><th scope="row">+1</th><td class="n">65%</td>' in text
    assert "gate.band 1/10 changes no verdict" in text
