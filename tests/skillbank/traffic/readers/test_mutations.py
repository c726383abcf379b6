"""The harness that damages files must itself be able to fail."""

import gzip
import random
import sys
import zlib
from dataclasses import replace

import pytest

from skillbank.briefs.brief import Brief
from skillbank.traffic.readers.values import RESULT_LIMIT
from skillbank.traffic.run import Misfit, Run, Spent, TracedStep
from tests.skillbank.traffic.readers.mutations import (
    MUTATIONS,
    assert_survives,
    faults_of,
    mutated,
)

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SOUND = Run(
    run_id="r1",
    brief=Brief(id="t1", text="Draw a cat"),
    source="a:1",
    steps=(TracedStep(subtask="", tool="draw"),),
)


def test_a_sound_run_breaks_no_promise():
    assert faults_of(SOUND) == []
    assert faults_of(Misfit(source="a", reason="too deep", problem="deep")) == []


@pytest.mark.parametrize(
    "broken",
    [
        replace(SOUND, run_id=""),
        replace(SOUND, score=1.5),
        replace(SOUND, ending="fault", score=1.0),
        replace(SOUND, usage=Spent(turns=-1)),
        replace(SOUND, output="\ud800"),
        replace(SOUND, usage=Spent(usd=float("nan"))),
        replace(
            SOUND,
            steps=(TracedStep(subtask="", tool="x", result="y" * (RESULT_LIMIT + 1)),),
        ),
        replace(SOUND, steps=(TracedStep(subtask="", tool=""),)),
        Misfit(source="", reason="too deep", problem="deep"),
        "a text",
    ],
)
def test_a_broken_promise_is_named(broken):
    assert faults_of(broken)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda way: way.__name__)
def test_every_kind_of_damage_changes_a_file_sooner_or_later(mutation):
    data = b'{"a": [1, {"b": "x"}], "c": 2}\n{"a": [3], "c": {"d": null}}\n'

    made = {mutation(data, random.Random(n), [data]) for n in range(40)}

    assert len(made - {data}) > 3


def test_damage_is_done_to_what_a_file_has_packed_too():
    plain = b'{"a": [1, {"b": "x"}], "c": 2}'
    data = gzip.compress(plain, mtime=0)

    made = [mutated(data, random.Random(n), [data]) for n in range(40)]

    kept = [gzip.decompress(one) for one in made if _unpacks(one)]
    assert len(set(kept) - {plain}) > 3
    assert len(kept) < len(made)


def _unpacks(data: bytes) -> bool:
    try:
        return bool(gzip.decompress(data))
    except (OSError, EOFError, zlib.error):
        return False


def test_the_same_seed_does_the_same_damage():
    data = b'{"a": [1, {"b": "x"}], "c": 2}'

    assert [mutated(data, random.Random(n), [data]) for n in range(50)] == [
        mutated(data, random.Random(n), [data]) for n in range(50)
    ]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_the_native_reader_survives_damage(tmp_path, pack):
    path = tmp_path / "in.jsonl"
    line = b'{"run_id": "r1", "brief": {"id": "t1", "text": "Draw a cat"}}\n'
    path.write_bytes(pack(line * 3))
    folder = tmp_path / "out"
    folder.mkdir()

    seen = assert_survives("native", [path], folder, n=300, seed=1)

    assert seen["run"] > 0
    assert seen.total() > seen["run"]
