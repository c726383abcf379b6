"""Claims about simulated customers."""

from collections import Counter
from pathlib import Path

import pytest

from skillbank.traffic.readers import native
from skillbank.traffic.run import Misfit, Run
from tests.studio.playing import NOTHING, studio


@pytest.fixture(scope="module")
def weeks(tmp_path_factory) -> dict[int, list[Run | Misfit]]:
    folder: Path = tmp_path_factory.mktemp("weeks")
    found = {}
    for number in (1, 6):
        path = folder / f"{number}.jsonl"
        path.write_text("\n".join(studio().week(number, 150, NOTHING, 4)) + "\n")
        found[number] = list(native.read(path))
    return found


def runs(week: list[Run | Misfit]) -> list[Run]:
    return [each for each in week if isinstance(each, Run)]


def test_a_week_is_the_same_for_the_same_seed():
    one = list(studio().week(2, 20, NOTHING, 4))

    assert one == list(studio().week(2, 20, NOTHING, 4))
    assert one != list(studio().week(2, 20, NOTHING, 5))


def test_a_week_has_many_users_two_cohorts_and_sessions(weeks):
    found = runs(weeks[1])

    assert len({run.user for run in found}) >= 25
    assert {run.cohort for run in found} == {"retail", "culture"}
    assert max(Counter(run.session for run in found).values()) > 1


def test_a_week_has_duplicates_retries_and_a_few_broken_lines(weeks):
    found = runs(weeks[1])
    ids = Counter(run.run_id for run in found)

    assert any(count > 1 for count in ids.values())
    assert any(run.retry_of for run in found)
    assert 0 < len(weeks[1]) - len(found) < 20


def test_some_texts_hold_an_address_or_a_number(weeks):
    assert any("@example.org" in run.brief.text for run in runs(weeks[1]))
    assert any("+44 20" in run.brief.text for run in runs(weeks[1]))


def test_some_runs_are_graded_by_their_customer_and_others_are_not(weeks):
    provenances = Counter(run.provenance for run in runs(weeks[1]))

    assert provenances["check"] > 50
    assert provenances["none"] > 20


def test_fresh_needs_become_more_frequent(weeks):
    def share(week: list[Run | Misfit]) -> float:
        plans = [set(run.brief.facts["plan"]) for run in runs(week)]
        return sum(bool(plan & {"rating", "hours", "qr"}) for plan in plans) / len(
            plans
        )

    assert share(weeks[6]) > share(weeks[1]) + 0.1
