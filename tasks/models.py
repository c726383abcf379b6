"""Puts language models in where params.yaml names them; offline there are none."""

from skillbank.briefs.variants import ModelVariantWriter
from skillbank.judging.model_judge import ModelJudge
from skillbank.models.anthropic import AnthropicModel
from skillbank.models.budget import Budget
from skillbank.models.journal import Journal, JournalledModel
from skillbank.params import Params
from skillbank.world import World


def with_models(world: World, params: Params, journal: Journal) -> World:
    """The world with a model in each role that params.yaml gives to one.

    All roles share one budget, and every answer is journalled.
    """
    roles = params.models
    if roles.variants == roles.judge == "studio":
        return world
    asked = AnthropicModel(roles, Budget(roles.max_usd))
    model = JournalledModel(asked, journal)
    if roles.variants == "anthropic":
        world.variants = ModelVariantWriter(model, world.understand, world.must_say)
    if roles.judge == "anthropic":
        world.judge = ModelJudge(model, world.picture, roles.picture_px, world.revision)
    return world
