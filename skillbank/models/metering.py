"""What a call of the Messages protocol costs: at most before it, exactly after it.

Works on the JSON of requests and replies; knows no SDK and asks nobody.
"""

import base64
import math
from collections.abc import Mapping
from dataclasses import dataclass

from skillbank.codec import Json, encode
from skillbank.params import ModelParams

_CACHE_WRITE = 1.25  # price of writing and of reading the prompt cache, in input
_CACHE_READ = 0.1  # prices; some models read cheaper. Source: the vendor's price list
_OVERHEAD = 2_000  # tokens that a server adds of its own, to explain the schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Tokens of one reply, as the server counted them."""

    plain: int
    """Input that touched no cache."""
    written: int
    """Input written to the prompt cache."""
    cached: int
    """Input read from it."""
    output: int

    @property
    def input(self) -> int:
        """All input."""
        return self.plain + self.written + self.cached

    def usd(self, params: ModelParams) -> float:
        """What they cost at the configured prices."""
        billed = self.plain + _CACHE_WRITE * self.written + _CACHE_READ * self.cached
        return _usd(billed, self.output, params)


def tokens_of(reply: Json) -> Tokens | None:
    """The tokens that a reply says it took; None if it does not say."""
    usage = reply.get("usage") if isinstance(reply, Mapping) else None
    if not isinstance(usage, Mapping) or "output_tokens" not in usage:
        return None

    def count(name: str) -> int:
        value = usage.get(name)
        return value if isinstance(value, int) and value > 0 else 0

    return Tokens(
        plain=count("input_tokens"),
        written=count("cache_creation_input_tokens"),
        cached=count("cache_read_input_tokens"),
        output=count("output_tokens"),
    )


def most_usd(body: Json, params: ModelParams) -> float:
    """More than a request can cost.

    No token of text is less than a byte, and pictures are counted with room to spare;
    so this is well above the usual cost, which the output bound dominates anyway.

    Args:
        body: The request, as it goes over the wire.
        params: Prices.
    """
    pictures = [
        block["source"]["data"]
        for message in body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "image"
    ]
    text = len(encode(body)) - sum(len(picture) for picture in pictures)
    seen = sum(_picture_tokens(picture) for picture in pictures)
    billed = _CACHE_WRITE * (_OVERHEAD + text + seen)
    return _usd(billed, body["max_tokens"], params)


def _picture_tokens(data: str) -> int:
    # the vendor's figure is pixels / 750; 500 leaves room for other ways of counting
    head = base64.b64decode(data[:44])
    width, height = (int.from_bytes(head[i : i + 4], "big") for i in (16, 20))
    return 100 + math.ceil(width * height / 500)


def _usd(tokens_in: float, tokens_out: int, params: ModelParams) -> float:
    return (
        tokens_in * params.usd_per_mtok_in + tokens_out * params.usd_per_mtok_out
    ) / 1e6
