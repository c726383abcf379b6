"""A language model that looks at two pictures and says which serves the brief better.

It is shown the brief, the requirements and the pictures, and nothing that tells where
they come from: order is all that differs between the two calls about a pair.
"""

from collections.abc import Callable, Mapping
from typing import Final

from skillbank.briefs.brief import Brief
from skillbank.codec import Json, digest
from skillbank.judging.judge import Preference
from skillbank.models.model import Image, LanguageModel, Request
from skillbank.prompts import fenced, prompt

_SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "preference": {"type": "string", "enum": ["first", "second", "same"]},
    },
    "required": ["reason", "preference"],
    "additionalProperties": False,
}
_MAX_TOKENS = 4096  # what a model thinks before it answers counts too


class ModelJudge:
    """A judge that asks a model with pictures.

    Args:
        model: Answers; it has to take pictures.
        picture: Draws an output as a PNG of at most so many pixels in width.
        width: That width.
        revision: Revision of the world, which changes when its pictures do.
    """

    def __init__(
        self,
        model: LanguageModel,
        picture: Callable[[str, int], bytes],
        width: int,
        revision: str,
    ) -> None:
        self._model = model
        self._picture = picture
        self._width = width
        asked = digest(prompt("judge"), _SCHEMA, width, revision)[:12]
        self.revision = f"{model.name}/{asked}"

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        """Ask which output better satisfies the brief, as presented.

        The field `preference` is the answer, whatever the reason says; an answer that
        is missing after one repair is "invalid". `batch` is not shown.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        request = Request(
            system=prompt("judge"),
            parts=(
                fenced("The brief", brief.text),
                fenced("Its requirements", _requirements(brief)),
                "The first output:",
                Image(self._picture(first, self._width)),
                "The second output:",
                Image(self._picture(second, self._width)),
                "Which output better satisfies the brief?",
            ),
            schema=_SCHEMA,
            seed=seed,
            max_tokens=_MAX_TOKENS,
        )
        answer = self._model.complete(request).answer
        match answer["preference"] if answer is not None else None:
            case "first":
                return "first"
            case "second":
                return "second"
            case "same":
                return "same"
            case _:
                return "invalid"


def _requirements(brief: Brief) -> str:
    lines = [f"- {need.text} (weight {need.weight:g})" for need in brief.requirements]
    return "\n".join(lines) or "(none stated)"
