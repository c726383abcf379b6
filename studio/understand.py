"""Briefs that others wrote: what they ask for, as far as the studio can tell.

Format, parts and requirements are inferred from words and from the strings that must
appear; every requirement says why it is taken to be one. The agent then does what it
can.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from skillbank.briefs.brief import Brief, Requirement
from skillbank.codec import Json
from skillbank.errors import BriefError
from studio.briefs import EXPORTS, READING, facts
from studio.labels import LABELS
from studio.wishes import DEMANDS, Demand, Taste, requirement, said_text

_FORMATS: tuple[tuple[str, str], ...] = (
    ("story", r"stor(y|ies)|reels?|vertical|instagram|mobile|phone|pinterest|flyer"),
    ("banner", r"banner|header|billboard|cover|facebook|twitter|youtube|wide|blog"),
)
_CULTURE = re.compile(
    r"concert|exhibition|museum|festival|theat(re|er)|gallery|orchestra|choir|film|"
    r"music|art|dance|lecture|workshop|party|birthday|wedding|event|invit",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"photo|picture|image|illustrat|portrait|background|drawing|graphic|icon",
    re.IGNORECASE,
)
_ACTION = re.compile(
    r"^(shop|buy|order|book|join|get|call|visit|register|sign|learn|start|try|click|"
    r"subscribe|download|save|contact|follow|apply|donate|rsvp|see|read|discover)\b",
    re.IGNORECASE,
)
_PRICE = re.compile(r"\d+\s?%|[$€£]\s?\d|\d\s?[$€£]|\bfree\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,160})[\"“”]")
_LONGEST_TITLE = 60
_SUGGESTED: tuple[tuple[str, str, str], ...] = (
    ("price", r"sales?|discounts?|offers?|deals?|prices?|savings?", "Special offer"),
    ("quote", r"quotes?|mottos?|slogans?|inspir\w+|testimonials?", ""),
    ("features", r"features?|benefits?|services?|tips|highlights?|options", ""),
    (
        "details",
        r"events?|dates?|time|venue|location|address",
        "Date and place to follow",
    ),
    ("rating", r"ratings?|reviews?|stars", "5 of 5 stars"),
    (
        "action",
        r"ads?|advert\w*|promot\w+|campaign|market\w*|invit\w+|encourag\w+|join|contact",
        "Find out more",
    ),
)
"""Parts that words speak of although no string is given, and what stands in for one."""
_MOST_SUGGESTED = 3
_KEPT = 24  # strings that must appear beyond which the rest is not demanded
_ALWAYS = {
    "headline": ("contrast", "min_size", "no_overflow"),
    "hero": ("prominent", "no_overlap"),
    "details": ("legible", "no_overlap"),
    "action": ("contrast", "no_overlap"),
    "price": ("contrast", "no_overlap"),
    "quote": ("line_length", "no_overlap"),
    "features": ("legible", "contrast"),
    "rating": ("contrast", "max_size"),
}


def understand(text: str, *, id: str, must_say: Sequence[str] = ()) -> Brief:
    """A brief from somebody's words.

    Raises:
        BriefError: If there is neither a word to go by nor a string to show.
    """
    strings = _strings(text, must_say)
    if not re.search(r"\w", text) and not strings:
        raise BriefError(
            f"brief {id!r}",
            seen="no words",
            expected="what is wanted, in a sentence, or strings that must appear",
            remedy="give the brief a text or take it out of the file",
        )
    words = text if text.strip() else " ".join(strings)
    format = _format(words)
    cohort = "culture" if _CULTURE.search(words) else "retail"
    say, reasons = _parts(words, strings)
    say |= {
        "align": "left" if cohort == "culture" else "centre",
        "reading": READING[format],
        "export_px": EXPORTS[format][0],
    }
    plan = tuple(label for label in LABELS if label in reasons)
    taste = Taste(say=say, cohort=cohort, format=format)
    return Brief(
        id=id,
        text=words,
        cohort=cohort,
        requirements=_requirements(plan, strings, taste, reasons),
        facts=facts(format, cohort, plan, say),
    )


def _strings(text: str, must_say: Sequence[str]) -> tuple[str, ...]:
    given = [" ".join(each.split()) for each in must_say]
    if not any(given):
        given = [" ".join(each.split()) for each in _QUOTED.findall(text)]
    return tuple(dict.fromkeys(each[:400] for each in given if each))[:_KEPT]


def _format(text: str) -> str:
    for name, pattern in _FORMATS:
        if re.search(rf"\b({pattern})\b", text, re.IGNORECASE):
            return name
    return "poster"


def _parts(text: str, strings: Sequence[str]) -> tuple[dict[str, Json], dict[str, str]]:
    """The strings by part, and why each part is taken to be asked for."""
    left = list(strings)
    say: dict[str, Json] = {}
    reasons: dict[str, str] = {}
    short = [each for each in left if len(each) <= _LONGEST_TITLE]
    if left:
        title = short[0] if short else left[0]
        left.remove(title)
        say["headline"] = title
        reasons["headline"] = f"{title[:40]!r} is the first string that must appear"
    else:
        say["headline"] = _title(text)
        reasons["headline"] = "every board needs a line that says what it is about"
    for label, pattern in (("action", _ACTION), ("price", _PRICE)):
        found = next(
            (each for each in left if pattern.search(each) and len(each) <= 32), None
        )
        if found is not None:
            left.remove(found)
            say[label] = found
            reasons[label] = f"{found!r} reads like one"
    if left:
        say["details"] = "\n".join(left)
        reasons["details"] = f"{len(left)} further strings must appear"
    if not strings:
        _suggest(text, say, reasons)
    if _PICTURE.search(text) or len(reasons) < 3:
        wanted = _PICTURE.search(text)
        reasons["hero"] = (
            f"the brief speaks of {wanted[0].lower()!r}"
            if wanted
            else "a board with so little text needs a picture"
        )
    return say, reasons


def _suggest(text: str, say: dict[str, Json], reasons: dict[str, str]) -> None:
    """Add parts that the words speak of, with words of the brief where they will do."""
    for label, pattern, stand_in in _SUGGESTED:
        found = re.search(rf"\b({pattern})\b", text, re.IGNORECASE)
        if found is None or len(reasons) > _MOST_SUGGESTED:
            continue
        if label == "features":
            say[label] = _telling(text)
        else:
            say[label] = stand_in or _title(" ".join(_telling(text)))
        reasons[label] = f"the brief speaks of {found[0].lower()!r}"


def _telling(text: str) -> list[str]:
    """Three long words of a text, in their order."""
    words = list(dict.fromkeys(re.findall(r"[^\W\d_]{4,24}", text)))
    longest = sorted(words, key=lambda word: -len(word))[:3]
    return [word.capitalize() for word in words if word in longest] or ["More"]


def _title(text: str) -> str:
    words = re.findall(r"[\w'\u2019&-]+", text)[:6]
    title = " ".join(words)[:_LONGEST_TITLE] or text.strip()[:_LONGEST_TITLE]
    return title[:1].upper() + title[1:]


def _requirements(
    plan: Sequence[str],
    strings: Sequence[str],
    taste: Taste,
    reasons: Mapping[str, str],
) -> tuple[Requirement, ...]:
    needs = []
    for number, text in enumerate(strings, start=1):
        home = _home(text, plan, taste.say)
        said = Demand(
            kind="text_present",
            text=f"says {text[:60]!r}",
            measure=said_text(text),
        )
        need = requirement(said, home, taste, "the brief says that it must appear")
        needs.append(replace(need, id=f"{need.id}-{number}"))
    for label in plan:
        demands = {demand.kind: demand for demand in DEMANDS[label]}
        needs.extend(
            requirement(demands[kind], label, taste, reasons[label])
            for kind in _ALWAYS[label]
            if kind in demands
        )
    return tuple(needs)


def _home(text: str, plan: Sequence[str], say: Mapping[str, Json]) -> str:
    """The part that a string belongs to."""
    for label in plan:
        if text in str(say.get(label, "")).split("\n"):
            return label
    return "headline"
