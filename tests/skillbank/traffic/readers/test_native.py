"""The native format reads back what it wrote, and never trips over anything else."""

import json
import tracemalloc
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillbank.briefs.brief import Brief, Check, Requirement
from skillbank.codec import Json, encode
from skillbank.skills.shelf import Recall, Subtask
from skillbank.traffic.readers import native
from skillbank.traffic.readers.lines import LIMIT
from skillbank.traffic.run import (
    SAMPLE,
    Misfit,
    Rating,
    Reply,
    Run,
    SkillUse,
    Spent,
    TracedStep,
)

FULL = Run(
    run_id="r1",
    brief=Brief(
        id="b1",
        text="A poster for a bakery",
        cohort="retail",
        requirements=(
            Requirement(id="q1", kind="contrast", text="readable", args={"ratio": 4.5}),
        ),
        facts={"w": 1080, "kits": ["a", "b"], "when": None},
    ),
    session="s1",
    user="u1",
    tenant="t1",
    cohort="retail",
    bank="3",
    started="2026-01-05T09:00:00Z",
    steps=(
        TracedStep(
            subtask="head",
            tool="place_text",
            arguments={"x": "0.1*W"},
            call="c1",
            result="placed",
            started="2026-01-05T09:00:01Z",
            agent="child",
        ),
    ),
    recalls=(
        Recall(subtask="head", skill="top", version=2, relevance=0.7, reason="w"),
    ),
    uncovered=(Subtask(name="legal", phrase="put the legal line at the foot"),),
    output='{"w":1080}',
    score=0.5,
    checks=(Check(requirement="q1", outcome="partly", why="4.1", subtasks=("head",)),),
    provenance="check",
    evaluator="e1",
    usage=Spent(turns=3, input_tokens=10, output_tokens=5, usd=0.01),
    retry_of="r0",
    source="week.jsonl:1",
    exploring=True,
    followups=("Larger, please",),
    skills=(SkillUse(skill="top", how="applied", version="2"),),
    ratings=(Rating(name="toxicity", value=0.1, higher_is_better=False),),
    model="m1",
    agent="host 1.2",
    trial="2",
    parent="r9",
    origin="m0",
    replies=(Reply(id="m1", input_tokens=10, output_tokens=5),),
)


def line(**changes: Json) -> bytes:
    held = {**orjson.loads(native.to_line(FULL)), **changes}
    return orjson.dumps({k: v for k, v in held.items() if v is not ...})


def read(folder: Path, data: bytes) -> list[Run | Misfit]:
    path = folder / "week.jsonl"
    path.write_bytes(data)
    return list(native.read(path))


def only_misfit(folder: Path, data: bytes) -> Misfit:
    (found,) = read(folder, data)
    assert isinstance(found, Misfit)
    return found


def test_a_run_that_was_written_reads_back_the_same(tmp_path: Path):
    assert read(tmp_path, native.to_line(FULL).encode() + b"\n") == [FULL]


def test_a_line_never_says_where_it_was_read():
    assert "source" not in orjson.loads(native.to_line(FULL))


def test_run_id_and_brief_are_enough(tmp_path: Path):
    data = b'{"run_id":"r","brief":{"id":"b","text":"A card"},"mood":"good"}\n'

    (run,) = read(tmp_path, data)

    assert isinstance(run, Run)
    assert (run.score, run.user, run.usage) == (None, "", Spent())


def test_a_missing_score_is_none_and_a_score_of_zero_is_zero(tmp_path: Path):
    runs = read(tmp_path, line(score=...) + b"\n" + line(score=0) + b"\n")

    assert [run.score for run in runs if isinstance(run, Run)] == [None, 0.0]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (line(brief={"id": "", "text": "A poster"}), "missing field"),
        (
            line(unknown=0).replace(b":0", b":" + b"[" * 3000) + b"\n",
            "too deep",
        ),
        (b"not a trace\n", "not JSON"),
        (b"[1,2]\n", "bad value"),
        (b'"text"\n', "bad value"),
        (b"{}\n", "missing field"),
        (b'{"run_id": 7}\n', "missing field"),
        (line()[:100], "truncated"),
        (b'{"run_id":"\xff\xfe"}\n', "not UTF-8"),
        (line(brief={"id": "b", "text": " "}) + b"\n", "no text"),
        (line(run_id="") + b"\n", "bad value"),
        (line(score=1.2) + b"\n", "bad value"),
        (line(score=True) + b"\n", "bad value"),
        (line(score="0.5") + b"\n", "bad value"),
        (line(score="SCORE").replace(b'"SCORE"', b"NaN") + b"\n", "not JSON"),
        (line(score="SCORE").replace(b'"SCORE"', b"1e999") + b"\n", "not JSON"),
        (line(ending="fault") + b"\n", "bad value"),
        (line(ending="fine") + b"\n", "bad value"),
        (line(started="yesterday") + b"\n", "bad value"),
        (line(usage={"turns": -1}) + b"\n", "bad value"),
        (line(usage={"turns": 1e30}) + b"\n", "bad value"),
        (
            line(checks=[{"requirement": "q9", "outcome": "met", "why": ""}]),
            "bad value",
        ),
        (line(steps=[0] * 1000) + b"\n", "bad value"),
        (b'{"run_id":' + b"[" * 100_000 + b"\n", "too deep"),
    ],
)
def test_what_does_not_fit_is_put_aside_for_a_reason(tmp_path, data, reason):
    misfit = only_misfit(tmp_path, data)

    assert misfit.reason == reason
    assert misfit.source == "week.jsonl:1"
    assert 0 < len(misfit.problem) <= SAMPLE
    assert len(misfit.sample) <= SAMPLE


