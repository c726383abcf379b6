"""Generated briefs: plain words, requirements, and the facts that the host supplies.

A brief is made from a source's own vocabulary and a seed; the same two always make the
same brief. The benchmark and the sealed briefs were made here once and then frozen as
files.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from skillbank.briefs.brief import Brief
from skillbank.codec import Json, seed_of
from skillbank.errors import WorldError
from skillbank.skills.shelf import Subtask
from studio.kits import KITS
from studio.labels import FORMATS, FRESH, LABELS, PHRASES, SENTENCES, SHARES
from studio.wishes import Taste, requirements
from studio.words import VOCABULARY, Cohort, Source

COHORTS: tuple[Cohort, ...] = ("retail", "culture")
_PRICES = ("from 9.90", "2 for 15", "-30 %", "now 49", "only 5 today", "-15 %", "12.50")
_ACTIONS: Mapping[Cohort, tuple[str, ...]] = {
    "retail": ("Shop now", "Order today", "See the range", "Come in", "Get yours"),
    "culture": (
        "Book seats",
        "Reserve now",
        "Get tickets",
        "Save your seat",
        "Join us",
    ),
}
_TIMES = ("6 pm", "7 pm", "7.30 pm", "8 pm", "8.30 pm", "9 pm", "10 pm")
_POINTS = (
    "Doors",
    "Welcome",
    "First part",
    "Interval",
    "Second part",
    "Talk",
    "Encore",
)
_FEATURES = (
    "Made locally", "Two-year warranty", "Free delivery", "Recycled fibre",
    "Gift wrapping", "Repair service", "Small batches", "Fair wages",
)  # fmt: skip
_SPONSORS = (
    "City Fund", "Arden Bank", "Polar Air", "Wells Trust", "Nova Print", "Rail North",
    "Hill & Sons", "Delta Power",
)  # fmt: skip
_PRAISE = (
    "A quiet marvel that stays with you for days",
    "Warm, exact and full of surprises from the first minute",
    "The loveliest hour that this town has to offer",
    "Nobody who came went home unchanged",
)
_DAYS = ("12 May", "3 June", "21 September", "8 October", "30 November", "5 March")
_HEADS: Mapping[Cohort, tuple[str, ...]] = {
    "retail": ("{subject}", "Hello, {subject}", "Time for {subject}"),
    "culture": ("{subject}", "An invitation: {subject}", "Tonight: {subject}"),
}
READING: Mapping[str, int] = {"poster": 30, "banner": 24, "story": 34}
"""Smallest type that the usual reader can read, in px of the export, by format."""
EXPORTS: Mapping[str, tuple[int, int]] = {
    "poster": (1200, 2400),
    "banner": (1600, 3200),
    "story": (1080, 1620),
}
"""Widths in px that an export may be asked for, by format."""
_LONGEST = 20_000  # characters of a text, px of an export
_OWN = frozenset({
    "house", "subject", "headline", "price", "quote", "agenda", "features", "details",
    "hours", "rating", "sponsors", "link", "action", "legal", "align", "reading",
    "export_px",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a new brief is to be like; empty parts are drawn."""

    source: Source
    id: str
    cohort: Cohort | None = None
    drift: float = 0.0
    """How much more frequent the fresh labels are; 0: as ever."""


def generate(wanted: Wanted, seed: int) -> Brief:
    """A brief of a source, with 4 or 5 parts and 14 to 18 requirements."""
    rng = Random(seed_of("brief", wanted.source, wanted.id, seed))
    drawn = rng.choice(COHORTS) if wanted.cohort is None else wanted.cohort
    cohort: Cohort = drawn
    format = rng.choice(FORMATS)
    plan = _plan(cohort, wanted.drift, rng)
    say = _strings(wanted.source, cohort, format, rng)
    taste = Taste(say=say, cohort=cohort, format=format)
    return Brief(
        id=wanted.id,
        text=told(wanted.source, plan, say, format, rng),
        cohort=cohort,
        requirements=requirements(plan, taste, rng),
        facts=facts(format, cohort, plan, say),
    )


def facts(
    format: str, cohort: str, plan: tuple[str, ...], say: Mapping[str, Json]
) -> Mapping[str, Json]:
    """What the host supplies with a brief."""
    kits = KITS["culture" if cohort == "culture" else "retail"]
    return {
        "format": format,
        "cohort": cohort,
        "kits": sorted(kits),
        "plan": list(plan),
        "say": dict(say),
    }


def _plan(cohort: Cohort, drift: float, rng: Random) -> tuple[str, ...]:
    n = rng.choice((3, 4))
    weights = {
        label: share * (1 + drift if label in FRESH else 1)
        for label, share in SHARES[cohort].items()
    }
    chosen = {"headline"}
    while len(chosen) <= n:
        left = [label for label in weights if label not in chosen]
        chosen.add(rng.choices(left, [weights[label] for label in left])[0])
    return tuple(label for label in LABELS if label in chosen)


