"""Any table of runs: JSON Lines, JSON, CSV or Parquet, by a mapping of columns.

The mapping comes from params.yaml (`ingest.columns`): what a run has, to the column
that holds it. A column of JSON is reached into with dots, `request.user`; a column of
that very name comes first. What is not mapped is not read.
"""

import csv
import io
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from skillbank.codec import Json, digest
from skillbank.errors import ParamsError
from skillbank.traffic.readers import parquet
from skillbank.traffic.readers.documents import document, objects, spread
from skillbank.traffic.readers.lines import LIMIT, PARQUET, Span, head, misfit
from skillbank.traffic.readers.packed import Opened, opened
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    bounded,
    brief_of,
    count_of,
    each_once,
    error_line,
    iso_of,
    number_of,
    parsed,
    recalls_of,
    skill_name,
    written,
)
from skillbank.traffic.run import (
    Misfit,
    Rating,
    Run,
    SkillUse,
    Spent,
    TracedStep,
)

TEXTS = ("session", "user", "tenant", "cohort", "bank", "output", "model", "agent")
"""Fields of a run that are taken as they are, as text."""
RATING = "rating."
"""What begins a key that maps a rating: `rating.toxicity`."""
KEYS = frozenset(
    {
        *TEXTS,
        *("run_id", "brief", "brief_id", "started", "error", "score", "steps"),
        *("skills", "skills_offered", "trial", "followups"),
        *("turns", "input_tokens", "cached_tokens", "output_tokens", "usd", "seconds"),
    }
)
"""What may be mapped, besides ratings."""
_LOOK = 4096  # bytes within which a line of JSON begins
_EMPTY = ("", "null", "nan", "none", "na", "n/a")
_TRUTHS = {"true": 1, "false": 0}
_COUNTS = ("turns", "input_tokens", "cached_tokens", "output_tokens")
_Row = tuple[str, Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Mapped:
    """The reader of tables whose columns are mapped.

    Args:
        columns: Key, one of `KEYS` or a rating, to the name of a column.
    """

    columns: Mapping[str, str]

    def __post_init__(self) -> None:
        """Refuse a key that no run has, and a mapping without a brief.

        Raises:
            ParamsError: Naming the key.
        """
        odd = [k for k in self.columns if k not in KEYS and not k.startswith(RATING)]
        if odd or (self.columns and "brief" not in self.columns):
            raise ParamsError(
                "params.yaml: ingest.columns",
                seen=f"the key {odd[0]!r}" if odd else "no column for `brief`",
                expected=f"`brief` and any of {', '.join(sorted(KEYS))}, {RATING}NAME",
                remedy="map what a run has (left) to the column that holds it (right)",
            )

    def sign(self, head: bytes) -> str:
        """Why the beginning of a file has the mapped columns; empty if it has not."""
        if not self.columns:
            return ""
        if head.startswith(PARQUET):
            return "Parquet, and columns are mapped"
        wanted = {column.split(".")[0] for column in self.columns.values()}
        wanted |= set(self.columns.values())
        first = head.split(b"\n", 1)[0]
        row = parsed(first)
        if spread(head):
            names = [one for one in sorted(wanted) if f'"{one}"'.encode() in head]
            where = "its beginning"
        elif isinstance(row, dict):
            names, where = list(row), "line 1"
        else:
            text = first.decode("utf-8-sig", "replace").replace("\x00", " ")
            # a line may end by CR alone, and csv takes it for broken otherwise
            header = io.StringIO(text, newline=None)
            names, where = next(csv.reader(header), []), "its header"
        found = [name for name in names if name in wanted]
        if len(found) < min(2, len(self.columns)):
            return ""
        return f"{where} has the mapped columns {', '.join(found[:3])}"

    def read(self, path: Path, name: str = "") -> Iterator[Run | Misfit]:
        """Yield one value for each row, in file order.

        Raises:
            OSError: If the file cannot be opened or read.
        """
        name = name or path.name
        if self.in_lines(path):
            return self.read_span(path, name, None)
        start = head(path)
        if start.startswith(PARQUET):
            return self._runs(parquet.rows(path, name))
        return self._runs((_whole if spread(start) else _csv)(path, name))

    def in_lines(self, path: Path) -> bool:
        """Whether a file is of JSON Lines."""
        with opened(path) as file:
            start = file.read(_LOOK)
        first = start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        return first in (b"{", b"") and not spread(start)

    def read_span(
        self, path: Path, name: str, span: Span | None
    ) -> Iterator[Run | Misfit]:
        """`read` of a part of a file of JSON Lines; None is all of it."""
        return self._runs(_json(path, name, span))

    def _runs(self, rows: Iterator[_Row | Misfit]) -> Iterator[Run | Misfit]:
        for found in rows:
            yield found if isinstance(found, Misfit) else self._run(found[1], found[0])

    def _run(self, row: Mapping[str, Json], source: str) -> Run | Misfit:
        told = {key: _reach(row, column) for key, column in self.columns.items()}
        brief = brief_of(written(told.get("brief")), _plain(told.get("brief_id")))
        if brief is None:
            problem = f"nothing in the mapped column {self.columns['brief']!r}"
            return misfit(source, "no text", problem, written(dict(row)))
        graded = _number(told.get("score"))
        score = number_of(graded)
        if not (_untold(graded) or (score is not None and 0 <= score <= 1)):
            seen = written(graded)[:40]
            problem = f"score: {seen}; expected 0 to 1, or a rating with its range"
            return misfit(source, "bad value", problem, written(dict(row)))
        error = error_line(written(told.get("error")))
        uses = _uses(told)
        run_id = _plain(told.get("run_id"))
        return Run(
            run_id=run_id or f"row-{digest(dict(row))[:16]}",
            brief=brief,
            started=iso_of(_number(told.get("started"))),
            steps=_steps(told.get("steps")),
            recalls=recalls_of(uses),
            skills=uses,
            ending="broken" if error else "ok",
            reason=error,
            score=score,
            provenance="none" if score is None else "check",
            ratings=self._ratings(told),
            usage=_spent(told),
            trial=_plain(told.get("trial")),
            followups=tuple(map(written, as_list(_open(told.get("followups"))))),
            source=source,
            **{key: written(told.get(key)) for key in TEXTS},  # type: ignore[arg-type]
        )

    def _ratings(self, told: Mapping[str, Json]) -> tuple[Rating, ...]:
        found = []
        for key, value in told.items():
            if key.startswith(RATING) and value is not None and value != "":
                number = number_of(_number(value))
                text = "" if number is not None else bounded(written(value))
                name = key.removeprefix(RATING)
                found.append(Rating(name=name, value=number, text=text))
        return tuple(found)


def _reach(row: Mapping[str, Json], column: str) -> Json:
    """What a column holds; a name with dots may reach into JSON."""
    if column in row:
        return row[column]
    value: Json = row
    for part in column.split("."):
        value = as_dict(_open(value)).get(part)
    return value


def _open(value: Json) -> Json:
    """JSON that a table holds as text, as its value."""
    return parsed(value, value) if isinstance(value, str) else value


def _plain(value: Json) -> str:
    return written(value).strip()[:200]


def _untold(value: Json) -> bool:
    """Whether a cell is empty, in the manner of any writer of tables."""
    return written(value).strip().lower() in _EMPTY


def _number(value: Json) -> Json:
    """CSV knows texts only: one that is a number, or a truth, is taken for it."""
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str):
        return value
    if (truth := value.strip().lower()) in _TRUTHS:
        return _TRUTHS[truth]
    try:
        return int(value) if value.strip().lstrip("-").isdecimal() else float(value)
    except ValueError:
        return value


