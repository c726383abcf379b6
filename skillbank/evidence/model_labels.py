"""Needs named by a language model: what is alike is found in the words, as without one.

The model is shown a few requests of each theme and answers with a name. Where it does
not answer, or not with a name, the theme keeps the one that its words gave it; so a
model that fails costs a better name and nothing else.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from skillbank.codec import Json, seed_of
from skillbank.evidence.labels import slug
from skillbank.models.model import LanguageModel, Request
from skillbank.prompts import fenced, prompt
from skillbank.world import Labeller

_SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        "groups": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "group": {"type": "integer"},
                    "label": {"type": "string", "minLength": 1, "maxLength": 80},
                    "why": {"type": "string", "maxLength": 400},
                },
                "required": ["group", "label", "why"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["groups"],
    "additionalProperties": False,
}
_GROUPS = 20  # of one question
_QUESTIONS = 50  # of a round; what is left keeps the name that its words gave it
_SHOWN = 6  # requests of a group
_KNOWN = 200  # labels that a question names


class ModelLabeller:
    """Asks a model for the name of each theme; see `skillbank.world.Labeller`.

    Args:
        model: Answers.
        themes: Finds what is alike, and names it where the model does not.
    """

    def __init__(self, model: LanguageModel, themes: Labeller) -> None:
        self._model = model
        self._themes = themes
        self._named: dict[str, tuple[str, str]] = {}

    def study(self, phrases: Sequence[str], filed: Mapping[str, str]) -> None:
        """Find the themes, and ask for the names of those that have none of before.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        self._themes.study(phrases, filed)
        self._named = {}
        known = set(filed.values())
        groups: dict[str, list[str]] = {}
        for phrase in phrases:
            name, _ = self._themes.label(phrase, sorted(known))
            if name not in known:
                groups.setdefault(name, []).append(phrase)
        largest = sorted(groups, key=lambda name: (-len(groups[name]), name))
        for start in range(0, min(len(largest), _QUESTIONS * _GROUPS), _GROUPS):
            names = largest[start : start + _GROUPS]
            self._ask({name: groups[name] for name in names}, known)
            known |= {label for label, _ in self._named.values()}

    def label(self, phrase: str, known: Sequence[str]) -> tuple[str, str]:
        """What the model called the phrase's theme, or else what its words call it."""
        name, why = self._themes.label(phrase, known)
        return self._named.get(name, (name, why))

    def _ask(self, groups: Mapping[str, Sequence[str]], known: set[str]) -> None:
        names = list(groups)
        parts = [
            fenced(f"Group {n}", "\n".join(groups[name][:_SHOWN]))
            for n, name in enumerate(names, start=1)
        ]
        listed = "\n".join(sorted(known)[:_KNOWN]) or "(none)"
        request = Request(
            system=prompt("labels"),
            parts=(*parts, fenced("Known labels", listed), "Name each group."),
            schema=_SCHEMA,
            seed=seed_of("labels", *names),
        )
        answer = self._model.complete(request).answer
        for one in _entries(answer):
            place = one.get("group")
            if isinstance(place, int) and 0 < place <= len(names):
                told = (slug(str(one["label"])), f"a model: {one['why']}")
                self._named.setdefault(names[place - 1], told)


def _entries(answer: Mapping[str, Json] | None) -> list[Mapping[str, Json]]:
    found = answer.get("groups") if answer else None
    return (
        [one for one in found if isinstance(one, dict)]
        if isinstance(found, list)
        else []
    )
