"""Variants of a brief, written by a model, and the near-copies among texts.

Knows no world. What a text demands is asked of `understand`, and which strings a brief
must say of `must_say`; the host's facts never come from a model, except that such a
string may be exchanged for another.
"""

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, Protocol, get_args

from skillbank.briefs.brief import Brief, Requirement
from skillbank.codec import Json, digest, seed_of
from skillbank.errors import BriefError
from skillbank.models.model import LanguageModel, Request
from skillbank.prompts import fenced, prompt
from skillbank.world import Variant

VariantKind = Literal["surface", "distractor", "contract", "neighbour"]
KINDS: Final[tuple[VariantKind, ...]] = get_args(VariantKind)
_SAME_NEED = ("surface", "distractor")
_MAX_TEXT = 8_000  # characters of a variant; longer is no brief of a person
_MAX_STRING = 200  # characters of a string that must be said

_SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        "variants": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "kind": {"type": "string", "enum": list(KINDS)},
                    "text": {"type": "string"},
                    "note": {"type": "string"},
                    "dropped": {"type": "array", "items": {"type": "string"}},
                    "changed": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "old": {"type": "string"},
                                "new": {"type": "string"},
                            },
                            "required": ["old", "new"],
                            "additionalProperties": False,
                        },
                    },
                },
                "required": ["kind", "text", "note", "dropped", "changed"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["variants"],
    "additionalProperties": False,
}


class Understand(Protocol):
    """Infers a brief from words, as `skillbank.world.World.understand` does."""

    def __call__(self, text: str, *, id: str, must_say: Sequence[str] = ()) -> Brief:
        """The brief that the words make, its requirements inferred."""
        ...


def _says_nothing(brief: Brief) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """What came of asking for variants."""

    written: tuple[Variant, ...]
    rejected: tuple[str, ...] = ()
    """Why the others, or all of them, were not taken: one sentence each."""


class ModelVariantWriter:
    """Asks a model for variants, and takes those that keep to the rules.

    Args:
        model: Writes the texts.
        understand: Says what a text of another contract or need demands.
        must_say: The strings of a brief that its text and its result must hold; they
            are kept letter by letter, or exchanged where the kind allows it.
    """

    def __init__(
        self,
        model: LanguageModel,
        understand: Understand,
        must_say: Callable[[Brief], Sequence[str]] = _says_nothing,
    ) -> None:
        self._model = model
        self._understand = understand
        self._must_say = must_say

    def write(self, brief: Brief, n: int, seed: int) -> tuple[Variant, ...]:
        """At most `n` variants; each keeps the brief as its parent and its root.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        return self.draft(brief, n, seed).written

    def draft(self, brief: Brief, n: int, seed: int) -> Variants:
        """The same, with the reason for each that was not taken.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        if n < 1:
            return Variants(written=())
        kinds = _kinds(brief, n, seed)
        strings = tuple(self._must_say(brief))
        completion = self._model.complete(_request(brief, kinds, strings, seed))
        if completion.answer is None:
            return Variants(written=(), rejected=(completion.problem,))
        items = completion.answer["variants"][:n]
        written: list[Variant] = []
        rejected: list[str] = []
        for kind, item in zip(kinds, items, strict=False):
            got = self._variant(brief, kind, item, strings)
            if isinstance(got, str):
                rejected.append(f"{kind}: {got}")
            else:
                written.append(got)
        return Variants(written=tuple(written), rejected=tuple(rejected))

    def _variant(
        self, brief: Brief, kind: VariantKind, item: Json, strings: tuple[str, ...]
    ) -> Variant | str:
        text = item["text"].strip()
        problem = _problem(brief, kind, item, strings)
        if problem:
            return problem
        name = f"{brief.id}-{kind}-{digest(kind, text)[:8]}"
        changed = {entry["old"]: entry["new"] for entry in item["changed"]}
        requirements, facts = brief.requirements, brief.facts
        if kind not in _SAME_NEED:
            said = [changed.get(string, string) for string in strings]
            try:
                inferred = self._understand(text, id=name, must_say=said)
            except BriefError as error:
                return error.seen
            kept = [need for need in requirements if need.id not in item["dropped"]]
            requirements = _merged(
                [replace(need, args=_exchange(need.args, changed)) for need in kept],
                inferred.requirements,
                known=requirements,
            )
            if not requirements:
                return "it asks for nothing that can be checked"
            facts = _exchange(facts, changed)
        return Variant(
            brief=replace(
                brief,
                id=name,
                text=text,
                requirements=requirements,
                facts=facts,
                parent=brief.id,
                kind=kind,
            ),
            note=" ".join(item["note"].split())[:300],
        )


def near_copy(a: str, b: str) -> float:
    """How much of two texts is the same words in the same order, in [0, 1].

    Jaccard similarity of their pairs of neighbouring words, case and punctuation aside.
    One word changed in the middle of twenty gives .83; 1 means the same words.

    Source:
        Broder 1997, "On the resemblance and containment of documents".
    """
    one, two = _shingles(a), _shingles(b)
    if not one and not two:
        return 1.0
    return len(one & two) / len(one | two)


