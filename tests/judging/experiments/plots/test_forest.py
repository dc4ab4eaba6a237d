"""Paired differences are drawn where they are, and marked only where the corrected test says so."""

from judging.experiments.plots.forest import Comparison, forest_plot, p_text
from judging.measures.intervals import Interval

BETTER = Comparison("ours", Interval(0.2, 0.1, 0.3, 40), 12, 25, 3, 0.004, 0.012, 0.006, True, "/items/")
SAME = Comparison("B2", Interval(-0.05, -0.2, 0.1, 40), 6, 26, 8, 0.4, 0.8, 0.5, False)
NONE = Comparison("B1", None, 0, 0, 0, None, None, None, False)


def test_the_interval_lies_on_its_scale_around_zero() -> None:
    chart = forest_plot([BETTER, SAME], baseline="B3", measure="correctness")

    # edge 0.3 gives ticks from -0.3 to 0.3 by 0.1: 0.2 lies at 220 + 0.5 / 0.6 * 220
    (square,) = [mark for mark in chart.marks if mark.tag == "rect" and mark.look == "fill"]
    assert list(square.at) == [220 + 0.5 / 0.6 * 220 - 5, 48.0, 10, 10]
    assert square.label == "ours: +0.20 [+0.10, +0.30], n = 40; higher"
    assert square.href == "/items/"
    whiskers = [
        mark.at for mark in chart.marks if mark.tag == "line" and mark.tone == "s0" and mark.at[1] == mark.at[3]
    ]
    assert [round(part, 3) for part in whiskers[0]] == [366.667, 53.0, 440.0, 53.0]


def test_what_the_corrected_test_does_not_say_is_hollow_and_said_in_words() -> None:
    chart = forest_plot([BETTER, SAME], baseline="B3", measure="correctness")

    assert [mark.look for mark in chart.marks if mark.tag == "rect"] == ["fill", "hollow"]
    assert [row[-1].text for row in chart.table.rows] == ["higher", "no difference shown"]


def test_a_comparison_without_common_values_is_listed_as_undefined() -> None:
    chart = forest_plot([NONE], baseline="B3", measure="faithfulness")

    assert "undefined" in [mark.text for mark in chart.marks]
    assert [cell.text for cell in chart.table.rows[0]] == [
        "B1",
        "–",
        "–",
        "–",
        "0",
        "0",
        "0",
        "0",
        "–",
        "–",
        "–",
        NONE.words,
    ]


def test_a_chart_of_nothing_has_axes_and_an_empty_table() -> None:
    assert forest_plot([], baseline="B3", measure="correctness").table.rows == ()


def test_small_p_values_are_not_printed_as_zero() -> None:
    assert [p_text(p) for p in (0.0, 0.0004, 0.0316, None)] == ["< 0.001", "< 0.001", "0.032", "–"]
