"""What is a whole number: digits that every place takes for one."""

import pytest

from legalqa.common.numbers import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_digits_are_the_number_that_they_write(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1.0", "1_0", "²", "٣", "9" * 19, "9" * 5000])
def test_any_other_text_and_a_number_that_is_too_long_are_none(text: str) -> None:
    assert whole_number(text) is None


def test_a_place_may_take_fewer_digits() -> None:
    assert (whole_number("999", digits=3), whole_number("1000", digits=3)) == (999, None)
