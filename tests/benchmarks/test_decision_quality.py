import numpy as np
import pytest

from benchmarks.decision_quality import GATES, Options, certified, efficiency, ours
from benchmarks.field_rules import FIELD, scores
from benchmarks.gate_oc import MIXTURE
from benchmarks.gate_world import GOOD, HARMFUL, NO_GAIN, Tally, quality
from skillbank.gate.noise import Noise


def tallies(ship: frozenset[str]) -> dict[str, Tally]:
    return {kind: Tally(1000 * (kind in ship), 1000, 10.0) for kind in MIXTURE}


def test_the_kinds_make_up_the_mixture() -> None:
    assert sorted((*NO_GAIN, *HARMFUL, *GOOD)) == sorted(MIXTURE)
    assert sum(MIXTURE.values()) == pytest.approx(1)


def test_refusing_everything_is_worth_nothing_and_knowing_everything_one() -> None:
    assert quality(tallies(frozenset())).dq.value == pytest.approx(0)
    assert quality(tallies(frozenset(GOOD))).dq.value == pytest.approx(1)
    assert quality(tallies(frozenset(MIXTURE))).dq.value == pytest.approx(-0.8)


def test_runs_are_two_a_context_and_paid_for_wrong_decisions_too() -> None:
    found = quality(tallies(frozenset()))

    assert found.runs == pytest.approx(20)
    assert found.per_correct == pytest.approx(40)


def test_the_interval_of_a_figure_narrows_with_the_number_of_proposals() -> None:
    few = {kind: Tally(30, 100, 10.0) for kind in MIXTURE}
    many = {kind: Tally(3000, 10_000, 10.0) for kind in MIXTURE}

    assert quality(many).dq.reach < quality(few).dq.reach / 9


def test_trial_and_its_twin_agree_on_every_proposal_that_both_decide() -> None:
    # a difference ends the benchmark
    for name in ("certified", "study, E >= 20"):
        assert certified(GATES[name], "noisy", Options(seed=7, n=60, kinds=20))


def test_the_default_decides_better_than_the_study_s_rule_at_no_more_than_45_runs() -> (
    None
):
    options = Options(seed=8, n=0, kinds=1500)

    default = certified(ours(16), "ref", options)
    study = quality(certified(GATES["study, E >= 20"], "ref", options))

    found = quality(default)
    assert found.dq.value - found.dq.reach > study.dq.value + study.dq.reach
    assert found.dq.value > 0.63
    assert found.runs < 45
    assert 0.7 < efficiency(default, "ref") < 1


def test_score_differences_of_a_no_op_are_centred_and_drift_only_between_batches() -> (
    None
):
    rng = np.random.default_rng(2)
    none = np.zeros((4000, 4))

    together = scores(none, 3, Noise(), rng, one_batch=True).gain.mean((1, 2))
    apart = scores(none, 3, Noise(), rng, one_batch=False).gain.mean((1, 2))

    assert together.mean() == pytest.approx(0, abs=0.04)
    assert together.std() == pytest.approx(np.sqrt(4.09 / 12), rel=0.06)
    assert apart.std() == pytest.approx(np.sqrt(4.09 / 12 + 0.5), rel=0.06)


@pytest.mark.parametrize("name", FIELD)
def test_rules_of_the_field_accept_a_large_gain_and_refuse_large_harm(
    name: str,
) -> None:
    use, rng = FIELD[name], np.random.default_rng(3)

    def accepted(effect: float) -> float:
        each = np.full((2000, use.cases), effect)
        contexts = max(use.contexts, 1)
        found = scores(each, contexts, Noise(), rng, one_batch=use.one_batch)
        return float(use.rule(found).mean())

    assert accepted(4.0) > 0.95
    assert accepted(-4.0) < 0.05 or name == "accept all"
