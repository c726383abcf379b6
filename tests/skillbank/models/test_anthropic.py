import json
import logging
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from io import BytesIO
from time import monotonic

import pytest
from PIL import Image as Picture

from skillbank.errors import BudgetError, ModelError
from skillbank.models.anthropic import AnthropicModel
from skillbank.models.budget import Budget
from skillbank.models.model import Image, Request
from skillbank.params import ModelParams
from tests.doubles.messages_server import MessagesServer, Reply, fails, says

KEY = "sk-ant-a-key-that-nobody-may-see"
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}},
    "required": ["n"],
    "additionalProperties": False,
}
Ask = Callable[..., tuple[AnthropicModel, MessagesServer]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Opens a model and the server that it asks, and closes both."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:

        def open_both(*replies: Reply, budget: Budget | None = None, **changes: object):
            server = stack.enter_context(MessagesServer(*replies))
            prices = {"usd_per_mtok_in": 3.0, "usd_per_mtok_out": 15.0}
            params = ModelParams(
                base_url=server.url, model="a-model", **{**prices, **changes}
            )
            model = AnthropicModel(params, budget or Budget(5.0))
            return stack.enter_context(model), server

        yield open_both


def request(*parts: str | Image, max_tokens: int = 100) -> Request:
    return Request(
        system="Count.",
        parts=parts or ("How many?",),
        schema=SCHEMA,
        max_tokens=max_tokens,
    )


def png(colour: str = "red") -> bytes:
    out = BytesIO()
    Picture.new("RGB", (40, 30), colour).save(out, "png")
    return out.getvalue()


def refused(model: AnthropicModel) -> ModelError:
    with pytest.raises(ModelError) as caught:
        model.complete(request())
    return caught.value


def test_an_answer_that_fits_its_schema_is_returned_with_its_cost(ask: Ask):
    model, server = ask(says({"n": 3}, tokens=(1000, 200)))

    got = model.complete(request())

    assert (got.answer, got.problem, got.calls) == ({"n": 3}, "", 1)
    assert (got.input_tokens, got.output_tokens, got.model) == (1000, 200, "a-model")
    assert got.usd == pytest.approx((1000 * 3 + 200 * 15) / 1e6)
    assert len(server.seen) == 1


def test_the_schema_goes_over_the_wire_and_the_system_prompt_is_cached(ask: Ask):
    model, server = ask(says({"n": 3}))

    model.complete(request())

    body = server.seen[0].body
    sent = body["output_config"]["format"]
    assert (sent["type"], sent["schema"]["required"]) == ("json_schema", ["n"])
    assert body["system"] == [
        {"type": "text", "text": "Count.", "cache_control": {"type": "ephemeral"}}
    ]
    assert (body["model"], body["max_tokens"]) == ("a-model", 100)


def test_what_the_server_does_not_enforce_is_checked_here(ask: Ask):
    model, server = ask(says({"n": 0}), says({"n": 1}))

    assert model.complete(request()).answer == {"n": 1}
    assert len(server.seen) == 2


def test_a_broken_answer_is_asked_for_once_more_with_the_problem_shown(ask: Ask):
    model, server = ask(says('Sure! {"n": 3'), says({"n": 3}))

    got = model.complete(request())

    again = server.seen[1].body["messages"]
    assert (got.answer, got.calls, got.input_tokens) == ({"n": 3}, 2, 200)
    assert [turn["role"] for turn in again] == ["user", "assistant", "user"]
    assert again[1]["content"] == 'Sure! {"n": 3'
    assert "is not JSON" in again[2]["content"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        '```json\n{"n": 3}\n```',
        'The answer is {"n": 3}.',
        '{"n": 3}}',
        '[{"n": 3}]',
        '{"n": ' + "9" * 5000 + "}",
        '{"n": ' * 5000 + "1" + "}" * 5000,
        '{"n": {"n": ' * 200 + "1" + "}}" * 200,
        '{"n": "3"}',
    ],
)
def test_an_answer_that_stays_broken_is_missing_with_its_problem(ask: Ask, text: str):
    model, server = ask(says(text))

    got = model.complete(request())

    assert (got.answer, got.calls, len(server.seen)) == (None, 2, 2)
    assert 0 < len(got.problem) <= 300