def _strings(
    source: Source, cohort: Cohort, format: str, rng: Random
) -> dict[str, Json]:
    words = VOCABULARY[source]
    subject = rng.choice(words.subjects[cohort])
    house = rng.choice(words.houses[cohort])
    head = rng.choice(_HEADS[cohort]).format(subject=_bare(subject))
    points = rng.sample(_POINTS, rng.choice((3, 4)))
    times = sorted(rng.sample(range(len(_TIMES)), len(points)))
    place = rng.choice(words.places)
    return {
        "house": house,
        "subject": subject,
        "headline": head[:1].upper() + head[1:],
        "price": rng.choice(_PRICES),
        "quote": rng.choice(_PRAISE),
        "agenda": [
            f"{_TIMES[t]} {point}" for t, point in zip(times, points, strict=True)
        ],
        "features": rng.sample(_FEATURES, rng.choice((2, 3, 4))),
        "details": f"{rng.choice(_DAYS)}, {rng.choice(_TIMES)}, {house}, {place}",
        "hours": [
            f"Mon to Fri {rng.choice((8, 9, 10))}-{rng.choice((17, 18, 19))}",
            f"Sat {rng.choice((9, 10))}-{rng.choice((13, 14, 16))}",
        ],
        "rating": f"{rng.choice(('4.6', '4.7', '4.8', '4.9'))} of 5 stars",
        "sponsors": rng.sample(_SPONSORS, rng.choice((2, 3, 4))),
        "link": f"{''.join(c for c in house.lower() if c.isalpha())}.example/{format}",
        "action": rng.choice(_ACTIONS[cohort]),
        "legal": f"Issued by {house}, {place}. All details without guarantee.",
        "align": "centre" if cohort == "retail" else "left",
        "reading": READING[format],
        "export_px": rng.choice(EXPORTS[format]),
    }


def _bare(subject: str) -> str:
    for article in ("the ", "an ", "a "):
        if subject.startswith(article):
            return subject[len(article) :]
    return subject


def told(
    source: Source,
    plan: tuple[str, ...],
    say: Mapping[str, Json],
    format: str,
    rng: Random,
) -> str:
    """A brief in plain words: an opening, a sentence for each part, a wish, a close."""
    words = VOCABULARY[source]
    shown = {
        name: ", ".join(value) if isinstance(value, list) else value
        for name, value in say.items()
    }
    opening = rng.choice(words.openings).format(format=format, **shown)
    parts = [rng.choice(SENTENCES[label]).format(**shown) for label in plan]
    rng.shuffle(parts)
    wish = "Centre things." if say["align"] == "centre" else "Keep to the left edge."
    text = " ".join([opening, *parts, wish, rng.choice(words.closings)])
    return text[:1].upper() + text[1:]


def host_facts(brief: Brief) -> Mapping[str, Json]:
    """The host's facts of a brief.

    Raises:
        WorldError: If the brief was neither made nor understood by the studio.
    """
    given = brief.facts
    lacking = [name for name in _FACTS if name not in given]
    odd = [name for name, fits in _FACTS.items() if not fits(given.get(name))]
    if odd:
        raise WorldError(
            f"brief {brief.id!r}",
            seen=f"no facts {', '.join(lacking)}"
            if lacking
            else f"{odd[0]} = {given[odd[0]]!r:.60}",
            expected="a brief of the studio",
            remedy="let the world understand its text first",
        )
    return given


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _is_plan(value: Json) -> bool:
    return (
        isinstance(value, list | tuple)
        and all(isinstance(label, str) and label in LABELS for label in value)
        and len(set(value)) == len(value)
    )


def _is_texts(value: Json) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_text, value))


def _is_px(value: Json) -> bool:
    # a bool is an int, and NaN is in no range
    return type(value) in (int, float) and 1 <= value <= _LONGEST


def _is_said(value: Json) -> bool:
    """What the host has to say: the two sizes, else texts and lists of them."""
    return isinstance(value, Mapping) and all(
        _is_px(said) if name in ("reading", "export_px") else _is_text_or_texts(said)
        for name, said in value.items()
    )


def _is_text_or_texts(value: Json) -> bool:
    return _is_text(value) or _is_texts(value)


_FACTS: Mapping[str, Callable[[Json], bool]] = {
    "format": _is_text,
    "say": _is_said,
    "plan": _is_plan,
    "kits": _is_texts,
}


def is_own(brief: Brief) -> bool:
    """The studio wrote the brief: it can be told anew in other words."""
    given = host_facts(brief)
    return given["say"].keys() >= _OWN and len(given["plan"]) > 1


def plan(brief: Brief) -> tuple[Subtask, ...]:
    """The parts of a brief in the order of work, each in the planner's own words.

    Which words are used depends on the brief alone.
    """
    given = host_facts(brief)
    rng = Random(seed_of("plan", brief.root, brief.text))
    return tuple(
        Subtask(
            name=label,
            phrase=rng.choice(PHRASES[label]).format(format=given["format"]),
        )
        for label in given["plan"]
    )


def fixed(source: Source, n: int) -> tuple[Brief, ...]:
    """The first `n` briefs of a frozen set, as they were generated."""
    seeds = {"benchmark": 7001, "sealed": 9001}
    return tuple(
        generate(
            Wanted(source=source, id=f"{source}-{k:03d}", cohort=COHORTS[k % 2]),
            seeds[source],
        )
        for k in range(1, n + 1)
    )
