"""Personal data and secrets out of every text of a run, once, before anything else.

What is found is replaced by a keyed pseudonym such as `<email:1a2b3c4d>`: the same
value has the same pseudonym everywhere under one key, and without the key nobody can
test a guess. What was found in one text of a run is replaced in all of them, so that a
brief and the artefact made for it still agree. A value that is hidden in an escape or
in base64 is found too; of base64 the whole is replaced.
"""

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import TypeVar, cast

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from skillbank.codec import Json
from skillbank.privacy_params import PrivacyParams
from skillbank.traffic.detectors import (
    HOME,
    Detector,
    detectors,
    digits_of,
    plain_address,
)
from skillbank.traffic.hidden import base64_runs, revealed, views
from skillbank.traffic.own_patterns import Except, own_detectors
from skillbank.traffic.placing import HEAD, Instead, Private
from skillbank.traffic.run import Misfit, Run

T = TypeVar("T")
_BATCH = 256  # runs whose hints are searched at once: RE2 compiles once for all
_CARD = 10**11  # the least number that has the digits of a card
_BETWEEN = "\x00"  # no detector reads across it
_DEPTH = 2  # how often base64 may hold base64
DEFAULT = PrivacyParams()


def mask(run: Run, key: bytes, params: PrivacyParams = DEFAULT) -> Run:
    """The run with a pseudonym for its user and for whatever is private in its texts.

    Args:
        run: As a reader gave it. A run that was masked before comes back unchanged.
        key: Secret of the workspace; another key, other pseudonyms.
        params: What is masked beside what is built in, and what never is.
    """
    return cast(Run, next(mask_all([run], key, params)))


def mask_all(
    runs: Iterable[Run | Misfit], key: bytes, params: PrivacyParams = DEFAULT
) -> Iterator[Run | Misfit]:
    """`mask` every run of a stream, in order; what did not become one is masked too.

    Far cheaper a run than `mask`, because hints are searched in batches.
    """
    rules = _Rules(key, params)
    stream = iter(runs)
    while batch := list(islice(stream, _BATCH)):
        yield from rules.batch(batch)


def mask_value(value: T, key: bytes, params: PrivacyParams = DEFAULT) -> T:
    """Any dataclass, mapping, tuple or text with what is private replaced."""
    rules = _Rules(key, params)
    return rules.value(value, rules.detectors)


def redact(text: str) -> str:
    """A text with what is private blotted out, for messages that have no key."""
    found = _found(text, detectors(), Except(DEFAULT))
    return Instead(found, lambda one: f"<{one.kind}>").of(text) if found else text


def private_in(text: str) -> dict[str, str]:
    """What is private in a text, as it stands there, and of which kind."""
    found = _found(text, detectors(), Except(DEFAULT))
    return {literal: one.kind for literal, one in found.items()}


