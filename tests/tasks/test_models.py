"""What models cost stays with the round, however often it is started."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from skillbank.briefs.benchmark import read_benchmark
from skillbank.errors import BudgetError
from skillbank.models.journal import NoJournal
from skillbank.params import ModelParams, Params
from skillbank.proposals.proposal import Draft
from skillbank.proposals.writer import Cluster
from skillbank.traces.world import Traces
from studio.world import Studio
from tasks.journal import SqliteJournal
from tasks.models import charged_to, spent_usd, with_models
from tests.doubles.messages_server import MessagesServer, says

ROOT = Path(__file__).resolve().parents[2]
COST = 0.03
"""US dollars of one answer below: 10,000 tokens in and none to speak of out."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # cut off: a missing answer, not asked for again
    with MessagesServer(
        *[says("{", stop="max_tokens", tokens=(10_000, 0))] * 8
    ) as told:
        yield told


def ask(server: MessagesServer, seed: int, max_usd: float = 5.0) -> None:
    """One question of a model, as a round would ask it."""
    models = ModelParams(
        variants="anthropic",
        base_url=server.url,
        usd_per_mtok_in=3.0,
        max_usd=max_usd,
        retries=0,
    )
    params = Params(models=models)
    world = with_models(Studio(params), params, NoJournal())
    brief = read_benchmark(ROOT / "data/benchmark/benchmark.jsonl")[0]
    world.variants.write(brief, 1, seed)


def test_a_resumed_round_goes_on_with_what_is_left_of_its_budget(
    server: MessagesServer, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.sqlite"

    with charged_to(journal, "r0001"):
        ask(server, 1)
        assert spent_usd() == pytest.approx(COST)
    with charged_to(journal, "r0001"):  # killed, and started again
        ask(server, 2)
        assert spent_usd() == pytest.approx(2 * COST)
        asked = len(server.seen)
    with charged_to(journal, "r0001"), pytest.raises(BudgetError):
        ask(server, 3, max_usd=2 * COST)

    assert len(server.seen) == asked


def test_another_round_has_a_budget_of_its_own(
    server: MessagesServer, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.sqlite"
    with charged_to(journal, "r0001"):
        ask(server, 1)

    with charged_to(journal, "r0002"):
        ask(server, 2)
        assert spent_usd() == pytest.approx(COST)

    kept = SqliteJournal(journal)
    assert kept.spent_usd("r0001") == pytest.approx(COST)
    assert kept.spent_usd("r0003") == 0
    assert len(kept) == 0
    kept.close()


def test_outside_a_round_nothing_is_remembered(
    server: MessagesServer, tmp_path: Path
) -> None:
    ask(server, 1)
    with charged_to(tmp_path / "journal.sqlite", "r0001"):
        ask(server, 2)

        assert spent_usd() == pytest.approx(COST)


CARD = {
    "note": "Three runs lack it.",
    "name": "rename-columns",
    "description": "When columns of a table are to be renamed",
    "steps": ["Read the header.", "Rename."],
    "pitfalls": [],
    "checks": [],
    "calls": [],
}


def test_a_model_writes_cards_for_what_traces_need_and_is_not_asked_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    cluster = Cluster(label="rename columns", phrases=(), members=(), taken=frozenset())
    with MessagesServer(says(CARD)) as told:
        models = ModelParams(skills="anthropic", base_url=told.url)
        params = Params(models=models)
        journal = SqliteJournal(tmp_path / "journal.sqlite")
        with charged_to(tmp_path / "journal.sqlite", "r0001"):
            written = [
                with_models(Traces(params), params, journal).writer.mint(cluster, 1)
                for _ in range(2)
            ]
        journal.close()

    first, again = written
    assert isinstance(first, Draft)
    assert "name: rename-columns" in first.text
    assert first == again
    assert len(told.seen) == 1
