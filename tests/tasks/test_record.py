"""What MLflow is given of a round."""

from tasks.record import metrics
from tests.skillbank.reports.builders import bank_test, summary


def test_the_test_of_the_bank_is_given_as_numbers():
    found = metrics(summary(test=bank_test("regressed", held=True)))

    assert found["bank_test.regressed"] == found["bank_test.held"] == 1
    assert found["bank_test.non_inferior"] == 0
    assert found["bank_test.catastrophes.p"] == 0.004
    assert found["bank_test.mean.difference"] == -0.088
    assert (found["bank_test.mean.low"], found["bank_test.mean.high"]) == (
        -0.117,
        -0.058,
    )
    assert (found["bank_test.curve.060.gained"], found["bank_test.curve.060.lost"]) == (
        2,
        17,
    )
    assert "bank_test.curve.100.lost" in found


def test_a_round_of_before_there_was_a_test_gives_none_of_its_numbers():
    assert not [name for name in metrics(summary(test=None)) if "bank_test" in name]
