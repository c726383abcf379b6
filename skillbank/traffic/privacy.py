"""Personal data and secrets out of every text of a run, once, before anything else.

What is found is replaced by a keyed pseudonym such as `<email:1a2b3c4d>`: the same
value has the same pseudonym everywhere under one key, and without the key nobody can
test a guess. What was found in one text of a run is replaced in all of them, so that a
brief and the artefact made for it still agree.
"""

import hmac
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TypeVar, cast

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from skillbank.codec import Json
from skillbank.traffic.detectors import (
    DETECTORS,
    HOME,
    START,
    Detector,
    Kind,
    digits_of,
)
from skillbank.traffic.run import Misfit, Run

T = TypeVar("T")
_BATCH = 256  # runs whose hints are searched at once: RE2 compiles once for all
_HEAD = 3  # characters: nothing that is private is shorter
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
    return _Instead(found, lambda kind, _: f"<{kind}>").of(text) if found else text


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
        if len(value) >= _HEAD:
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
    """The value with every text rewritten; numbers only where they were found."""
    instead = _Instead(found, _keyed(key))

    def rewrite(inner: Json) -> Json:
        if isinstance(inner, str):
            return instead.of(inner)
        if isinstance(inner, Mapping):
            return {rewrite(name): rewrite(held) for name, held in inner.items()}
        if isinstance(inner, tuple | list):
            return type(inner)(rewrite(held) for held in inner)
        if is_dataclass(inner) and not isinstance(inner, type):
            held = {f.name: rewrite(getattr(inner, f.name)) for f in fields(inner)}
            return type(inner)(**held)
        if isinstance(inner, int) and inner >= _CARD:
            return instead.of(str(inner)) if str(inner) in found else inner
        return inner

    return cast(T, rewrite(value))


class _Instead:
    """Texts with each of many values replaced, in one pass however many they are."""

    def __init__(
        self, found: Mapping[str, Kind], pseudonym: Callable[[Kind, str], str]
    ) -> None:
        """`found` as of `_found`: the longest first, so that it wins."""
        # a name counts only where it names a home: elsewhere it may be any word
        self._found = {value: kind for value, kind in found.items() if kind != "name"}
        self._homes = len(self._found) < len(found)
        self._pseudonym = pseudonym
        self._lengths: dict[str, dict[int, None]] = defaultdict(dict)
        for value in self._found:
            self._lengths[value[:_HEAD]][len(value)] = None
        firsts = "".join(sorted({re.escape(head[0]) for head in self._lengths}))
        self._starts = (
            re.compile(f"(?=[{firsts}]){START}", re.ASCII) if firsts else None
        )

    def of(self, text: str) -> str:
        """The text with pseudonyms."""
        if self._starts is not None and len(text) >= _HEAD:
            text = self._values(text, self._starts)
        if self._homes:
            text = HOME.sub(lambda hit: hit[1] + self._pseudonym("name", hit[2]), text)
        return text

    def _values(self, text: str, starts: re.Pattern[str]) -> str:
        pieces, end = [], 0
        for hit in starts.finditer(text):
            at = hit.start()
            if at < end:
                continue
            for length in self._lengths.get(text[at : at + _HEAD], ()):
                value = text[at : at + length]
                if value in self._found and _is_whole(text, at, value):
                    pieces += [text[end:at], self._fitting(text, at, value)]
                    end = at + length
                    break
        return "".join([*pieces, text[end:]])

    def _fitting(self, text: str, at: int, value: str) -> str:
        """The pseudonym, or digits for it where JSON has a bare number."""
        instead = self._pseudonym(self._found[value], value)
        before = text[max(0, at - 8) : at].rstrip()
        after = text[(end := at + len(value)) : end + 8].lstrip()
        in_json = before.endswith(('":', ",", "[")) and after.startswith(
            (",", "]", "}")
        )
        if not (value.isdecimal() and in_json):
            return instead
        number = int.from_bytes(instead.encode()) % 10 ** (len(value) - 1)
        return f"9{number:0{len(value) - 1}d}"  # no card begins with a 9


def _is_whole(text: str, at: int, value: str) -> bool:
    """Whether a value stands there by itself, not as part of a word or number."""
    after = text[at + len(value) : at + len(value) + 1]
    if value[-1].isalnum() and after.isalnum() and after.isascii():
        return False
    before = text[max(0, at - 2) : at]
    return not (
        value[0].isdecimal() and before[:1].isdecimal() and before[1:] in (".", "-")
    )
