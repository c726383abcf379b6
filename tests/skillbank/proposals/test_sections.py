"""A section gets more items, and every other line stays as it was."""

import pytest

from skillbank.proposals.sections import with_items
from skillbank.skills.outline import outline

BODY = """
# A card

## Steps

1. First.
2. Second.

Some words.

## Checks

- It holds.
"""


def test_a_numbered_list_goes_on_with_its_numbers():
    made = with_items(BODY, "Steps", ["Third."], numbered=True)

    assert outline(made).steps == ("First.", "Second.", "Third.")
    assert "3. Third." in made
    assert outline(made).checks == ("It holds.",)


def test_a_section_that_is_missing_comes_last():
    made = with_items(BODY, "Pitfalls", ["It breaks."], numbered=False)

    assert outline(made).pitfalls == ("It breaks.",)
    assert made.startswith(BODY.rstrip("\n"))


def test_nothing_to_add_changes_nothing():
    assert with_items(BODY, "Steps", [], numbered=True) == BODY


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_stay_as_they_are(newline: str):
    body = BODY.replace("\n", newline)

    made = with_items(body, "Checks", ["It is read."], numbered=False)

    assert made.count("\n") == made.count(newline)
    assert set(body.split(newline)) <= set(made.split(newline))


def test_a_heading_inside_code_is_no_section():
    body = "\n# A\n\n```\n## Steps\n```\n"

    made = with_items(body, "Steps", ["One."], numbered=True)

    assert outline(made).steps == ("One.",)
    assert "```\n## Steps\n```" in made


def test_a_heading_without_a_list_gets_one():
    made = with_items("# A\n\n## Checks\n## More\n", "Checks", ["One."], numbered=False)

    assert outline(made).checks == ("One.",)
    assert "## More" in made
