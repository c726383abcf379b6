"""The dataset's documentation is what the dataset is."""

from pathlib import Path

from skillbank.traffic.columns import COLUMNS, as_markdown

DOC = Path(__file__).resolve().parents[3] / "docs" / "runs.md"


def test_the_documentation_has_every_column_with_its_type_and_meaning():
    assert as_markdown() in DOC.read_text(encoding="utf-8")


def test_every_column_says_what_it_means():
    assert all(column.says.endswith(".") for column in COLUMNS.values())
