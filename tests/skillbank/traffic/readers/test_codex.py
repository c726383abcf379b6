"""A thread of Codex becomes one run, whichever generation of the program wrote it."""

import json
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import codex, recognise
from skillbank.traffic.readers.codex_script import calls_in
from skillbank.traffic.run import Misfit, Run, SkillUse
from tests.skillbank.traffic.readers.mutations import assert_survives


def line(type: str, time: int = 0, /, **payload: Json) -> dict[str, Json]:
    stamp = f"2026-01-05T09:00:{time:02}.000Z"
    return {"timestamp": stamp, "type": type, "payload": payload}


def meta(id: str = "t1", **changes: Json) -> dict[str, Json]:
    return line(
        "session_meta", id=id, originator="codex_exec", cli_version="0.9", **changes
    )


def event(type: str, time: int = 0, /, **payload: Json) -> dict[str, Json]:
    return line("event_msg", time, **payload, type=type)


def item(type: str, time: int = 0, /, **payload: Json) -> dict[str, Json]:
    return line("response_item", time, **payload, type=type)


def asked(text: str, time: int = 1) -> dict[str, Json]:
    return event("user_message", time, message=text)


def user(text: str) -> dict[str, Json]:
    content = [{"type": "input_text", "text": text}]
    return item("message", 1, role="user", content=content)


def call(tool: str, call_id: str, **arguments: Json) -> dict[str, Json]:
    said = json.dumps(arguments)
    return item("function_call", 2, name=tool, arguments=said, call_id=call_id)


def output(call_id: str, value: Json) -> dict[str, Json]:
    return item("function_call_output", 3, call_id=call_id, output=value)


def tokens(read: int, cached: int, wrote: int) -> dict[str, Json]:
    total = {
        "input_tokens": read,
        "cached_input_tokens": cached,
        "output_tokens": wrote,
    }
    info = {"total_token_usage": total, "last_token_usage": {"input_tokens": 1}}
    return event("token_count", 4, info=info)


def values(folder: Path, *records: Json, name: str = "r.jsonl") -> list[Run | Misfit]:
    path = folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return list(codex.read(path))


def run(folder: Path, *records: Json) -> Run:
    (one,) = values(folder, *records)
    assert isinstance(one, Run)
    return one


def test_a_thread_is_what_was_asked_what_was_done_and_what_was_answered(
    tmp_path: Path,
):
    one = run(
        tmp_path,
        meta(),
        line("turn_context", model="gpt-x"),
        user("<environment_context>where</environment_context>"),
        user("Fix the test"),
        asked("Fix the test"),
        call("exec_command", "c1", cmd="ls"),
        output("c1", "Process exited with code 0\nOutput:\na.py"),
        event("agent_message", 4, message="Done."),
        item("message", 4, role="assistant", content=[{"text": "Done."}]),
        event("task_complete", 5, last_agent_message="Done.", duration_ms=1500),
        user("Thanks"),
        asked("Thanks", 9),
    )

    assert (one.brief.text, one.followups) == ("Fix the test", ("Thanks",))
    assert (one.output, one.ending, one.score) == ("Done.", "ok", None)
    assert (one.run_id, one.session, one.origin, one.parent) == ("t1", "t1", "t1", "")
    assert (one.model, one.agent) == ("gpt-x", "codex_exec 0.9")
    assert (one.started, one.source) == ("2026-01-05T09:00:01.000Z", "r.jsonl:5")
    assert one.usage.seconds == 1.5
    (step,) = one.steps
    assert (step.tool, step.arguments, step.call) == (
        "exec_command",
        {"cmd": "ls"},
        "c1",
    )
    assert step.result.endswith("a.py")
    assert step.error == ""


@pytest.mark.parametrize(
    "injected",
    [
        "<environment_context>x</environment_context>",
        "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>x</INSTRUCTIONS>",
        "<user_instructions>x</user_instructions>",
        "<turn_aborted>x</turn_aborted>",
        "<skill>\n<name>pdf</name>\nx</skill>",
    ],
)
def test_injected_text_is_not_taken_for_what_the_user_asked(
    tmp_path: Path, injected: str
):
    one = run(tmp_path, meta(), user(injected), user("Make a card"))

    assert (one.brief.text, one.followups) == ("Make a card", ())


