"""Kinds of briefs, by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief, Requirement
from skillbank.briefs.strata import is_stratum, stratum, within

BRIEF = Brief(
    id="b",
    text="a poster",
    cohort="retail",
    requirements=(
        Requirement(id="1", kind="contrast", text="", subtask="quote"),
        Requirement(id="2", kind="leading", text="", subtask="agenda"),
    ),
)


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("cohort=retail", True),
        ("cohort=culture", False),
        ("check=contrast", True),
        ("subtask=agenda", True),
        ("subtask=quote, check=contrast", True),
        ("subtask=quote, check=leading", False),
        ("cohort=retail, subtask=agenda, check=leading", True),
        ("cohort=culture, check=contrast", False),
        ("", False),
        ("retail", False),
        ("cohort=", False),
        ("check=contrast, subtask=quote", False),
        ("cohort=retail, nonsense", False),
    ],
)
def test_a_brief_is_of_the_kinds_that_its_cohort_and_its_demands_say(
    name: str, inside: bool
):
    assert within(BRIEF, name) is inside


@given(
    st.text(max_size=9),
    st.text(max_size=9).filter(bool),
    st.text(max_size=9),
)
def test_every_brief_is_of_the_kind_that_is_named_after_it(
    cohort: str, subtask: str, check: str
):
    # a name that holds the mark between two parts cannot be told from two parts
    for text in (cohort, subtask):
        if ", subtask=" in text or ", check=" in text or ", cohort=" in text:
            return
    need = Requirement(id="1", kind=check, text="", subtask=subtask)
    brief = Brief(id="b", text="a", cohort=cohort, requirements=(need,))

    name = stratum(cohort=cohort, subtask=subtask, check=check)

    assert is_stratum(name)
    assert within(brief, name)


def test_nothing_that_narrows_is_no_stratum():
    assert stratum() == ""
    assert not is_stratum("")
