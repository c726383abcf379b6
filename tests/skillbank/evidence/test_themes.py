"""What is asked alike is one theme, by its words alone."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.evidence.labels import Labels
from skillbank.evidence.themes import ThemeLabeller, themes

TOPICS = {
    "invoice": "invoice refund billing payment charge receipt tax customer",
    "travel": "flight hotel booking trip train luggage airport seat",
    "code": "python bug test function stack trace import module",
}


def asked(n: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Texts and their true topics; five of eight words and a stray one each."""
    rng = random.Random(seed)
    names = [rng.choice(list(TOPICS)) for _ in range(n)]
    texts = [
        " ".join(
            [*rng.sample(TOPICS[name].split(), 5), f"stray{rng.randrange(10_000)}"]
        )
        for name in names
    ]
    return texts, names


def agreement(found: list[str], truth: list[str]) -> float:
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(truth, found))


def test_texts_about_one_thing_are_one_theme():
    texts, truth = asked(300)

    found = [theme.name for theme in themes(texts)]

    assert len({name for name in found if name}) == 3
    assert agreement(found, truth) > 0.95


def test_a_theme_is_named_after_words_that_tell_it():
    texts, truth = asked(300)

    for theme, name in zip(themes(texts), truth, strict=True):
        assert not theme.name or set(theme.name.split("-")) <= set(TOPICS[name].split())


def test_the_order_of_texts_changes_nothing():
    texts, _ = asked(200)
    turned = list(reversed(texts))

    assert dict(zip(texts, themes(texts), strict=True)) == dict(
        zip(turned, themes(turned), strict=True)
    )


def test_a_text_near_a_known_theme_is_of_it():
    texts, truth = asked(300)
    known = dict(zip(texts[:200], truth[:200], strict=True))

    found = themes(texts[200:], known)

    hits = [theme.name == name for theme, name in zip(found, truth[200:], strict=True)]
    assert sum(hits) >= 95
    assert all(theme.near >= 0.07 for theme in found if theme.name in TOPICS)


def test_a_text_that_is_like_no_other_stands_alone():
    texts, _ = asked(100)

    (*_, odd) = themes([*texts, "zebra quilt marmalade"])

    assert (odd.name, odd.near) == ("", 0.0)


def test_small_groups_come_first_where_texts_are_many():
    texts, truth = asked(2000)

    found = [theme.name for theme in themes(texts, limit=200)]

    assert agreement(found, truth) > 0.9


@given(st.lists(st.text(max_size=20), max_size=12))
@settings(max_examples=60, deadline=None)
def test_any_texts_at_all_have_themes_or_none(texts: list[str]):
    found = themes(texts)

    assert len(found) == len(texts)
    assert all(-1 <= theme.near <= 1 for theme in found)


def test_a_second_week_is_filed_under_the_names_of_the_first():
    first, _ = asked(300, seed=1)
    second, _ = asked(300, seed=2)
    labels = Labels().file(first, ThemeLabeller(), same_label=0.9, round="r0001")

    later = labels.file(second, ThemeLabeller(), same_label=0.9, round="r0002")

    names = {labels.of(text) for text in first}
    filed = [later.of(text) for text in second]
    assert sum(label in names for label in filed) >= 270
    assert all(filing.why for filing in later.filings)


def test_a_dozen_requests_fall_into_what_they_are_about():
    asked = {
        "invoice": [
            "Export the unpaid invoices of March as a spreadsheet",
            "Send a reminder for invoice 4471",
            "Why was this invoice charged twice?",
        ],
        "flight": [
            "Book me a flight from Oslo to Lisbon on Friday",
            "Look up when flight BA117 lands tonight",
            "Cancel the flight I booked and refund the ticket",
        ],
        "recipe": [
            "Give me a recipe for lentil soup",
            "Convert this cake recipe to grams",
        ],
        "": ["Why is the sky blue at noon?"],
    }
    texts = [text for some in asked.values() for text in some]

    found = dict(zip(texts, themes(texts), strict=True))

    for name, some in asked.items():
        of = {found[text].name for text in some}
        assert len(of) == 1, (name, of)
        assert name in of.pop().split("-")
    assert len({theme.name for theme in found.values()}) == len(asked)


def test_a_rare_word_in_common_does_not_outweigh_what_is_asked():
    texts, truth = asked(60)
    texts = [f"{text} ticket{n // 2}" for n, text in enumerate(texts)]

    found = [theme.name for theme in themes(texts)]

    assert agreement(found, truth) > 0.9


def test_this_weeks_request_joins_the_lone_one_of_last_week():
    known = {"translate this letter into portuguese": "letter-portuguese"}

    (theme,) = themes(["translate the newsletter into portuguese"], known)

    assert theme.name == "letter-portuguese"