def test_what_an_editor_puts_above_the_request_is_left_out(tmp_path: Path):
    text = "# Context from my IDE setup:\nmuch\n## My request for Codex:\nMake a card\n"

    assert run(tmp_path, meta(), asked(text)).brief.text == "Make a card"


def test_growing_totals_are_not_summed_and_repeated_ones_count_once(tmp_path: Path):
    one = run(
        tmp_path,
        meta(),
        asked("Go"),
        event("token_count", info=None),
        tokens(100, 10, 5),
        tokens(100, 10, 5),
        tokens(250, 60, 20),
    )

    usage = one.usage
    assert (usage.turns, usage.input_tokens, usage.cached_tokens) == (2, 250, 60)
    assert (usage.output_tokens, usage.usd) == (20, None)


def test_a_total_that_begins_anew_is_of_another_process_and_adds_up(tmp_path: Path):
    one = run(
        tmp_path, meta(), asked("Go"), tokens(100, 10, 5), meta(), tokens(30, 0, 2)
    )

    assert (one.usage.input_tokens, one.usage.output_tokens) == (130, 7)


@pytest.mark.parametrize(
    "told",
    [
        event("token_count", info={"prompt": 100, "completion": 5}),
        event("turn.completed", usage={"input_tokens": 100, "output_tokens": 5}),
        item("token_count", input_tokens=100, output_tokens=5),
    ],
)
def test_older_ways_to_tell_tokens_are_known(tmp_path: Path, told: Json):
    usage = run(tmp_path, meta(), asked("Go"), told).usage

    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (
        100,
        5,
        None,
    )


@pytest.mark.parametrize(
    ("value", "text", "error"),
    [
        ("plain", "plain", ""),
        (
            "Chunk ID: 1\nProcess exited with code 2\nOutput:\n\nno such file\n",
            "Chunk ID: 1\nProcess exited with code 2\nOutput:\n\nno such file\n",
            "exit code 2: no such file",
        ),
        (
            '{"output":"no such file","metadata":{"exit_code":1}}',
            "no such file",
            "exit code 1: no such file",
        ),
        ({"content": "refused", "success": False}, "refused", "refused"),
        ({"type": "input_text", "text": "a.txt"}, "a.txt", ""),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], "a", ""),
        (
            '{"message":"exit_code=7 is prose"}',
            '{"message":"exit_code=7 is prose"}',
            "",
        ),
        (None, "", ""),
    ],
)
def test_results_are_text_and_errors_are_told_in_every_form(
    tmp_path: Path, value: Json, text: str, error: str
):
    one = run(tmp_path, meta(), asked("Go"), call("x", "c1"), output("c1", value))

    assert [(s.result, s.error) for s in one.steps] == [(text, error)]


def test_events_repeat_calls_and_add_only_what_the_items_do_not_tell(tmp_path: Path):
    one = run(
        tmp_path,
        meta(),
        asked("Go"),
        call("exec_command", "c1", cmd="ls"),
        event("exec_command_end", call_id="c1", command=["ls"], exit_code=3),
        output("c1", "gone"),
        event("exec_command_end", call_id="inner", command=["ls"], exit_code=0),
    )

    assert [(s.call, s.result, s.error) for s in one.steps] == [
        ("c1", "gone", "exit code 3")
    ]


def test_calls_are_taken_from_events_where_no_item_tells_them(tmp_path: Path):
    invocation = {"server": "docs", "tool": "find", "arguments": {"q": "x"}}
    one = run(
        tmp_path,
        meta(),
        asked("Go"),
        event("exec_command_begin", call_id="c1", command=["ls"]),
        event(
            "exec_command_end", call_id="c1", command=["ls"], exit_code=0, stdout="a"
        ),
        event(
            "mcp_tool_call_end",
            call_id="c2",
            invocation=invocation,
            result={"Err": "timeout"},
        ),
        event("patch_apply_end", call_id="c3", changes={"a": {}}, success=False),
    )

    assert [(s.tool, s.result, s.error) for s in one.steps] == [
        ("exec_command", "a", ""),
        ("docs.find", "timeout", "timeout"),
        ("apply_patch", "", "the patch was not applied"),
    ]


