"""An agent is shown few cards, the right ones first, and told why."""

import timeit
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.codec import Json
from skillbank.params import RecallParams
from skillbank.skills.bank import Bank, Change
from skillbank.skills.recall import BankShelf, applies, relevance
from skillbank.skills.shelf import Card, Subtask
from skillbank.skills.skill import Skill
from skillbank.skills.words import terms

CONDITIONS = {
    "headline": "Use when a poster needs a headline that stands out",
    "button": "Use when a banner needs a call to action button",
    "legal": "Use when the brief asks for a legal line or small print",
    "logo": "Use when the brand logo must be placed on a card or poster",
    "event": "Use when a poster for an event needs date and place details",
}


def card(name: str, description: str, rate: float = 0.5, **more) -> Card:
    skill = Skill.compose(name, description, "body")
    return Card(skill=skill, version=1, success_rate=rate, **more)


def shelf(*cards: Card, **params) -> BankShelf:
    return BankShelf(cards, RecallParams(**params))


def asked(phrase: str) -> Subtask:
    return Subtask(name="part", phrase=phrase)


def bank_shelf(**params) -> BankShelf:
    return shelf(*(card(name, text) for name, text in CONDITIONS.items()), **params)


@pytest.mark.parametrize(
    ("phrase", "first"),
    [
        ("set the headline", "headline"),
        ("write the legal lines", "legal"),
        ("a call to action for a story", "button"),
        ("place the brand logo", "logo"),
        ("date and place of the event", "event"),
        ("HEADLINES, for posters!", "headline"),
    ],
)
def test_the_card_whose_condition_names_the_task_comes_first(phrase, first):
    found = bank_shelf().recall(asked(phrase), {})

    assert found.cards[0].name == first
    assert found.covered
    assert found.recalls[0].subtask == "part"
    assert found.recalls[0].skill == first


def test_a_need_that_no_card_names_is_uncovered():
    found = bank_shelf().recall(asked("draw a bar chart of revenue"), {})

    assert found.cards == ()
    assert found.recalls == ()
    assert not found.covered


def test_words_that_are_rare_in_the_bank_weigh_more():
    cards = [
        card(f"c-{n}", f"Use when a poster needs {w}") for n, w in enumerate("xyz")
    ]
    made = shelf(*cards, card("rare", "Use when a banner needs glitter"), threshold=0)

    found = made.recall(asked("glitter poster"), {})

    relevance = {recall.skill: recall.relevance for recall in found.recalls}
    assert relevance["rare"] > relevance["c-0"] > 0


def test_at_most_three_cards_are_shown_and_losing_to_the_cap_still_covers():
    cards = [card(f"c-{n}", "Use when a headline is set") for n in range(5)]

    found = shelf(*cards).recall(asked("set a headline"), {})
    none = shelf(*cards, limit=1).recall(asked("set a headline"), {})

    assert [c.name for c in found.cards] == ["c-0", "c-1", "c-2"]
    assert len(found.recalls) == 3
    assert none.covered
    assert len(none.cards) == 1


def test_success_lifts_a_card_above_an_equally_relevant_one():
    made = shelf(
        card("a", "Use when a headline is set", 0.2),
        card("b", "Use when a headline is set", 0.9),
    )

    assert [c.name for c in made.recall(asked("set a headline"), {}).cards] == [
        "b",
        "a",
    ]


def test_the_threshold_is_on_relevance_and_not_on_rank():
    good = card("a", "Use when a headline is set", 0.0)

    exact = shelf(good, threshold=1.0).recall(asked("headline set"), {})
    off = shelf(good, threshold=1.0).recall(asked("headline set twice"), {})

    assert exact.covered
    assert not off.covered


def test_only_verified_cards_of_a_bank_are_on_its_shelf():
    changes = [
        Change(kind="mint", skill=Skill.compose(name, text, "body"))
        for name, text in CONDITIONS.items()
    ]
    bank = Bank().with_commits(changes, "r0001")
    bank = bank.with_status("headline", "suspended", "nobody asked")

    made = BankShelf(bank.cards(), RecallParams())

    assert not made.recall(asked("set the headline"), {}).covered
    assert made.recall(asked("write the legal line"), {}).covered


