"""Conversations of every make are told apart by their keys and read the same way."""

import csv
import json
from collections import defaultdict
from math import comb
from pathlib import Path

import pytest

from skillbank.traffic.files import read
from skillbank.traffic.run import SAMPLE, Misfit, Run

ASKED = {"role": "user", "content": "Move my flight"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "find", "arguments": "{"},
        },
        {
            "id": "c2",
            "type": "function",
            "function": {"name": "move", "arguments": '{"days": 2, "to": "LAS"}'},
        },
    ],
}
RESULTS = [
    {"role": "tool", "tool_call_id": "c2", "content": "moved"},
    {"role": "tool", "tool_call_id": "c1", "content": "Error: no such flight\nat 3"},
]
SAID = {"role": "assistant", "content": "It is moved."}
TALK = [{"role": "system", "content": "Be kind."}, ASKED, CALL, *RESULTS, SAID]


def runs(folder: Path, *records: object, name: str = "week.jsonl") -> list[Run]:
    path = folder / name
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    found = list(read(path))
    assert all(isinstance(one, Run) for one in found), found
    return [one for one in found if isinstance(one, Run)]


def misfits(folder: Path, *records: object) -> list[Misfit]:
    path = folder / "week.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    return [one for one in read(path) if isinstance(one, Misfit)]


def test_calls_find_their_results_by_id_whatever_the_order(tmp_path: Path):
    (run,) = runs(tmp_path, {"messages": TALK})

    assert run.brief.text == "Move my flight"
    assert run.output == "It is moved."
    assert [(s.tool, s.arguments, s.result, s.error) for s in run.steps] == [
        *[("find", {"input": "{"}, RESULTS[1]["content"], "Error: no such flight")],
        *[("move", {"days": "2", "to": "LAS"}, "moved", "")],
    ]
    assert run.usage.turns == 2
    assert (run.usage.input_tokens, run.usage.usd, run.score) == (None, None, None)


def test_what_the_user_says_later_is_no_second_brief(tmp_path: Path):
    more = {"role": "user", "content": [{"type": "text", "text": "And thanks"}]}

    (run,) = runs(tmp_path, {"messages": [*TALK, more]})

    assert run.followups == ("And thanks",)


def test_the_same_conversation_has_the_same_id_in_every_file(tmp_path: Path):
    (first,) = runs(tmp_path, {"messages": TALK})
    (again,) = runs(tmp_path, {"messages": TALK}, name="copy.jsonl")

    assert first.run_id == again.run_id
    assert first.brief.id == again.brief.id


def test_other_makes_of_the_same_conversation_read_the_same(tmp_path: Path):
    share = [
        {"from": "system", "value": "Be kind."},
        {"from": "human", "value": "Move my flight"},
        {
            "from": "function_call",
            "value": '{"name": "move", "arguments": {"days": 2, "to": "LAS"}}',
        },
        {"from": "observation", "value": "moved"},
        {"from": "gpt", "value": "It is moved."},
    ]
    parts = [
        {"role": "user", "content": [{"type": "text", "value": "Move my flight"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "reasoning", "value": "hm"},
                {
                    "type": "tool_calls",
                    "value": '{"name": "move", "arguments": {"days": 2, "to": "LAS"}}',
                },
            ],
        },
        {"role": "tool", "content": [{"type": "text", "value": "moved"}]},
        {"role": "assistant", "content": [{"type": "text", "value": "It is moved."}]},
    ]

    found = runs(tmp_path, {"conversations": share}, {"messages": parts})

    for run in found:
        assert (run.brief.text, run.output) == ("Move my flight", "It is moved.")
        assert [(s.tool, s.arguments) for s in run.steps] == [
            ("move", {"days": "2", "to": "LAS"})
        ]
    assert "moved" in found[1].steps[0].result


def test_of_a_preference_both_answers_are_runs_and_one_was_preferred(tmp_path: Path):
    worse = [ASKED, {"role": "assistant", "content": "No."}]

    found = runs(
        tmp_path, {"chosen_messages": [ASKED, SAID], "rejected_messages": worse}
    )

    assert [(run.trial, run.output, run.ratings[0].value) for run in found] == [
        ("chosen", "It is moved.", 1.0),
        ("rejected", "No.", 0.0),
    ]
    assert found[0].brief.id == found[1].brief.id


def test_a_logged_request_has_its_answer_and_what_it_cost(tmp_path: Path):
    usage = {"prompt_tokens": 90, "completion_tokens": 7}
    log = {
        "id": "req-1",
        "request": {"model": "m", "messages": [ASKED]},
        "response": {"body": {"choices": [{"message": SAID}], "usage": usage}},
    }

    (run,) = runs(tmp_path, log)

    assert (run.run_id, run.model, run.output) == ("req-1", "m", "It is moved.")
    assert (run.usage.input_tokens, run.usage.output_tokens) == (90, 7)


def test_a_hidden_scenario_is_never_kept(tmp_path: Path):
    task = {"instruction": "You are Ann and you lie.", "user_id": "ann_1"}
    trial = {"task_id": 4, "trial": 2, "reward": 1.0, "info": {"task": task}}

    (run,) = runs(tmp_path, {**trial, "traj": TALK})

    assert (run.score, run.provenance, run.trial) == (1.0, "check", "2")
    assert "You are Ann" not in repr(run)