def test_a_script_is_the_calls_that_it_makes_each_with_its_result(tmp_path: Path):
    source = (
        'const a = await tools.exec_command({cmd: ["ls"], n: 1,});\n'
        "// tools.commented({})\n"
        "const b = await tools.apply_patch(`tools.inside_text({})`);"
    )
    parts = ["Script completed", '{"exit_code":2,"output":"failed"}', "ok"]
    one = run(
        tmp_path,
        meta(),
        asked("Go"),
        call("functions.exec", "c1", source=source),
        output("c1", [{"type": "input_text", "text": text} for text in parts]),
    )

    assert [(s.tool, s.arguments, s.result, s.error) for s in one.steps] == [
        (
            "exec_command",
            {"cmd": '["ls"]', "n": "1"},
            "failed",
            "exit code 2: failed",
        ),
        ("apply_patch", {"input": "tools.inside_text({})"}, "ok", ""),
    ]
    assert [s.call for s in one.steps] == ["c1#1", "c1#2"]


def test_a_result_that_no_call_of_a_script_can_claim_goes_to_the_first(tmp_path: Path):
    source = "await tools.a({}); await tools.b(x)"
    one = run(
        tmp_path,
        meta(),
        asked("Go"),
        item("custom_tool_call", name="exec", input=source, call_id="c1"),
        item("custom_tool_call_output", call_id="c1", output="all of it"),
    )

    assert [(s.tool, s.arguments, s.result) for s in one.steps] == [
        ("a", {}, "all of it"),
        ("b", {"input": "x"}, ""),
    ]


@pytest.mark.parametrize(
    "script",
    [
        "tools.a(" * 30_000,
        "`\\`" * 60_000,
        '"\\"' * 60_000,
        "/*" * 90_000,
        "tools.a({" * 20_000 + "})" * 20_000,
        "{" * 200_000,
    ],
)
def test_a_script_made_to_be_slow_is_looked_through_all_the_same(script: str):
    assert len(calls_in(script)) <= 200


def test_a_sub_agents_thread_names_its_parent_and_its_task(tmp_path: Path):
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "t1", "depth": 1}}}
    content = [{"type": "input_text", "text": "Review the code"}]

    one = run(
        tmp_path,
        meta("t2", source=source),
        item("agent_message", author="root", recipient="t2", content=content),
    )

    assert (one.run_id, one.parent, one.brief.text) == ("t2", "t1", "Review the code")


def test_a_fork_is_a_run_of_its_own_that_names_where_it_came_from(tmp_path: Path):
    one = run(
        tmp_path,
        meta("t3", forked_from_id="t2"),
        meta("t2", forked_from_id="t1"),
        meta("t1"),
        asked("Go"),
        tokens(100, 10, 5),
        asked("Then this"),
        tokens(150, 10, 9),
    )
    first = run(tmp_path, meta("t1"), asked("Go"), tokens(100, 10, 5))

    assert (one.run_id, one.origin, first.origin) == ("t3", "t1", "t1")
    assert one.replies[0] == first.replies[0]
    assert len(one.replies) == 2


def test_a_session_that_is_resumed_in_its_file_is_one_run(tmp_path: Path):
    one = run(
        tmp_path,
        meta(),
        asked("Go"),
        line(
            "compacted",
            message="",
            replacement_history=[{"role": "user", "content": "Go again"}],
        ),
        meta(),
        asked("More", 9),
    )

    assert (one.brief.text, one.followups) == ("Go", ("More",))


def test_threads_one_after_the_other_in_a_file_are_runs_of_their_own(tmp_path: Path):
    found = values(tmp_path, meta("t1"), asked("Go"), meta("t2"), asked("Come"))

    assert [v.run_id for v in found if isinstance(v, Run)] == ["t1", "t2"]


@pytest.mark.parametrize(
    ("last", "ending", "reason"),
    [
        (event("turn_aborted", reason="interrupted"), "broken", "interrupted"),
        (event("error", message="overloaded"), "fault", "overloaded"),
        (
            event("error", message="full", codex_error_info="context_window_exceeded"),
            "broken",
            "full",
        ),
        (
            event("task_complete", last_agent_message=None, error={"message": "x"}),
            "fault",
            "x",
        ),
        (event("task_complete", last_agent_message=None), "ok", ""),
    ],
)
def test_how_a_thread_ended_is_told_by_its_last_word(
    tmp_path: Path, last: Json, ending: str, reason: str
):
    one = run(tmp_path, meta(), asked("Go"), last)
    went_on = run(tmp_path, meta(), asked("Go"), last, asked("Again"))

    assert (one.ending, one.reason) == (ending, reason)
    assert went_on.ending == "ok"