@pytest.mark.parametrize(
    "stop", ["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded"]
)
def test_an_answer_that_was_cut_off_or_declined_is_missing_however_it_reads(
    ask: Ask, stop: str
):
    model, server = ask(says({"n": 3}, stop=stop))

    got = model.complete(request())

    assert got.answer is None
    assert got.problem
    assert len(server.seen) == 1


def test_pictures_arrive_as_png_in_their_place_between_the_texts(ask: Ask):
    model, server = ask(says({"n": 3}))

    model.complete(request("one", Image(png("red")), "two", Image(png("blue"))))

    content = server.seen[0].body["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "image", "text", "image"]
    assert content[1]["source"]["media_type"] == "image/png"
    assert server.seen[0].pictures == [png("red"), png("blue")]


def test_a_picture_that_is_no_png_is_refused_before_any_call(ask: Ask):
    model, server = ask(says({"n": 3}))

    with pytest.raises(ModelError, match="PNG"):
        model.complete(request(Image(b"GIF89a")))

    assert server.seen == []


def test_a_wait_that_the_server_asks_for_is_waited(ask: Ask):
    model, server = ask(fails(429, retry_after="1"), says({"n": 3}))
    start = monotonic()

    got = model.complete(request())

    assert got.answer == {"n": 3}
    assert 1.0 <= monotonic() - start < 3
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"retry_after": "3600"},
        {"retry_after": "inf"},
        {"retry_after_ms": "3600000"},
        {"retry_after": "Fri, 01 Jan 2100 00:00:00 GMT"},
    ],
)
def test_a_wait_of_an_hour_is_cut_to_the_limit(ask: Ask, headers: dict[str, str]):
    model, _ = ask(fails(429, **headers), says({"n": 3}), max_retry_s=0.1)
    start = monotonic()

    got = model.complete(request())

    assert got.answer == {"n": 3}
    assert monotonic() - start < 2


def test_an_overloaded_server_is_asked_again_and_then_said_to_be_overloaded(ask: Ask):
    model, server = ask(fails(529, "Overloaded", retry_after="0.01"))

    error = refused(model)

    assert len(server.seen) == 3
    assert "529" in str(error)
    assert "start the round again" in error.remedy


def test_a_passing_overload_is_survived(ask: Ask):
    model, _ = ask(fails(529, retry_after="0.01"), says({"n": 3}))

    assert model.complete(request()).answer == {"n": 3}


def test_a_server_that_does_not_answer_in_time_is_an_error(ask: Ask):
    budget = Budget(5.0)
    model, _ = ask(
        Reply(delay_s=5), timeout_s=0.1, retries=0, max_usd=5.0, budget=budget
    )

    error = refused(model)

    assert "0.1 s" in error.seen
    assert "models.timeout_s" in error.remedy
    # it may have been billed, so it counts at its most
    assert 0.001 < budget.spent_usd < 0.05


def test_no_server_at_all_is_an_error_that_costs_nothing(ask: Ask):
    with MessagesServer(says({"n": 3})) as gone:
        url = gone.url
    budget = Budget(5.0)
    params = ModelParams(base_url=url, model="a-model", retries=0)

    with AnthropicModel(params, budget) as model:
        error = refused(model)

    assert "models.base_url" in error.remedy
    assert budget.left_usd == 5.0


@pytest.mark.parametrize("body", [b"", b"<html>", b"{}", b'{"content": []}', b"[1]"])
def test_a_reply_that_is_no_message_is_an_error_and_not_an_empty_answer(
    ask: Ask, body: bytes
):
    budget = Budget(5.0)
    model, _ = ask(Reply(body=body), budget=budget)

    error = refused(model)

    assert "Messages protocol" in error.seen
    assert budget.spent_usd > 0


