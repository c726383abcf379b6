"""Conversations of Strands agents become runs."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.strands import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives


def talk(status: str = "success") -> Json:
    call = {"toolUseId": "t1", "name": "look", "input": {"city": "Paris"}}
    back = {"toolUseId": "t1", "status": status, "content": [{"text": "rain"}]}
    return {
        "system_prompt": [{"text": "<skill>\n<name>weather</name>\n</skill>"}],
        "messages": [
            {"role": "user", "content": [{"text": "Weather?"}]},
            {"role": "assistant", "content": [{"text": "So."}, {"toolUse": call}]},
            {"role": "user", "content": [{"toolResult": back}]},
            {"role": "assistant", "content": [{"text": "It rains."}]},
        ],
    }


def test_each_conversation_by_name_is_a_run(tmp_path: Path) -> None:
    file = tmp_path / "talks.json"
    file.write_text(json.dumps({"a": talk(), "b": talk("error"), "c": {}}))

    assert recognise(file)[0] == "strands"
    one, two, misfit = read(file)

    assert isinstance(one, Run)
    assert isinstance(two, Run)
    assert isinstance(misfit, Misfit)
    assert (one.brief.text, one.output, one.source) == (
        *("Weather?", "It rains."),
        "talks.json#a",
    )
    assert [(s.tool, s.arguments, s.result) for s in one.steps] == [
        ("look", {"city": "Paris"}, "rain")
    ]
    assert [(use.skill, use.how) for use in one.skills] == [("weather", "offered")]
    assert (one.steps[0].error, two.steps[0].error) == ("", "rain")
    assert one.run_id != two.run_id
    assert misfit.reason == "no text"


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    file = tmp_path / "talks.json"
    file.write_text(json.dumps({"a": talk(), "b": talk("error")}))
    folder = tmp_path / "out"
    folder.mkdir()

    assert assert_survives("strands", [file], folder, n=200, seed=1)["run"]


@pytest.mark.samples
def test_real_conversations_tell_which_skills_were_offered_applied_and_refused(
    samples: Path,
) -> None:
    path = samples / "skill-usage-traces" / "strands_agent_skills.json"

    runs = {run.source.partition("#")[2]: run for run in read(path)}

    applied = {
        name: [
            (use.skill, bool(use.error)) for use in run.skills if use.how != "offered"
        ]
        for name, run in runs.items()
        if isinstance(run, Run)
    }
    assert applied == {
        "loaded": [("pdf-processing", False)],
        "typo_refusal": [("pdf-procesing", True)],
        "empty_name_refusal": [],
        "retry_after_refusal": [("pdf-procesing", True), ("pdf-processing", False)],
        "two_skills": [("pdf-processing", False), ("spreadsheet-analysis", False)],
        "repeated_load": [("pdf-processing", False)],
    }
    offered = [
        [use.skill for use in run.skills if use.how == "offered"]
        for run in runs.values()
        if isinstance(run, Run)
    ]
    assert offered == [["pdf-processing", "spreadsheet-analysis"]] * 6