def test_skills_are_offered_in_instructions_opened_by_reading_and_applied_by_name(
    tmp_path: Path,
):
    listing = "## Skills\n- pdf: Reads PDFs (file: /s/pdf/SKILL.md)\n- other: no file"
    content = [{"type": "input_text", "text": listing}]
    one = run(
        tmp_path,
        meta(),
        item("message", role="developer", content=content),
        user("<skill>\n<name>kit:docx</name>\n<path>/s/docx/SKILL.md</path>\n</skill>"),
        asked("Go"),
        call("exec_command", "c1", cmd="cat /s/pdf/SKILL.md"),
        output("c1", "Output:\n---\nname: pdf\nversion: 3\n---\n"),
    )

    assert one.skills == (
        SkillUse(skill="pdf", how="offered"),
        SkillUse(skill="docx", how="applied"),
        SkillUse(skill="pdf", how="opened", version="3"),
    )
    assert [(r.skill, r.version) for r in one.recalls] == [("docx", 0), ("pdf", 3)]


def test_files_of_before_the_envelope_are_read(tmp_path: Path):
    path = tmp_path / "old.jsonl"
    records: list[dict[str, Json]] = [
        {"id": "t1", "timestamp": "2025-08-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "<environment_context>x"}],
        },
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Go"}],
        },
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "a"},
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    (one,) = codex.read(path)

    assert recognise(path)[0] == "codex"
    assert isinstance(one, Run)
    assert (one.run_id, one.brief.text, len(one.steps)) == ("t1", "Go", 1)


def test_plain_messages_of_before_the_envelope_are_read(tmp_path: Path):
    path = tmp_path / "old.jsonl"
    path.write_text(
        '{"created_at":1754000000,"role":"user","message":"Go"}\n'
        '{"created_at":1754000005,"role":"assistant","content":"Done."}\n'
    )

    (one,) = codex.read(path)

    assert recognise(path)[0] == "codex"
    assert isinstance(one, Run)
    assert (one.brief.text, one.output) == ("Go", "Done.")
    assert (one.started, one.usage.seconds) == ("2025-07-31T22:13:20Z", 5.0)


def test_what_is_printed_is_read_with_its_prompt_and_put_aside_without(tmp_path: Path):
    command: dict[str, Json] = {
        "id": "item_1",
        "type": "command_execution",
        "command": "ls",
    }
    done = {**command, "aggregated_output": "gone", "exit_code": 1}
    printed: list[Json] = [
        {"type": "thread.started", "thread_id": "t1"},
        {"type": "turn.started"},
        {"type": "item.started", "item": command},
        {"type": "item.completed", "item": done},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}},
        {"type": "turn.completed", "usage": {"input_tokens": 9, "output_tokens": 2}},
    ]

    (without,) = values(tmp_path, *printed)
    one = run(tmp_path, {"prompt": "Go"}, *printed)

    assert isinstance(without, Misfit)
    assert without.reason == "no text"
    assert recognise(tmp_path / "r.jsonl")[0] == "codex"
    assert (one.run_id, one.brief.text, one.output) == ("t1", "Go", "Done.")
    assert [(s.arguments, s.result, s.error) for s in one.steps] == [
        ({"command": "ls"}, "gone", "exit code 1: gone")
    ]
    assert (one.usage.input_tokens, one.usage.output_tokens) == (9, 2)


def test_a_line_that_is_cut_or_none_is_named_and_the_rest_is_read(tmp_path: Path):
    path = tmp_path / "r.jsonl"
    path.write_text(f"nonsense\n{json.dumps(asked('Go'))}\n{json.dumps(meta())[:-9]}")

    found = list(codex.read(path))

    assert recognise(path)[0] == "codex"
    assert [(v.source, v.reason) for v in found if isinstance(v, Misfit)] == [
        ("r.jsonl:1", "not JSON"),
        ("r.jsonl:3", "truncated"),
    ]
    assert [v.brief.text for v in found if isinstance(v, Run)] == ["Go"]


