"""Calls and results find each other, whatever the trace left out or told twice."""

from skillbank.traffic.readers.calls import Calls


def told(calls: Calls) -> list[tuple[str, str, str]]:
    return [(step.call, step.tool, step.result) for step in calls.steps()]


def test_results_find_their_calls_by_id_in_whatever_order_they_come():
    calls = Calls()
    calls.add("read", {"path": "a"}, "1")
    calls.add("read", {"path": "b"}, "2")
    calls.answer("2", "B")
    calls.answer("1", "A")

    assert told(calls) == [("1", "read", "A"), ("2", "read", "B")]


def test_results_without_ids_go_to_the_calls_in_their_order():
    calls = Calls()
    calls.add("read", {"path": "a"})
    calls.add("read", {"path": "a"})
    calls.answer("", "A")
    calls.answer("", "B")
    calls.answer("", "C")

    assert told(calls) == [("", "read", "A"), ("", "read", "B")]


def test_a_call_told_again_is_one_call_and_another_one_gets_its_own_id():
    calls = Calls()
    calls.add("read", {"path": "a"}, "1")
    calls.add("read", {"path": "a"}, "1")
    calls.add("read", {"path": "b"}, "1")
    calls.answer("1", "A")
    calls.answer("1", "B")
    calls.answer("1", "told again")

    assert told(calls) == [("1", "read", "A"), ("1__2", "read", "B")]


def test_a_result_that_no_call_waits_for_is_dropped():
    calls = Calls()
    calls.add("read", {}, "1")
    calls.answer("missing", "orphan")
    calls.answer("", "orphan")

    assert told(calls) == [("1", "read", "")]


def test_what_is_told_of_a_call_elsewhere_fills_in_and_replaces_nothing():
    calls = Calls()
    calls.add("run", {}, "1")
    calls.answer("1", "out")
    calls.amend("1", "other", "exit code 2\nmore")
    calls.amend("2", "nobody", "")

    (step,) = calls.steps()
    assert (step.result, step.error) == ("out", "exit code 2")


def test_a_result_without_an_id_goes_to_a_waiting_call_of_its_tool():
    calls = Calls()
    calls.add("read", {}, "1")
    calls.add("find", {}, "2")
    calls.add("find", {}, "3")
    calls.answer("2", "by id")
    calls.answer_next("find", "by tool")
    calls.answer_next("find", "to whoever waits")
    calls.answer_next("find", "dropped")

    assert told(calls) == [
        ("1", "read", "to whoever waits"),
        ("2", "find", "by id"),
        ("3", "find", "by tool"),
    ]


def test_where_nothing_is_told_twice_a_call_under_a_known_id_is_another_one():
    calls = Calls(repeated=False)
    calls.add("status", {}, "1")
    calls.answer("1", "open")
    calls.add("status", {}, "1")
    calls.answer("1", "closed")

    assert told(calls) == [("1", "status", "open"), ("1__2", "status", "closed")]
