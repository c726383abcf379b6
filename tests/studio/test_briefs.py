"""Claims about generated briefs, the frozen files, variants and foreign briefs."""

from itertools import combinations
from pathlib import Path

import pytest

from skillbank.briefs.benchmark import read_benchmark
from skillbank.errors import BriefError, WorldError
from skillbank.evidence.words import alike
from studio.briefs import fixed
from studio.verify import VERIFIERS
from tests.studio.playing import ROOT, attempt, brief, studio

FILES: Path = ROOT / "data/benchmark"
FULL: Path = ROOT / "data/benchmark-full"


def test_a_brief_has_four_or_five_parts_and_sixteen_or_so_requirements():
    for number in range(30):
        one = brief(number)
        whole = [need for need in one.requirements if not need.subtask]

        assert len(studio().plan(one)) in (4, 5)
        assert 14 <= len(one.requirements) <= 18
        assert 1 <= len(whole) <= 2
        assert all(need.kind in VERIFIERS for need in one.requirements)


def test_the_frozen_files_are_what_the_studio_generates():
    assert read_benchmark(FILES / "benchmark.jsonl") == fixed("benchmark", 80)
    assert read_benchmark(FILES / "sealed.jsonl") == fixed("sealed", 40)
    assert read_benchmark(FULL / "benchmark.jsonl") == fixed("benchmark", 200)
    assert read_benchmark(FULL / "sealed.jsonl") == fixed("sealed", 100)


def test_benchmark_sealed_traffic_and_variants_share_no_near_copies():
    kept = [("benchmark", one.text) for one in read_benchmark(FULL / "benchmark.jsonl")]
    kept += [("sealed", one.text) for one in read_benchmark(FULL / "sealed.jsonl")]
    kept += [("traffic", brief(number).text) for number in range(40)]
    kept += [
        ("variant", each.brief.text)
        for number in range(20)
        for each in studio().variants.write(brief(number), 2, 1)
    ]

    for (one, text), (other, words) in combinations(kept, 2):
        if one != other and {one, other} != {"traffic", "variant"}:
            assert alike(text, words) < 0.8


def test_a_variant_keeps_its_root_and_says_what_was_changed():
    one = brief(1)

    written = studio().variants.write(one, 4, seed=3)

    assert {each.brief.kind for each in written} == {
        "surface",
        "distractor",
        "contract",
        "neighbour",
    }
    for each in written:
        assert each.brief.parent == one.id
        assert each.brief.root == one.root
        assert each.note
        assert alike(each.brief.text, one.text) < 0.9
        assert attempt(each.brief).ending in ("ok", "broken")


def test_variants_are_the_same_for_the_same_seed():
    assert studio().variants.write(brief(2), 2, 7) == studio().variants.write(
        brief(2), 2, 7
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A poster for a jazz concert", ()),
        ("make something", ("Grand opening", "Saturday 9 am", "Shop now", "50% off")),
        ("Instagram story with a photo of bread", ("Fresh bread",)),
        ("??? 1", ()),
        ("一张海报", ("你好",)),
        ("x " * 3000, tuple(f"string number {k}" for k in range(80))),
        ("", ("only a string",)),
    ],
)
def test_a_foreign_brief_gets_three_requirements_with_reasons_and_an_export(text, says):
    one = studio().understand(text, id="f", must_say=says)

    made = attempt(one)

    assert len(one.requirements) >= 3
    assert all(need.reason for need in one.requirements)
    assert len({need.id for need in one.requirements}) == len(one.requirements)
    assert made.ending == "ok"
    assert len(studio().verify(one, made.output)) == len(one.requirements)


def test_every_string_that_must_appear_is_demanded():
    says = ("Summer fair", "Games for all", "12 July", "Join us")

    one = studio().understand("A flyer", id="f", must_say=says)

    demanded = {n.args["text"] for n in one.requirements if n.kind == "text_present"}
    assert demanded == set(says)


@pytest.mark.parametrize("text", ["", "   ", "?!"])
def test_a_brief_without_a_word_cannot_be_understood(text):
    with pytest.raises(BriefError):
        studio().understand(text, id="f")


def test_the_labeller_prefers_what_is_known_and_names_what_is_new():
    known = ("headline", "qr")

    assert studio().labeller.label("add the scan code for the link", known)[0] == "qr"
    assert studio().labeller.label("set the star rating line", known)[0] == "rating"
    assert (
        studio().labeller.label("knit a woollen sock", known)[0] == "knit-sock-woollen"
    )


def test_more_contexts_than_there_are_choices_of_pictures_are_refused():
    one = brief(5)

    assert len({context.assets for context in studio().contexts(one, 120, 3)}) == 120
    with pytest.raises(WorldError, match=r"400 wanted.*params\.yaml"):
        studio().contexts(one, 400, 3)