def test_no_damage_to_a_file_stops_the_reader(tmp_path: Path):
    rollout = tmp_path / "r.jsonl"
    source = "const a = await tools.exec_command({cmd: ['ls']}); tools.b(x)"
    values(
        tmp_path,
        meta(source={"subagent": {"thread_spawn": {"parent_thread_id": "t0"}}}),
        line("turn_context", model="m"),
        asked("Go"),
        call("exec", "c1", source=source),
        output("c1", [{"type": "input_text", "text": "a"}]),
        event("exec_command_end", call_id="c1", exit_code=1, stdout="x"),
        tokens(100, 10, 5),
        event("task_complete", last_agent_message="Done.", duration_ms=5),
    )
    work = tmp_path / "damaged"
    work.mkdir()

    seen = assert_survives("codex", [rollout], work, n=300, seed=1)

    assert seen["run"] > 100


# --- real files ---------------------------------------------------------------------


@pytest.mark.parametrize("case", ["tool-calls", "cleanup"])
def test_what_another_project_reads_in_its_fixtures_is_read_here(
    samples: Path, case: str
):
    folder = samples / "letta-trajectory-fixtures" / "codex" / case
    expected = json.loads((folder / "expected.json").read_text())["records"]
    about, *records = expected

    found = list(codex.read(folder / "input.jsonl"))
    (one,) = [value for value in found if isinstance(value, Run)]

    said = [r["content"] for r in records if r["role"] == "user"]
    assert [one.brief.text, *one.followups] == said
    answers = [r["content"] for r in records if r["role"] == "assistant"]
    assert one.output == answers[-1]
    assert one.model == about.get("model", "")
    wanted = [(c["id"], c["name"]) for r in records for c in r.get("tool_calls", ())]
    assert [(s.call, s.tool) for s in one.steps] == wanted
    results = {r["tool_call_id"]: r for r in records if r["role"] == "tool"}
    assert [s.result for s in one.steps] == [results[id]["content"] for id, _ in wanted]


def test_what_another_project_imports_of_a_conversation_is_read_here(samples: Path):
    folder = samples / "codex-rollouts" / "codemie-code"
    lines = (folder / "expected-conversation.jsonl").read_text().splitlines()
    said = [
        (said["role"], said["message"])
        for line in lines
        for said in json.loads(line)["payload"]["history"]
    ]

    (one,) = codex.read(folder / "turn-2.jsonl")

    assert isinstance(one, Run)
    users = [text for role, text in said if role == "User"]
    assert [one.brief.text, *one.followups] == users
    assert one.output == said[-1][1]


def test_every_sample_is_read_or_put_aside_for_a_right_reason(samples: Path):
    folder = samples / "codex-rollouts"
    found = {
        path.relative_to(folder).as_posix(): [
            value.reason if isinstance(value, Misfit) else len(value.steps)
            for value in codex.read(path)
        ]
        for path in sorted(folder.rglob("*.jsonl"))
        if recognise(path)[0] == "codex"
    }

    assert found == {
        "agent-sessions/codex_050_legacy.jsonl": ["no text"],
        "agent-sessions/codex_051_usage.jsonl": ["no text"],
        "agent-sessions/codex_052_raw.jsonl": ["no text"],
        "agent-sessions/codex_small.jsonl": [4, 4],
        "codemie-code/turn-1.jsonl": [0],
        "codemie-code/turn-2.jsonl": [0],
        "codemie-code/turn-spawn-skill.jsonl": [3],
        "polylogue_event_stream/functions_exec_multiple.jsonl": ["no text"],
        "polylogue_event_stream/interleaved_stream.jsonl": [2],
        "polylogue_event_stream/tool_call_stream.jsonl": [1],
    }


def test_the_script_of_the_sample_makes_ten_calls(samples: Path):
    folder = samples / "codex-rollouts" / "polylogue_event_stream"
    lines = (folder / "functions_exec_multiple.jsonl").read_text().splitlines()
    payload = json.loads(lines[1])["payload"]

    made = calls_in(json.loads(payload["arguments"])["source"])

    assert [tool for tool, _ in made] == [
        "exec_command",
        "apply_patch",
        "write_stdin",
        "update_plan",
        "wait",
        "web.search",
        "view_image",
        "mcp.repo_memory.search",
        "future_tool",
        "exec_command",
    ]
    assert made[0][1] == {"cmd": '["git","status","--short"]', "workdir": "/repo"}
    assert made[-1][1] == {"input": "dynamicArgs;"}
