"""What was asked once is not asked again: answers kept under what determines them.

A journal is any key-value store of bytes; the one on disk belongs to the tasks. Keys
are content, so a round that was killed anywhere finds every answer that it had. Errors
are never kept, and neither is an attempt that ended in a fault of ours: nothing was
measured, and the next start is to measure it. A missing answer is an answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeVar, get_args

from pydantic import ValidationError

from skillbank.agents.agent import Attempt
from skillbank.briefs.brief import Brief
from skillbank.codec import Json, digest, encode, load
from skillbank.errors import TableError
from skillbank.judging.judge import Judge, Preference
from skillbank.models.model import Completion, Image, LanguageModel, Part, Request

T = TypeVar("T")


class Journal(Protocol):
    """Anything that keeps bytes under a key."""

    def get(self, key: str) -> bytes | None:
        """What was put under the key, whole; None if nothing was."""
        ...

    def put(self, key: str, value: bytes) -> None:
        """Keep the value under the key: all of it, or nothing if we are killed."""
        ...


class MemoryJournal:
    """Keeps everything for as long as it lives."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """What was put under the key."""
        return self.entries.get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keep the value."""
        self.entries[key] = value


class NoJournal:
    """Keeps nothing."""

    def get(self, key: str) -> bytes | None:
        """Nothing, always."""
        return None

    def put(self, key: str, value: bytes) -> None:
        """Forget the value."""


def request_key(model: str, request: Request) -> str:
    """The key of a model's answer: its name and all of the request, seed included."""
    parts = [_content(part) for part in request.parts]
    return digest(
        "completion",
        model,
        request.system,
        parts,
        request.schema,
        request.seed,
        request.max_tokens,
    )


def vote_key(
    revision: str, brief: Brief, outputs: tuple[str, str], batch: str, seed: int
) -> str:
    """The key of a judge's answer; `outputs` in the order in which they are shown."""
    return digest("vote", revision, brief, outputs, batch, seed)


class JournalledModel:
    """A model whose answers are kept, the missing ones too."""

    def __init__(self, model: LanguageModel, journal: Journal) -> None:
        self.name = model.name
        self._model = model
        self._journal = journal

    def complete(self, request: Request) -> Completion:
        """The kept answer, with what it cost then; else a new one.

        Raises:
            ModelError: If the model has none.
            TableError: If the journal's entry is no completion.
        """
        return journalled(
            self._journal,
            request_key(self.name, request),
            Completion,
            lambda: self._model.complete(request),
        )


_PREFERENCES = get_args(Preference)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vote:
    preference: Preference


class JournalledJudge:
    """A judge whose answers are kept, the unreadable ones too."""

    def __init__(self, judge: Judge, journal: Journal) -> None:
        self.revision = judge.revision
        self._judge = judge
        self._journal = journal

    def compare(
        self, brief: Brief, first: str, second: str, *, batch: str, seed: int
    ) -> Preference:
        """The kept answer to this very presentation, else a new one.

        An answer that is no preference is an unreadable one.

        Raises:
            ModelError: If the judge could not be reached.
            TableError: If the journal's entry is no vote.
        """
        key = vote_key(self.revision, brief, (first, second), batch, seed)

        def asked() -> _Vote:
            said = self._judge.compare(brief, first, second, batch=batch, seed=seed)
            return _Vote(preference=said if said in _PREFERENCES else "invalid")

        return journalled(self._journal, key, _Vote, asked).preference


def journalled_attempt(
    journal: Journal, key: str, make: Callable[[], Attempt]
) -> Attempt:
    """The attempt kept under the key, else a new one; a fault is not kept.

    Args:
        journal: Where attempts are kept.
        key: All that determines the attempt: bank, brief, context and seeds.
        make: Makes the attempt.

    Raises:
        TableError: If the journal's entry is no attempt.
    """
    return journalled(
        journal, key, Attempt, make, keep=lambda attempt: attempt.ending != "fault"
    )


def journalled(
    journal: Journal,
    key: str,
    kind: type[T],
    make: Callable[[], T],
    *,
    keep: Callable[[T], bool] = lambda _: True,
) -> T:
    """The value kept under the key, else a new one, which is kept if `keep` says so.

    A new value is returned as it reads back, so that a resumed round sees no other.

    Raises:
        TableError: If what is kept is no such value: it is never made anew in silence,
            for that would be paid for twice and might come out otherwise.
    """
    known = journal.get(key)
    if known is not None:
        return _read(
            kind,
            known,
            place=f"journal entry {key}",
            remedy="remove this entry from data/journal; it is then asked for again",
        )
    made = make()
    if not keep(made):
        return made
    known = encode(made)
    # read before it is kept: else every resumed round would stumble over it
    again = _read(
        kind,
        known,
        place=f"a new {kind.__name__}",
        remedy="report this: whoever gave it does not keep to its protocol",
    )
    journal.put(key, known)
    return again


def _read(kind: type[T], data: bytes, *, place: str, remedy: str) -> T:
    try:
        return load(kind, data)
    except ValidationError as error:
        raise TableError(
            place,
            seen=f"{len(data)} bytes that do not read as {kind.__name__}",
            expected=f"a whole {kind.__name__}",
            remedy=remedy,
        ) from error


def _content(part: Part) -> Json:
    if isinstance(part, Image):
        return {"png": sha256(part.png).hexdigest()}
    return {"text": part}
