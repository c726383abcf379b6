"""The native format: JSON Lines, one run a line, the fields of `Run` by their names.

`run_id` and `brief` with its `id` and `text` must be there; everything else may be
missing, and what is not known is ignored. Of a key that is given twice the last counts,
as JSON readers have it.
"""

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Annotated

import msgspec
import orjson
from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError

from skillbank.agents.agent import Ending
from skillbank.briefs.brief import Brief, Check
from skillbank.codec import Json, encode, fields_of
from skillbank.errors import BriefError
from skillbank.skills.shelf import Recall, Subtask
from skillbank.traffic.readers.documents import deeper
from skillbank.traffic.readers.lines import Line, Span, lines, misfit
from skillbank.traffic.readers.values import is_time
from skillbank.traffic.run import (
    Misfit,
    Provenance,
    Rating,
    Reason,
    Reply,
    Run,
    SkillUse,
    Spent,
    TracedStep,
)

_DEEPEST = 32  # levels within facts and arguments; what is deeper is no fact
_MOST_ITEMS = 10_000  # requirements of a brief; the usual is about ten
_LONGEST_ID = 200
_LARGEST = 2**53  # tokens, versions: beyond it a float has lost the last digit


class _Line(BaseModel):
    """What a line may hold; `source` is ours and never read from a file."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)

    run_id: Annotated[str, Field(min_length=1, max_length=_LONGEST_ID)]
    brief: Brief
    session: str = ""
    user: str = ""
    tenant: str = ""
    cohort: str = ""
    bank: str = ""
    started: str = ""
    steps: Annotated[tuple[TracedStep, ...], FailFast()] = ()
    recalls: Annotated[tuple[Recall, ...], FailFast()] = ()
    uncovered: Annotated[tuple[Subtask, ...], FailFast()] = ()
    output: str = ""
    ending: Ending = "ok"
    reason: str = ""
    score: Annotated[float, Field(strict=True, ge=0, le=1)] | None = None
    checks: Annotated[tuple[Check, ...], FailFast()] = ()
    provenance: Provenance = "none"
    evaluator: str = ""
    usage: Spent = Spent()
    retry_of: str = ""
    exploring: bool = False
    followups: Annotated[tuple[str, ...], FailFast()] = ()
    skills: Annotated[tuple[SkillUse, ...], FailFast()] = ()
    ratings: Annotated[tuple[Rating, ...], FailFast()] = ()
    model: str = ""
    agent: str = ""
    trial: str = ""
    parent: str = ""
    part: str = ""
    origin: str = ""
    replies: Annotated[tuple[Reply, ...], FailFast()] = ()


_DECODER = msgspec.json.Decoder(Run)
_USAGE = attrgetter(*Spent.__dataclass_fields__)
_REPLY = attrgetter(*(name for name in Reply.__dataclass_fields__ if name != "id"))


def to_line(run: Run) -> str:
    """A run as a line of the native format, without its line end or its source.

    What a run does not tell is left out.
    """
    held = _said(run)
    held.pop("source", None)
    held["steps"] = [{"subtask": "", "tool": "", **_said(step)} for step in run.steps]
    held["usage"] = _said(run.usage)
    return encode(held).decode()


def _said(value: Run | TracedStep | Spent) -> dict[str, Json]:
    return {name: held for name, held in fields_of(value).items() if not _silent(held)}


def _silent(value: object) -> bool:
    return value is None or value == "" or value == ()


def sign(head: bytes) -> str:
    """Why the beginning of a file looks native; empty if it does not."""
    for number, line in enumerate(head.splitlines(), start=1):
        if b'"run_id"' in line and b'"brief"' in line:
            return f"line {number} has run_id and brief"
    return ""


def read(path: Path, name: str = "") -> Iterator[Run | Misfit]:
    """Yield one value a line, in file order: the run, or what did not fit.

    Args:
        path: The file.
        name: What to call it in `source`; its own name where empty.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    return read_span(path, name or path.name, None)


def in_lines(path: Path) -> bool:
    """Always: a run is a line."""
    return True


def read_span(path: Path, name: str, span: Span | None) -> Iterator[Run | Misfit]:
    """`read` of a part of a file; None is all of it."""
    for line in lines(path, span=span):
        yield _run(line, f"{name}:{line.number}")


def run_of(data: bytes, source: str) -> Run | Misfit:
    """The run of one line by itself, or what did not fit."""
    return _run(Line(1, data, "newline"), source)


