"""Exports of OTLP as protobuf, brought to what they are as JSON.

A file is one message, as SDKs send them, or many, each behind its length in four bytes,
as the collector's file exporter writes them; there each may be packed by itself, and be
JSON. OpenTelemetry's own classes parse them. Nothing in a message says of what kind it
is: that is seen by the shape of the first span or log record in it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)

from skillbank.codec import Json
from skillbank.traffic.readers.documents import WHOLE, Refused, parsed
from skillbank.traffic.readers.exports import exports
from skillbank.traffic.readers.lines import HEAD, head, misfit
from skillbank.traffic.readers.packed import Break, Opened, opened, unpacked
from skillbank.traffic.run import Misfit

Kind = Literal["spans", "records", ""]
"""What a message holds; empty: neither, or it is no protobuf of OTLP."""

_LENGTH = 4  # bytes before each message, the highest first
_JSON = b'{"resource'
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # how a field is written
_Field = tuple[int, int, memoryview]


def payloads(path: Path, name: str) -> Iterator[tuple[str, Json] | Misfit]:
    """Yield each export of a file with its place, whichever way it is written.

    Raises:
        OSError: If the file cannot be opened or read.
    """
    start = head(path)
    if beginning(start) is not start:
        yield from _framed(path, name)
    elif kind_of(start):
        with opened(path) as file:
            data = file.read(WHOLE + 1)
        if len(data) > WHOLE:
            problem = f"over {WHOLE // 2**20} MB; expected that at most, split by time"
            yield misfit(name, "too long", problem)
        elif file.broken:
            yield misfit(name, *file.broken)
        else:
            yield _payload(data, name)
    else:
        yield from exports(path, name, together=True)


def beginning(head: bytes) -> bytes:
    """The beginning of the first message of a file, unpacked.

    Args:
        head: The beginning of the file; given back itself where it has no lengths.
    """
    size = int.from_bytes(head[:_LENGTH], "big")
    if not 0 < size <= WHOLE or kind_of(head):
        return head
    start = unpacked(head[_LENGTH : _LENGTH + size], HEAD)[0]
    return start if kind_of(start) or start.startswith(_JSON) else head


def kind_of(message: bytes) -> Kind:
    """What a message of protobuf holds, by its beginning."""
    for group in _within(memoryview(message), 1):
        for scoped in _within(group, 2):
            for one in _within(scoped, 2):
                return _kind_of_one(one)
    return ""


def _within(data: memoryview, number: int) -> Iterator[memoryview]:
    """The messages that a field of a message holds."""
    return (held for n, way, held in _fields(data) if (n, way) == (number, _BYTES))


def _kind_of_one(one: memoryview) -> Kind:
    """Of a span or a log record; a metric has names where a span has ids."""
    ways = {number: (way, len(body)) for number, way, body in _fields(one)}
    if ways.get(1) == (_BYTES, 16) and ways.get(2) == (_BYTES, 8):
        return "spans" if ways.get(7, (_FIXED64, 8)) == (_FIXED64, 8) else ""
    # the time at which it happened, or at which it was seen
    told = [ways[number] for number in (1, 11) if number in ways]
    return "records" if told and set(told) == {(_FIXED64, 8)} else ""


def _fields(data: memoryview) -> Iterator[_Field]:
    """Yield number, way of writing and bytes of each field, while they make sense."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, way = tag >> 3, tag & 7
        if way == _BYTES:
            size, at = _varint(data, at)
        elif way == _VARINT:
            size = _varint(data, at)[1] - at
        elif way in (_FIXED64, _FIXED32):
            size = 8 if way == _FIXED64 else 4
        else:
            return
        yield number, way, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first, and where it ends."""
    value = 0
    for shift in range(0, 64, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return value, at


def _framed(path: Path, name: str) -> Iterator[tuple[str, Json] | Misfit]:
    room = WHOLE
    with opened(path) as file:
        for number, found in enumerate(_frames(file), start=1):
            place = f"{name}:{number}"
            if isinstance(found, Break):
                yield misfit(place, *found)
                return
            data, broken = unpacked(found, room + 1)
            room -= len(data)
            if room < 0:
                limit = WHOLE // 2**20
                problem = (
                    f"over {limit} MB so far; expected that at most, split by time"
                )
                yield misfit(place, "too long", problem)
                return
            yield misfit(place, *broken) if broken else _payload(data, place)


def _frames(file: Opened) -> Iterator[bytes | Break]:
    while size := file.read(_LENGTH):
        n = int.from_bytes(size, "big")
        if n > WHOLE:
            problem = f"a message of {n} bytes; expected {WHOLE // 2**20} MB at most"
            yield Break("too long", problem)
            return
        data = file.read(n)
        if len(size) < _LENGTH or len(data) < n:
            problem = f"a message of {len(data)} bytes; expected {n}; it may still grow"
            yield file.broken or Break("truncated", problem)
            return
        yield data
    if file.broken:
        yield file.broken


def _payload(data: bytes, place: str) -> tuple[str, Json] | Misfit:
    """A message as its JSON has it."""
    if data.startswith(_JSON):
        value = parsed(data)
        if isinstance(value, Refused):
            return misfit(place, *value, data)
        return place, value
    if not (kind := kind_of(data)):
        problem = f"{len(data)} bytes without a span or log record; expected some"
        return misfit(place, "bad value", problem)
    try:
        message = (
            ExportTraceServiceRequest.FromString(data)
            if kind == "spans"
            else ExportLogsServiceRequest.FromString(data)
        )
    except DecodeError as error:
        problem = f"{str(error)[:80]}; expected a message of OTLP"
        return misfit(place, "unreadable", problem)
    return place, MessageToDict(message)
