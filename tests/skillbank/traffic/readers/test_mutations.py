"""The harness that damages files must itself be able to fail."""

import random
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


def test_the_same_seed_does_the_same_damage():
    data = b'{"a": [1, {"b": "x"}], "c": 2}'

    assert [mutated(data, random.Random(n), [data]) for n in range(50)] == [
        mutated(data, random.Random(n), [data]) for n in range(50)
    ]


def test_the_native_reader_survives_damage(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"run_id": "r1", "brief": {"id": "t1", "text": "Draw a cat"}}\n')
    folder = tmp_path / "out"
    folder.mkdir()

    seen = assert_survives("native", [path], folder, n=300, seed=1)

    assert seen["run"] > 0
    assert seen.total() > seen["run"]