def test_a_bad_line_does_not_stop_the_rest(tmp_path: Path):
    found = read(tmp_path, b"\n".join([line(), b"oops", line(run_id="r2"), b""]))

    assert [type(one) for one in found] == [Run, Misfit, Run]
    assert [one.source for one in found] == [f"week.jsonl:{n}" for n in (1, 2, 3)]


def test_a_last_line_without_its_end_counts_if_it_is_whole(tmp_path: Path):
    assert read(tmp_path, line()) == [FULL]


def test_byte_order_mark_blank_lines_and_windows_ends_are_no_misfits(tmp_path: Path):
    data = b"\xef\xbb\xbf" + line() + b"\r\n\r\n  \n" + line(run_id="r2") + b"\r\n"

    assert [type(one) for one in read(tmp_path, data)] == [Run, Run]


def test_the_memory_for_a_line_has_an_end_where_the_line_has_none(tmp_path: Path):
    path = tmp_path / "week.jsonl"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)  # a hole: reads as zeros without an end
        file.seek(0, 2)
        file.write(b"\n" + line() + b"\n")
    tracemalloc.start()

    found = list(native.read(path))

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [type(one) for one in found] == [Misfit, Run]
    assert isinstance(found[0], Misfit)
    assert found[0].reason == "too long"
    assert peak < 5 * LIMIT


def test_facts_as_deep_as_a_pit_are_refused(tmp_path: Path):
    deep: Json = 0
    for _ in range(200):
        deep = [deep]

    data = line(brief={"id": "b", "text": "t", "facts": {"a": deep}}, checks=...)

    assert only_misfit(tmp_path, data).reason == "too deep"


def test_a_line_as_deep_as_a_pit_does_not_stop_the_rest(tmp_path: Path):
    deep = line()[:-1] + b',"else":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"

    bad, good = read(tmp_path, deep + line() + b"\n")

    assert isinstance(bad, Misfit)
    assert bad.reason == "too deep"
    assert isinstance(good, Run)


def test_a_huge_whole_number_in_the_facts_can_still_be_written(tmp_path: Path):
    data = line(brief={"id": "b", "text": "t", "facts": {"n": 0}}, checks=...)

    (run,) = read(tmp_path, data.replace(b'"n":0', b'"n":' + b"9" * 300) + b"\n")

    assert isinstance(run, Run)
    assert encode(run)


def test_of_a_key_that_is_given_twice_the_last_counts(tmp_path: Path):
    (run,) = read(tmp_path, line()[:-1] + b',"score":0.25}\n')

    assert isinstance(run, Run)
    assert run.score == 0.25


def test_a_sample_holds_no_secret_and_no_address(tmp_path: Path):
    secret = b"sk-ant-" + b"a1B2" * 10
    misfit = only_misfit(tmp_path, b'{"to":"ann@example.org","k":"' + secret + b'"\n')

    assert "ann@" not in misfit.sample
    assert "a1B2" not in misfit.sample


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_a_mutated_line_never_raises(tmp_path: Path, data: st.DataObject):
    seen = bytearray(line())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(seen)))
        match data.draw(st.sampled_from(["cut", "byte", "insert", "repeat"])):
            case "cut":
                del seen[at : at + data.draw(st.integers(1, 400))]
            case "byte":
                seen[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
            case "insert":
                seen[at:at] = data.draw(st.sampled_from(JUNK))
            case _:
                seen[at:at] = seen[at : at + 60]

    for one in read(tmp_path, bytes(seen)):
        assert isinstance(one, Misfit) or encode(one)


JUNK = [
    *(
        b"9" * 400,
        b"[" * 300,
        b'{"a":' * 300,
        b"NaN",
        b"-1e999",
        b"\xff",
        b"\n",
        b"null",
    ),
    *(
        b"\\ud800",
        b'"',
        b"true",
        b"[]",
        b"{}",
        b"\x00",
        b'"run_id":1,',
        b"\xef\xbb\xbf",
    ),
]


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(key=st.sampled_from(sorted(orjson.loads(line()))), value=JSON)
def test_a_value_of_any_other_type_never_raises(tmp_path: Path, key: str, value: Json):
    held = json.dumps({**orjson.loads(line()), key: value})

    for one in read(tmp_path, held.encode()):
        assert isinstance(one, Misfit) or encode(one)
