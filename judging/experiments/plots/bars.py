"""Horizontal bars with intervals: agreement, position bias, failed components, distributions."""

from collections.abc import Sequence
from dataclasses import dataclass

from judging.experiments.plots.drawing import SMALL_N, Chart, Mark, Scale, Table, number, short, tick_text, ticks, words

LEFT, RIGHT, ROW, TOP = 220, 520, 26, 10  # units of the drawing's view box


@dataclass(frozen=True, slots=True)
class Bar:
    """A value over n items, with its interval where there is one; None with `reason` where it is undefined.

    `series` gives the pattern: bars of one kind share it.
    """

    name: str
    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    series: int = 0
    reason: str = ""


def bar_chart(bars: Sequence[Bar], *, key: str, title: str, note: str, table: Table, high: float) -> Chart:
    """Bars from zero to the right, or to the left where a value is below; whiskers are 95 % intervals.

    Args:
        bars: From the top.
        table: What says the same in words.
        high: Where the axis ends at the earliest, above 0.
    """
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    steps = ticks(min([0, *ends]), max([high, *ends]))
    x = Scale(steps[0], steps[-1], LEFT, RIGHT)
    bottom = TOP + ROW * len(bars)
    marks = [Mark("line", (x(step), TOP, x(step), bottom), "line", "grid") for step in steps]
    marks += [words(x(step), bottom + 16, tick_text(step), anchor="middle", tone="muted") for step in steps]
    for place, bar in enumerate(bars):
        marks += _bar(bar, x, TOP + ROW * place + 4)
    marks.append(Mark("line", (x(0), TOP, x(0), bottom), "line", "ink"))
    return Chart(key, title, note, bottom + 28, tuple(marks), table)


def _bar(bar: Bar, x: Scale, y: float) -> list[Mark]:
    marks = [words(0, y + 13, short(bar.name, 34))]
    if bar.value is None:
        return [*marks, words(x(0) + 6, y + 13, f"undefined: {short(bar.reason, 40)}", tone="muted")]
    at = (min(x(0), x(bar.value)), y, abs(x(bar.value) - x(0)), ROW - 8)
    look = "hollow" if bar.n < SMALL_N else "fill"
    figure, whisker = number(bar.value), []
    if bar.low is not None and bar.high is not None:
        figure += f" [{number(bar.low)}, {number(bar.high)}]"
        whisker = [Mark("line", (x(bar.low), y + 9, x(bar.high), y + 9), "line", "ink")]
    marks.append(Mark("rect", at, look, f"s{bar.series}", label=f"{bar.name}: {figure}, n = {bar.n}"))
    return [*marks, *whisker, words(680, y + 13, f"{figure}  n {bar.n}", anchor="end")]
