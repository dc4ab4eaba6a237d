"""Scales, ticks and figures are those that a reader computes; colours keep their contrast in light and dark."""

import re
from pathlib import Path

import pytest

from judging.experiments.plots.bars import Bar, bar_chart
from judging.experiments.plots.drawing import Table, dot, number, short, tick_text, ticks
from judging.experiments.plots.palette import PALETTE
from judging.experiments.plots.png import chart_png
from tests.test_vendored import _contrast

CSS = (Path(__file__).resolve().parents[4] / "static" / "css" / "charts.css").read_text(encoding="utf-8")
IN_CSS = {
    tone: (light, dark)
    for line in re.findall(r"^(.*) \{ --c: light-dark\((#\w{6}), (#\w{6})\); \}$", CSS, re.MULTILINE)
    for tone in re.findall(r"\.chart \.([\w-]+)", line[0])
    for light, dark in [line[1:]]
}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-0.3, 0.3, [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]),
        (0, 37, [0, 10, 20, 30, 40]),
        (0.02, 0.05, [0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05]),
    ],
)
def test_ticks_are_round_and_cover_the_range(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == expected


def test_a_range_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a range"):
        ticks(1, 1)


def test_figures_have_two_decimals_at_most_and_a_dash_where_there_is_none() -> None:
    assert [number(v) for v in (0.12345, -0.5, 12345.6, None)] == ["0.12", "−0.50", "12,346", "–"]
    assert [number(0.1, signed=True), tick_text(-0.5), tick_text(2000), short("abcdef", 4)] == [
        "+0.10",
        "−0.5",
        "2,000",
        "abc…",
    ]


def test_eight_series_have_eight_looks_without_colour() -> None:
    looks = {
        (mark.look, len(mark.at), mark.tag, mark.at[0] == mark.at[-2]) for mark in (dot(9, 9, s) for s in range(8))
    }

    assert len(looks) == 8


def test_a_page_in_light_has_the_colours_of_the_files() -> None:
    assert {tone: colours[0] for tone, colours in IN_CSS.items()} == {
        tone: colour for tone, colour in PALETTE.items() if tone[0] in "sh" or tone.startswith("on-")
    }


@pytest.mark.parametrize("appearance", [0, 1], ids=["light", "dark"])
def test_figures_can_be_read_on_every_shade(appearance: int) -> None:
    weak = [
        shade
        for shade in range(9)
        if _contrast(IN_CSS[f"on-h{shade}"][appearance], IN_CSS[f"h{shade}"][appearance]) < 4.5
    ]

    assert weak == []


@pytest.mark.parametrize(("appearance", "ground"), [(0, "#ffffff"), (1, "#24211d")], ids=["light", "dark"])
def test_every_series_contrasts_with_the_page(appearance: int, ground: str) -> None:
    assert [s for s in range(8) if _contrast(IN_CSS[f"s{s}"][appearance], ground) < 3] == []


def test_a_png_has_two_pixels_a_unit() -> None:
    chart = bar_chart([Bar("ours", 0.5, 40)], key="a", title="Agreement", note="", table=Table((), ()), high=1)

    file = chart_png(chart)

    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(file[16:20]) == 2 * (680 + 8)
    assert int.from_bytes(file[20:24]) == 2 * (chart.height + 8 + 28)
