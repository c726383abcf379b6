"""Puts language models in where params.yaml names them; offline there are none."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skillbank.briefs.variants import ModelVariantWriter
from skillbank.evidence.model_labels import ModelLabeller
from skillbank.judging.model_judge import ModelJudge
from skillbank.models.anthropic import AnthropicModel
from skillbank.models.budget import Budget
from skillbank.models.journal import Journal, JournalledModel
from skillbank.params import ModelParams, Params
from skillbank.proposals.model_writer import ModelSkillWriter
from skillbank.world import World
from tasks.journal import SqliteJournal

_lock = threading.Lock()
_models: dict[ModelParams, tuple[AnthropicModel, Budget]] = {}
_charged: tuple[SqliteJournal, str] | None = None
"""Where costs are remembered, and for which round; None: for none."""


@contextmanager
def charged_to(journal: Path, round: str) -> Iterator[None]:
    """Charge models to a round: it goes on with what its earlier starts have left.

    Args:
        journal: The workspace's journal, which remembers what was spent.
        round: Id of the round.
    """
    global _charged
    close_models()  # one that was built to look at the world has a budget of its own
    kept = SqliteJournal(journal)
    with _lock:
        _charged = kept, round
    try:
        yield
    finally:
        close_models()
        with _lock:
            _charged = None
        kept.close()


def with_models(world: World, params: Params, journal: Journal) -> World:
    """The world with a model in each role that params.yaml gives to one.

    All roles of a round share one budget, and every answer is journalled. A world that
    cannot run its agent has no use for variants or a judge.
    """
    roles, able = params.models, not world.unable
    replayed = (roles.variants, roles.judge) if able else ()
    wanted = {roles.labels, roles.skills, *replayed}
    if wanted == {"studio"}:
        return world
    model = JournalledModel(_model(roles), journal)
    if roles.labels == "anthropic":
        world.labeller = ModelLabeller(model, world.labeller)
    if roles.skills == "anthropic":
        world.writer = ModelSkillWriter(model)
    if able and roles.variants == "anthropic":
        world.variants = ModelVariantWriter(model, world.understand, world.must_say)
    if able and roles.judge == "anthropic":
        world.judge = ModelJudge(model, world.picture, roles.picture_px, world.revision)
    return world


def _model(roles: ModelParams) -> AnthropicModel:
    with _lock:
        if roles not in _models:
            budget = _budget(roles)
            _models[roles] = (AnthropicModel(roles, budget), budget)
        return _models[roles][0]


def _budget(roles: ModelParams) -> Budget:
    if _charged is None:
        return Budget(roles.max_usd)
    journal, round = _charged
    return Budget(
        roles.max_usd, journal.spent_usd(round), lambda usd: journal.book(round, usd)
    )


def spent_usd() -> float:
    """What models have cost in the round, or since `close_models`, in US dollars."""
    with _lock:
        return sum(budget.spent_usd for _, budget in _models.values())


def close_models() -> None:
    """Close every model's connections and forget its budget: the round is over."""
    with _lock:
        for model, _ in _models.values():
            model.close()
        _models.clear()
