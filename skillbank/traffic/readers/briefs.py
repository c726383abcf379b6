"""Briefs that others wrote, as text, CSV or JSON, before anybody understood them.

- `.txt`: a brief a paragraph; a brief a line where no blank line stands between texts.
- `.csv`: a header with one of the columns text, brief, prompt, intension, intention
  (any case), and maybe id, must_say (separated by `|`) and cohort.
- `.json` (a list, an object with a list `briefs`, or one object) and `.jsonl`: objects
  with the same names, `must_say` a list or separated by `|`; or just texts.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import orjson

from skillbank.codec import Json, digest
from skillbank.errors import TrafficError
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import Misfit, Reason

TEXT_KEYS = ("text", "brief", "prompt", "intension", "intention")
"""Where the text of a brief may stand; the first of these that is there counts."""
_LARGEST_FILE = 64 * 2**20  # bytes: about a hundred thousand briefs
_LONGEST = 20_000  # characters of a brief: more is a document, not a brief
_COMMAND = "`skillbank round --briefs FILE`"


_SURROGATE = re.compile(r"[\ud800-\udfff]")  # a byte that was not UTF-8


@dataclass(frozen=True, slots=True, kw_only=True)
class RawBrief:
    """A brief as its author wrote it."""

    id: str
    """The file's own, or the file's stem and the position; unique within the file."""
    text: str
    must_say: tuple[str, ...] = ()
    """Strings that must appear in what is made."""
    cohort: str = ""
    source: str = ""
    """`file:line`; in a `.json` file the position of the brief."""


class _Entry(NamedTuple):
    """What may be a brief, as its file has it."""

    number: int
    """Line, or position in a list; from 1."""
    value: Json
    """An object, a text, or something else that is no brief."""
    seen: str
    """Its beginning, for the message if it is none."""


def read_briefs(path: Path) -> Iterator[RawBrief | Misfit]:
    """Yield the briefs of a file in its order, and what is none.

    The texts are as they stand: mask them (`privacy.mask_value`) before use.

    Args:
        path: A `.txt`, `.csv`, `.json` or `.jsonl` file.

    Raises:
        TrafficError: If the file cannot be read or is of another kind; and at its end,
            if not one brief was in it.
    """
    parse = _PARSERS.get(path.suffix.lower())
    if parse is None:
        raise _refused(path, f"a file of kind {path.suffix or 'none'!r}")
    ids: dict[str, str] = {}
    first: Misfit | None = None
    for entry in parse(path, _decoded(path)):
        found = _brief(path, entry)
        if isinstance(found, RawBrief):
            found = _with_own_id(found, ids)
        if isinstance(found, Misfit):
            first = first or found
        yield found
    if not ids:
        why = f"{first.source}: {first.reason}, {first.problem}" if first else "empty"
        raise _refused(path, f"no brief with a text ({why})")


def _refused(path: Path, seen: str) -> TrafficError:
    return TrafficError(
        str(path),
        seen=seen,
        expected="briefs as .txt, .csv with a column text, .json or .jsonl",
        remedy="mend the file or give another one: `skillbank round --briefs FILE`",
    )


def _decoded(path: Path) -> str:
    """The text of a file; bytes that are not UTF-8 become lone surrogates."""
    try:
        if not path.is_file():
            raise _refused(path, "not a file" if path.exists() else "no such file")
        if path.stat().st_size > _LARGEST_FILE:
            raise _refused(path, f"a file of more than {_LARGEST_FILE // 2**20} MB")
        data = path.read_bytes()
    except OSError as error:
        raise _refused(path, error.strerror or type(error).__name__) from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # as spreadsheets export "Unicode text"
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="surrogateescape")


# --- one entry ----------------------------------------------------------------------


def _brief(path: Path, entry: _Entry) -> RawBrief | Misfit:
    source = f"{path.name}:{entry.number}"
    value = {"text": entry.value} if isinstance(entry.value, str) else entry.value
    if (problem := _problem(value, entry.seen)) is not None:
        seen = entry.seen[:_LONGEST].encode(errors="surrogateescape")
        return misfit(source, *problem, seen)
    held = {str(name).strip().lower(): inner for name, inner in value.items()}
    text = _text(held)
    return RawBrief(
        id=str(held.get("id") or "").strip() or f"{path.stem}-{entry.number}",
        text=text.strip(),
        must_say=_strings(held.get("must_say")) or (),
        cohort=str(held.get("cohort") or "").strip(),
        source=source,
    )


def _problem(value: Json, seen: str) -> tuple[Reason, str] | None:
    """Why this is not a brief."""
    if not isinstance(value, Mapping):
        return "not JSON", f"{type(value).__name__}; expected an object or a text"
    held = {str(name).strip().lower(): inner for name, inner in value.items()}
    text = _text(held)
    if not text.strip():
        return "no text", f"expected one of {', '.join(TEXT_KEYS)}, not empty"
    if len(text) > _LONGEST:
        return "too long", f"{len(text)} characters; expected at most {_LONGEST}"
    says = _strings(held.get("must_say"))
    if says is None:
        return "bad value", "must_say: expected texts, or one text separated by |"
    odd = [k for k in ("id", "cohort") if isinstance(held.get(k), dict | list | bool)]
    if odd:
        return "bad value", f"{odd[0]}: expected a text"
    if any(map(_SURROGATE.search, (text, seen[:_LONGEST], *says))):
        return "not UTF-8", "bytes of another encoding; expected UTF-8"
    return None


def _text(held: Mapping[str, Json]) -> str:
    texts = (held[key] for key in TEXT_KEYS if isinstance(held.get(key), str))
    return next((text for text in texts if text.strip()), "")


def _strings(value: Json) -> tuple[str, ...] | None:
    """The strings that must appear; None if it is something else."""
    if value is None:
        return ()
    if isinstance(value, str):
        value = value.split("|")
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return None
    return tuple(one.strip() for one in value if one.strip())


def _with_own_id(brief: RawBrief, ids: dict[str, str]) -> RawBrief | Misfit:
    """The brief under an id that the file did not use yet; a copy is a misfit."""
    mark = digest(brief.text, brief.must_say, brief.cohort)
    if brief.id in ids:
        own = f"{brief.id}~{mark[:8]}"
        if ids[brief.id] == mark or own in ids:
            return misfit(brief.source, "duplicate id", f"{brief.id!r} again, the same")
        brief = replace(brief, id=own)
    ids[brief.id] = mark
    return brief


# --- one kind of file ---------------------------------------------------------------


def _paragraphs(path: Path, text: str) -> Iterator[_Entry]:
    numbered = list(enumerate(text.splitlines(), start=1))
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in numbered:
        if line.strip():
            blocks[-1].append((number, line.strip()))
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    if len(blocks) == 1:  # no blank line between texts: a brief a line
        blocks = [[line] for line in blocks[0]]
    for block in blocks:
        whole = " ".join(line for _, line in block)
        yield _Entry(block[0][0], whole, whole)


def _rows(path: Path, text: str) -> Iterator[_Entry]:
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    names: list[str] | None = None
    while True:
        number = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield _Entry(number, None, f"{error}")
            continue
        if names is None:
            names = [name.strip().lower() for name in row]
            if not set(names) & set(TEXT_KEYS):
                columns = ", ".join(names)[:200]
                raise _refused(path, f"the columns {columns}: none is a brief's text")
        elif any(cell.strip() for cell in row):
            held = dict(zip(names, row, strict=False))
            yield _Entry(number, held, delimiter.join(row)[:_LONGEST])


def _json_lines(path: Path, text: str) -> Iterator[_Entry]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _Entry(number, _parsed(line), line)


def _json(path: Path, text: str) -> Iterator[_Entry]:
    value = _parsed(text)
    if isinstance(value, dict) and isinstance(value.get("briefs"), list):
        value = value["briefs"]
    values = value if isinstance(value, list) else [value]
    for number, one in enumerate(values, start=1):
        yield _Entry(number, one, f"{one}"[:_LONGEST])


def _parsed(text: str) -> Json:
    """The value, or None where it is not JSON."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


_PARSERS = {".txt": _paragraphs, ".csv": _rows, ".json": _json, ".jsonl": _json_lines}
