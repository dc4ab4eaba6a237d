"""Curves keep to their axes; marked points have a shape of their own and lead to their items."""

from judging.experiments.plots.lines import Panel, Point, Series, line_chart

CURVE = Series(
    "ours",
    (Point(0.5, 0.1, 20, 0.0, 0.2), Point(1, 0.3, 40, 0.2, 0.4, mark="operating point", href="/items/")),
    "AURC 0.12",
)
OTHER = Series("B2", (Point(1, 0.5, 40, mark="always answering"),))


def test_points_lie_where_both_axes_put_them() -> None:
    chart = line_chart([Panel("coverage", "risk", (CURVE,), y_high=0.5)], key="risk", title="", note="")

    # legend of one row: 18 high, so the panel reaches from 44 to 294; x from 0 to 1 over 56 to 650
    (line,) = [m for m in chart.marks if m.tag == "polyline"]
    assert [round(part, 1) for part in line.at] == [353.0, 244.0, 650.0, 144.0]
    (band,) = [m for m in chart.marks if m.look == "band"]
    assert [round(part, 1) for part in band.at] == [353.0, 194.0, 650.0, 94.0, 650.0, 194.0, 353.0, 294.0]


def test_series_differ_by_shape_and_dash_not_by_colour_alone() -> None:
    chart = line_chart([Panel("coverage", "risk", (CURVE, OTHER))], key="risk", title="", note="")

    linked = [m for m in chart.marks if m.label]
    assert [(m.tag, m.tone, m.href) for m in linked] == [("circle", "s0", "/items/"), ("polygon", "s1", "")]
    assert linked[0].label == "ours, operating point: 1.00, 0.30 [0.20, 0.40], n = 40"
    assert [m.look for m in chart.marks if m.tag == "line" and m.at[2] - m.at[0] == 22] == ["line", "dashed"]


def test_two_measures_get_two_panels_and_only_the_values_that_were_tried() -> None:
    quality = Series("ours", tuple(Point(k, q, 38, mark=f"k {k}") for k, q in ((3, 0.5), (5, 0.75), (10, 0.7))))
    latency = Series("ours", tuple(Point(k, s, 38, mark=f"k {k}") for k, s in ((3, 1.0), (5, 2.0), (10, 4.0))))

    chart = line_chart(
        [
            Panel("k", "quality", (quality,), x_values=(3, 5, 10)),
            Panel("k", "seconds", (latency,), x_values=(3, 5, 10)),
        ],
        key="sweep",
        title="",
        note="",
    )

    assert [m.text for m in chart.marks if m.anchor == "middle"] == ["3", "5", "10", "3", "5", "10"]
    assert chart.table.rows[1][3].text == "quality 0.75"
    assert chart.table.rows[5][3].text == "seconds 4.00"


def test_a_curve_without_marked_points_shows_its_ends_in_the_table() -> None:
    corners = tuple(Point(c / 10, 0.1, c) for c in range(1, 11))

    chart = line_chart([Panel("coverage", "risk", (Series("ours", corners),))], key="risk", title="", note="")

    assert [row[2].text for row in chart.table.rows] == ["coverage 0.10", "coverage 1.00"]


def test_more_curves_than_can_be_told_apart_have_a_bar_at_their_marked_point_in_place_of_a_band() -> None:
    panel = Panel("coverage", "risk", tuple(Series(name, CURVE.points) for name in "abcd"), y_high=0.5)

    chart = line_chart([panel], key="risk", title="", note="")

    # two rows of legend: the panel reaches from 62 to 312, where 0.2 to 0.4 lie at 212 and 112
    assert [m for m in chart.marks if m.look == "band"] == []
    upright = [m.at for m in chart.marks if m.tag == "line" and m.tone.startswith("s") and m.at[0] == m.at[2]]
    assert [[round(part) for part in at] for at in upright] == [[650, 212, 650, 112]] * 4