def _spent(told: Mapping[str, Json]) -> Spent:
    counts = {name: count_of(_number(told.get(name))) for name in _COUNTS}
    return Spent(
        **counts,
        usd=amount_of(_number(told.get("usd"))),
        seconds=amount_of(_number(told.get("seconds"))),
    )


def _uses(told: Mapping[str, Json]) -> tuple[SkillUse, ...]:
    return each_once(
        (
            *_named(told.get("skills"), applied=True),
            *_named(told.get("skills_offered"), applied=False),
        )
    )


def _named(value: Json, *, applied: bool) -> Iterator[SkillUse]:
    """Skills of a list, or of a text with commas: `name` or `name@version`."""
    value = _open(value)
    names = value.split(",") if isinstance(value, str) else as_list(value)
    for held in names:
        name, _, version = as_text(held).partition("@")
        if name := skill_name(name):
            yield SkillUse(
                skill=name,
                how="applied" if applied else "offered",
                version=version.strip(),
            )


def _steps(value: Json) -> tuple[TracedStep, ...]:
    named = (
        (as_text(step.get("tool")) or as_text(step.get("name")), step)
        for step in map(as_dict, as_list(_open(value)))
    )
    return tuple(
        TracedStep(
            subtask="",
            tool=tool,
            arguments=arguments_of(step.get("arguments")),
            call=as_text(step.get("call")),
            result=bounded(written(step.get("result"))),
            error=error_line(written(step.get("error"))),
            started=iso_of(step.get("started")),
        )
        for tool, step in named
        if tool  # what names no tool is no call
    )