def _run(line: Line, source: str) -> Run | Misfit:
    if line.broken:
        return misfit(source, *line.broken, line.data)
    if line.end == "too long":
        problem = "longer than a line may be; expected at most 8 MB"
        return misfit(source, "too long", problem, line.data)
    if (plain := _plain(line.data, source)) is not None:
        return plain
    try:
        value = orjson.loads(line.data)
    except orjson.JSONDecodeError as error:
        return misfit(source, *_broken(line, error), line.data)
    if (hopeless := _hopeless(value)) is not None:
        return misfit(source, *hopeless, line.data)
    try:
        parsed = _Line.model_validate(value)
    except ValidationError as error:
        return misfit(source, *_first_problem(error), line.data)
    except BriefError as error:
        return misfit(source, "no text", str(error), line.data)
    if (contradiction := _contradiction(parsed)) is not None:
        return misfit(source, *contradiction, line.data)
    return Run(**parsed.__dict__, source=source)


def _plain(data: bytes, source: str) -> Run | None:
    """The run of a line that is in order, at a third of the cost; None: look closer.

    What is to be coerced, or put aside with its reason, is left to the model.
    """
    try:
        run = _DECODER.decode(data)
    except (msgspec.DecodeError, BriefError, UnicodeDecodeError, RecursionError):
        return None
    if not 0 < len(run.run_id) <= _LONGEST_ID:
        return None
    if run.score is not None and not 0 <= run.score <= 1:
        return None
    if run.brief.facts or run.brief.requirements or _contradiction(run):
        return None
    object.__setattr__(run, "source", source)  # nobody else holds it yet
    return run


def _broken(line: Line, error: orjson.JSONDecodeError) -> tuple[Reason, str]:
    try:
        line.data.decode()
    except UnicodeDecodeError as bad:
        return "not UTF-8", f"byte {bad.start} of the line; expected UTF-8"
    if line.end == "file":
        return "truncated", "the last line stops short; the file may still be growing"
    if "depth" in error.msg:
        return "too deep", error.msg
    return "not JSON", f"{error.msg}; expected one JSON object a line"


def _hopeless(value: Json) -> tuple[Reason, str] | None:
    """What would make the validation itself dear."""
    if not isinstance(value, dict):
        return "bad value", f"{type(value).__name__}; expected an object"
    brief = value.get("brief")
    needs = brief.get("requirements") if isinstance(brief, dict) else None
    if isinstance(needs, list) and len(needs) > _MOST_ITEMS:
        return "too long", f"{len(needs)} requirements; expected {_MOST_ITEMS} at most"
    return None


def _first_problem(error: ValidationError) -> tuple[Reason, str]:
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    first = errors[0]
    where = ".".join(str(part)[:40] for part in first["loc"][:6])
    reason: Reason = "missing field" if first["type"] == "missing" else "bad value"
    return reason, f"{where}: {first['msg']}"


def _contradiction(line: _Line | Run) -> tuple[Reason, str] | None:
    """What is well-formed and still cannot be a run."""
    if not line.brief.id:
        return "missing field", "brief.id: nothing; expected an id"
    if line.started and not is_time(line.started):
        return "bad value", "started: expected an ISO 8601 time"
    if line.ending == "fault" and line.score is not None:
        return "bad value", "score: given, but ending says that the run failed to run"
    amounts = _USAGE(line.usage)
    for reply in line.replies:
        amounts += _REPLY(reply)
    if not all(amount is None or 0 <= amount <= _LARGEST for amount in amounts):
        return "bad value", "usage: expected amounts from 0 to 2**53"
    if any(abs(recall.version) > _LARGEST for recall in line.recalls):
        return "bad value", "recalls: expected versions up to 2**53"
    return _odd_brief(line.brief, line.checks)


def _odd_brief(brief: Brief, checks: tuple[Check, ...]) -> tuple[Reason, str] | None:
    if not (brief.requirements or checks or brief.facts):
        return None
    needs = {need.id for need in brief.requirements}
    if len(needs) != len(brief.requirements):
        return "bad value", "brief.requirements: expected ids that differ"
    if not all(0 < need.weight <= _LARGEST for need in brief.requirements):
        return "bad value", "brief.requirements: expected weights above 0"
    checked = {check.requirement for check in checks}
    if len(checked) != len(checks) or not checked <= needs:
        return "bad value", "checks: expected one check at most for each requirement"
    if deeper(brief.facts, _DEEPEST) or any(
        deeper(need.args, _DEEPEST) for need in brief.requirements
    ):
        return "too deep", f"brief: expected at most {_DEEPEST} levels of facts"
    return None
