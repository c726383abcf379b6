from dataclasses import replace

import pytest

from skillbank.agents.agent import Attempt, Step
from skillbank.briefs.brief import Brief, Requirement
from skillbank.errors import ModelError, TableError
from skillbank.judging.judge import Preference
from skillbank.models.journal import (
    JournalledJudge,
    JournalledModel,
    MemoryJournal,
    NoJournal,
    journalled_attempt,
    request_key,
    vote_key,
)
from skillbank.models.model import Image, Request
from skillbank.models.scripted import ScriptedModel
from skillbank.skills.shelf import Recall, Subtask

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
REQUEST = Request(system="s", parts=("a", Image(b"png one")), schema=SCHEMA, seed=1)
BRIEF = Brief(
    id="b1",
    text="A poster",
    requirements=(Requirement(id="r1", kind="size", text="big", args={"px": 3}),),
)


class CountingJudge:
    """Prefers the longer output, and counts how often it looks."""

    revision = "1"

    def __init__(self, answer: Preference | None = None) -> None:
        self.calls = 0
        self._answer = answer

    def compare(self, brief, first, second, *, batch, seed) -> Preference:
        self.calls += 1
        if self._answer is not None:
            return self._answer
        return "first" if len(first) > len(second) else "second"


def test_a_question_that_was_answered_is_not_asked_again():
    journal = MemoryJournal()
    model = ScriptedModel({"n": 1}, {"n": 2})

    first = JournalledModel(model, journal).complete(REQUEST)
    again = JournalledModel(model, journal).complete(REQUEST)

    assert first == again
    assert first.answer == {"n": 1}
    assert model.calls == 1


def test_a_missing_answer_is_an_answer_but_an_error_is_not():
    journal = MemoryJournal()
    missing = JournalledModel(ScriptedModel(None, {"n": 1}), journal)
    broken = JournalledModel(ScriptedModel(), journal)
    other = replace(REQUEST, seed=2)

    assert missing.complete(REQUEST).answer is None
    assert missing.complete(REQUEST).answer is None
    with pytest.raises(ModelError):
        broken.complete(other)
    assert set(journal.entries) == {request_key("scripted", REQUEST)}


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 2},
        {"system": "t"},
        {"max_tokens": 5},
        {"schema": {"type": "object"}},
        {"parts": (Image(b"png one"), "a")},
        {"parts": ("a", Image(b"png two"))},
        {"parts": ("a",)},
    ],
)
def test_all_of_a_request_is_in_its_key(changed):
    assert request_key("m", REQUEST) != request_key("m", replace(REQUEST, **changed))
    assert request_key("m", REQUEST) != request_key("other", REQUEST)


def test_equal_requests_have_equal_keys():
    twin = replace(REQUEST, parts=("a", Image(b"png one")), schema=dict(SCHEMA))

    assert request_key("m", REQUEST) == request_key("m", twin)


def test_the_two_orders_of_a_pair_are_two_votes():
    judge = CountingJudge()
    kept = JournalledJudge(judge, MemoryJournal())

    answers = [
        kept.compare(BRIEF, *pair, batch="b", seed=1)
        for pair in (("long", "a"), ("a", "long"), ("long", "a"))
    ]

    assert answers == ["first", "second", "first"]
    assert judge.calls == 2


def test_an_unreadable_vote_is_kept():
    judge = CountingJudge("invalid")
    kept = JournalledJudge(judge, MemoryJournal())

    answers = [kept.compare(BRIEF, "a", "b", batch="b", seed=1) for _ in range(2)]

    assert answers == ["invalid", "invalid"]
    assert judge.calls == 1


def test_all_that_may_change_a_vote_is_in_its_key():
    plain = vote_key("1", BRIEF, ("a", "b"), "batch", 1)
    harder = replace(BRIEF, requirements=())

    others = {
        vote_key("2", BRIEF, ("a", "b"), "batch", 1),
        vote_key("1", harder, ("a", "b"), "batch", 1),
        vote_key("1", BRIEF, ("b", "a"), "batch", 1),
        vote_key("1", BRIEF, ("a", "b"), "other", 1),
        vote_key("1", BRIEF, ("a", "b"), "batch", 2),
    }

    assert len(others | {plain}) == 6


def attempt(**changes) -> Attempt:
    base = Attempt(
        brief="b1",
        context="c1",
        seed=3,
        ending="ok",
        steps=(Step(subtask="s", tool="t", arguments={"x": "0.1*W"}),),
        recalls=(Recall(subtask="s", skill="k", version=2, relevance=0.5, reason="r"),),
        uncovered=(Subtask(name="n", phrase="p"),),
        output="{}",
    )
    return replace(base, **changes)


def test_an_attempt_comes_back_as_it_was():
    journal = MemoryJournal()
    made = [attempt(), attempt(seed=4)]

    first = journalled_attempt(journal, "key", lambda: made[0])
    again = journalled_attempt(journal, "key", lambda: made[1])

    assert first == again == attempt()
    assert again.id == attempt().id


def test_a_broken_attempt_is_kept_and_a_fault_is_made_again():
    journal = MemoryJournal()

    journalled_attempt(journal, "broken", lambda: attempt(ending="broken"))
    journalled_attempt(journal, "fault", lambda: attempt(ending="fault"))

    assert set(journal.entries) == {"broken"}


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"answer": {"n": 1'])
def test_a_damaged_entry_is_an_error_and_not_a_new_question(damage: bytes):
    journal = MemoryJournal()
    journal.put(request_key("scripted", REQUEST), damage)
    model = ScriptedModel({"n": 1})

    with pytest.raises(TableError, match="journal"):
        JournalledModel(model, journal).complete(REQUEST)

    assert model.calls == 0


def test_no_journal_asks_every_time():
    model = ScriptedModel({"n": 1}, {"n": 2})
    kept = JournalledModel(model, NoJournal())

    assert [kept.complete(REQUEST).answer for _ in range(2)] == [{"n": 1}, {"n": 2}]


def test_an_answer_that_is_no_preference_is_unreadable_and_spoils_no_resume():
    journal = MemoryJournal()
    judge = CountingJudge("banana")  # type: ignore[arg-type] # it breaks its protocol

    votes = [
        JournalledJudge(judge, journal).compare(BRIEF, "a", "b", batch="p", seed=1)
        for _ in range(2)
    ]

    assert votes == ["invalid", "invalid"]
    assert judge.calls == 1


def test_what_does_not_read_back_is_never_kept():
    journal = MemoryJournal()
    odd = replace(attempt(), ending="splendid")  # type: ignore[arg-type] # on purpose

    with pytest.raises(TableError, match="a new Attempt"):
        journalled_attempt(journal, "k", lambda: odd)

    assert journal.entries == {}
    assert journalled_attempt(journal, "k", attempt) == attempt()
