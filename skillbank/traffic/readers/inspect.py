"""Inspect AI: logs of evaluations, as `.json` or as the zip `.eval`; a run a sample.

Read here and not by `inspect_ai` itself, which takes seconds to import, brings some
forty packages with it and refuses a log whole where one value is odd.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.archives import Member, members
from skillbank.traffic.readers.documents import Refused, document, parsed
from skillbank.traffic.readers.inspect_sample import Log, run_of
from skillbank.traffic.readers.lines import ZIP, head, misfit
from skillbank.traffic.readers.values import as_list, as_text
from skillbank.traffic.run import Misfit, Run

_MEMBER = re.compile(rb"_journal/start\.json|header\.json|samples/[^\0]{1,200}\.json")
_JSON = re.compile(
    rb'\s*\{\s*"version"\s*:\s*\d{1,4}\s*,\s*'
    rb'"status"\s*:\s*"(?:started|success|cancelled|error)"'
)
_HEADER = re.compile(r"header\.json")
_START = re.compile(r"_journal/start\.json")
_SAMPLE = re.compile(r"samples/.{1,500}_epoch_\d{1,9}\.json", re.DOTALL)


def sign(head: bytes) -> str:
    """Why the beginning of a file is a log of Inspect; empty if it does not look so."""
    if head.startswith(ZIP) and _MEMBER.search(head):
        return "a zip with the members of an Inspect log"
    if _JSON.match(head.removeprefix(b"\xef\xbb\xbf")) and b'"eval"' in head:
        return "a log with version, status and eval"
    return ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield a run for each sample and epoch, in the order of the log.

    Args:
        path: The file.
        name: What to call it in `source`; its own name where empty.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    name = name or path.name
    if head(path).startswith(ZIP):
        yield from _zip(path, name)
        return
    value = document(path, name)
    if isinstance(value, Misfit):
        yield value
    elif not isinstance(value, dict) or not isinstance(value.get("eval"), dict):
        yield misfit(name, "missing field", "no eval; expected the log's header")
    else:
        yield from _samples(value, name)


def _samples(value: Mapping[str, Json], name: str) -> Iterator[Run | Misfit]:
    log = Log.of(value)
    samples = as_list(value.get("samples"))
    for number, sample in enumerate(samples, start=1):
        if isinstance(sample, dict):
            yield run_of(sample, log, f"{name}#{number}")
        else:
            problem = "no object; expected a sample"
            yield misfit(f"{name}#{number}", "bad value", problem)
    if not samples:
        yield _empty(value, name)


def _empty(value: Mapping[str, Json], name: str) -> Misfit:
    told = as_text(value.get("status"))[:20]
    problem = f"a log ({told}) with a header and no samples; expected samples"
    return misfit(name, "no text", problem)


def _zip(path: Path, name: str) -> Iterator[Run | Misfit]:
    header: dict[str, Json] = {}
    log = Log.of(header)
    samples = 0
    for member in members(path, name, (_HEADER, _START, _SAMPLE)):
        if isinstance(member, Misfit):
            samples += "#samples/" in member.source
            yield member
            continue
        value = _value(member, name)
        samples += member.name.startswith("samples/")
        if isinstance(value, Misfit):
            yield value
        elif not member.name.startswith("samples/"):
            # a log that is still growing has no header yet, only its start
            header = header or value
            log = Log.of(header)
        else:
            yield run_of(value, log, f"{name}#{member.name}")
    if not samples:
        yield _empty(header, name)


def _value(member: Member, name: str) -> dict[str, Json] | Misfit:
    value = parsed(member.data)
    place = f"{name}#{member.name}"
    if isinstance(value, Refused):
        return misfit(place, *value, member.data)
    if not isinstance(value, dict):
        return misfit(place, "bad value", "no object; expected one", member.data)
    return value