# --- the four kinds of file ---------------------------------------------------------


def _json(path: Path, name: str, span: Span | None) -> Iterator[_Row | Misfit]:
    for found in objects(path, name, span=span):
        if isinstance(found, Misfit):
            yield found
        else:
            yield f"{name}:{found[0]}", found[1]


def _whole(path: Path, name: str) -> Iterator[_Row | Misfit]:
    """The rows of one document: a list of objects, or the only one."""
    value = document(path, name)
    if isinstance(value, Misfit):
        yield value
    elif isinstance(value, dict):
        yield name, value
    else:
        for number, row in enumerate(as_list(value), start=1):
            if isinstance(row, dict):
                yield f"{name}#{number}", row
            else:
                problem = f"{type(row).__name__}; expected an object"
                yield misfit(f"{name}#{number}", "bad value", problem, written(row))


def _csv(path: Path, name: str) -> Iterator[_Row | Misfit]:
    csv.field_size_limit(LIMIT)
    with opened(path) as file:
        texts = _Texts(file)
        rows = csv.DictReader(texts, strict=True)
        while True:
            source = texts.begin(name)
            try:
                if texts.number == 0 and rows.fieldnames:
                    source = texts.begin(name)
                row = next(rows)
            except StopIteration:
                break
            except csv.Error as error:
                texts.go_back()
                if not texts.cut:
                    yield misfit(source, "bad value", f"{error}; expected a row of CSV")
                continue
            if None in row or None in row.values():
                problem = "not as many values as the header has"
                yield misfit(source, "bad value", problem, written(list(row.values())))
            else:
                yield source, row
        if file.broken:
            yield misfit(source, *file.broken, texts.cut)


class _Texts:
    """The lines of a CSV, each bounded; but for one that a packed file's break cuts."""

    def __init__(self, file: Opened) -> None:
        self._file = file
        self._texts = io.TextIOWrapper(
            file, encoding="utf-8-sig", errors="replace", newline=""
        )
        self.number = 0
        """Of the line that came last, from 1."""
        self.cut = ""
        """What is left of the line that the break cuts."""
        self._row: list[str] = []  # its lines so far
        self._again: deque[str] = deque()

    def begin(self, name: str) -> str:
        """Where the next row begins."""
        self._row = []
        return f"{name}:{self.number + 1}"

    def go_back(self) -> None:
        """Give the lines of a row again that is none, but for its first.

        A quote that is never closed would take all rows behind it with it. A line that
        leaves one open closes one left open before, so none comes more than twice.
        """
        self._again.extendleft(reversed(self._row[1:]))
        self.number -= len(self._row[1:])

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        text = self._again.popleft() if self._again else self._line()
        self.number += 1
        self._row.append(text)
        return text

    def _line(self) -> str:
        text = self._texts.readline(LIMIT + 1)
        if not text.endswith(("\n", "\r")):
            if len(text) > LIMIT:
                while (rest := self._texts.readline(LIMIT)) and not rest.endswith("\n"):
                    continue
                self.number += 1
                problem = f"a line of over {LIMIT // 2**20} MB"
                raise csv.Error(problem)
            if self._file.broken:
                self.cut, text = text, ""
        if not text:
            raise StopIteration
        return text
