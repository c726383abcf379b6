from hypothesis import given
from hypothesis import strategies as st

from skillbank.evidence.words import alike, words


def test_small_words_case_and_plurals_do_not_count():
    assert alike("Place the Sponsors", "place a sponsor on it") == 1


def test_words_of_any_script_are_words():
    assert words("Логотип внизу") == {"логотип", "внизу"}


def test_texts_without_words_share_nothing():
    assert alike("...", "...") == 0


@given(st.text(), st.text())
def test_likeness_is_symmetric_and_between_zero_and_one(one: str, other: str):
    assert alike(one, other) == alike(other, one)
    assert 0 <= alike(one, other) <= 1
