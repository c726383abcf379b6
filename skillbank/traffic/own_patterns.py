"""What a workspace masks beside what is built in, and what it never masks.

All patterns are RE2's, through Arrow: whatever somebody writes in params.yaml, its time
grows with the text and no more.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from skillbank.privacy_params import PrivacyParams
from skillbank.traffic.detectors import Detector, Span, digits_of
from skillbank.traffic.placing import Private

_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # characters that Unicode gives nobody
_FREE = str.maketrans(dict.fromkeys((_OPEN, _CLOSE), " "))
_MARK = re.compile(f"[{_OPEN}{_CLOSE}]")


def own_detectors(params: PrivacyParams) -> tuple[Detector, ...]:
    """A detector for each of the workspace's patterns, by name."""
    return tuple(
        Detector(kind, pattern, partial(_find, pattern))
        for kind, pattern in sorted(params.patterns.items())
    )


def _find(pattern: str, text: str) -> Iterator[Span]:
    """Where the pattern matches in each part between NUL characters."""
    parts = text.translate(_FREE).split("\x00")
    marked = pc.replace_substring_regex(
        pa.array(parts), pattern=pattern, replacement=rf"{_OPEN}\0{_CLOSE}"
    ).to_pylist()
    at = 0  # of the part in the text
    for part, shown in zip(parts, marked, strict=True):
        if len(shown) > len(part):
            places = [hit.start() - n for n, hit in enumerate(_MARK.finditer(shown))]
            for start, end in zip(places[::2], places[1::2], strict=True):
                yield at + start, at + end
        at += len(part) + 1


class Except:
    """Values that are never masked."""

    def __init__(self, params: PrivacyParams) -> None:
        """Nothing is compiled before something is found."""
        self._values = {_folded(value) for value in params.never}
        self._patterns = "|".join(f"(?:{one})" for one in params.never_patterns)

    def left(self, found: Mapping[str, Private]) -> dict[str, Private]:
        """What is masked of what was found, by how it stands in a text."""
        if not (found and (self._values or self._patterns)):
            return dict(found)
        spared = {
            text
            for text, one in found.items()
            if {_folded(text), _folded(one.value), digits_of(one.value)} & self._values
        }
        if self._patterns:
            whole = pc.match_substring_regex(
                pa.array([one.value for one in found.values()]),
                rf"^(?:{self._patterns})$",
            )
            hits = zip(found, whole.to_pylist(), strict=True)
            spared |= {text for text, hit in hits if hit}
        return {text: one for text, one in found.items() if text not in spared}


def _folded(value: str) -> str:
    """A value as it is compared: capital letters, blanks and signs in numbers aside."""
    return (
        digits_of(value) if re.fullmatch(r"[+(\d][\d ()./-]+", value) else value.lower()
    )
