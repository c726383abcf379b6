"""Spans of OpenTelemetry become runs."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from skillbank.codec import Json
from skillbank.traffic.readers import recognise
from skillbank.traffic.readers.otel import read
from skillbank.traffic.run import Misfit, Run
from tests.skillbank.traffic.readers.mutations import assert_survives


def text(role: str, words: str) -> dict[str, Json]:
    return {"role": role, "parts": [{"type": "text", "content": words}]}


def call(tool: str, id: str, **arguments: Json) -> dict[str, Json]:
    part = {"type": "tool_call", "id": id, "name": tool, "arguments": arguments}
    return {"role": "assistant", "parts": [part]}


def typed(value: Json) -> Json:
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"stringValue": value if isinstance(value, str) else json.dumps(value)}


def span(
    id: str, parent: str = "", at: int = 1, trace: str = "ab" * 16, **held: Json
) -> dict[str, Json]:
    """A span that lasts one second; dots of names are written as `__`."""
    second = 10**9
    return {
        "traceId": trace,
        "spanId": id,
        "parentSpanId": parent,
        "name": id,
        "startTimeUnixNano": str(1_700_000_000 * second + at * second),
        "endTimeUnixNano": str(1_700_000_001 * second + at * second),
        "attributes": [
            {"key": name.replace("__", "."), "value": typed(value)}
            for name, value in held.items()
        ],
    }


def exchange(asks: Json, says: Json) -> dict[str, Json]:
    """What is told of one call of a model, as attributes of `span`."""
    return {
        "gen_ai__operation__name": "chat",
        "gen_ai__input__messages": asks,
        "gen_ai__output__messages": says,
        "gen_ai__usage__input_tokens": 10,
        "gen_ai__usage__output_tokens": 5,
    }


def chat(id: str, parent: str, at: int, asks: Json, says: Json) -> dict[str, Json]:
    return span(id, parent, at, **exchange(asks, says))


def assert_damage_is_survived(place: Path, exports: Mapping[str, Json]) -> None:
    """Damage files of one export each, by name, and read them."""
    paths = []
    for name, one in exports.items():
        paths.append(place / f"{name}.jsonl")
        paths[-1].write_text(json.dumps(one) + "\n")
    folder = place / "out"
    folder.mkdir()

    seen = assert_survives("otel", paths, folder, n=300, seed=1)

    assert seen["run"] > 0
    assert seen.total() > seen["run"]


def export(*spans: dict[str, Json]) -> dict[str, Json]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def runs(path: Path, *exports: Json) -> list[Run]:
    file = path / "spans.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in exports))
    assert recognise(file)[0] == "otel"
    found = list(read(file))
    assert all(isinstance(one, Run) for one in found), found
    return [one for one in found if isinstance(one, Run)]


def weather() -> list[dict[str, Json]]:
    asks = [text("system", "Be brief."), text("user", "Weather in Paris?")]
    tells = call("get_weather", "c1", city="Paris")
    back = {"type": "tool_call_response", "id": "c1", "response": "rain"}
    return [
        span(
            "root",
            gen_ai__operation__name="invoke_agent",
            gen_ai__usage__input_tokens=20,
            gen_ai__conversation__id="talk-1",
        ),
        chat("one", "root", 2, asks, [tells]),
        span(
            "tool",
            "root",
            3,
            gen_ai__operation__name="execute_tool",
            gen_ai__tool__name="get_weather",
            gen_ai__tool__call__id="c1",
            gen_ai__tool__call__arguments='{"city": "Paris"}',
            gen_ai__tool__call__result="rain",
        ),
        chat(
            "two",
            "root",
            4,
            [*asks, tells, {"role": "tool", "parts": [back]}],
            [text("assistant", "It rains.")],
        ),
    ]


def test_a_trace_is_one_run_in_whatever_order_and_lines_its_spans_lie(
    tmp_path: Path,
) -> None:
    root, one, tool, two = weather()

    (whole,) = runs(tmp_path, export(root, one, tool, two))
    (spread,) = runs(tmp_path, export(two), export(tool, one), export(root))

    assert whole.brief.text == "Weather in Paris?"
    assert whole.output == "It rains."
    assert [step.tool for step in whole.steps] == ["get_weather"]
    assert whole.steps[0].arguments == {"city": "Paris"}
    assert whole.steps[0].result == "rain"
    assert whole.session == "talk-1"
    assert whole.started == "2023-11-14T22:13:21Z"
    assert (whole.source, spread.source) == ("spans.jsonl", "spans.jsonl:1")
    assert whole.usage == spread.usage
    assert (whole.run_id, whole.steps) == (spread.run_id, spread.steps)


def test_tokens_are_counted_once_though_the_agent_and_a_wrapper_repeat_them(
    tmp_path: Path,
) -> None:
    root, one, tool, two = weather()
    wrapper = {**two, "spanId": "outer"}
    two["parentSpanId"] = "outer"

    (run,) = runs(tmp_path, export(root, one, tool, wrapper, two))

    assert (run.usage.input_tokens, run.usage.output_tokens) == (20, 10)
    assert run.usage.turns == 2
    assert run.usage.seconds == 4.0


def test_later_user_turns_are_followups_though_each_message_repeats_the_talk(
    tmp_path: Path,
) -> None:
    said = [text("user", "Book it."), text("assistant", "Which day?")]
    more = [*said, text("user", "Yes"), text("assistant", "Sure?")]
    window = [text("assistant", "Sure?"), text("user", "Yes")]

    (run,) = runs(
        tmp_path,
        export(
            chat("a", "", 1, said[:1], said[1:]),
            chat("b", "", 2, more[:3], more[3:]),
            chat("c", "", 3, window, [text("assistant", "Done.")]),
        ),
    )

    assert run.brief.text == "Book it."
    assert run.followups == ("Yes", "Yes")
    assert run.output == "Done."


def test_work_of_a_sub_agent_counts_and_its_prompt_is_no_brief(tmp_path: Path) -> None:
    tool = span("t", "root", 2, gen_ai__operation__name="execute_tool")
    child = span(
        "kid", "t", 3, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="kid"
    )
    inner = chat("in", "kid", 4, [text("user", "subtask")], [call("look", "c9")])
    root, one, *_ = weather()
    last = chat("z", "root", 6, [text("user", "Weather in Paris?")], [])

    (run,) = runs(tmp_path, export(inner, child, tool, one, root, last))

    assert run.brief.text == "Weather in Paris?"
    assert run.followups == ()
    assert [(step.tool, step.agent) for step in run.steps] == [
        ("t", ""),
        ("get_weather", ""),
        ("look", "kid"),
    ]
    assert run.usage.turns == 3
    assert run.usage.input_tokens == 30


def test_a_trace_without_words_is_told_apart_from_one_without_an_agent(
    tmp_path: Path,
) -> None:
    silent = span("s", gen_ai__operation__name="chat")
    web = span("GET /", trace="cd" * 16, http__method="GET")
    file = tmp_path / "spans.json"
    file.write_text(json.dumps(export(silent, web)))

    found = list(read(file))

    assert [type(one) for one in found] == [Misfit, Misfit]
    assert {one.reason for one in found if isinstance(one, Misfit)} == {"no text"}
    assert [one.source for one in found] == [f"spans.json#{'ab' * 16}", "spans.json"]


def test_a_line_that_is_no_json_leaves_the_others_alone(tmp_path: Path) -> None:
    file = tmp_path / "spans.jsonl"
    lines = [json.dumps(export(*weather())), "{broken", json.dumps(export())]
    file.write_text("\n".join(lines) + "\n")

    misfit, run = read(file)

    assert isinstance(misfit, Misfit)
    assert (misfit.source, misfit.reason) == ("spans.jsonl:2", "not JSON")
    assert isinstance(run, Run)


def test_a_failed_tool_is_an_error_of_its_step_and_a_failed_root_of_the_run(
    tmp_path: Path,
) -> None:
    root, one, tool, two = weather()
    tool["status"] = {"code": 2, "message": "no such city"}

    (fine,) = runs(tmp_path, export(root, one, tool, two))
    root["status"] = {"code": "STATUS_CODE_ERROR", "message": "gave up"}
    (failed,) = runs(tmp_path, export(root, one, tool, two))

    assert (fine.ending, fine.steps[0].error) == ("ok", "no such city")
    assert (failed.ending, failed.reason) == ("broken", "gave up")


def test_a_provider_that_did_not_answer_is_a_fault_and_no_failure_of_the_agent(
    tmp_path: Path,
) -> None:
    root, one, _, two = weather()
    root["status"] = {"code": 2, "message": "RateLimitError: 429"}
    two["status"] = root["status"]
    two["attributes"] = two["attributes"][:2]

    (run,) = runs(tmp_path, export(root, one, two))

    assert (run.ending, run.score) == ("fault", None)


def test_one_evaluation_by_a_known_name_is_the_score(tmp_path: Path) -> None:
    def rated(*names: str) -> Run:
        root, *rest = weather()
        root["events"] = [
            {
                "name": "gen_ai.evaluation.result",
                "attributes": [
                    {"key": "gen_ai.evaluation.name", "value": typed(name)},
                    {
                        "key": "gen_ai.evaluation.score.value",
                        "value": {"doubleValue": 0.25},
                    },
                ],
            }
            for name in names
        ]
        (run,) = runs(tmp_path, export(root, *rest))
        return run

    assert rated("task_reward").score == 0.25
    assert rated("toxicity").score is None
    assert rated("toxicity").ratings[0].higher_is_better is False
    assert rated("vibe").ratings[0].higher_is_better is None
    assert rated("task_reward", "correctness").score is None


def test_spans_in_a_circle_end(tmp_path: Path) -> None:
    one = chat("a", "b", 1, [text("user", "hi")], [text("assistant", "ho")])
    two = chat("b", "a", 2, [text("user", "hi")], [text("assistant", "ho")])

    (run,) = runs(tmp_path, export(one, two))

    assert run.brief.text == "hi"


def test_the_reader_survives_damage(tmp_path: Path) -> None:
    file = tmp_path / "spans.jsonl"
    root, *rest = weather()
    lines = [export(root), export(*rest)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder = tmp_path / "out"
    folder.mkdir()

    assert assert_survives("otel", [file], folder, n=200, seed=1)["run"]


SPENT = {
    "agentevals/k8s.jaeger.json": (1, 2203, 139),
    "agentevals/tempo_export_with_batches.json": (2, 4648, 129),
    "generated-from-tau-bench/tau_airline_18.otlp.json": (7, 4018, 536),
    "generated-from-tau-bench/tau_airline_4.otlp.json": (12, 15146, 899),
    "strands-evals/claude_live_spans.json": (None, 132, 850),
    "strands-evals/openai_agents_genai_live_spans.json": (8, 1870, 253),
    "strands-evals/openinference_live_spans.json": (2, None, None),
    "strands-evals/otel_genai_convention_spans.json": (2, 200, 60),
    "strands-evals/pydantic_ai_live_spans.json": (2, 1251, 78),
}
"""Turns, input and output tokens; those of the roots where these tell a sum."""


@pytest.mark.samples
@pytest.mark.parametrize("file", SPENT)
def test_real_traces_are_read_with_the_tokens_that_they_sum_up_to(
    samples: Path, file: str
) -> None:
    (run,) = read(samples / "otel-genai" / file)

    assert isinstance(run, Run)
    usage = run.usage
    assert (usage.turns, usage.input_tokens, usage.output_tokens) == SPENT[file]
    assert run.output
    assert run.ending == "ok"


@pytest.mark.samples
def test_a_collectors_file_has_the_runs_of_its_lines(samples: Path) -> None:
    folder = samples / "otel-genai" / "generated-from-tau-bench"

    by_line = [*read(folder / "collector_file_exporter.otlp.jsonl")]
    alone = [
        run
        for name in ("tau_airline_18.otlp.json", "tau_airline_4.otlp.json")
        for run in read(folder / name)
    ]

    told = [
        [
            (run.run_id, run.score, len(run.steps), len(run.followups), run.output)
            for run in found
            if isinstance(run, Run)
        ]
        for found in (by_line, alone)
    ]
    assert told[0] == told[1]
    assert [score for _, score, *_ in told[0]] == [1.0, 0.0]


@pytest.mark.samples
def test_spans_without_an_agent_are_put_aside(samples: Path) -> None:
    path = samples / "otel-genai" / "open-agent-traces" / "test-traces.otlp.jsonl"

    (misfit,) = read(path)

    assert isinstance(misfit, Misfit)
    assert misfit.reason == "no text"
