"""A model names needs better, through the same function; nothing depends on it."""

from collections.abc import Mapping

from skillbank.codec import Json
from skillbank.evidence.labels import Labels
from skillbank.evidence.model_labels import ModelLabeller
from skillbank.evidence.themes import ThemeLabeller
from skillbank.models.model import Request
from skillbank.models.scripted import ScriptedModel
from skillbank.world import Labeller

CITIES, TEXTS = ("Rome", "Oslo", "Riga", "Bern"), ("menu", "poem", "letter", "note")
PHRASES = (
    *(f"cancel the flight to {city} please" for city in CITIES),
    *(f"translate the {text} into Greek" for text in TEXTS),
)


def named(request: Request) -> Mapping[str, Json]:
    """Names each group after a word of its requests."""
    groups: list[Json] = []
    shown = [part for part in request.parts if isinstance(part, str)]
    for n, part in enumerate((p for p in shown if p.startswith("Group")), start=1):
        label = "Cancel a Flight" if "cancel" in part else "translate-text"
        groups.append({"group": n, "label": label, "why": "as asked"})
    return {"groups": groups}


def filed(labeller: Labeller, labels: Labels | None = None) -> Labels:
    return (labels or Labels()).file(PHRASES, labeller, same_label=0.5, round="r0001")


def test_themes_get_the_names_that_a_model_gives_them_with_its_reason():
    model = ScriptedModel(named)

    labels = filed(ModelLabeller(model, ThemeLabeller()))

    assert labels.known == ("cancel-a-flight", "translate-text")
    assert {one.why for one in labels.filings} == {"a model: as asked"}
    assert model.calls == 1


def test_without_an_answer_the_names_are_those_of_the_words():
    model = ScriptedModel(lambda request: None)

    assert filed(ModelLabeller(model, ThemeLabeller())) == filed(ThemeLabeller())


def test_an_answer_about_a_group_that_was_not_shown_is_left_out():
    def odd(request: Request) -> Mapping[str, Json]:
        return {"groups": [{"group": 99, "label": "take-over", "why": "because"}]}

    labels = filed(ModelLabeller(ScriptedModel(odd), ThemeLabeller()))

    assert "take-over" not in labels.known


def test_a_need_of_before_keeps_its_name():
    labels = filed(ModelLabeller(ScriptedModel(named), ThemeLabeller()))
    model = ScriptedModel(named)

    again = labels.file(
        ["cancel the flight to Wien please"],
        ModelLabeller(model, ThemeLabeller()),
        same_label=0.5,
        round="r0002",
    )

    assert again.of("cancel the flight to Wien please") == "cancel-a-flight"
    assert again.known == labels.known
    for request in model.requests:
        assert any("cancel-a-flight" in str(part) for part in request.parts)


def test_requests_reach_the_model_behind_marks_only():
    model = ScriptedModel(named)

    filed(ModelLabeller(model, ThemeLabeller()))

    (asked,) = model.requests
    assert "Rome" not in asked.system
    told = [part for part in asked.parts if isinstance(part, str) and "Rome" in part]
    assert all("<data-" in part for part in told)
