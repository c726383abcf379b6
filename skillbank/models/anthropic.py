"""Claude, or any server that speaks the Messages protocol, through the official SDK.

The only file that knows the SDK. It imports it when the first question is asked (that
takes about two seconds), leaves key and default server to the SDK's own environment
variables, and lets no key into an error. It knows nothing of what is asked.
"""

import base64
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import orjson

from skillbank.codec import Json
from skillbank.errors import ModelError
from skillbank.models.answer import parse
from skillbank.models.budget import Budget
from skillbank.models.metering import Tokens, most_usd, tokens_of
from skillbank.models.model import Completion, Image, Part, Request
from skillbank.params import ModelParams

if TYPE_CHECKING:
    from anthropic import Anthropic

_PNG = b"\x89PNG\r\n\x1a\n"
_KEY = re.compile(r"sk-ant-[\w-]+")
_PLAIN = re.compile(r"accept|content-type|user-agent|x-stainless-.*|anthropic-.*", re.I)
_REPAIR = (
    "Your answer could not be used: {problem}\n"
    "Answer again, with nothing but JSON that fits this schema:\n{schema}"
)


class AnthropicModel:
    """A language model behind the Messages protocol; safe to share between threads.

    Close it, or use it in a `with` statement: it holds connections.

    Args:
        params: Model id, server, prices and limits.
        budget: Shared by all models of a round.
    """

    def __init__(self, params: ModelParams, budget: Budget) -> None:
        self.name = params.model
        self._params = params
        self._budget = budget
        self._client: Anthropic | None = None
        self._lock = Lock()

    def __enter__(self) -> Self:
        """Use it in a `with` statement."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections; a later question opens them again."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def complete(self, request: Request) -> Completion:
        """Ask, and ask once more with the problem shown if the answer does not fit.

        An answer that was cut off or declined is missing at once: asking the same
        again would only cost the same again. The cost is that of both calls; a call
        that timed out is charged to the budget at its most, and to no completion.

        Raises:
            ModelError: If there is no key, no server or no room in the context.
            BudgetError: If a call might cost more than is left.
        """
        messages: list[Json] = [
            {"role": "user", "content": [_block(part) for part in request.parts]}
        ]
        reply = self._ask(request, messages)
        answer, problem = _answer(reply, request)
        if answer is not None or reply.final:
            return self._completion(answer, problem, reply)
        repair = _REPAIR.format(
            problem=problem, schema=orjson.dumps(request.schema).decode()
        )
        messages += [
            {"role": "assistant", "content": reply.text.strip() or "(nothing)"},
            {"role": "user", "content": repair},
        ]
        second = self._ask(request, messages)
        answer, problem = _answer(second, request)
        return self._completion(answer, problem, reply, second)

    def _completion(
        self, answer: Mapping[str, Json] | None, problem: str, *replies: "_Reply"
    ) -> Completion:
        return Completion(
            answer=answer,
            problem=problem,
            model=self.name,
            input_tokens=sum(reply.tokens.input for reply in replies),
            output_tokens=sum(reply.tokens.output for reply in replies),
            usd=math.fsum(reply.usd for reply in replies),
            calls=len(replies),
        )

    def _ask(self, request: Request, messages: list[Json]) -> "_Reply":
        from anthropic import AnthropicError, transform_schema

        client = self._connected()
        schema = transform_schema(dict(request.schema))
        try:
            raw = client.messages.with_raw_response.create(
                model=self.name,
                max_tokens=request.max_tokens,
                system=[_cached(request.system)],
                messages=messages,
                output_config={"format": {"type": "json_schema", "schema": schema}},
            )
        except (AnthropicError, TypeError, ValueError) as error:
            # the last two: what the SDK rejects before it sends anything
            problem = self._explained(error, client)
        else:
            return self._reply(raw.http_response.content)
        # raised out here: the vendor's error knows the request and with it the key,
        # and must not become the context of ours
        raise problem

    def _connected(self) -> "Anthropic":
        import anthropic

        with self._lock:
            if self._client is None:
                try:
                    client = anthropic.Anthropic(
                        base_url=self._params.base_url or None,
                        max_retries=self._params.retries,
                        timeout=self._params.timeout_s,
                        middleware=[self._metered],
                    )
                except anthropic.AnthropicError as error:
                    raise _keyless(self.name, type(error).__name__) from None
                if not _has_credentials(client):
                    client.close()
                    raise _keyless(self.name, "none was found")
                self._client = client
            return self._client

    def _metered(self, request: Any, send: Callable[[Any], Any]) -> Any:
        """One attempt on the wire, retries included: paid for, and patient to a limit.

        The SDK calls this inside its retry loop, and would wait for as long as a
        `retry-after` header says; the header is lowered to our limit before it looks.
        """
        import anthropic

        cost = reserved = self._budget.reserve(most_usd(request.json, self._params))
        try:
            response = send(request)
            if response.http_response.is_success:
                tokens = tokens_of(_json(response.http_response.content))
                cost = tokens.usd(self._params) if tokens else reserved
            else:
                cost = 0.0
                _lower_wait(response.http_response.headers, self._params.max_retry_s)
            return response
        except (anthropic.APIConnectionError, TypeError, ValueError) as error:
            # what did reach the server may be billed, although no answer came back
            cost = 0.0 if _never_sent(error) else reserved
            raise
        finally:
            self._budget.settle(reserved, cost)

    def _reply(self, content: bytes) -> "_Reply":
        body = _json(content)
        tokens = tokens_of(body)
        blocks = body.get("content") if isinstance(body, Mapping) else None
        if tokens is None or not isinstance(blocks, list):
            raise ModelError(
                f"model {self.name!r}",
                seen="a reply that is no message of the Messages protocol",
                expected="a server that speaks it",
                remedy="check models.base_url in params.yaml, or ANTHROPIC_BASE_URL",
            )
        text = "".join(
            str(block.get("text", ""))
            for block in blocks
            if isinstance(block, Mapping) and block.get("type") == "text"
        )
        return _Reply(
            text=text,
            stop=str(body.get("stop_reason")),
            tokens=tokens,
            usd=tokens.usd(self._params),
        )

    def _explained(self, error: Exception, client: "Anthropic") -> ModelError:
        seen, expected, remedy = _advice(error, self._params)
        return ModelError(
            f"model {self.name!r} at {client.base_url.host}",
            seen=_without(seen, _secrets(client)),
            expected=expected,
            remedy=remedy,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    text: str
    stop: str
    tokens: Tokens
    usd: float

    @property
    def final(self) -> bool:
        """True if the same question would only end the same way."""
        return self.stop not in ("end_turn", "stop_sequence")


def _answer(reply: _Reply, request: Request) -> tuple[Mapping[str, Json] | None, str]:
    match reply.stop:
        case "max_tokens" | "model_context_window_exceeded":
            return None, f"the answer was cut off ({reply.stop})"
        case "refusal":
            return None, "the model declined to answer"
        case "end_turn" | "stop_sequence":
            return parse(reply.text, request.schema)
        case other:
            return None, f"the model stopped with {other[:40]!r}"


def _block(part: Part) -> Json:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if not isinstance(part, Image) or part.png[:8] != _PNG or len(part.png) < 33:
        raise ModelError(
            "picture of a request",
            seen="bytes that are no PNG",
            expected="a PNG",
            remedy="mend what draws the pictures of this world",
        )
    data = base64.b64encode(part.png).decode()
    source = {"type": "base64", "media_type": "image/png", "data": data}
    return {"type": "image", "source": source}


def _cached(text: str) -> Json:
    return {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}


def _json(content: bytes) -> Json:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return None


def _lower_wait(headers: Any, limit_s: float) -> None:
    asked_ms = _number(headers.get("retry-after-ms"))
    asked_s = _number(headers.get("retry-after"))
    if asked_ms is None and asked_s is None and "retry-after" not in headers:
        return
    asked = asked_ms / 1000 if asked_ms is not None else asked_s
    headers.pop("retry-after-ms", None)
    # a date, which we have no clock to read, is taken for the longest wait
    headers["retry-after"] = f"{limit_s if asked is None else min(asked, limit_s):.3f}"


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return None if math.isnan(value) else value


def _never_sent(error: Exception) -> bool:
    import httpx2

    return isinstance(error, TypeError | ValueError) or isinstance(
        error.__cause__,
        httpx2.ConnectError
        | httpx2.ConnectTimeout
        | httpx2.PoolTimeout
        | httpx2.UnsupportedProtocol
        | httpx2.LocalProtocolError,
    )


def _has_credentials(client: "Anthropic") -> bool:
    headers = {name.lower() for name, value in client.default_headers.items() if value}
    return client.credentials is not None or not headers.isdisjoint(
        ("authorization", "x-api-key")
    )


def _keyless(model: str, seen: str) -> ModelError:
    return ModelError(
        f"key for model {model!r}",
        seen=seen,
        expected="ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN) in the environment",
        remedy="set it, or set the models.* roles in params.yaml back to studio",
    )


def _advice(error: Exception, params: ModelParams) -> tuple[str, str, str]:
    """What was seen, what was expected and what to do."""
    import anthropic

    kind = type(error).__name__
    again = "start the round again with its id later: no answer is paid for twice"
    match error:
        case anthropic.APITimeoutError():
            return (
                f"no reply within {params.timeout_s:g} s, {params.retries} retries",
                "a reply in time",
                f"raise models.timeout_s in params.yaml, or {again}",
            )
        case anthropic.APIConnectionError():
            return (
                f"no connection ({type(error.__cause__).__name__})",
                "a server that answers, and a key that a header can carry",
                "check models.base_url in params.yaml and the ANTHROPIC_* variables",
            )
        case anthropic.AuthenticationError() | anthropic.PermissionDeniedError():
            return (
                f"{error.status_code} {error.message}",
                "a key that the server takes",
                "correct ANTHROPIC_API_KEY in the environment",
            )
        case anthropic.APIStatusError() if error.status_code < 500 and (
            error.status_code not in (408, 409, 429)
        ):
            return (
                f"{error.status_code} {error.message}",
                "a question that the server takes",
                "check models.model and models.base_url in params.yaml",
            )
        case anthropic.APIStatusError():
            return (
                f"{error.status_code} after {params.retries} retries: {error.message}",
                f"an answer, with waits of at most {params.max_retry_s:g} s",
                again,
            )
        case UnicodeError():  # its text would show where in the key
            return (
                f"{kind} in a header or a text",
                "a key of plain ASCII",
                "copy ANTHROPIC_API_KEY again",
            )
        case _:
            return f"{kind}: {error}", "a reply", "check params.yaml: models"


def _secrets(client: "Anthropic") -> list[str]:
    """Values of headers that are not the SDK's own, longest first."""
    values = [
        str(value).removeprefix("Bearer ")
        for name, value in client.default_headers.items()
        if not _PLAIN.fullmatch(name)
    ]
    return sorted((value for value in values if len(value) > 5), key=len, reverse=True)


def _without(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "[hidden]")
    return _KEY.sub("[hidden]", text)