def test_a_card_applies_only_where_the_hosts_facts_say_so():
    made = shelf(
        card("any", "Use when a headline is set"),
        card("poster", "Use when a headline is set", applies={"format": "poster"}),
        card(
            "both",
            "Use when a headline is set",
            applies={"format": ["poster", "story"]},
        ),
    )

    def names(facts: Mapping[str, Json]) -> list[str]:
        return [c.name for c in made.recall(asked("set a headline"), facts).cards]

    assert names({"format": "poster"}) == ["any", "both", "poster"]
    assert names({"format": "story"}) == ["any", "both"]
    assert names({"format": "card"}) == ["any"]
    assert names({}) == ["any"]


def test_a_card_that_does_not_apply_does_not_cover():
    made = shelf(card("a", "Use when a headline is set", applies={"tenant": "x"}))

    assert made.recall(asked("set a headline"), {"tenant": "x"}).covered
    assert not made.recall(asked("set a headline"), {"tenant": "y"}).covered


@pytest.mark.parametrize(
    ("predicates", "facts", "expected"),
    [
        ({}, {}, True),
        ({"n": 1}, {"n": 1}, True),
        ({"n": 1}, {"n": 1.0}, True),
        ({"n": 1}, {"n": True}, False),
        ({"n": [0, False]}, {"n": False}, True),
        ({"n": None}, {}, False),
        ({"n": None}, {"n": None}, True),
        ({"n": []}, {"n": "x"}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": [["x", "y"]]}, {"a": ["x", "y"]}, True),
    ],
)
def test_a_predicate_compares_as_json_does(predicates, facts, expected):
    assert applies(predicates, facts) is expected


def test_every_recall_says_why():
    reason = bank_shelf().recall(asked("set the headline"), {}).recalls[0].reason

    assert "headline" in reason
    assert "success 0.50" in reason
    assert "1 of 1" in reason


def test_a_description_that_lists_every_word_does_not_win_over_the_fitting_one():
    everything = " ".join(CONDITIONS.values())
    cards = [card(name, text) for name, text in CONDITIONS.items()]
    made = shelf(*cards, card("aaa", everything))

    for phrase in ("a headline for a poster", "the legal line", "brand logo"):
        assert made.recall(asked(phrase), {}).cards[0].name != "aaa"


def test_the_order_of_the_cards_changes_nothing():
    cards = [card(name, text) for name, text in CONDITIONS.items()]

    for phrase in ("poster with an event", "a banner", "card line"):
        one = shelf(*cards).recall(asked(phrase), {})
        two = shelf(*reversed(cards)).recall(asked(phrase), {})
        assert one == two


def test_no_words_match_nothing():
    assert not bank_shelf(threshold=0).recall(asked(""), {}).covered
    assert not bank_shelf(threshold=0).recall(asked("use it when you need"), {}).covered
    assert not shelf().recall(asked("headline"), {}).covered


def test_words_of_scripts_without_blanks_are_found():
    assert relevance("需要海报标题时使用", "海报标题") > 0.5
    assert relevance("Когда нужен заголовок", "заголовок плаката") > 0.3


def test_plurals_meet_their_singular_and_other_words_stay():
    assert terms("boxes of stories with glasses, status and analysis of buses") == (
        "analysis",
        "box",
        "buse",
        "glass",
        "status",
        "story",
    )


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_relevance_lies_between_nought_and_one_and_is_one_of_itself(one, other):
    assert 0.0 <= relevance(one, other) <= 1.0
    assert relevance(one, one) == (1.0 if terms(one) else 0.0)


def test_asking_again_costs_less_than_thirty_microseconds():
    made = shelf(*(card(f"c-{n}", f"Use when thing {n} is drawn") for n in range(50)))
    question, facts = asked("draw thing 7"), {"format": "poster"}
    made.recall(question, facts)

    times = timeit.repeat(lambda: made.recall(question, facts), number=200, repeat=5)

    assert min(times) / 200 < 30e-6
