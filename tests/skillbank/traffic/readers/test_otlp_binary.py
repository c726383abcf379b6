"""Exports of OTLP as protobuf are read as their JSON is."""

import base64
import gzip
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
)
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)

from skillbank.codec import Json
from skillbank.traffic.files import read
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.otlp_binary import kind_of
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives
from tests.skillbank.traffic.readers.test_otel import export, weather

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def binary(
    held: dict[str, Json], kind: type[Message] = ExportTraceServiceRequest
) -> bytes:
    """A message of what is written as JSON; ids of spans are made of their names."""
    return bytes(ParseDict(_with_ids(held), kind()).SerializeToString())


def _with_ids(held: Json) -> Json:
    if isinstance(held, list):
        return [_with_ids(one) for one in held]
    if not isinstance(held, dict):
        return held
    made = {}
    for name, value in held.items():
        if name == "traceId":
            value = base64.b64encode(bytes.fromhex(value)).decode()
        elif name in ("spanId", "parentSpanId"):
            id = value.encode().ljust(8)[:8] if value else b""
            value = base64.b64encode(id).decode()
        else:
            value = _with_ids(value)
        made[name] = value
    return made


def framed(*messages: bytes) -> bytes:
    return b"".join(len(one).to_bytes(4, "big") + one for one in messages)


def spoken(**body: Json) -> dict[str, Json]:
    """A log record of Claude Code in which a user speaks."""
    held = {"event.name": "user_prompt", "session.id": "s1", "prompt": "Fix the build"}
    record = {
        "timeUnixNano": "1700000000000000000",
        "body": {"stringValue": "claude_code.user_prompt"},
        "attributes": [
            {"key": name, "value": {"stringValue": value}}
            for name, value in held.items()
        ],
        **body,
    }
    scope = {"name": "com.anthropic.claude_code.events"}
    return {"resourceLogs": [{"scopeLogs": [{"scope": scope, "logRecords": [record]}]}]}


def expected(path: Path) -> list[Run | Misfit]:
    file = path / "plain.jsonl"
    file.write_text(json.dumps(export(*weather())) + "\n")
    return list(read(file))


ONE = binary(export(*weather()))
EACH = [binary(export(one)) for one in weather()]
LINES = [json.dumps(export(one), separators=(",", ":")).encode() for one in weather()]


@pytest.mark.parametrize(
    "data",
    [
        ONE,
        gzip.compress(ONE),
        framed(ONE),
        framed(*EACH),
        zstd.compress(framed(*EACH)),
        framed(*map(zstd.compress, EACH)),
        framed(*map(zstd.compress, LINES)),
    ],
    ids=[
        "one",
        "packed",
        "framed",
        "many",
        "packed many",
        "many packed",
        "JSON packed",
    ],
)
def test_spans_are_read_however_they_are_written(tmp_path, data):
    path = tmp_path / "spans.bin"
    path.write_bytes(data)

    assert recognise(path)[0] == "otel"
    (found,) = read(path)

    (plain,) = expected(tmp_path)
    assert isinstance(plain, Run)
    assert isinstance(found, Run)
    assert replace(found, source=plain.source) == plain


@pytest.mark.parametrize("pack", [bytes, framed], ids=["one", "framed"])
def test_claude_codes_events_are_read_from_protobuf(tmp_path, pack):
    path = tmp_path / "logs.bin"
    path.write_bytes(pack(binary(spoken(), ExportLogsServiceRequest)))

    assert recognise(path)[0] == "claude-events"
    (run,) = read(path)

    assert isinstance(run, Run)
    assert run.brief.text == "Fix the build"


def test_records_of_messages_are_read_from_protobuf(tmp_path):
    said = {"kvlistValue": {"values": [
        {"key": "content", "value": {"stringValue": "Draw a cat"}}
    ]}}  # fmt: skip
    held = {
        "observedTimeUnixNano": "1700000000000000000",
        "eventName": "gen_ai.user.message",
        "traceId": "ab" * 16,
        "spanId": "one",
        "body": said,
    }
    export = {"resourceLogs": [{"scopeLogs": [{"logRecords": [held]}]}]}
    path = tmp_path / "logs.bin"
    path.write_bytes(binary(export, ExportLogsServiceRequest))

    assert recognise(path)[0] == "otel"
    (run,) = read(path)

    assert isinstance(run, Run)
    assert (run.run_id, run.brief.text) == ("ab" * 16, "Draw a cat")


def test_metrics_are_not_taken_for_spans(tmp_path):
    point = {"asInt": "1", "timeUnixNano": "1700000000000000000"}
    metric = {"name": "x" * 16, "description": "y" * 8, "sum": {"dataPoints": [point]}}
    data = binary(
        {"resourceMetrics": [{"scopeMetrics": [{"metrics": [metric]}]}]},
        ExportMetricsServiceRequest,
    )
    path = tmp_path / "metrics.bin"
    path.write_bytes(data)

    assert kind_of(data) == ""
    assert recognise(path)[0] == ""


def test_the_kind_is_seen_in_a_beginning_that_is_cut():
    kinds = {kind_of(ONE[:end]) for end in range(len(ONE))}

    assert kinds == {"", "spans"}
    assert kind_of(ONE[:120]) == "spans"


def test_a_message_that_stops_short_leaves_those_before_it(tmp_path):
    path = tmp_path / "spans.bin"
    path.write_bytes(framed(ONE, ONE)[:-3])

    stop, run = read(path)

    assert isinstance(run, Run)
    assert isinstance(stop, Misfit)
    assert (stop.source, stop.reason) == ("spans.bin:2", "truncated")


def test_a_damaged_message_leaves_the_others(tmp_path):
    path = tmp_path / "spans.bin"
    path.write_bytes(framed(ONE, b"\x0a\xff\xff", ONE[:-3], ONE))

    metric, cut, run = read(path)

    assert isinstance(run, Run)
    assert isinstance(metric, Misfit)
    assert (metric.source, metric.reason) == ("spans.bin:2", "bad value")
    assert isinstance(cut, Misfit)
    assert (cut.source, cut.reason) == ("spans.bin:3", "unreadable")


@pytest.mark.parametrize("format", ["otel", "claude-events"])
def test_the_reader_survives_damage(tmp_path, format):
    logs = [binary(spoken(), ExportLogsServiceRequest)]
    messages = EACH if format == "otel" else logs
    files = []
    for name, data in (
        ("one", ONE if format == "otel" else logs[0]),
        ("many", framed(*messages)),
        ("packed", framed(*map(zstd.compress, messages))),
    ):
        files.append(tmp_path / name)
        files[-1].write_bytes(data)
    folder = tmp_path / "out"
    folder.mkdir()

    seen = assert_survives(format, files, folder, n=300, seed=1)

    assert seen["run"] > 0
    assert seen.total() > seen["run"]
