"""The one question that is asked of a language model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from skillbank.codec import Json


@dataclass(frozen=True, slots=True)
class Image:
    """A picture in a request."""

    png: bytes


Part = str | Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a model is asked; equal requests have equal journal keys."""

    system: str
    parts: tuple[Part, ...]
    schema: Mapping[str, Json]
    """JSON schema of the answer."""
    seed: int = 0
    """Not sent (models take none): it tells repeated questions apart in the journal."""
    max_tokens: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What it answered and what that cost."""

    answer: Mapping[str, Json] | None
    """Fits the schema; None: missing, after one repair."""
    problem: str = ""
    """Why the answer is missing."""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    calls: int = field(default=1)


class LanguageModel(Protocol):
    """Anything that answers a request."""

    name: str

    def complete(self, request: Request) -> Completion:
        """Answer in the request's schema.

        Raises:
            ModelError: If no answer could be had: no key, no server, budget spent.
        """
        ...
