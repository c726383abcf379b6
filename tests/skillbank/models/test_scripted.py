import pytest

from skillbank.errors import ModelError
from skillbank.models.model import Request
from skillbank.models.scripted import ScriptedModel

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
REQUEST = Request(system="s", parts=("a",), schema=SCHEMA)


def test_answers_come_in_order_and_then_are_an_error():
    model = ScriptedModel({"n": 1}, {"n": 2})

    got = [model.complete(REQUEST).answer for _ in range(2)]

    assert got == [{"n": 1}, {"n": 2}]
    assert model.calls == 2
    with pytest.raises(ModelError, match="call 3 of 2"):
        model.complete(REQUEST)


def test_a_function_answers_every_call_from_its_request():
    model = ScriptedModel({"n": 0}, lambda request: {"n": len(request.parts)})

    got = [model.complete(REQUEST).answer for _ in range(3)]

    assert got == [{"n": 0}, {"n": 1}, {"n": 1}]


def test_an_answer_out_of_schema_is_missing_as_from_any_model():
    completion = ScriptedModel({"n": "one"}, None).complete(REQUEST)

    assert completion.answer is None
    assert "n: 'one' is not of type 'integer'" in completion.problem
