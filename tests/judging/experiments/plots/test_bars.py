"""Bars begin at zero, carry their interval, and say where there is no value."""

from functools import partial

from judging.experiments.plots.bars import Bar, bar_chart
from judging.experiments.plots.drawing import Table

drawn = partial(bar_chart, key="a", title="", note="", table=Table((), ()))


def test_a_bar_reaches_from_zero_to_its_value() -> None:
    chart = drawn([Bar("judge and people", 0.5, 40, 0.3, 0.7)], high=1)

    (bar,) = [m for m in chart.marks if m.tag == "rect"]
    assert list(bar.at) == [220, 14, 150, 18]  # half of 220 to 520
    assert bar.label == "judge and people: 0.50 [0.30, 0.70], n = 40"
    whisker = [m.at for m in chart.marks if m.tag == "line" and m.at[1] == m.at[3]]
    assert [round(part) for part in whisker[0]] == [310, 23, 430, 23]


def test_a_value_below_zero_reaches_to_the_left() -> None:
    chart = drawn([Bar("length", -0.5, 40)], high=0.5)

    (bar,) = [m for m in chart.marks if m.tag == "rect"]
    assert list(bar.at) == [245, 14, 125, 18]  # ticks from -0.6 to 0.6 by 0.2: zero lies at 370


def test_few_items_are_hollow_and_none_is_undefined_with_its_reason() -> None:
    chart = drawn([Bar("people", 0.4, 9), Bar("self", None, 0, reason="no answer was judged twice")], high=1)

    assert [m.look for m in chart.marks if m.tag == "rect"] == ["hollow"]
    assert "undefined: no answer was judged twice" in [m.text for m in chart.marks]
