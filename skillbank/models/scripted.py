"""A model that answers from a list or a function: for tests, and to run offline."""

from collections.abc import Callable, Mapping
from threading import Lock

from skillbank.codec import Json
from skillbank.errors import ModelError
from skillbank.models.answer import misfit
from skillbank.models.model import Completion, Request

Answer = Mapping[str, Json] | None
"""None: the model answered nothing that could be read."""


class ScriptedModel:
    """Answers in order, at no cost, and keeps what it was asked.

    An answer that does not fit the request's schema is missing, as it would be from any
    model. Safe to share between threads, which then share the order too.

    Args:
        answers: One for each call. A function is not used up: it answers its own call
            and all that follow it.
        name: What journal keys and records call it.
    """

    def __init__(
        self, *answers: Answer | Callable[[Request], Answer], name: str = "scripted"
    ) -> None:
        self.name = name
        self.requests: list[Request] = []
        self._answers = answers
        self._next = 0
        self._lock = Lock()

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.requests)

    def complete(self, request: Request) -> Completion:
        """Give the next answer.

        Raises:
            ModelError: If it was asked more often than it has answers.
        """
        with self._lock:
            self.requests.append(request)
            if self._next >= len(self._answers):
                raise ModelError(
                    f"model {self.name!r}",
                    seen=f"call {len(self.requests)} of {len(self._answers)} scripted",
                    expected="an answer for each call",
                    remedy="script another answer, or a function",
                )
            answer = self._answers[self._next]
            if not callable(answer):
                self._next += 1
        value = answer(request) if callable(answer) else answer
        problem = "no answer is scripted"
        if value is not None:
            problem = misfit(value, request.schema)
        return Completion(
            answer=None if problem else value, problem=problem, model=self.name
        )