def test_a_trial_that_is_no_number_makes_no_endless_id(tmp_path: Path):
    trial = {"task_id": ["x" * 500], "trial": {"n": "x" * 500}, "reward": 1.0}

    (run,) = runs(tmp_path, {**trial, "traj": TALK})

    assert max(len(run.run_id), len(run.brief.id), len(run.trial)) <= SAMPLE


def test_trials_of_a_task_share_its_brief_whatever_the_user_said_first(tmp_path: Path):
    task = {
        "task_id": 4,
        "info": {"task": {"instruction": "Ask twice."}},
        "reward": 0.0,
    }
    other = [{"role": "user", "content": "Hello there"}, SAID]

    first, second = runs(
        tmp_path,
        {**task, "trial": 0, "traj": TALK},
        {**task, "trial": 1, "traj": other},
    )

    assert first.brief.id == second.brief.id
    assert first.run_id != second.run_id


def said_and_called(tool: str, **arguments: str) -> dict[str, object]:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "tool_calls": [{"id": "c", "function": function}]}


def test_a_skill_that_was_written_was_not_opened(tmp_path: Path):
    path = "skills/move-flights/SKILL.md"
    offer = "<skill><name>move-flights</name></skill>"
    system = {"role": "system", "content": offer}
    wrote = said_and_called("write_file", path=path)
    read_it = said_and_called("read_file", path=path)

    writer, reader = runs(
        tmp_path,
        {"messages": [system, ASKED, wrote]},
        {"messages": [ASKED, read_it]},
    )

    assert [(use.skill, use.how) for use in writer.skills] == [
        ("move-flights", "offered")
    ]
    assert writer.recalls == ()
    assert [(use.skill, use.how) for use in reader.skills] == [
        ("move-flights", "opened")
    ]


def test_two_equal_calls_under_one_id_are_two_calls(tmp_path: Path):
    look = said_and_called("status")
    results = [{"role": "tool", "tool_call_id": "c", "content": c} for c in ("a", "b")]

    (run,) = runs(
        tmp_path, {"messages": [ASKED, look, results[0], look, results[1], SAID]}
    )

    assert [step.result for step in run.steps] == ["a", "b"]


def test_a_conversation_without_a_user_is_put_aside(tmp_path: Path):
    (found,) = misfits(tmp_path, {"messages": [SAID]})

    assert found.reason == "no text"


def test_a_line_of_something_else_does_not_stop_the_rest(tmp_path: Path):
    path = tmp_path / "week.jsonl"
    good = json.dumps({"messages": TALK})
    path.write_text(f'{good}\n{{"mood": 1}}\n[1]\n{good[:40]}\n{good}', "utf-8")

    kinds = [one.reason if isinstance(one, Misfit) else "run" for one in read(path)]

    assert kinds == ["run", "missing field", "bad value", "truncated", "run"]


@pytest.mark.parametrize(
    "first",
    [
        b"garbage",
        b'{"messages": [{"role": "us',
        b'{"a": NaN}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": "\xff"}',
        b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}",
        b"[1, 2]",
        b"{",
        b"[",
    ],
)
def test_a_first_line_that_is_broken_does_not_stop_the_rest(tmp_path: Path, first):
    path = tmp_path / "week.jsonl"
    good = json.dumps({"messages": TALK}).encode()
    path.write_bytes(first + b"\n" + good + b"\n" + good + b"\n")

    broken, *rest = read(path)

    assert isinstance(broken, Misfit)
    assert broken.source == "week.jsonl:1"
    assert [isinstance(one, Run) for one in rest] == [True, True]


def test_a_document_of_several_records_is_read_record_by_record(tmp_path: Path):
    path = tmp_path / "all.json"
    path.write_text(json.dumps([{"messages": TALK}] * 2, indent=2), "utf-8")

    assert [one.source for one in read(path)] == ["all.json#1", "all.json#2"]


@pytest.mark.parametrize(
    ("file", "n"),
    [
        ("axolotl/conversation.json", 1),
        ("llamafactory/v1_dpo_demo.jsonl", 20),
        ("tau-bench/gpt-4o-airline.6records.jsonl", 6),
    ],
)
def test_real_files_are_read_whole(samples: Path, file: str, n: int):
    found = list(read(samples / "openai-chat" / file))

    assert len(found) == n
    assert all(isinstance(one, Run) and one.output for one in found)


def test_rewards_of_real_trials_make_the_published_pass_hat_k(samples: Path):
    """The figures of tau-bench's own README, from its trials by the column mapping."""
    folder = samples / "tau-bench-results"
    columns = {"brief": "task_id", "trial": "trial", "score": "reward"}
    passes: dict[str, list[float]] = defaultdict(list)
    for one in read(folder / "gpt-4o-airline.trials.csv", columns=columns):
        assert isinstance(one, Run)
        assert one.score is not None
        passes[one.brief.text].append(one.score)
    with (folder / "published_pass_hat_k.csv").open(encoding="utf-8") as file:
        published = next(
            row
            for row in csv.DictReader(file)
            if (row["strategy"], row["domain"]) == ("TC (gpt-4o)", "airline")
        )

    assert len(passes) == 50
    for k in range(1, 5):
        rates = [comb(int(sum(one)), k) / comb(4, k) for one in passes.values()]
        assert round(sum(rates) / 50, 3) == float(published[f"pass^{k}"])