def test_a_call_that_might_pass_the_budget_is_never_made(ask: Ask):
    budget = Budget(0.01)
    model, server = ask(says({"n": 3}), budget=budget)

    with pytest.raises(BudgetError) as caught:
        model.complete(request(max_tokens=4096))

    assert server.seen == []
    assert "params.yaml: models.max_usd" in str(caught.value)
    assert (budget.spent_usd, budget.left_usd) == (0.0, 0.01)


def test_what_was_spent_never_passes_the_budget(ask: Ask):
    # the server uses all output tokens that it may, and says so
    budget = Budget(0.2)
    model, server = ask(says({"n": 3}, tokens=(500, 1000)), budget=budget)

    def ask_on() -> None:
        for _ in range(100):
            model.complete(request(max_tokens=1000))

    with pytest.raises(BudgetError):
        ask_on()

    assert budget.spent_usd == pytest.approx(len(server.seen) * 0.0165)
    assert 0.15 < budget.spent_usd <= 0.2


def test_the_repair_needs_budget_of_its_own(ask: Ask):
    budget = Budget(0.03)
    model, server = ask(says("?", tokens=(500, 1000)), budget=budget)

    with pytest.raises(BudgetError):
        model.complete(request(max_tokens=1000))

    assert len(server.seen) == 1


def test_a_refused_call_gives_its_reservation_back(ask: Ask):
    budget = Budget(0.03)
    model, server = ask(fails(400, "bad"), budget=budget)

    for _ in range(5):
        refused(model)

    assert (len(server.seen), budget.left_usd) == (5, 0.03)


def test_a_missing_key_is_an_error_that_says_where_it_belongs(
    monkeypatch: pytest.MonkeyPatch, tmp_path
):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))

    with AnthropicModel(ModelParams(), Budget(5.0)) as model:
        error = refused(model)

    assert "ANTHROPIC_API_KEY" in error.expected


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 429, 500])
def test_a_key_that_the_server_repeats_is_in_no_error_and_no_log(
    ask: Ask, status: int, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    model, server = ask(fails(status, f"key {KEY} is no good", retry_after="0.01"))

    error = refused(model)

    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    told = "".join(traceback.format_exception(error)) + caplog.text + repr(error)
    assert KEY not in told
    assert str(status) in error.seen
    assert error.__context__ is None


def test_a_key_that_no_header_can_carry_is_an_error_without_the_key(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
):
    budget = Budget(5.0)
    model, server = ask(says({"n": 3}), retries=0, budget=budget)
    monkeypatch.setenv("ANTHROPIC_API_KEY", f"{KEY}\n")

    error = refused(model)

    assert server.seen == []
    assert KEY not in "".join(traceback.format_exception(error))
    assert "ANTHROPIC" in error.remedy
    assert budget.left_usd == 5.0


def test_a_reply_with_thoughts_before_its_answer_is_read(ask: Ask):
    said = json.loads(says({"n": 3}).body)
    said["content"].insert(0, {"type": "thinking", "thinking": "{", "signature": "s"})
    model, _ = ask(Reply(body=json.dumps(said).encode()))

    assert model.complete(request()).answer == {"n": 3}


def test_a_closed_model_opens_again_when_it_is_asked(ask: Ask):
    model, server = ask(says({"n": 3}))

    model.complete(request())
    model.close()

    assert model.complete(request()).answer == {"n": 3}
    assert len(server.seen) == 2


def test_many_threads_share_one_budget_and_do_not_overshoot_it(ask: Ask):
    budget = Budget(0.1)
    model, server = ask(says({"n": 3}, tokens=(500, 1000)), budget=budget)

    def answered(_: int) -> bool:
        try:
            return model.complete(request(max_tokens=1000)).answer == {"n": 3}
        except BudgetError:
            return False

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(answered, range(40)))

    assert sum(outcomes) == len(server.seen)
    assert 0 < budget.spent_usd <= 0.1
