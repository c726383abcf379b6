from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from skillbank.codec import dump, load
from skillbank.errors import GateError
from skillbank.gate import Case, Plan


def case(name: str = "c", *contexts: str, **changes: Any) -> Case:
    return Case(id=name, brief="b", contexts=contexts or (f"{name}/0",), **changes)


def plan(*cases: Case, **changes: Any) -> Plan:
    return Plan(
        **{"proposal": "p", "cases": cases or (case(),), "contexts": 1, **changes}
    )


def test_a_plan_survives_json_with_its_hash() -> None:
    sealed = plan(case(spares=("s",)), band=Fraction(1, 7), models=("m",))

    read = load(Plan, dump(sealed))

    assert read == sealed
    assert len(read.hash) == 64


def test_a_plan_that_was_edited_after_its_hash_is_refused() -> None:
    text = dump(plan(band=Fraction(1, 10))).replace('"1/10"', '"1/5"')

    with pytest.raises(GateError, match="hash"):
        load(Plan, text)


@pytest.mark.parametrize(
    "change",
    [
        {"proposal": "q"},
        {"candidate": "x"},
        {"judge": "2"},
        {"tools": "t"},
        {"policy": "v2"},
        {"models": ("m",)},
        {"risk": "high"},
        {"required": 3},
        {"cases": (case("c", revision="r2"),)},
    ],
)
def test_the_hash_is_over_everything(change: Any) -> None:
    assert replace(plan(), hash="", **change).hash != plan().hash


@pytest.mark.parametrize(
    "wrong",
    [
        {"cases": (case("c"), case("c", "other"))},
        {"cases": (case("c", "x"), case("d", "x"))},
        {"cases": (case("c", "x", spares=("x",)),)},
        {"cases": (case("c", "x", "y"),)},
        {"band": Fraction(1, 2)},
        {"band": Fraction(-1, 10)},
        {"required": 0},
        {"contexts": 0, "cases": ()},
    ],
)
def test_a_plan_that_makes_no_gate_is_refused(wrong: Any) -> None:
    with pytest.raises(GateError) as caught:
        plan(**wrong)

    assert caught.value.remedy
