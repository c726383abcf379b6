from skillbank.reports import numbers


def test_a_rate_is_printed_in_points_and_a_difference_with_its_sign():
    assert numbers.points(0.6123) == "61.2"
    assert [numbers.gained(x) for x in (0.0512, -0.0512)] == ["+5.1", "-5.1"]


def test_a_difference_that_rounds_to_nothing_has_no_sign():
    assert numbers.gained(-0.0001) == numbers.gained(0.0) == "0.0"


def test_a_missing_number_is_printed_as_missing_and_not_as_zero():
    printers = (numbers.points, numbers.gained, numbers.percent, numbers.decimal)

    assert {print_(None) for print_ in printers} == {numbers.MISSING}


def test_a_small_share_keeps_a_digit():
    assert [numbers.percent(x) for x in (0.0, 0.049, 0.0996, 0.134)] == [
        "0%",
        "4.9%",
        "10%",
        "13%",
    ]


def test_a_p_value_is_never_printed_as_zero():
    assert numbers.p_value(1e-9) == "< 0.001"
