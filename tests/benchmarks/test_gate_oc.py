from benchmarks.decision_time import MOST_MS, RULES, measured
from benchmarks.gate_oc import (
    LEAST_SAVED,
    STUDY,
    agrees,
    curtailment,
    plan_of,
    ship_rates,
)


def test_the_product_ships_as_often_as_the_study_says_in_every_regime() -> None:
    plan = plan_of(4, 3)

    assert [off for regime in STUDY for off in ship_rates(regime, plan, 400, 7)] == []


def test_a_figure_that_is_off_is_told_from_chance() -> None:
    said = STUDY["ref"]["no-op"]

    assert agrees(round(4000 * said), 4000, said)
    assert not agrees(round(4000 * (said + 0.025)), 4000, said)
    assert not agrees(round(4000 * (said - 0.025)), 4000, said)


def test_curtailment_decides_alike_and_saves_what_the_study_says() -> None:
    alike, saved = curtailment(plan_of(4, 3), 800, 7)

    assert alike
    assert saved > LEAST_SAVED - 0.03  # 800 instead of 3,000 proposals


def test_a_whole_decision_takes_little_of_our_own_time() -> None:
    for rule in RULES:
        ours, _ = measured(rule, 30, 1)
        assert min(ours) <= MOST_MS, rule
