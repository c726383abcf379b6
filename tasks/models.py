"""Puts language models in where params.yaml names them; offline there are none."""

import threading

from skillbank.briefs.variants import ModelVariantWriter
from skillbank.judging.model_judge import ModelJudge
from skillbank.models.anthropic import AnthropicModel
from skillbank.models.budget import Budget
from skillbank.models.journal import Journal, JournalledModel
from skillbank.params import ModelParams, Params
from skillbank.world import World

_lock = threading.Lock()
_models: dict[ModelParams, tuple[AnthropicModel, Budget]] = {}


def with_models(world: World, params: Params, journal: Journal) -> World:
    """The world with a model in each role that params.yaml gives to one.

    All roles of a round share one budget, and every answer is journalled.
    """
    roles = params.models
    if roles.variants == roles.judge == "studio":
        return world
    model = JournalledModel(_model(roles), journal)
    if roles.variants == "anthropic":
        world.variants = ModelVariantWriter(model, world.understand, world.must_say)
    if roles.judge == "anthropic":
        world.judge = ModelJudge(model, world.picture, roles.picture_px, world.revision)
    return world


def _model(roles: ModelParams) -> AnthropicModel:
    with _lock:
        if roles not in _models:
            budget = Budget(roles.max_usd)
            _models[roles] = (AnthropicModel(roles, budget), budget)
        return _models[roles][0]


def spent_usd() -> float:
    """What models have cost since the last `close_models`, in US dollars."""
    with _lock:
        return sum(budget.spent_usd for _, budget in _models.values())


def close_models() -> None:
    """Close every model's connections and forget its budget: the round is over."""
    with _lock:
        for model, _ in _models.values():
            model.close()
        _models.clear()
