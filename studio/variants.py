"""Variants of a brief written without a model: other words, other wants, other form.

Kinds: `surface` says the same in other words, `distractor` adds what asks for nothing,
`contract` changes the format, `neighbour` exchanges one part and the subject. A
variant keeps its parent's root and never carries a string from a benchmark's lists.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from skillbank.briefs.brief import Brief
from skillbank.codec import Json, digest, seed_of
from skillbank.errors import WorldError
from skillbank.world import Variant
from studio.briefs import EXPORTS, READING, facts, is_own, told
from studio.labels import FORMATS, LABELS
from studio.verify import check_requirements
from studio.wishes import Taste, requirements
from studio.words import VOCABULARY, Cohort

KINDS = ("surface", "contract", "neighbour", "distractor")
_ASKS = (
    "Hello! We would be glad if you could take this on:",
    "Quick one from the office, no need to call back:",
    "As discussed on the phone, here is what we want:",
)
_FOREIGN = ("distractor", "contract", "surface")
_DISTRACTORS = (
    "By the way, the printer on the second floor is out of toner.",
    "My colleague liked the map that you drew last year, but this is not about it.",
    "We also talked about a newsletter; leave that for another day.",
    "The window will be cleaned on Thursday, in case you wonder about the ladder.",
    "Somebody suggested fireworks. Please ignore that.",
)


class StudioVariants:
    """The studio's writer of variants; see `skillbank.world.VariantWriter`."""

    def write(self, brief: Brief, n: int, seed: int) -> tuple[Variant, ...]:
        """At most `n` variants of different kinds, as far as four kinds reach."""
        try:
            own = is_own(brief)
            check_requirements(brief.requirements)
        except WorldError:  # of another world: it can be kept, not varied
            return ()
        rng = Random(seed_of("variants", brief.id, seed))
        if not own:
            kinds = rng.sample(_FOREIGN, len(_FOREIGN))
            return tuple(
                _foreign(brief, kinds[k % len(kinds)], Random(rng.random()), k)
                for k in range(n)
            )
        kinds = rng.sample(KINDS, len(KINDS))
        return tuple(
            _variant(brief, kinds[k % len(kinds)], Random(rng.random()), k)
            for k in range(n)
        )


def _variant(brief: Brief, kind: str, rng: Random, number: int) -> Variant:
    say = dict(brief.facts["say"])
    plan = tuple(brief.facts["plan"])
    format = brief.facts["format"]
    note = "the same in other words"
    needs = brief.requirements
    distractor = ""
    if kind == "distractor":
        distractor = rng.choice(_DISTRACTORS)
        note = "a sentence that asks for nothing was added"
    elif kind == "contract":
        format = rng.choice([each for each in FORMATS if each != format])
        say |= {"reading": READING[format], "export_px": EXPORTS[format][0]}
        note = f"the format is now a {format}"
    elif kind == "neighbour":
        plan, note = _neighbour(plan, say, rng)
        _another_subject(brief.cohort, say, rng)
    if kind in ("contract", "neighbour"):
        taste = Taste(say=say, cohort=brief.cohort, format=format)
        needs = requirements(plan, taste, rng)
    text = told("variant", plan, say, format, rng)
    return Variant(
        brief=Brief(
            id=f"{brief.id}~{digest(brief.id, kind, number, text)[:8]}",
            text=f"{text} {distractor}".strip(),
            cohort=brief.cohort,
            requirements=needs,
            facts=facts(format, brief.cohort, plan, say),
            parent=brief.id,
            root=brief.root,
            kind=kind,
        ),
        note=note,
    )


def _foreign(brief: Brief, kind: str, rng: Random, number: int) -> Variant:
    """A variant of a brief that the studio did not write: its words are kept."""
    format, needs = brief.facts["format"], brief.requirements
    say = dict(brief.facts["say"])
    said, note = f"{rng.choice(_ASKS)} {brief.text}", "asked in another tone"
    if kind == "distractor":
        said = f"{brief.text} {rng.choice(_DISTRACTORS)}"
        note = "a sentence that asks for nothing was added"
    elif kind == "contract":
        format = rng.choice([each for each in FORMATS if each != format])
        said = f"{brief.text} It has to be a {format}, whatever was said before."
        note = f"the format is now a {format}"
        say |= {"reading": READING[format], "export_px": EXPORTS[format][0]}
        needs = tuple(
            replace(need, args={**need.args, "px": READING[format]})
            if need.kind == "legible"
            else need
            for need in needs
        )
    return Variant(
        brief=Brief(
            id=f"{brief.id}~{digest(brief.id, kind, number, said)[:8]}",
            text=said,
            cohort=brief.cohort,
            requirements=needs,
            facts=facts(format, brief.cohort, tuple(brief.facts["plan"]), say),
            parent=brief.id,
            root=brief.root,
            kind=kind,
        ),
        note=note,
    )


def _neighbour(
    plan: tuple[str, ...], say: Mapping[str, Json], rng: Random
) -> tuple[tuple[str, ...], str]:
    """The plan with one part exchanged for another that the host has words for."""
    others = [
        label
        for label in LABELS
        if label not in plan and (label == "hero" or _given(say, label))
    ]
    loose = [label for label in plan if label != "headline"]
    if not others or not loose:
        return plan, "another subject"
    old, new = rng.choice(loose), rng.choice(others)
    changed = {*plan, new} - {old}
    return (
        tuple(label for label in LABELS if label in changed),
        f"asks for {new} in place of {old}",
    )


def _given(say: Mapping[str, Json], label: str) -> bool:
    return bool(say.get("link" if label == "qr" else label))


def _another_subject(cohort: str, say: dict[str, Json], rng: Random) -> None:
    words = VOCABULARY["variant"]
    family: Cohort = "culture" if cohort == "culture" else "retail"
    subject = rng.choice(words.subjects[family])
    say["subject"] = subject
    say["house"] = rng.choice(words.houses[family])
    say["headline"] = subject[:1].upper() + subject[1:]