def copies_of(texts: Iterable[str], others: Iterable[str], at: float) -> frozenset[str]:
    """The texts that are near-copies of any other, found without trying each pair.

    Args:
        texts: Many.
        others: Fewer: those that must not be repeated.
        at: Similarity (`near_copy`) from which a text is a near-copy, in (0, 1].
    """
    known = tuple(dict.fromkeys(others))
    holders: dict[tuple[str, str], list[str]] = {}
    for other in known:
        for shingle in _shingles(other):
            holders.setdefault(shingle, []).append(other)

    def nearest(text: str) -> Iterator[str]:
        shared = Counter(o for s in _shingles(text) for o in holders.get(s, ()))
        # near-copies share at least `at` of either one's shingles
        return (o for o, n in shared.items() if n >= at * len(_shingles(text)))

    return frozenset(
        text
        for text in dict.fromkeys(texts)
        if text in known or any(near_copy(text, other) >= at for other in nearest(text))
    )


def drop_near_copies(
    variants: Iterable[Variant], others: Iterable[str], at: float
) -> tuple[Variant, ...]:
    """The variants whose text is no near-copy of another, in their order.

    Args:
        variants: Of one brief or many.
        others: Texts that no variant may repeat: parents, benchmark, sealed briefs.
        at: Similarity from which a text is a near-copy, in (0, 1].
    """
    seen = list(others)
    kept = []
    for variant in variants:
        text = variant.brief.text
        if all(near_copy(text, other) < at for other in seen):
            kept.append(variant)
            seen.append(text)
    return tuple(kept)


@lru_cache(maxsize=8192)
def _shingles(text: str) -> frozenset[tuple[str, str]]:
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    # the empty word at both ends lets a text of one word have shingles too
    return frozenset(zip(["", *words], [*words, ""], strict=True)) if words else _NONE


_NONE: Final[frozenset[tuple[str, str]]] = frozenset()


def _kinds(brief: Brief, n: int, seed: int) -> tuple[VariantKind, ...]:
    """Every kind once before any comes twice, in an order of the seed's."""
    draw = random.Random(seed_of("variant kinds", brief.id, seed))
    kinds: list[VariantKind] = []
    while len(kinds) < n:
        kinds += draw.sample(KINDS, len(KINDS))
    return tuple(kinds[:n])


def _request(
    brief: Brief, kinds: Sequence[VariantKind], strings: Sequence[str], seed: int
) -> Request:
    needs = "\n".join(f"- {need.id}: {need.text}" for need in brief.requirements)
    said = "\n".join(f"- {string}" for string in strings)
    return Request(
        system=prompt("variants"),
        parts=(
            fenced("The brief", brief.text),
            fenced("Its requirements, each after its id", needs or "(none stated)"),
            fenced("Strings that must be said, one a line", said or "(none)"),
            f"Write {len(kinds)} variant(s), of these kinds: {', '.join(kinds)}.",
        ),
        schema=_SCHEMA,
        seed=seed,
        max_tokens=4096 + 1024 * len(kinds),
    )


def _problem(
    brief: Brief, kind: VariantKind, item: Json, strings: Sequence[str]
) -> str:
    """Why an entry is not taken; empty if it keeps to the rules."""
    text = item["text"]
    changed = {entry["old"]: entry["new"] for entry in item["changed"]}
    if item["kind"] != kind:
        return f"the model wrote {item['kind']} instead"
    if not text.strip() or len(text) > _MAX_TEXT:
        return f"a text of {len(text)} characters"
    if kind in _SAME_NEED and (item["dropped"] or changed):
        return "it changes what is asked"
    odd = sorted(set(item["dropped"]) - {need.id for need in brief.requirements})
    if odd:
        return f"it drops a requirement that is not there ({odd[0][:40]!r})"
    foreign = sorted(changed.keys() - set(strings))
    if foreign:
        return f"it changes a string that is not listed ({foreign[0][:40]!r})"
    for string in strings:
        new = changed.get(string, string)
        unfit = new != string and (
            not new.strip() or len(new) > _MAX_STRING or not new.isprintable()
        )
        if unfit:
            return f"it changes {string[:40]!r} to what nobody can say"
        if string in brief.text and new not in text:
            return f"its text does not say {new[:40]!r}"
    return ""


def _merged(
    kept: Sequence[Requirement],
    inferred: Sequence[Requirement],
    known: Sequence[Requirement],
) -> tuple[Requirement, ...]:
    """The parent's requirements that stand, and what the new text adds to them.

    The parent's own wording wins over an inferred demand of its kind and subtask, and a
    demand that was dropped does not come back by inference unless its kind says more.
    """
    taken = {(need.kind, need.subtask) for need in kept}
    gone = {(need.kind, need.subtask, digest(need.args)) for need in known}
    ids = {need.id for need in known}
    added = []
    for need in inferred:
        where = (need.kind, need.subtask)
        if where in taken or (*where, digest(need.args)) in gone:
            continue
        name = need.id
        while name in ids:
            name += "-new"
        ids.add(name)
        added.append(replace(need, id=name))
    return (*kept, *added)


def _exchange(value: Json, changed: Mapping[str, str]) -> Json:
    """The value with whole strings exchanged, at any depth."""
    if not changed:
        return value
    if isinstance(value, str):
        return changed.get(value, value)
    if isinstance(value, Mapping):
        return {key: _exchange(inner, changed) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_exchange(inner, changed) for inner in value]
    return value
