"""Personal data and secrets out of every text of a run, once, before anything else.

What is found is replaced by a keyed pseudonym such as `<email:1a2b3c4d>`: the same
value has the same pseudonym everywhere under one key, and without the key nobody can
test a guess. What was found in one text of a run is replaced in all of them, so that a
brief and the artefact made for it still agree.
"""

import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import TypeVar, cast

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from skillbank.codec import Json
from skillbank.traffic.detectors import (
    DETECTORS,
    HOME,
    Detector,
    Kind,
    digits_of,
    exact,
)
from skillbank.traffic.run import Misfit, Run

T = TypeVar("T")
_BATCH = 256  # runs whose hints are searched at once: RE2 compiles once for all
_CARD = 10**11  # the least number that has the digits of a card
_BETWEEN = "\x00"  # no detector reads across it
_HINT = "|".join(f"(?:{detector.hint})" for detector in DETECTORS)


def mask(run: Run, key: bytes) -> Run:
    """The run with a pseudonym for its user and for whatever is private in its texts.

    Args:
        run: As a reader gave it. A run that was masked before comes back unchanged.
        key: Secret of the workspace; another key, other pseudonyms.
    """
    return cast(Run, next(mask_all([run], key)))


def mask_all(runs: Iterable[Run | Misfit], key: bytes) -> Iterator[Run | Misfit]:
    """`mask` every run of a stream, in order; misfits pass, their samples are blotted.

    Far cheaper a run than `mask`, because hints are searched in batches.
    """
    stream = iter(runs)
    while batch := list(islice(stream, _BATCH)):
        places = [i for i, one in enumerate(batch) if isinstance(one, Run)]
        masked = _masked([cast(Run, batch[i]) for i in places], key)
        for place, run in zip(places, masked, strict=True):
            batch[place] = run
        yield from batch


def mask_value(value: T, key: bytes) -> T:
    """Any dataclass, mapping, tuple or text with what is private replaced."""
    found = _found(value, DETECTORS)
    return _rewrite(value, found, key) if found else value


def redact(text: str) -> str:
    """A text with what is private blotted out, for messages that have no key."""
    found = _found(text, DETECTORS)
    return _replaced(text, found, lambda kind, _: f"<{kind}>") if found else text


def _masked(runs: list[Run], key: bytes) -> list[Run]:
    jsons = pa.array([orjson.dumps(run, default=str) for run in runs], type=pa.binary())
    texts = jsons.cast(pa.string())
    hinted = pc.indices_nonzero(pc.match_substring_regex(texts, _HINT))
    detectors: dict[int, list[Detector]] = {i: [] for i in hinted.to_pylist()}
    for detector in DETECTORS if detectors else ():
        hits = pc.match_substring_regex(texts.take(hinted), detector.hint)
        for i, hit in zip(detectors, hits.to_pylist(), strict=True):
            if hit:
                detectors[i].append(detector)
    return [_one(run, detectors.get(i, ()), key) for i, run in enumerate(runs)]


def _one(run: Run, detectors: Sequence[Detector], key: bytes) -> Run:
    if detectors and (found := _found(run, detectors)):
        run = _rewrite(run, found, key)
    if not run.user or re.fullmatch(r"<user:[0-9a-f]{16}>", run.user):
        return run
    return replace(run, user=_pseudonym(key, "user", run.user, 16))


# --- finding ------------------------------------------------------------------------


def _found(value: object, detectors: Sequence[Detector]) -> dict[str, Kind]:
    """What is private in any text of a value, longest first, and of which kind."""
    texts: list[str] = []
    _collect(value, texts)
    whole = _BETWEEN.join(texts)
    found: dict[str, Kind] = {}
    for detector in detectors:
        for private in detector.find(whole):
            found.setdefault(private, detector.kind)
    return dict(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))


def _collect(value: object, texts: list[str]) -> None:
    """Every text within a value, keys too, and whole numbers long enough for a card."""
    if isinstance(value, str):
        if len(value) > 5:  # nothing that is private is shorter
            texts.append(value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _collect(name, texts)
            _collect(inner, texts)
    elif isinstance(value, tuple | list):
        for inner in value:
            _collect(inner, texts)
    elif isinstance(value, int):
        if value >= _CARD:
            texts.append(str(value))
    elif names := getattr(value, "__dataclass_fields__", None):
        for name in names:
            _collect(getattr(value, name), texts)


# --- replacing ----------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _pseudonym(key: bytes, kind: str, value: str, n_digits: int = 8) -> str:
    made = hmac.digest(key, f"{kind}:{value}".encode(), "sha256").hex()
    return f"<{kind}:{made[:n_digits]}>"


def _keyed(key: bytes) -> Callable[[Kind, str], str]:
    def pseudonym(kind: Kind, value: str) -> str:
        if kind in ("phone", "card"):
            value = digits_of(value)
        elif kind in ("email", "iban"):
            value = value.replace(" ", "").lower()
        return _pseudonym(key, kind, value)

    return pseudonym


def _rewrite(value: T, found: Mapping[str, Kind], key: bytes) -> T:
    pseudonym = _keyed(key)

    def rewrite(inner: Json) -> Json:
        if isinstance(inner, str):
            return _replaced(inner, found, pseudonym)
        if isinstance(inner, Mapping):
            return {rewrite(name): rewrite(held) for name, held in inner.items()}
        if isinstance(inner, tuple | list):
            return type(inner)(rewrite(held) for held in inner)
        if is_dataclass(inner) and not isinstance(inner, type):
            held = {f.name: rewrite(getattr(inner, f.name)) for f in fields(inner)}
            return type(inner)(**held)
        if isinstance(inner, int) and str(inner) in found:
            return pseudonym(found[str(inner)], str(inner))
        return inner

    return cast(T, rewrite(value))


def _replaced(
    text: str, found: Mapping[str, Kind], pseudonym: Callable[[Kind, str], str]
) -> str:
    for value, kind in found.items():
        if value not in text:
            continue
        if kind == "name":  # only where it names a home: it may be an ordinary word
            text = HOME.sub(lambda hit: hit[1] + pseudonym("name", hit[2]), text)
        else:
            text = exact(value).sub(partial(_fitting, pseudonym(kind, value)), text)
    return text


def _fitting(instead: str, hit: re.Match[str]) -> str:
    """The pseudonym, or digits for it where JSON has a bare number."""
    value, text = hit.group(), hit.string
    before = text[max(0, hit.start() - 8) : hit.start()].rstrip()
    after = text[hit.end() : hit.end() + 8].lstrip()
    if not value.isdecimal() or before[-1:] not in (":", ",", "["):
        return instead
    if after[:1] not in (",", "]", "}"):
        return instead
    number = int.from_bytes(instead.encode()) % 10 ** (len(value) - 1)
    return f"9{number:0{len(value) - 1}d}"  # no card begins with a 9
