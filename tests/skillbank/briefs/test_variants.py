import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief, Requirement
from skillbank.briefs.variants import (
    ModelVariantWriter,
    copies_of,
    drop_near_copies,
    near_copy,
)
from skillbank.errors import BriefError, ModelError
from skillbank.models.model import Request
from skillbank.models.scripted import ScriptedModel
from skillbank.world import Variant

BRIEF = Brief(
    id="b1",
    text="Please make a poster that says Open Day, with a large title.",
    cohort="schools",
    root="b0",
    parent="b0",
    facts={"tenant": "t1", "strings": ["Open Day"]},
    requirements=(
        Requirement(id="say", kind="says", text="says it", args={"text": "Open Day"}),
        Requirement(id="big", kind="large", text="large title", subtask="title"),
    ),
)
KINDS = ("surface", "distractor", "contract", "neighbour")


def understand(text: str, *, id: str, must_say=()) -> Brief:
    if "gibberish" in text:
        raise BriefError("brief", seen="no sense", expected="sense", remedy="rewrite")
    needs = [Requirement(id="big", kind="large", text="again", subtask="title")]
    if "story" in text:
        needs.append(Requirement(id="big", kind="tall", text="tall", reason="a story"))
    return Brief(id=id, text=text, requirements=tuple(needs))


def asked(request: Request) -> list[str]:
    last = request.parts[-1]
    assert isinstance(last, str)
    return last.split("kinds: ")[1].rstrip(".").split(", ")


def item(kind: str, text="A story that says Open Day", **changes):
    entry = {"kind": kind, "text": text, "note": "n", "dropped": [], "changed": []}
    return {**entry, **changes}


def written(**by_kind: object) -> tuple[dict[str, Brief], tuple[str, ...]]:
    """The variant of each kind, and what was rejected, when all kinds are asked."""

    def answer(request: Request):
        made = [by_kind.get(kind, item(kind)) for kind in asked(request)]
        return {"variants": made}

    writer = ModelVariantWriter(
        ScriptedModel(answer), understand, lambda _: ["Open Day"]
    )
    got = writer.draft(BRIEF, 4, seed=1)
    return {variant.brief.kind: variant.brief for variant in got.written}, got.rejected


def test_a_variant_keeps_parent_root_cohort_and_facts():
    variants, rejected = written()

    assert rejected == ()
    assert set(variants) == set(KINDS)
    for brief in variants.values():
        assert (brief.parent, brief.root, brief.cohort) == ("b1", "b0", "schools")
        assert brief.facts == BRIEF.facts
        assert brief.text == "A story that says Open Day"
    assert len({brief.id for brief in variants.values()} | {"b1"}) == 5


@pytest.mark.parametrize("kind", ["surface", "distractor"])
def test_the_same_need_in_other_words_keeps_its_requirements(kind: str):
    variants, _ = written()

    assert variants[kind].requirements == BRIEF.requirements


@pytest.mark.parametrize("kind", ["contract", "neighbour"])
def test_another_need_drops_what_falls_away_and_adds_what_the_text_demands(kind: str):
    variants, _ = written(**{kind: item(kind, dropped=["big"])})

    needs = {need.id: need for need in variants[kind].requirements}

    assert list(needs) == ["say", "big-new"]
    assert needs["big-new"].kind == "tall"
    assert needs["say"] == BRIEF.requirements[0]


def test_an_exchanged_string_is_exchanged_in_requirements_and_facts_alike():
    entry = item(
        "contract",
        "A story that says Summer Fair",
        changed=[{"old": "Open Day", "new": "Summer Fair"}],
    )

    brief = written(contract=entry)[0]["contract"]

    assert brief.requirements[0].args == {"text": "Summer Fair"}
    assert brief.facts == {"tenant": "t1", "strings": ["Summer Fair"]}


