import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from skillbank.errors import ParamsError
from skillbank.params import Params, read_params
from skillbank.section import Section

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = {
    name: field.annotation
    for name, field in Params.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
}


def read(tmp_path: Path, text: str) -> Params:
    path = tmp_path / "params.yaml"
    path.write_text(text)
    return read_params(path)


def test_what_the_shipped_file_says_is_what_the_code_takes_for_granted():
    assert read_params(ROOT / "params.yaml") == Params()


def test_the_numbers_that_were_published_are_the_defaults():
    params = Params()

    assert params.attribute.fail_below == 0.6
    assert (params.propose.failures, params.propose.recurrences) == (2, 3)
    assert (params.screen.min_steps, params.screen.min_checks) == (2, 1)
    assert params.screen.max_characters == 4000
    assert params.recall.limit == 3
    assert (params.gate.cases, params.gate.contexts) == (4, 3)
    assert params.benchmark.success == 0.6
    assert params.evolve.rounds == 5


@pytest.mark.parametrize("section", SECTIONS)
def test_every_constant_says_what_it_is(section: str):
    kind = SECTIONS[section]
    assert kind is not None

    for name, field in kind.model_fields.items():
        assert field.description, f"{section}.{name}"


def test_an_empty_file_is_all_defaults(tmp_path: Path):
    assert read(tmp_path, "") == Params()
    assert read(tmp_path, "# nothing\n") == Params()


def test_the_band_is_read_as_the_decimal_that_was_written(tmp_path: Path):
    assert read(tmp_path, "gate: {band: 0.1}").gate.band == Fraction(1, 10)
    assert read(tmp_path, "gate: {band: 1/6}").gate.band == Fraction(1, 6)
    assert read(tmp_path, "gate: {band: 0}").gate.band == 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("gate: {min_gian: 0.02}", "gate.min_gian"),
        ("recal: {limit: 3}", "recal"),
        ("gate: {cases: 2.5}", "gate.cases"),
        ("gate: {cases: null}", "gate.cases"),
        ("ingest: {teach_share: 1.2}", "ingest.teach_share"),
        ("evolve: {seed: -1}", "evolve.seed"),
        ("propose: {feedback: loud}", "propose.feedback"),
        ("gate: 3", "gate"),
    ],
)
def test_a_problem_is_named_by_its_key(tmp_path: Path, text: str, place: str):
    with pytest.raises(ParamsError) as caught:
        read(tmp_path, text)

    assert caught.value.place == f"params.yaml: {place}"
    assert caught.value.expected
    assert place in caught.value.remedy


def test_a_typo_is_answered_with_the_keys_that_there_are(tmp_path: Path):
    with pytest.raises(ParamsError, match="cases, contexts, spares, band"):
        read(tmp_path, "gate: {case: 3}")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("gate: {cases: 4", "YAML"),
        ("a: 1\na: 2", "duplicate key"),
        ("- a\n- b", "a list"),
        ("just words", "a str"),
        ("\t- a: 1", "YAML"),
        ("gate: !!python/object:os.system {}", "YAML"),
    ],
)
def test_what_is_no_mapping_is_an_error(tmp_path: Path, text: str, word: str):
    with pytest.raises(ParamsError, match=re.escape(word)):
        read(tmp_path, text)


def test_a_missing_file_says_how_to_get_one(tmp_path: Path):
    with pytest.raises(ParamsError, match="skillbank init"):
        read_params(tmp_path / "params.yaml")


def test_parameters_never_change_once_read():
    with pytest.raises(ValidationError):
        Params().gate.cases = 5  # type: ignore[misc]


SHIPPED = ROOT / "params.yaml"


def fields(section: type[BaseModel]) -> Iterator[tuple[str, str]]:
    for name, field in section.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from fields(inner)
        else:
            yield name, field.description or ""


def test_the_shipped_file_holds_every_default():
    text = SHIPPED.read_text(encoding="utf-8")

    assert read_params(SHIPPED) == Params()
    assert all(f"{name}: " in text for name, _ in fields(Params))


def test_every_constant_says_where_it_comes_from():
    sources = ("published", "ours", "study", "prototype", "vendor")

    silent = [
        name
        for name, description in fields(Params)
        if not any(source in description.lower() for source in sources)
    ]

    assert silent == []


@pytest.mark.parametrize(
    "text",
    [
        "judge: {position_bias: .nan}",
        "judge: {taste: -.inf}",
        "models: {max_usd: .inf}",
        "benchmark: {confidence: 1}",
        "benchmark: {confidence: 0}",
        "evolve: {seed: 99999999999999999999}",
        "evolve: {workers: 99999999999}",
        "gate: {contexts: 1.0e+20}",
    ],
)
def test_a_number_that_no_round_could_end_with_is_refused(tmp_path: Path, text: str):
    section, name = re.findall(r"\w+", text)[:2]

    with pytest.raises(ParamsError, match=rf"params\.yaml: {section}\.{name}"):
        read(tmp_path, text)


@pytest.mark.parametrize("text", ["[]", "0", "false", "''", "world", "[" * 20_000])
def test_a_file_that_is_no_mapping_is_refused_and_not_taken_for_empty(
    tmp_path: Path, text: str
):
    with pytest.raises(ParamsError, match=r"params\.yaml"):
        read(tmp_path, text)
