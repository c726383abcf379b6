"""Texts that hold one private value each, in many surroundings, from a seed."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from urllib.parse import quote

from tests.skillbank.traffic.corpus import values

KINDS = ("secret", "email", "phone", "card", "iban", "account", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A text that holds something private."""

    kind: str
    family: str
    """What of this kind: a vendor, a notation."""
    place: str
    """Name of the surroundings."""
    text: str
    needle: str
    """What must be gone from the text: the value as it stands there."""
    n_left: int
    """So many of its characters in a row, left standing, count as a leak."""

    def leaks_in(self, masked: str) -> bool:
        """Whether a piece of it that can be used is still there."""
        at = range(len(self.needle) - self.n_left + 1)
        return any(self.needle[i : i + self.n_left] in masked for i in at)


def _escaped(text: str, ascii_only: bool = True) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@dataclass(frozen=True, slots=True)
class _Place:
    around: str
    """`{}` for what holds the value."""
    write: Callable[[str], str] = str
    """How it is written there."""
    whole: bool = False
    """True: all that is written must be gone, and not the value alone."""


PLACES: Mapping[str, _Place] = {
    "alone": _Place("{}"),
    "English": _Place("Please make a poster for our shop and put {} below the logo."),
    "end of a sentence": _Place("Everything else is in the mail. It is {}."),
    "German": _Place("Bitte ein Plakat zum Schlussverkauf, unten steht {} klein."),
    "French": _Place("Affiche pour la fête de l'école, avec « {} » en bas à droite."),
    "Spanish": _Place("Quiero un cartel con {} debajo del título, ¿vale?"),
    "Japanese": _Place("ポスターを作ってください。{}を下に入れてください。"),
    "Chinese": _Place("请把{}放在海报的右下角。"),
    "Arabic": _Place("أريد ملصقا للمتجر وفيه {} في الأسفل"),
    "lines": _Place("Brief\n{}\nA4, portrait"),
    "JSON": _Place('{{"op": "text", "value": "{}", "x": 120}}', _escaped),
    "JSON in JSON": _Place(
        '{{"args": "{}"}}', lambda t: _escaped(json.dumps({"text": f"one\n{t}\ntwo"}))
    ),
    "JSON thrice": _Place(
        '{{"content": "{}"}}',
        lambda t: _escaped(json.dumps({"a": json.dumps({"text": f"x\n{t}\ty"})})),
    ),
    "Python": _Place("draw(text='{}', x=12, y=40)  # as in the brief"),
    "call": _Place('await page.fill("#contact", "{}");'),
    "shell": _Place("$ echo '{}' >> notes.txt && make"),
    "log": _Place("2026-01-05T09:00:00.123Z INFO [worker-3] sent value={} in 12 ms"),
    "error": _Place('ValueError: cannot place "{}" at (120, 340)\nFile "a.py", line 3'),
    "HTML": _Place('<p class="small">{}</p>'),
    "Markdown": _Place("- **Contact**: `{}` (see [brief](brief.md))"),
    "CSV": _Place("17,red,{},2026-01-05"),
    "YAML": _Place("poster:\n  contact: {}\n  size: A4\n"),
    "query": _Place("https://shop.test/f?q={}&page=2", lambda t: quote(t, safe="")),
    "query, twice": _Place(
        "https://shop.test/r?to={}&n=1",
        lambda t: quote(f"https://a.test/?v={quote(t, safe='')}", safe=""),
    ),
    "base64": _Place("data: {} (12 kB)", _b64, True),
    "base64 of a text": _Place(
        '{{"content": "{}", "encoding": "base64"}}',
        lambda t: _b64(f"Dear all,\nplease print {t} on it.\nThanks"),
        True,
    ),
    "base64 of JSON": _Place(
        "payload={}", lambda t: _b64(json.dumps({"to": t, "n": 2})), True
    ),
    "data URL": _Place(
        '<img src="data:image/svg+xml;base64,{}">',
        lambda t: _b64(f"<svg><text x='3'>{t}</text></svg>"),
        True,
    ),
}  # fmt: skip


def _one(rng: Random, kind: str) -> tuple[str, str, str]:
    """Family, the value with what must stand before it, the value."""
    if kind == "secret":
        if rng.random() < 0.65:
            family = rng.choice(sorted(values.TOKENS))
            value = values.TOKENS[family](rng)
            return family, value, value
        family = rng.choice(sorted(values.SPOKEN))
        around, make = values.SPOKEN[family]
    elif kind == "phone" and rng.random() < 0.3:
        family, around = "by its cue", rng.choice(values.CUES) + "{}"
        make = values.phone_by_cue
    elif kind == "phone":
        family = rng.choice(sorted(values.PHONES))
        around, make = "{}", values.PHONES[family]
    elif kind == "account":
        family = around = rng.choice(sorted(values.ACCOUNTS))
        value = values.account(rng, around)
        return family, around.format(value), value
    elif kind == "name":
        family = around = rng.choice(values.HOMES)
        make = values.home_name
    else:
        family, around = kind, "{}"
        make = {"email": values.email, "card": values.card, "iban": values.iban}[kind]
    value = make(rng)
    return family, around.format(value), value


def planted(kind: str, n: int, seed: int) -> Iterator[Planted]:
    """Yield `n` texts that hold something of a kind, places in turn."""
    rng = Random(f"{kind}/{seed}")
    places = sorted(PLACES)
    for number in range(n):
        name = places[number % len(places)]
        place = PLACES[name]
        family, held, value = _one(rng, kind)
        written = place.write(held)
        if kind == "name":  # the word itself may stand anywhere
            at = held.index(value)
            value = held[at - 1 : at + len(value)]
        needle = written if place.whole else _needle(value, written)
        yield Planted(
            kind=kind,
            family=family,
            place=name,
            text=place.around.format(written),
            needle=needle,
            n_left=len(needle) if kind == "name" else min(len(needle), 8),
        )


def _needle(value: str, written: str) -> str:
    """The value as it is written there: escaped as often as all of it."""
    for again in (_escaped, partial(quote, safe="")):
        seen = value
        for _ in range(4):
            if seen in written:
                return seen
            seen = again(seen)
    raise AssertionError(f"{value!r} is not in {written!r}")
