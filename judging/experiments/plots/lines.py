"""Curves and points over two axes: risk against coverage, the trade-off of reliability, a sweep over k."""

from collections.abc import Sequence
from dataclasses import dataclass

from judging.experiments.plots.drawing import (
    SERIES,
    Cell,
    Chart,
    Mark,
    Scale,
    Table,
    dot,
    legend,
    number,
    tick_text,
    ticks,
    words,
)

LEFT, RIGHT, HIGH = 56, 660, 250  # units of the drawing's view box
MOST_BANDS = 3  # more bands than this hide each other, so marked points carry the interval


@dataclass(frozen=True, slots=True)
class Point:
    """A place on a curve; `low` and `high` bound y where an interval is known.

    `mark` names a point worth a shape, such as the operating point; unmarked ones are corners of the line only.
    """

    x: float
    y: float
    n: int
    low: float | None = None
    high: float | None = None
    mark: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """One configuration's points from the left; `figure` is written next to its name ("AURC 0.12")."""

    name: str
    points: tuple[Point, ...]
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over one pair of axes; `is_joined` draws the lines between the points."""

    x_title: str
    y_title: str
    series: tuple[Series, ...]
    x_values: tuple[float, ...] = ()  # ticks where only these were tried
    y_high: float | None = None
    is_joined: bool = True


def line_chart(panels: Sequence[Panel], *, key: str, title: str, note: str) -> Chart:
    """Panels one under the other with a shared legend, never two measures on one pair of axes."""
    first = panels[0].series
    names = [f"{s.name} · {s.figure}" if s.figure else s.name for s in first]
    marks, height = legend(names)
    top = height + 26
    for panel in panels:
        marks += _panel(panel, top)
        top += HIGH + 66
    return Chart(key, title, note, top - 14, tuple(marks), _table(panels))


def _panel(panel: Panel, top: float) -> list[Mark]:
    points = [p for s in panel.series for p in s.points]
    bottom = top + HIGH
    high = max([panel.y_high or 0, *(p.y if p.high is None else p.high for p in points)])
    y_steps = ticks(0, high or 1, most=5)
    y = Scale(y_steps[0], y_steps[-1], bottom, top)
    x_steps = list(panel.x_values) or ticks(0, max([1.0, *(p.x for p in points)]))
    low, end = min(x_steps), max(x_steps)
    x = Scale(low, end if end > low else low + 1, LEFT, RIGHT - 10)
    marks = [Mark("line", (LEFT, y(step), RIGHT, y(step)), "line", "grid") for step in y_steps]
    marks += [words(LEFT - 8, y(step) + 4, tick_text(step), anchor="end", tone="muted") for step in y_steps]
    marks += [words(x(step), bottom + 16, tick_text(step), anchor="middle", tone="muted") for step in x_steps]
    marks += [
        Mark("line", (LEFT, bottom, RIGHT, bottom), "line", "ink"),
        words(RIGHT, bottom + 32, panel.x_title, anchor="end", tone="muted"),
        words(0, top - 8, panel.y_title, tone="muted"),
    ]
    for place, series in enumerate(panel.series):
        is_banded = panel.is_joined and len(panel.series) <= MOST_BANDS
        marks += _series(series, place, x, y, is_joined=panel.is_joined, is_banded=is_banded)
    return marks


def _series(series: Series, place: int, x: Scale, y: Scale, *, is_joined: bool, is_banded: bool) -> list[Mark]:
    tone = f"s{place % SERIES}"
    marks: list[Mark] = []
    bounded = [p for p in series.points if p.low is not None and p.high is not None]
    if is_banded and len(bounded) > 1:
        edge = [(x(p.x), y(p.high or 0)) for p in bounded] + [(x(p.x), y(p.low or 0)) for p in reversed(bounded)]
        marks.append(Mark("polygon", tuple(part for pair in edge for part in pair), "band", tone))
    else:
        whiskers = [p for p in bounded if p.mark]
        marks += [Mark("line", (x(p.x), y(p.low or 0), x(p.x), y(p.high or 0)), "line", tone) for p in whiskers]
    if is_joined and len(series.points) > 1:
        corners = tuple(part for p in series.points for part in (x(p.x), y(p.y)))
        marks.append(Mark("polyline", corners, "line" if place % 2 == 0 else "dashed", tone))
    for p in series.points:
        if p.mark:
            label = f"{series.name}, {p.mark}: {number(p.x)}, {number(p.y)}{_ends(p)}, n = {p.n}"
            marks.append(dot(x(p.x), y(p.y), place, label=label, href=p.href))
    return marks


def _ends(p: Point) -> str:
    return "" if p.low is None or p.high is None else f" [{number(p.low)}, {number(p.high)}]"


def _table(panels: Sequence[Panel]) -> Table:
    """The marked points of every curve, and its ends; a curve of hundreds of corners is not a table."""
    rows: list[tuple[Cell, ...]] = []
    for panel in panels:
        for series in panel.series:
            points = [p for p in series.points if p.mark] or list(series.points[:: max(1, len(series.points) - 1)])
            rows += [
                (
                    Cell(series.name, p.href),
                    Cell(p.mark or "–"),
                    Cell(panel.x_title + " " + number(p.x)),
                    Cell(panel.y_title + " " + number(p.y) + _ends(p)),
                    Cell(str(p.n)),
                )
                for p in points
            ]
    return Table(("Configuration", "Point", "Across", "Up", "n"), tuple(rows))
