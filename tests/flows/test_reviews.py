"""Cards with a review date: listed once the day has come, and named in the report."""

from dataclasses import replace
from pathlib import Path

import orjson
from typer.testing import CliRunner

from flows.cli import app
from skillbank.reports.build import view_of
from skillbank.reports.page import render
from skillbank.skills.lifecycle import dated
from tasks.workspace import copy_shipped
from tests.skillbank.reports.builders import draw, material


def test_a_card_whose_review_date_has_passed_is_due_in_the_list(tmp_path: Path):
    store = copy_shipped(tmp_path).ready_bank()
    bank = store.current()
    days = ("2020-02-29", "2999-01-01")
    dates = dict(zip(bank.names(), days, strict=False))
    entries = tuple(
        replace(entry, review_by=dates.get(entry.name, "")) for entry in bank.entries
    )
    number = store.write(replace(bank, entries=entries, number=bank.number + 1))
    store.set_head(number)

    done = CliRunner().invoke(app, ["bank", "list", "-w", str(tmp_path), "--json"])
    rows = orjson.loads(done.stdout)

    told = [row["review"] for row in rows if row["review"]]
    assert sorted(told) == ["2999-01-01", "due since 2020-02-29"]
    assert [entry.review_by for entry in dated(store.current())] == list(days)


def test_the_report_names_the_cards_that_a_person_should_read(tmp_path: Path):
    bank = copy_shipped(tmp_path).ready_bank().current()
    card = replace(bank.entries[0], review_by="2026-12-24")

    text = render(view_of(material(reviews=[card]), draw))

    assert f"To be read again by a person: {card.name} by 2026-12-24." in text
    assert "To be read again" not in render(view_of(material(), draw))