@pytest.mark.parametrize(
    ("kind", "entry", "why"),
    [
        ("surface", item("surface", dropped=["big"]), "changes what is asked"),
        ("surface", item("surface", "A story"), "does not say 'Open Day'"),
        ("surface", item("surface", "  "), "2 characters"),
        ("surface", item("neighbour"), "wrote neighbour instead"),
        ("contract", item("contract", dropped=["fee"]), "not there ('fee')"),
        (
            "contract",
            item("contract", changed=[{"old": "t1", "new": "t2"}]),
            "not listed ('t1')",
        ),
        (
            "contract",
            item("contract", changed=[{"old": "Open Day", "new": "a\nb"}]),
            "nobody can say",
        ),
        ("neighbour", item("neighbour", "gibberish Open Day"), "no sense"),
    ],
)
def test_an_entry_that_breaks_a_rule_is_rejected_with_its_reason(kind, entry, why):
    variants, rejected = written(**{kind: entry})

    assert kind not in variants
    assert len(rejected) == 1
    assert why in rejected[0]


def test_no_answer_means_no_variants_and_a_reason():
    writer = ModelVariantWriter(ScriptedModel(None), understand)

    got = writer.draft(BRIEF, 2, seed=1)

    assert got.written == ()
    assert len(got.rejected) == 1


def test_no_more_are_taken_than_were_asked_for():
    writer = ModelVariantWriter(
        ScriptedModel(
            lambda request: {"variants": [item(kind) for kind in asked(request) * 3]}
        ),
        understand,
    )

    assert len(writer.write(BRIEF, 2, seed=1)) == 2
    assert writer.write(BRIEF, 0, seed=1) == ()


def test_an_unreachable_model_is_a_fault():
    with pytest.raises(ModelError):
        ModelVariantWriter(ScriptedModel(), understand).write(BRIEF, 1, seed=1)


def test_equal_seeds_ask_the_same_and_seeds_vary_the_kinds():
    def kinds(seed: int) -> list[str]:
        model = ScriptedModel({"variants": []})
        ModelVariantWriter(model, understand).write(BRIEF, 2, seed)
        return asked(model.requests[0])

    assert kinds(1) == kinds(1)
    assert len({tuple(kinds(seed)) for seed in range(8)}) > 1


def variant(text: str) -> Variant:
    return Variant(brief=Brief(id=text[:8], text=text), note="")


def test_near_copies_of_others_and_of_earlier_variants_are_dropped():
    parent = "make a poster for the fair on friday with the date in red"
    fresh = "we need something for the wall by friday"

    kept = drop_near_copies(
        [
            variant(parent.upper() + "!"),
            variant(fresh),
            variant("We need something: for the wall, by Friday."),
        ],
        [parent],
        at=0.9,
    )

    assert [one.brief.text for one in kept] == [fresh]


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        ("a poster", "A poster!", 1, 1),
        ("a poster", "something else", 0, 0),
        (" ".join("abcdefghijklmnopqrst"), " ".join("abcdefghXjklmnopqrst"), 0.8, 0.9),
        ("", "", 1, 1),
        ("", "word", 0, 0),
        ("word", "word", 1, 1),
    ],
)
def test_similarity_is_of_words_in_their_order(a, b, low, high):
    assert low <= near_copy(a, b) <= high


@settings(derandomize=True, deadline=None)
@given(st.text(), st.text())
def test_similarity_is_symmetric_and_bounded(a: str, b: str):
    assert near_copy(a, b) == near_copy(b, a)
    assert 0 <= near_copy(a, b) <= 1
    assert near_copy(a, a) == 1


_WORDS = st.lists(st.sampled_from(["a", "red", "poster", "of", "sea"]), max_size=6)
_TEXTS = st.lists(_WORDS.map(" ".join), max_size=6)


@given(_TEXTS, _TEXTS, st.sampled_from([0.1, 0.5, 0.9, 1.0]))
def test_copies_are_found_as_trying_each_pair_finds_them(
    texts: list[str], others: list[str], at: float
):
    found = copies_of(texts, others, at)

    said = [text for text in texts if text]
    assert {text for text in found if text} == {
        text for text in said if any(near_copy(text, o) >= at for o in others if o)
    }
