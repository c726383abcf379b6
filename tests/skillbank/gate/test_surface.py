"""What others build on: the names, their docstrings, and values that survive JSON."""

import inspect
from types import FunctionType

import skillbank.gate
from skillbank.codec import dump, load
from skillbank.gate import Case, Limits, Plan, Trial, Verdict, Votes
from skillbank.gate.noise import Noise
from skillbank.gate.planner import Outlay


def documented(kind: object) -> bool:
    """Whether it has a docstring of its own, not the one that dataclasses make."""
    text = inspect.getdoc(kind) or ""
    return bool(text) and not text.startswith(f"{getattr(kind, '__name__', '')}(")


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in skillbank.gate.__all__:
        value = getattr(skillbank.gate, name)
        if isinstance(value, type | FunctionType):
            assert documented(value), name


def test_every_public_method_of_what_is_asked_and_told_says_what_it_does() -> None:
    for kind in (Trial, Plan, Votes, Verdict, Limits, Outlay, Noise):
        for name, value in vars(kind).items():
            if name.startswith("_"):
                continue
            member = value.__func__ if isinstance(value, classmethod) else value
            if isinstance(member, FunctionType | property):
                assert documented(member), f"{kind.__name__}.{name}"


def test_a_trial_is_asked_and_told_and_its_values_survive_json() -> None:
    limits = Limits()
    contexts = limits.rounds(16) + limits.guard
    cases = tuple(
        Case(
            id=f"c{i}",
            brief=f"b{i}",
            origin=False,
            contexts=tuple(f"c{i}/{j}" for j in range(contexts)),
        )
        for i in range(16)
    )
    plan = Plan(proposal="p", mode="certified", limits=limits, cases=cases)
    trial = Trial(load(Plan, dump(plan)))

    while trial.verdict is None:
        for context in trial.ask(1):
            trial.tell(context, Votes("candidate", "candidate"))

    assert trial.plan == plan
    assert trial.verdict.decision == "commit"
    assert trial.verdict.plan == plan.hash
    assert load(Verdict, dump(trial.verdict)) == trial.verdict