class _Rules:
    """What is looked for and by what it is replaced."""

    def __init__(self, key: bytes, params: PrivacyParams) -> None:
        self._key = key
        self._own = own_detectors(params)
        self._never = Except(params)
        self.detectors = (*detectors(), *self._own)
        self._hints = "|".join(f"(?:{one.hint})" for one in self.detectors)

    def batch(self, batch: list[Run | Misfit]) -> list[Run | Misfit]:
        """Mask some; those without any hint are passed on as they are."""
        hinted = self._hinted(batch)
        masked = []
        for place, one in enumerate(batch):
            if at_hand := hinted.get(place):
                one = self.value(one, at_hand)
            masked.append(self._user(one) if isinstance(one, Run) else one)
        return masked

    def value(self, value: T, at_hand: Sequence[Detector]) -> T:
        """A value with what these detectors find replaced."""
        found = _found(value, at_hand, self._never)
        return _rewritten(value, Instead(found, self._pseudonym)) if found else value

    def _hinted(self, batch: list[Run | Misfit]) -> dict[int, list[Detector]]:
        """Who has to look at which, by place."""
        texts: list[str] = []
        places: list[int] = []
        for place, one in enumerate(batch):
            json = orjson.dumps(one, default=str).decode()
            plain = _texts(one) if self._own else []  # which know nothing of JSON
            inner = chain.from_iterable(
                revealed(text, _DEPTH) for text in [json, *plain]
            )
            # a hint may want a character before, as there always is in JSON
            shown = [json, *plain, *(f" {text}" for text in inner)]
            texts += shown
            places += [place] * len(shown)
        shown_to = pa.array(texts, type=pa.string())
        hits = pc.indices_nonzero(pc.match_substring_regex(shown_to, self._hints))
        left, at = shown_to.take(hits), [places[i] for i in hits.to_pylist()]
        hinted: dict[int, list[Detector]] = {place: [] for place in at}
        for detector in self.detectors if at else ():
            found = pc.match_substring_regex(left, detector.hint).to_pylist()
            for place in {p for p, hit in zip(at, found, strict=True) if hit}:
                hinted[place].append(detector)
        return hinted

    def _user(self, run: Run) -> Run:
        if not run.user or re.fullmatch(r"<user:[0-9a-f]{16}>", run.user):
            return run
        return replace(run, user=_keyed(self._key, "user", run.user, 16))

    def _pseudonym(self, one: Private) -> str:
        return _keyed(self._key, one.kind, one.value)


@lru_cache(maxsize=4096)
def _keyed(key: bytes, kind: str, value: str, n_digits: int = 8) -> str:
    made = hmac.digest(key, f"{kind}:{value}".encode(), "sha256").hex()
    return f"<{kind}:{made[:n_digits]}>"


# --- finding ------------------------------------------------------------------------


def _found(
    value: object, at_hand: Sequence[Detector], never: Except
) -> dict[str, Private]:
    """What is private in any text of a value, as it stands there, the longest first."""
    found: dict[str, Private] = {}
    for literal, one in _search(_BETWEEN.join(_texts(value)), at_hand, _DEPTH):
        found.setdefault(literal, one)
    left = never.left(found)
    return dict(sorted(left.items(), key=lambda item: (-len(item[0]), item[0])))


def _search(
    text: str, at_hand: Sequence[Detector], depth: int
) -> Iterator[tuple[str, Private]]:
    for view in views(text):
        for detector in at_hand:
            # what looks like an escape may be a folder of Windows: `C:\Users\nora`
            whole = text if view.starts is None and _is_home(detector) else view.text
            for start, end in detector.find(whole):
                at, to = view.origin(start, end)
                if _is_home(detector) and (hit := HOME.match(whole, start)):
                    same = text[at:to] == hit[0]
                    yield text[at:to], Private("name", hit["name"], at_home=same)
                else:
                    seen = _written(detector.kind, whole[start:end])
                    yield text[at:to], Private(detector.kind, seen)
        for start, end, said in base64_runs(view.text) if depth else ():
            for _, one in _search(said, at_hand, depth - 1):
                at, to = view.origin(start, end)
                yield text[at:to], replace(one, at_home=False)
                break


def _is_home(detector: Detector) -> bool:
    return detector.kind == "name"


def _written(kind: str, seen: str) -> str:
    """A value in the one way of writing it that its pseudonym is made of."""
    if kind in ("phone", "card", "account"):
        return digits_of(seen)
    if kind == "email":
        return plain_address(seen).lower()
    return re.sub("[ -]", "", seen).lower() if kind == "iban" else seen


def _texts(value: object) -> list[str]:
    """Every text within a value, keys too, and whole numbers long enough for a card."""
    texts: list[str] = []
    _collect(value, texts)
    return texts


def _collect(value: object, texts: list[str]) -> None:
    if isinstance(value, str):
        if len(value) >= HEAD:
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


def _rewritten(value: T, instead: Instead) -> T:
    """The value with every text rewritten; numbers only where they were found."""

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
            return instead.of(str(inner)) if instead.has(str(inner)) else inner
        return inner

    return cast(T, rewrite(value))
