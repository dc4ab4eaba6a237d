"""What a chart is made of: marks with places in user units, and the table that says the same in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 680  # user units of every chart; a page scales them, and scrolls below 36 rem
MARGIN = 4
SMALL_N = 10  # below it a figure is drawn pale (ours: at n = 10 an interval of a share is about 0.6 wide)
SERIES = 8  # distinct looks: a colour, a shape and a dash each; more series begin again


@dataclass(frozen=True, slots=True)
class Mark:
    """One shape.

    Attributes:
        tag: `rect` (x, y, width, height), `line` (x1, y1, x2, y2), `circle` (x, y, radius), `polyline` or `polygon`
            (x, y, ...), or `text` (x, y).
        at: Its numbers, in that order.
        look: How it is painted: `line`, `dashed`, `fill`, `hollow`, `band`, `text`, `small`, `strong`.
        tone: Which colour: `ink`, `muted`, `grid`, `s0` to `s7` of a series, `h0` to `h8` of a scale, `pale`.
        label: What a pointer or a screen reader is told.
        href: The items that it counts.
    """

    tag: str
    at: tuple[float, ...]
    look: str
    tone: str
    text: str = ""
    anchor: str = "start"
    label: str = ""
    href: str = ""

    def geometry(self) -> list[str]:
        """Its numbers as SVG writes them: the corners of a line or an area as one, of a text its anchor too."""
        if self.tag in ("polyline", "polygon"):
            return [" ".join(f"{x:.1f},{y:.1f}" for x, y in self.corners)]
        numbers = [f"{part:.1f}" for part in self.at]
        return [*numbers, self.anchor] if self.tag == "text" else numbers

    @property
    def corners(self) -> list[tuple[float, float]]:
        return list(zip(self.at[::2], self.at[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the table; `href` leads to the items that it counts."""

    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The chart in words: the first column names the row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with its title, one sentence on how to read it, and its table."""

    key: str
    title: str
    note: str
    height: float
    marks: tuple[Mark, ...]
    table: Table

    @property
    def view_box(self) -> str:
        return f"{-MARGIN} {-MARGIN} {WIDTH + 2 * MARGIN} {self.height + 2 * MARGIN:.0f}"

    @property
    def rows(self) -> list[list[str]]:
        """The rows of its table as words, for programs."""
        return [[cell.text for cell in row] for row in self.table.rows]


@dataclass(frozen=True, slots=True)
class Scale:
    """A line from values to places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, *, most: int = 6) -> list[float]:
    """Round numbers that cover low to high: multiples of 1, 2 or 5 times a power of ten, at most `most` steps.

    Raises:
        ValueError: high is not above low.
    """
    if not high > low:
        raise ValueError(f"{low} to {high} is not a range.")
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def number(value: float | None, *, signed: bool = False) -> str:
    """A figure of at most two decimals for a person; "–" where there is none."""
    if value is None:
        return "–"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    rounded = f"{value:+.2f}" if signed else f"{value:.2f}"
    return rounded.replace("-", "\N{MINUS SIGN}")


def tick_text(value: float) -> str:
    """A tick without idle zeros."""
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")


def short(text: str, most: int) -> str:
    """A name cut to `most` characters, its end marked."""
    return text if len(text) <= most else text[: most - 1] + "…"


def words(
    x: float, y: float, text: str, *, anchor: str = "start", tone: str = "ink", look: str = "text", href: str = ""
) -> Mark:
    """A text at a place."""
    return Mark("text", (x, y), look, tone, text, anchor, label=text if href else "", href=href)


def dot(x: float, y: float, series: int, *, label: str = "", href: str = "", radius: float = 5) -> Mark:
    """A point of a series, in its shape: circle, square, diamond, triangle, and the same hollow."""
    shape, tone = series % 4, f"s{series % SERIES}"
    look = "fill" if series % SERIES < 4 else "hollow"
    if shape == 0:
        return Mark("circle", (x, y, radius), look, tone, label=label, href=href)
    r = radius * 1.2
    corners = {
        1: (x - r * 0.8, y - r * 0.8, x + r * 0.8, y - r * 0.8, x + r * 0.8, y + r * 0.8, x - r * 0.8, y + r * 0.8),
        2: (x, y - r, x + r, y, x, y + r, x - r, y),
        3: (x, y - r, x + r, y + r * 0.8, x - r, y + r * 0.8),
    }[shape]
    return Mark("polygon", corners, look, tone, label=label, href=href)


def legend(names: Sequence[str]) -> tuple[list[Mark], float]:
    """Shape and name of every series, two in a row from the top; returns the marks and their height."""
    marks: list[Mark] = []
    column = WIDTH / 2
    for place, name in enumerate(names):
        left, top = column * (place % 2), 10 + 18 * (place // 2)
        look = "line" if place % 2 == 0 else "dashed"
        marks += [
            Mark("line", (left, top, left + 22, top), look, f"s{place % SERIES}"),
            dot(left + 11, top, place, radius=4),
            words(left + 30, top + 4, short(name, int(column / 6.6) - 5)),
        ]
    return marks, 18 * math.ceil(len(names) / 2)
