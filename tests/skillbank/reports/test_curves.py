from skillbank.reports.curves import whole
from tests.skillbank.reports.builders import bank_test


def test_a_curve_runs_down_the_plot_as_the_threshold_rises():
    block = whole(bank_test())

    assert block is not None
    for line in (block.before, block.after):
        xs, ys = zip(*line, strict=True)
        assert list(xs) == sorted(xs)
        assert list(ys) == sorted(ys)
        assert 0 <= min(xs) < max(xs) <= 100
        assert 0 <= min(ys) < max(ys) <= 100
    assert [tick.label for tick in block.ticks] == [str(n) for n in range(10, 101, 10)]
    assert [tick.x for tick in block.ticks] == [x for x, _ in block.after]


def test_only_a_change_that_is_clear_after_adjustment_has_a_side():
    block = whole(bank_test("regressed"))

    assert block is not None
    sides = {row.point.at: row.side for row in block.rows}
    assert sides[0.6] == "worse"
    assert sides[0.1] == "unclear"


def test_where_there_was_no_test_there_is_no_plot():
    assert whole(None) is None
