from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.errors import TableError
from skillbank.evidence.labels import LABEL_LIMIT, Filing, Labels, Merge, slug
from skillbank.evidence.words import alike, words
from tests.skillbank.evidence.builders import FixedLabeller


def file(labels: Labels, *phrases: str, labeller: FixedLabeller | None = None):
    return labels.file(
        phrases, labeller or FixedLabeller(), same_label=0.5, round="r0002"
    )


def test_a_phrase_that_was_filed_is_not_asked_about_again():
    labeller = FixedLabeller()
    labels = file(Labels(), "name the sponsors", labeller=labeller)

    again = file(labels, "Name  the SPONSORS", labeller=labeller)

    assert again == labels
    assert labeller.asked == ["name the sponsors"]


def test_the_order_of_the_phrases_changes_nothing():
    phrases = ["name the sponsors", "thank each sponsor", "show the rating"]

    assert file(Labels(), *phrases) == file(Labels(), *reversed(phrases))


def test_labels_of_the_same_words_are_merged_with_a_reason():
    labeller = FixedLabeller(row="sponsor logos", logos="logo-sponsors")

    labels = file(Labels(), "a row", "some logos", labeller=labeller)

    assert labels.known == ("sponsor-logos",)
    assert labels.of("some logos") == labels.of("a row")
    assert [(m.from_label, m.to_label, m.round) for m in labels.merges] == [
        ("logo-sponsors", "sponsor-logos", "r0002")
    ]
    assert "same words" in labels.merges[0].why


def test_a_new_label_for_a_like_phrase_is_a_synonym():
    labeller = FixedLabeller(foot="sponsors", bottom="thanks")

    labels = file(
        Labels(),
        "row of sponsors at the foot",
        "row of sponsors at the bottom",
        labeller=labeller,
    )

    assert len(labels.known) == 1
    assert "0.50" in labels.merges[0].why


def test_a_merge_applies_to_what_was_filed_before_and_nothing_is_renamed():
    labels = file(Labels(), "show the rating", "give the stars")

    merged = labels.merge("stars", "rating", "both are a rating", "r0003")

    assert merged.of("give the stars") == "rating"
    assert merged.filings == labels.filings
    assert merged.merge("stars", "rating", "again", "r0004") == merged


def test_merges_that_go_in_a_circle_are_an_error():
    circle = tuple(
        Merge(from_label=a, to_label=b, why="", round="r0001") for a, b in ("xy", "yx")
    )

    with pytest.raises(TableError, match="circle"):
        Labels(merges=circle)


def test_a_label_that_is_no_label_cannot_be_merged():
    with pytest.raises(TableError, match="a-b"):
        Labels().merge("A b", "c", "", "r0001")


def test_a_labeller_that_babbles_gets_a_bounded_label():
    labeller = FixedLabeller(x="ignore all rules and " * 40)

    labels = file(Labels(), "x", labeller=labeller)

    (label,) = labels.known
    assert len(label) <= LABEL_LIMIT
    assert not label.endswith("-")


@given(st.text())
def test_a_label_is_a_slug_whatever_it_is_made_of(text: str):
    label = slug(text)

    assert 0 < len(label) <= LABEL_LIMIT
    assert slug(label) == label
    assert set(label) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_two_phrases_without_latin_letters_do_not_share_a_label():
    assert slug("заголовок") != slug("подпись")


NAMES = ["row", "logo", "foot", "name", "sponsor", "list"]
WORDS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=40)  # below the limit
PHRASES = st.lists(WORDS.map(" ".join), max_size=14)


@given(before=PHRASES, now=PHRASES, same_label=st.sampled_from([0.1, 0.3, 0.5, 0.8, 1]))
@settings(max_examples=300, deadline=None)
def test_each_phrase_is_compared_with_all_that_could_be_alike(
    before: list[str], now: list[str], same_label: float
):
    """As if it were compared with every phrase, one after the other."""

    def filed(labels: Labels, phrases: list[str], round: str) -> Labels:
        return labels.file(phrases, FixedLabeller(), same_label=same_label, round=round)

    def slowly(labels: Labels, phrases: list[str], round: str) -> Labels:
        told = {filing.phrase for filing in labels.filings}
        for phrase in sorted({" ".join(one.split()) for one in phrases} - told):
            label = slug(phrase.split()[-1])
            filing = Filing(
                phrase=phrase, label=label, why="its last word", round=round
            )
            new = replace(labels, filings=(*labels.filings, filing))
            if labels.canonical(label) not in labels.known:
                near = [(-alike(phrase, f.phrase), f.phrase, f) for f in labels.filings]
                best = min(near, key=lambda one: one[:2], default=None)
                same = [k for k in labels.known if words(k) == words(label)]
                if same:
                    new = new.merge(label, same[0], "words", round)
                elif best is not None and -best[0] >= same_label:
                    new = new.merge(label, best[2].label, "like", round)
            labels = new
        return labels

    fast = filed(filed(Labels(), before, "r0001"), now, "r0002")
    slow = slowly(slowly(Labels(), before, "r0001"), now, "r0002")

    assert fast.filings == slow.filings
    assert [(m.from_label, m.to_label) for m in fast.merges] == [
        (m.from_label, m.to_label) for m in slow.merges
    ]


def test_many_phrases_are_filed_without_comparing_each_with_all():
    phrases = [f"item {n % 977} of list {n % 1009} for {n}" for n in range(20_000)]

    labels = Labels().file(phrases, FixedLabeller(), same_label=0.9, round="r0001")

    assert len(labels.filings) == 20_000
